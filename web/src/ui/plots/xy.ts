// One signal over another.
import {signal} from '@preact/signals';
import type {Points} from './history_points.ts';
import {cut} from './measure.ts';

/** The paths; nothing: the panel is not shown. */
export const xy = signal<{x: string; y: string} | null>(null);

/** The points of both lines at all times that one of them has, where both are; between two points a line is straight. */
export function overEachOther(
  first: Points,
  second: Points,
  from: number,
  to: number,
): {x: number[]; y: number[]; t: number[]} {
  const begin = Math.max(from, first.t[0] ?? Infinity, second.t[0] ?? Infinity);
  const end = Math.min(to, first.t.at(-1) ?? -Infinity, second.t.at(-1) ?? -Infinity);
  const [a, b] = [cut(first, begin, end), cut(second, begin, end)];
  const t = [...new Set([...a.t, ...b.t])].sort((one, other) => one - other);
  return {t, x: sampled(a, t), y: sampled(b, t)};
}

/** At times that ascend, all of them inside of the line. */
function sampled({t, v}: Points, times: number[]): number[] {
  let piece = 1;
  return times.map((time) => {
    while (piece < t.length - 1 && t[piece]! < time) piece++;
    const [t0, t1, v0, v1] = [t[piece - 1]!, t[piece]!, v[piece - 1]!, v[piece]!];
    return t1 > t0 ? v0 + ((v1 - v0) * (time - t0)) / (t1 - t0) : v1;
  });
}
