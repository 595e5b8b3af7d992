// One view of the mechanism on a canvas, to scale, with a grid in metres.
import type {SceneItem} from '../../api/types.ts';
import {heightAt} from './waves.ts';
import {gridStep, grown, heading, hull, project, type Bounds, type Point, type View} from './projection.ts';

export interface Placed {
  item: SceneItem;
  points: Point[];
  width: number;
  radius: number;
}

export interface Colors {
  text: string;
  muted: string;
  grid: string;
  accent: string;
  water: string;
  fill: string;
  limit: string;
  selected: string;
}

const kMargin = 28; // px

/** What a view has shown so far, so that it does not jump as the mechanism moves. */
export class ViewPort {
  bounds?: Bounds;

  constructor(readonly view: View) {}

  paint(
    context: CanvasRenderingContext2D,
    width: number,
    height: number,
    scene: Placed[],
    colors: Colors,
    selected: string | null,
    time: number,
  ): void {
    const seen = scene.filter(({item}) => !item.view || item.view === this.view);
    const turning = seen.filter(({item}) => item.kind !== 'limit' && !item.view);
    const angle = this.view === 'side' ? heading(turning.flatMap(({points}) => points)) : 0;
    const placed = seen.map((one) => ({
      ...one,
      flat: one.points.map((point) => project(point, this.view, one.item.view ? 0 : angle)),
    }));
    for (const {flat, radius, width: thickness} of placed) {
      for (const [x, y] of flat) this.bounds = grown(this.bounds, x, y, Math.max(radius, thickness / 2));
    }
    context.clearRect(0, 0, width, height);
    if (!this.bounds) return;
    const {left, right, bottom, top} = this.bounds;
    const scale = Math.min(
      (width - 2 * kMargin) / Math.max(right - left, 1e-3),
      (height - 2 * kMargin) / Math.max(top - bottom, 1e-3),
    );
    const toX = (x: number) => width / 2 + (x - (left + right) / 2) * scale;
    const toY = (y: number) => height / 2 - (y - (bottom + top) / 2) * scale;
    this.paintGrid(context, width, height, scale, toX, toY, colors);
    if (this.view === 'side') {
      for (const {item} of seen) this.paintSurface(context, item, width, scale, toX, toY, angle, time, colors);
    }
    context.lineJoin = 'round';
    for (const kind of ['limit', 'body', 'hull', 'polyline', 'segment', 'circle', 'trace']) {
      for (const one of placed) {
        if (one.item.kind === kind) paintItem(context, one, scale, toX, toY, colors, one.item.component === selected);
      }
    }
  }

  /** Water, in the plane of the view. */
  private paintSurface(
    context: CanvasRenderingContext2D,
    {waves}: SceneItem,
    width: number,
    scale: number,
    toX: (x: number) => number,
    toY: (y: number) => number,
    angle: number,
    time: number,
    colors: Colors,
  ): void {
    if (!waves) return;
    const step = 4; // px
    context.strokeStyle = colors.water;
    context.lineWidth = 1.5;
    context.beginPath();
    for (let px = 0; px <= width + step; px += step) {
      const along = (px - toX(0)) / scale;
      context.lineTo(px, toY(heightAt(waves, time, along * Math.cos(angle), along * Math.sin(angle))));
    }
    context.stroke();
  }

  private paintGrid(
    context: CanvasRenderingContext2D,
    width: number,
    height: number,
    scale: number,
    toX: (x: number) => number,
    toY: (y: number) => number,
    colors: Colors,
  ): void {
    const step = gridStep(width / scale, width / 70);
    const decimals = Math.max(0, -Math.floor(Math.log10(step)));
    const label = (i: number) => (i * step).toFixed(decimals).replace('-', '−');
    const centerX = (this.bounds!.left + this.bounds!.right) / 2;
    const centerY = (this.bounds!.bottom + this.bounds!.top) / 2;
    context.lineWidth = 1;
    context.font = '10px system-ui, sans-serif';
    context.fillStyle = colors.muted;
    for (let i = Math.ceil((centerX - width / 2 / scale) / step); i * step <= centerX + width / 2 / scale; i++) {
      const x = Math.round(toX(i * step)) + 0.5;
      context.strokeStyle = i === 0 ? colors.muted : colors.grid;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      context.fillText(label(i), x + 3, height - 4);
    }
    for (let i = Math.ceil((centerY - height / 2 / scale) / step); i * step <= centerY + height / 2 / scale; i++) {
      const y = Math.round(toY(i * step)) + 0.5;
      context.strokeStyle = i === 0 ? colors.muted : colors.grid;
      context.beginPath();
      context.moveTo(0, y);
      context.lineTo(width, y);
      context.stroke();
      if (y < height - 16) context.fillText(`${label(i)} m`, 3, y - 3);
    }
  }
}

type Flat = Placed & {flat: [number, number][]};

function paintItem(
  context: CanvasRenderingContext2D,
  {item, points, flat, width, radius}: Flat,
  scale: number,
  toX: (x: number) => number,
  toY: (y: number) => number,
  colors: Colors,
  isSelected: boolean,
): void {
  const first = flat[0];
  if (!first) return;
  context.setLineDash([]);
  context.strokeStyle = isSelected ? colors.selected : item.kind === 'limit' ? colors.limit : colors.accent;
  context.fillStyle = colors.fill;
  context.lineWidth = Math.max(width * scale, item.kind === 'limit' ? 1 : 1.5);
  context.lineCap = item.kind === 'segment' ? 'round' : 'butt';
  if (item.kind === 'hull') return paintHull(context, hull(flat), width * scale, toX, toY);
  if (item.barrel) return paintCylinder(context, flat, item.barrel / distance(points), width * scale, toX, toY);
  context.beginPath();
  if (
    item.kind === 'circle' ||
    item.kind === 'trace' ||
    (item.kind === 'body' && radius > 0) ||
    (item.kind === 'limit' && radius > 0)
  ) {
    context.arc(toX(first[0]), toY(first[1]), Math.max(radius * scale, 2.5), 0, 2 * Math.PI);
  } else {
    for (const [x, y] of flat) context.lineTo(toX(x), toY(y));
    if (item.kind === 'body') context.closePath();
  }
  if (item.kind === 'limit') {
    context.setLineDash([6, 5]);
    context.lineWidth = 1.2;
  } else if (item.kind === 'body' || item.kind === 'circle') {
    context.lineWidth = 1.5;
    context.fill();
  }
  context.stroke();
  context.setLineDash([]);
}

/** A plate with round corners about the points. */
function paintHull(
  context: CanvasRenderingContext2D,
  corners: [number, number][],
  width: number,
  toX: (x: number) => number,
  toY: (y: number) => number,
): void {
  const outline = 1.5; // px
  context.lineJoin = context.lineCap = 'round';
  context.beginPath();
  for (const [x, y] of corners) context.lineTo(toX(x), toY(y));
  context.closePath();
  context.lineWidth = Math.max(width, 3) + outline;
  context.stroke();
  context.strokeStyle = context.fillStyle;
  context.lineWidth -= 2 * outline;
  context.stroke();
  context.fill();
}

const distance = ([a, b]: Point[]): number => Math.hypot(b![0] - a![0], b![1] - a![1], b![2] - a![2]);

/** A barrel, as a share of the length, and the rod that comes out of it. */
function paintCylinder(
  context: CanvasRenderingContext2D,
  [from, to]: [number, number][],
  share: number,
  width: number,
  toX: (x: number) => number,
  toY: (y: number) => number,
): void {
  const [x0, y0, x1, y1] = [toX(from![0]), toY(from![1]), toX(to![0]), toY(to![1])];
  const line = (x: number, y: number, thickness: number) => {
    context.lineWidth = Math.max(thickness, 1.5);
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x, y);
    context.stroke();
  };
  line(x1, y1, 0.45 * width);
  line(x0 + Math.min(share, 1) * (x1 - x0), y0 + Math.min(share, 1) * (y1 - y0), width);
}
