// Marks over the lines, where something happened.
import type uPlot from 'uplot';
import type {RunEvent} from '../../api/types.ts';

export interface Style {
  /** The colour of a kind of events. */
  mark: (kind: string) => string;
}

const kColors: Record<string, string> = {alarm: '--error', level: '--advanced', transition: '--accent', message: '--muted'};

export const markColor = (kind: string, color: (name: string) => string): string => color(kColors[kind] ?? '--text');

/** A line at the present time of a run that has gone back. */
export function paintPresent(plot: uPlot, time: number, color: string): void {
  const {ctx, bbox} = plot;
  const x = plot.valToPos(time, 'x', true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** A thin line for each event, with a small head in the colour of its kind. */
export function paintMarks(plot: uPlot, events: RunEvent[], style: Style): void {
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = ratio;
  for (const event of events) {
    const x = plot.valToPos(event.time, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const color = style.mark(event.kind);
    ctx.strokeStyle = ctx.fillStyle = color;
    ctx.globalAlpha = 0.45;
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.moveTo(x - 3.5 * ratio, bbox.top);
    ctx.lineTo(x + 3.5 * ratio, bbox.top);
    ctx.lineTo(x, bbox.top + 5 * ratio);
    ctx.fill();
  }
  ctx.restore();
}
