// A plain orthogonal line for the time until the program has answered with the way around everything.
import type {SideName} from '../api/types.ts';
import {kGrid, onGrid, type Point} from './geometry.ts';

const kOut: Record<SideName, Point> = {left: {x: -1, y: 0}, top: {x: 0, y: -1}, right: {x: 1, y: 0}, bottom: {x: 0, y: 1}};
const kLead = 2 * kGrid; // straight out of a symbol

/** Without points that are twice there or lie on a straight line between others. */
export function simplified(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (last && last.x === point.x && last.y === point.y) continue;
    const before = kept.at(-2);
    if (last && before) {
      const isAhead = (last.x - before.x) * (point.x - last.x) + (last.y - before.y) * (point.y - last.y) >= 0;
      const isStraight = (before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y);
      if (isStraight && isAhead) kept.pop();
    }
    kept.push(point);
  }
  return kept;
}

function cost(points: readonly Point[], a: SideName, b: SideName | null): number {
  let sum = 8 * kGrid * points.length;
  for (let i = 1; i < points.length; i++)
    sum += Math.abs(points[i]!.x - points[i - 1]!.x) + Math.abs(points[i]!.y - points[i - 1]!.y);
  const leaves = (from: Point, to: Point, side: SideName) =>
    (to.x - from.x) * kOut[side].x + (to.y - from.y) * kOut[side].y > 0;
  if (points.length > 1 && !leaves(points[0]!, points[1]!, a)) sum += 1e4;
  if (b !== null && points.length > 1 && !leaves(points.at(-1)!, points.at(-2)!, b)) sum += 1e4;
  return sum;
}

/** From a, left to `sideA`, to b, entered from `sideB` (any side where null): the cheapest of lines with few bends. */
export function orthogonal(a: Point, sideA: SideName, b: Point, sideB: SideName | null): Point[] {
  const from = {x: a.x + kLead * kOut[sideA].x, y: a.y + kLead * kOut[sideA].y};
  const to = sideB === null ? b : {x: b.x + kLead * kOut[sideB].x, y: b.y + kLead * kOut[sideB].y};
  const x = onGrid((from.x + to.x) / 2);
  const y = onGrid((from.y + to.y) / 2);
  const middles: Point[][] = [
    [{x: to.x, y: from.y}],
    [{x: from.x, y: to.y}],
    [
      {x, y: from.y},
      {x, y: to.y},
    ],
    [
      {x: from.x, y},
      {x: to.x, y},
    ],
  ];
  const ways = middles.map((middle) => simplified([a, from, ...middle, to, b]));
  return ways.reduce((best, way) => (cost(way, sideA, sideB) < cost(best, sideA, sideB) ? way : best));
}

export const pathOf = (points: readonly Point[]): string => points.map(({x, y}, i) => `${i ? 'L' : 'M'}${x} ${y}`).join('');
