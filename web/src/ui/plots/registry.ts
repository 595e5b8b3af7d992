// The panels on the page, for export.
import type uPlot from 'uplot';
import type {Series} from './series.ts';

export interface Shown {
  paths: string[];
  series: Series[];
  plot: uPlot;
  color: (index: number) => string;
}

const all = new Set<Shown>();

export const registry = {
  add(shown: Shown): () => void {
    all.add(shown);
    return () => all.delete(shown);
  },
  /** From top to bottom. */
  shown(): Shown[] {
    return [...all].sort((a, b) => a.plot.root.getBoundingClientRect().top - b.plot.root.getBoundingClientRect().top);
  },
};
