// Places, boxes and anchors of turned symbols; the same rules as in the drawing of the program (drawing/diagram.cc).
import type {Place} from '../../document/index.ts';
import type {Anchor, SideName, SymbolShape} from '../api/types.ts';

export const kGrid = 8;

export interface Point {
  x: number;
  y: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const onGrid = (value: number): number => Math.round(value / kGrid) * kGrid;

/** A point of a symbol, mirrored and turned, from its middle. */
export function turned(x: number, y: number, {rotation, mirror}: Place): Point {
  const u = mirror ? -x : x;
  switch (rotation) {
    case 90:
      return {x: -y, y: u};
    case 180:
      return {x: -u, y: -y};
    case 270:
      return {x: y, y: -u};
    default:
      return {x: u, y};
  }
}

const kSides: SideName[] = ['left', 'top', 'right', 'bottom'];

export function turnedSide(side: SideName, {rotation, mirror}: Place): SideName {
  const flipped = !mirror ? side : side === 'left' ? 'right' : side === 'right' ? 'left' : side;
  return kSides[(kSides.indexOf(flipped) + rotation / 90) % 4]!;
}

export function anchorAt(anchor: Anchor, place: Place): Point {
  const at = turned(anchor.x, anchor.y, place);
  return {x: place.x + at.x, y: place.y + at.y};
}

/** The box of a symbol where it is placed. */
export function boxOf({width, height}: Pick<SymbolShape, 'width' | 'height'>, place: Place): Rect {
  const isUpright = place.rotation % 180 === 0;
  const x = (isUpright ? width : height) / 2;
  const y = (isUpright ? height : width) / 2;
  return {left: place.x - x, top: place.y - y, right: place.x + x, bottom: place.y + y};
}

export function union(boxes: Iterable<Rect>): Rect | null {
  let all: Rect | null = null;
  for (const {left, top, right, bottom} of boxes) {
    all =
      all === null
        ? {left, top, right, bottom}
        : {
            left: Math.min(all.left, left),
            top: Math.min(all.top, top),
            right: Math.max(all.right, right),
            bottom: Math.max(all.bottom, bottom),
          };
  }
  return all;
}

export const overlaps = (a: Rect, b: Rect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** `rotate(90) scale(-1 1)`, or nothing. */
export function transformOf({rotation, mirror}: Place): string | undefined {
  const parts = [rotation ? `rotate(${rotation})` : '', mirror ? 'scale(-1 1)' : ''].filter(Boolean);
  return parts.length ? parts.join(' ') : undefined;
}

/** The nearest place to `at` where a box of this size keeps clear of the others, in rings around it. */
export function freePlace(at: Point, size: {width: number; height: number}, taken: readonly Rect[]): Point {
  const gap = 2 * kGrid;
  const start = {x: onGrid(at.x), y: onGrid(at.y)};
  for (let ring = 0; ring < 60; ring++) {
    const reach = ring * 3 * kGrid;
    for (let i = 0; i < Math.max(1, 8 * ring); i++) {
      const angle = (2 * Math.PI * i) / Math.max(1, 8 * ring);
      const x = onGrid(start.x + reach * Math.cos(angle));
      const y = onGrid(start.y + reach * Math.sin(angle));
      const box = {
        left: x - size.width / 2 - gap,
        top: y - size.height / 2 - gap,
        right: x + size.width / 2 + gap,
        bottom: y + size.height / 2 + gap,
      };
      if (!taken.some((other) => overlaps(box, other))) return {x, y};
    }
  }
  return start;
}
