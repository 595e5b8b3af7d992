// The trigger: the plots show the time around the moment at which a signal crosses a level.
import {signal} from '@preact/signals';
import type uPlot from 'uplot';
import {siUnits} from '../../view/settings.ts';
import {scaleOf} from '../../view/units.ts';
import {plottedItem} from './files.ts';
import type {Points} from './history_points.ts';

export type Edge = 'rising' | 'falling' | 'either';

export interface Trigger {
  path: string;
  /** SI */
  level: number;
  edge: Edge;
  /** Stays at the first crossing; otherwise the plots follow the newest. */
  isOnce: boolean;
}

/** Nothing: the plots follow the time. */
export const trigger = signal<Trigger | null>(null);
/** The crossing that is shown [s]. */
export const triggeredAt = signal<number | null>(null);

/** The share of the span that is before the trigger. */
export const kBefore = 0.2;

const kSame = 0.01; // of the span

/** The times at which a line crosses a level. A line that rests on the level has not crossed it. */
export function crossings({t, v}: Points, level: number, edge: Edge): number[] {
  const found: number[] = [];
  let last: number | undefined; // the last point that was not on the level
  for (let i = 0; i < t.length; i++) {
    const side = Math.sign(v[i]! - level);
    if (side === 0) continue;
    if (last !== undefined && side !== Math.sign(v[last]! - level) && (edge === 'either' || (edge === 'rising') === side > 0)) {
      const [t0, v0] = [t[last]!, v[last]!];
      found.push(i > last + 1 ? t[last + 1]! : t0 + ((level - v0) / (v[i]! - v0)) * (t[i]! - t0));
    }
    last = i;
  }
  return found;
}

/**
 * Which crossing to show at the time `now`. One whose span is not over yet stays: that is the hold-off of an oscilloscope. Of a
 * trigger that fires once, the first.
 */
export function chooseCrossing(
  times: readonly number[],
  shown: number | null,
  now: number,
  span: number,
  isOnce: boolean,
): number | null {
  // The history is read again in other bins, so that a crossing moves a little.
  const isThere = shown !== null && times.some((one) => Math.abs(one - shown) < kSame * span);
  if (isOnce) return isThere ? shown : (times[0] ?? null);
  if (isThere && now < shown + (1 - kBefore) * span) return shown;
  return times.at(-1) ?? null;
}

/** The level in the panel of its signal, and the moment in all panels. */
export function paintTrigger(plot: uPlot, paths: readonly string[]): void {
  const now = trigger.value;
  if (!now) return;
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = getComputedStyle(plot.root).getPropertyValue('--warning').trim();
  ctx.lineWidth = 1.2 * ratio;
  ctx.font = `${11 * ratio}px system-ui, sans-serif`;
  ctx.beginPath();
  if (paths.includes(now.path)) {
    const {factor, offset} = scaleOf(plottedItem(now.path), siUnits.value);
    const y = plot.valToPos(now.level * factor + offset, 'y', true);
    if (y >= bbox.top && y <= bbox.top + bbox.height) {
      ctx.setLineDash([2 * ratio, 4 * ratio]);
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
    }
  }
  const x = triggeredAt.value === null ? Number.NaN : plot.valToPos(triggeredAt.value, 'x', true);
  if (x >= bbox.left && x <= bbox.left + bbox.width) {
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.fillText('T', x + 3 * ratio, bbox.top + bbox.height - 4 * ratio);
  }
  ctx.stroke();
  ctx.restore();
}
