// Where lines of one net part: lines that cross without a dot are not connected.
import type {Point} from './geometry.ts';

interface NetLine {
  net: number;
  points: readonly Point[];
}

const isOn = (at: Point, a: Point, b: Point): boolean =>
  a.y === b.y
    ? at.y === a.y && at.x >= Math.min(a.x, b.x) && at.x <= Math.max(a.x, b.x)
    : at.x === a.x && at.y >= Math.min(a.y, b.y) && at.y <= Math.max(a.y, b.y);

/** Corners and ends of a net that lines leave in three directions or more. */
export function dotsOf(lines: readonly NetLine[]): Point[] {
  const nets = new Map<number, NetLine[]>();
  for (const line of lines) nets.set(line.net, [...(nets.get(line.net) ?? []), line]);
  const dots: Point[] = [];
  for (const net of nets.values()) {
    if (net.length < 2) continue;
    const corners = new Map(net.flatMap(({points}) => points.map((point) => [`${point.x} ${point.y}`, point] as const)));
    for (const at of corners.values()) {
      const ways = new Set<string>();
      for (const {points} of net) {
        for (let i = 1; i < points.length; i++) {
          const a = points[i - 1]!;
          const b = points[i]!;
          if (!isOn(at, a, b)) continue;
          const [x, y] = [Math.sign(b.x - a.x), Math.sign(b.y - a.y)];
          if (at.x !== b.x || at.y !== b.y) ways.add(`${x} ${y}`);
          if (at.x !== a.x || at.y !== a.y) ways.add(`${-x || 0} ${-y || 0}`);
        }
      }
      if (ways.size > 2) dots.push(at);
    }
  }
  return dots;
}
