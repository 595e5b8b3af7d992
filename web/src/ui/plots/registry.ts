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

const strips = new Set<HTMLCanvasElement>();

/** The strips of levels on the page, the same. */
export const levelStrips = {
  add(canvas: HTMLCanvasElement): () => void {
    strips.add(canvas);
    return () => strips.delete(canvas);
  },
  shown(): HTMLCanvasElement[] {
    return [...strips].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  },
};
