// From bins of the server's history to points of a line.
import type {Bins} from '../../api/types.ts';

export interface Points {
  t: number[];
  v: number[];
}

/**
 * A bin becomes its last value, and before it its minimum and its maximum where the line would miss them, so that peaks stay.
 * `t` of a bin is the time of its last value, and the bin reaches back to that of the bin before.
 */
export function pointsOf({t, min, max, last}: Bins): Points {
  const points: Points = {t: [], v: []};
  let before: number | undefined;
  for (let i = 0; i < t.length; i++) {
    const [end, low, high, value] = [t[i]!, min[i], max[i], last[i]];
    if (low == null || high == null || value == null) continue;
    if (before !== undefined) {
      const previous = points.v.at(-1)!;
      const extremes = [low, high].filter((one) => one < Math.min(previous, value) || one > Math.max(previous, value));
      // The nearer one first: the line crosses the bin once.
      extremes.sort((a, b) => Math.abs(previous - a) - Math.abs(previous - b));
      const step = (end - before) / (extremes.length + 1);
      extremes.forEach((one, index) => {
        points.t.push(before! + (index + 1) * step);
        points.v.push(one);
      });
    }
    points.t.push(end);
    points.v.push(value);
    before = end;
  }
  return points;
}

/**
 * Adds a sample. The server sends no value twice: where there were other samples since the last one of this signal, it has held
 * its value until the time `before`, that of the newest of them.
 */
export function append({t, v}: Points, time: number, value: number, before: number): void {
  const last = t.at(-1);
  if (last === time) {
    v[v.length - 1] = value;
    return;
  }
  if (last !== undefined && before > last && before < time && v.at(-1) !== value) {
    t.push(before);
    v.push(v.at(-1)!);
  }
  t.push(time);
  v.push(value);
}

/** The same line up to `time`: its last value holds. */
export function held({t, v}: Points, time: number): Points {
  const last = t.at(-1);
  return last === undefined || time <= last ? {t, v} : {t: [...t, time], v: [...v, v.at(-1)!]};
}

/** One axis of times for all lines; where a line has no point it has null. */
export function aligned(lines: Points[]): [number[], ...(number | null)[][]] {
  const times = [...new Set(lines.flatMap(({t}) => t))].sort((a, b) => a - b);
  const places = new Map(times.map((time, index) => [time, index]));
  const columns = lines.map(({t, v}) => {
    const column: (number | null)[] = new Array(times.length).fill(null);
    t.forEach((time, index) => {
      column[places.get(time)!] = v[index]!;
    });
    return column;
  });
  return [times, ...columns];
}
