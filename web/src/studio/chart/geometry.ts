// Boxes and lines of a chart.

export interface Point {
  x: number;
  y: number;
}
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const centerOf = ({x, y, width, height}: Box): Point => ({x: x + width / 2, y: y + height / 2});

/** Where the line from the middle of a box to a point leaves the box. */
export function leaving(box: Box, towards: Point): Point {
  const {x, y} = centerOf(box);
  const [dx, dy] = [towards.x - x, towards.y - y];
  if (dx === 0 && dy === 0) return {x: x + box.width / 2, y};
  const scale = Math.min(box.width / 2 / Math.abs(dx), box.height / 2 / Math.abs(dy));
  return {x: x + dx * scale, y: y + dy * scale};
}

export const contains = (box: Box, {x, y}: Point): boolean =>
  x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height;

/** The point of the box that is nearest to another. */
export const nearest = (box: Box, {x, y}: Point): Point => ({
  x: Math.min(Math.max(x, box.x), box.x + box.width),
  y: Math.min(Math.max(y, box.y), box.y + box.height),
});

/** A straight line between two boxes, beside others of the same pair by `shift` [units]. */
export function straight(from: Box, to: Box, shift: number): Point[] {
  const [a, b] = [centerOf(from), centerOf(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [nx, ny] = [(-(b.y - a.y) / length) * shift, ((b.x - a.x) / length) * shift];
  const moved = (box: Box): Box => ({...box, x: box.x + nx, y: box.y + ny});
  const start = nearest(from, leaving(moved(from), centerOf(moved(to))));
  const end = nearest(to, leaving(moved(to), centerOf(moved(from))));
  return [start, end];
}

/** From the border of a state to one inside of it, or back. */
export function inward(outer: Box, inner: Box): Point[] {
  const {y} = centerOf(inner);
  return inner.x - outer.x <= outer.x + outer.width - (inner.x + inner.width)
    ? [
        {x: outer.x, y},
        {x: inner.x, y},
      ]
    : [
        {x: outer.x + outer.width, y},
        {x: inner.x + inner.width, y},
      ];
}

/** A loop at the upper right corner; further ones lie around the first. */
export function loop(box: Box, number: number): Point[] {
  const size = 18 + 12 * number;
  const right = box.x + box.width;
  return [
    {x: right - 14 - 6 * number, y: box.y},
    {x: right - 14 - 6 * number, y: box.y - size},
    {x: right + size, y: box.y - size},
    {x: right + size, y: box.y + 12 + 6 * number},
    {x: right, y: box.y + 12 + 6 * number},
  ];
}

export function middleOf(points: readonly Point[]): Point {
  const lengths = points.slice(1).map((point, i) => Math.hypot(point.x - points[i]!.x, point.y - points[i]!.y));
  let left = lengths.reduce((sum, one) => sum + one, 0) / 2;
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length > 0) {
      const [a, b] = [points[i]!, points[i + 1]!];
      return {x: a.x + ((b.x - a.x) * left) / length, y: a.y + ((b.y - a.y) * left) / length};
    }
    left -= length;
  }
  return points.at(-1)!;
}

/** A line through points with round corners, as the `d` of a path. */
export function pathOf(points: readonly Point[], radius = 6): string {
  const [first, ...rest] = points;
  let d = `M${round(first!.x)} ${round(first!.y)}`;
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    const before = points[i]!;
    if (!next) {
      d += `L${round(point.x)} ${round(point.y)}`;
      return;
    }
    const r = Math.min(
      radius,
      Math.hypot(point.x - before.x, point.y - before.y) / 2,
      Math.hypot(next.x - point.x, next.y - point.y) / 2,
    );
    const a = towards(point, before, r);
    const b = towards(point, next, r);
    d += `L${round(a.x)} ${round(a.y)}Q${round(point.x)} ${round(point.y)} ${round(b.x)} ${round(b.y)}`;
  });
  return d;
}

function towards(from: Point, to: Point, distance: number): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return {x: from.x + ((to.x - from.x) * distance) / length, y: from.y + ((to.y - from.y) * distance) / length};
}

const round = (value: number): number => Math.round(value * 10) / 10;
