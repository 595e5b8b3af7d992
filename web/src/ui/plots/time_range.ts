// The part of the time axis that all panels show.
import {signal} from '@preact/signals';
import {now, system} from '../../live/session.ts';
import {lastTime} from '../../live/travel.ts';
import {plotSpan} from '../../view/settings.ts';
import {kBefore, trigger, triggeredAt} from './trigger.ts';

const kSpan = 10; // s

/** A part that was chosen by zooming, or null: the newest. */
export const zoomed = signal<{from: number; to: number} | null>(null);
/** The plots stand still at this time [s], or null: they go on. */
export const heldAt = signal<number | null>(null);

export function shownRange(): [number, number] {
  if (zoomed.value) return [zoomed.value.from, zoomed.value.to];
  const around = triggeredAt.value;
  if (trigger.value && around !== null) return [around - kBefore * triggerSpan(), around + (1 - kBefore) * triggerSpan()];
  const start = system.value?.start_time ?? 0;
  const end = heldAt.value ?? lastTime();
  const span = plotSpan.value;
  if (span === 0) return [start, Math.max(end, start + 1)];
  const to = Math.max(end, start + span);
  return [to - span, to];
}

/** The whole run has no place for a trigger in it. */
export const triggerSpan = (): number => plotSpan.value || kSpan;

export function togglePause(): void {
  heldAt.value = heldAt.value === null ? now() : null;
  if (heldAt.value === null) zoomed.value = null;
}

export function showAgain(): void {
  zoomed.value = null;
}
