// What the signals of a scene have been: rows of their values, as the history of the server has them.
import type {Bins} from '../../api/types.ts';

export class Recording {
  /** The times of the rows [s]. */
  readonly t: number[] = [];
  private readonly columns = new Map<string, number[]>();

  /** Adds the rows behind the last one, at the times that all signals have: the bins of some may be wider. */
  add(signals: Readonly<Record<string, Bins>>): void {
    const all = Object.entries(signals).map(([path, {t, last}]) => {
      const values = new Map<number, number>();
      t.forEach((time, i) => {
        const value = last[i];
        if (typeof value === 'number') values.set(time, value);
      });
      return {path, values};
    });
    const [first] = all;
    if (!first) return;
    const end = this.end;
    for (const time of first.values.keys()) {
      if (time <= end || !all.every(({values}) => values.has(time))) continue;
      this.t.push(time);
      for (const {path, values} of all) {
        const column = this.columns.get(path) ?? [];
        column.push(values.get(time)!);
        this.columns.set(path, column);
      }
    }
  }

  clear(): void {
    this.t.length = 0;
    this.columns.clear();
  }

  /** Of the last row; before all times where there is none. */
  get end(): number {
    return this.t.at(-1) ?? -Infinity;
  }

  /** The last row that is not after a time, the first one for times before it; -1 where there is none. */
  indexAt(time: number): number {
    let low = 0;
    let high = this.t.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.t[middle]! <= time) low = middle + 1;
      else high = middle;
    }
    return Math.min(Math.max(low - 1, 0), this.t.length - 1);
  }

  read(path: string, row: number): number {
    return this.columns.get(path)?.[row] ?? NaN;
  }
}
