// The heads of the marks over a plot, as buttons: they tell what happened there, and why.
import {signal} from '@preact/signals';
import type uPlot from 'uplot';
import type {RunEvent} from '../../api/types.ts';
import {askWhyOf, subjectOf} from '../../live/why.ts';
import {formatTime} from '../../view/units.ts';

const kWidth = 14; // px; closer ones share a button

export interface ShownMark {
  events: readonly RunEvent[];
  x: number; // px, of the window
  y: number;
  /** It stays when the pointer leaves. */
  isPinned: boolean;
}

export const shownMark = signal<ShownMark | null>(null);

export interface Group {
  x: number;
  events: RunEvent[];
}

/** Those that are closer than a button is wide are one group, at the place of the first. */
export function groups(events: readonly RunEvent[], xOf: (time: number) => number, width: number): Group[] {
  const found: Group[] = [];
  for (const event of events) {
    const x = xOf(event.time);
    if (!(x >= 0 && x <= width)) continue;
    const last = found.at(-1);
    if (last && Math.abs(x - last.x) < kWidth) last.events.push(event);
    else found.push({x, events: [event]});
  }
  return found;
}

export class Marks {
  private readonly place = document.createElement('div');
  private readonly buttons: HTMLButtonElement[] = [];
  private shown: Group[] = [];

  constructor(host: HTMLElement) {
    this.place.className = 'marks';
    this.place.setAttribute('role', 'group');
    this.place.setAttribute('aria-label', 'Events');
    host.append(this.place);
  }

  show(plot: uPlot, events: readonly RunEvent[]): void {
    this.shown = groups(events, (time) => plot.valToPos(time, 'x'), plot.over.clientWidth);
    while (this.buttons.length < this.shown.length) this.add();
    this.buttons.forEach((button, index) => {
      const group = this.shown[index];
      button.hidden = !group;
      if (!group) return;
      button.style.left = `${plot.over.offsetLeft + group.x - kWidth / 2}px`;
      button.style.top = `${plot.over.offsetTop}px`;
      const [first] = group.events;
      const others = group.events.length - 1;
      const text = `${formatTime(first!.time)} s: ${first!.kind} of ${first!.path || 'the run'}${others ? ` and ${others} more` : ''}`;
      if (button.getAttribute('aria-label') !== text) button.setAttribute('aria-label', text);
    });
  }

  private add(): void {
    const index = this.buttons.length;
    const button = document.createElement('button');
    button.className = 'mark';
    button.tabIndex = index ? -1 : 0; // arrows lead to the others
    const open = (isPinned: boolean) => {
      const {left, bottom} = button.getBoundingClientRect();
      shownMark.value = {events: this.shown[index]?.events ?? [], x: left, y: bottom, isPinned};
    };
    button.addEventListener('pointerenter', () => {
      if (!shownMark.peek()?.isPinned) open(false);
    });
    button.addEventListener('pointerleave', () => {
      if (!shownMark.peek()?.isPinned) shownMark.value = null;
    });
    button.addEventListener('click', () => {
      open(true);
      const explained = this.shown[index]?.events.find(subjectOf);
      if (explained) void askWhyOf(explained, false);
    });
    button.addEventListener('keydown', ({key}) => {
      const next = this.buttons[index + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0)];
      if (next && !next.hidden) next.focus();
      if (key === 'Escape') shownMark.value = null;
    });
    this.buttons.push(button);
    this.place.append(button);
  }

  dispose(): void {
    this.place.remove();
  }
}
