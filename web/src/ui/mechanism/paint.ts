// One view of the mechanism on a canvas, to scale, with a grid in metres.
import type {SceneItem} from '../../api/types.ts';
import {gridStep, grown, heading, project, type Bounds, type Point, type View} from './projection.ts';

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
    context.lineJoin = 'round';
    for (const kind of ['limit', 'body', 'polyline', 'segment', 'circle']) {
      for (const one of placed) {
        if (one.item.kind === kind) paintItem(context, one, scale, toX, toY, colors, one.item.component === selected);
      }
    }
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
  {item, flat, width, radius}: Flat,
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
  context.beginPath();
  if (item.kind === 'circle' || (item.kind === 'body' && radius > 0) || (item.kind === 'limit' && radius > 0)) {
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
