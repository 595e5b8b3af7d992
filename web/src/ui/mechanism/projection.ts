// From the world (z up) to the plane of a view.

export type Point = [number, number, number];
export type View = 'side' | 'top';

/** Horizontal direction of the point that is farthest from the axis [rad]; 0 where nothing leaves the plane of x and z. */
export function heading(points: Iterable<Point>): number {
  let farthest = 0;
  let angle = 0;
  let leaves = false;
  for (const [x, y] of points) {
    leaves ||= Math.abs(y) > 1e-6;
    const distance = Math.hypot(x, y);
    if (distance > farthest * (1 + 1e-9)) {
      farthest = distance;
      angle = Math.atan2(y, x);
    }
  }
  return leaves ? angle : 0;
}

/** Right and up in the view [m]. The side is seen in the vertical plane through the axis at an angle to x [rad]. */
export function project([x, y, z]: Point, view: View, angle: number): [number, number] {
  return view === 'top' ? [x, y] : [x * Math.cos(angle) + y * Math.sin(angle), z];
}

export interface Bounds {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

export function grown(bounds: Bounds | undefined, x: number, y: number, margin = 0): Bounds {
  return {
    left: Math.min(bounds?.left ?? Infinity, x - margin),
    right: Math.max(bounds?.right ?? -Infinity, x + margin),
    bottom: Math.min(bounds?.bottom ?? Infinity, y - margin),
    top: Math.max(bounds?.top ?? -Infinity, y + margin),
  };
}

/** Distance of grid lines so that about `count` of them are on `extent`: 1, 2 or 5 times a power of ten. */
export function gridStep(extent: number, count: number): number {
  const rough = extent / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (rough / power > 5 ? 10 : rough / power > 2 ? 5 : rough / power > 1 ? 2 : 1) * power;
}

/** The corners of the smallest convex shape about points, in order. */
export function hull(points: readonly [number, number][]): [number, number][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (all: readonly [number, number][]) => {
    const chain: [number, number][] = [];
    for (const point of all) {
      while (chain.length > 1 && turnsRight(chain.at(-2)!, chain.at(-1)!, point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

const turnsRight = (a: [number, number], b: [number, number], c: [number, number]): boolean =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0;
