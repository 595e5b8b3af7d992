// Two times at which the plots are read.
import {signal} from '@preact/signals';
import type uPlot from 'uplot';

export const isMeasuring = signal(false);
export const isSpectrum = signal(false);
/** Of A and B [s]. */
export const cursors = signal<[number | null, number | null]>([null, null]);

const kColors = ['--accent', '--selected'];

/** A click sets A, the next one B. */
let next = 0;
export function setNext(time: number): void {
  setCursor(next, time);
  next = 1 - next;
}

export function setCursor(index: number, time: number | null): void {
  cursors.value = [index === 0 ? time : cursors.value[0], index === 1 ? time : cursors.value[1]];
}

export function paintCursors(plot: uPlot): void {
  if (!isMeasuring.value) return;
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  const css = getComputedStyle(plot.root);
  cursors.value.forEach((time, index) => {
    if (time === null) return;
    const x = plot.valToPos(time, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = css.getPropertyValue(kColors[index]!).trim();
    ctx.lineWidth = 1.5 * ratio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.font = `${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.fillText('AB'[index]!, x + 3 * ratio, bbox.top + bbox.height - 4 * ratio);
    ctx.restore();
  });
}
