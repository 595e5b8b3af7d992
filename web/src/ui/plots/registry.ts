// The panels on the page, for export.
import type {RunEvent} from '../../api/types.ts';
import type uPlot from 'uplot';
import type {PlottedSeries} from './series.ts';

export interface Shown {
  paths: string[];
  series: PlottedSeries[];
  plot: uPlot;
  color: (index: number) => string;
  /** Events of the panel. */
  marks: () => RunEvent[];
}

/** What is on the page now; `shown()` is it from top to bottom. */
function registryOf<Item>(elementOf: (item: Item) => Element) {
  const all = new Set<Item>();
  const top = (item: Item) => elementOf(item).getBoundingClientRect().top;
  return {
    add(item: Item): () => void {
      all.add(item);
      return () => all.delete(item);
    },
    shown: (): Item[] => [...all].sort((a, b) => top(a) - top(b)),
  };
}

export const registry = registryOf<Shown>(({plot}) => plot.root);
export const levelStrips = registryOf<HTMLCanvasElement>((canvas) => canvas);
