// What the pointer does on the drawing of a chart: choose, move states, draw transitions, choose by a band.
import {signal} from '@preact/signals';
import type {PanZoom} from '../../ui/drawing/pan_zoom.ts';
import {addStateTo, connectStates, moveIntoState, moveStates} from './chart_edits.ts';
import {chartLayout, chartView, chooseStates, chooseTransition, chosenStates, editChart, toggleState} from './chart_state.ts';
import type {Box, Point} from './geometry.ts';
import {stateAt} from './layout.ts';

const kSlack = 4; // px before a press becomes a drag
const kGrid = 4; // of places [units]

/** How far the chosen states are dragged, and where they would go into. */
export const dragged = signal<{dx: number; dy: number; into: string | null | undefined} | null>(null);
/** A transition that is being drawn: from a state, or with a new end. */
export const drawn = signal<{from: string; to: Point; target: string | null; retargets?: string} | null>(null);
export const selectionBand = signal<Box | null>(null);
/** Set by the key T: the next state that is chosen is the target. */
export const connectingFrom = signal<string | null>(null);

const onGrid = (value: number): number => Math.round(value / kGrid) * kGrid;
const dataOf = (target: EventTarget | null, name: 'state' | 'transition' | 'handle' | 'end'): string | undefined =>
  (target as Element | null)?.closest<SVGElement>(`[data-${name}]`)?.dataset[name];

export class ChartPointer {
  private isSpace = false;

  constructor(private readonly view: () => PanZoom) {}

  pans(event: PointerEvent): boolean {
    if (event.button === 1 || this.isSpace || event.altKey) return true;
    return (
      event.pointerType === 'touch' &&
      dataOf(event.target, 'state') === undefined &&
      dataOf(event.target, 'transition') === undefined
    );
  }

  listen(host: HTMLElement): () => void {
    const end = new AbortController();
    const {signal: until} = end;
    host.addEventListener('pointerdown', (event) => this.down(event), {signal: until});
    host.addEventListener('dblclick', (event) => this.add(event), {signal: until});
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.code === 'Space' && document.activeElement === host) {
          this.isSpace = true;
          event.preventDefault();
        }
      },
      {signal: until},
    );
    window.addEventListener(
      'keyup',
      (event) => {
        if (event.code === 'Space') this.isSpace = false;
      },
      {signal: until},
    );
    return () => end.abort();
  }

  private at(event: MouseEvent): Point {
    const {x, y} = this.view().toDrawing(event.clientX, event.clientY);
    return {x, y};
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0 || this.pans(event) || (event.target as Element).closest('button')) return;
    const handle = dataOf(event.target, 'handle');
    const end = dataOf(event.target, 'end');
    const state = dataOf(event.target, 'state');
    const transition = dataOf(event.target, 'transition');
    if (handle !== undefined) return this.draw(event, handle);
    if (end !== undefined) {
      const own = chartView.peek()?.transitions.find(({key}) => key === end);
      if (own) return this.draw(event, own.from, end);
    }
    if (transition !== undefined) return chooseTransition(transition);
    const from = connectingFrom.peek();
    if (from !== null) {
      connectingFrom.value = null;
      if (state !== undefined) connectStates(from, state);
      return;
    }
    if (state === undefined) return this.band(event);
    if (event.ctrlKey || event.metaKey || (event.shiftKey && !chosenStates.peek().has(state))) return toggleState(state);
    if (!chosenStates.peek().has(state)) chooseStates([state]);
    this.move(event);
  }

  /** Follows the pointer until it is let go; `moved` is called once it has moved a little. */
  private follow(
    down: PointerEvent,
    moved: (event: PointerEvent) => void,
    ended: (event: PointerEvent | null, hasMoved: boolean) => void,
  ): void {
    const end = new AbortController();
    let hasMoved = false;
    const stop = (event: PointerEvent | null): void => {
      end.abort();
      ended(event, hasMoved);
    };
    window.addEventListener(
      'pointermove',
      (event) => {
        if (event.pointerId !== down.pointerId) return;
        if (!hasMoved && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < kSlack) return;
        hasMoved = true;
        moved(event);
      },
      {signal: end.signal},
    );
    window.addEventListener('pointerup', (event) => stop(event), {signal: end.signal});
    window.addEventListener('pointercancel', () => stop(null), {signal: end.signal});
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key === 'Escape') stop(null);
      },
      {signal: end.signal, capture: true},
    );
  }

  private isMoving = (key: string): boolean => {
    const view = chartView.peek();
    for (let one: string | null | undefined = key; one; one = view?.find(one)?.parent)
      if (chosenStates.peek().has(one)) return true;
    return false;
  };

  /** With Shift the states go into the one they are let go over. */
  private move(down: PointerEvent): void {
    const begin = this.at(down);
    const distance = (event: PointerEvent): Point => {
      const {x, y} = this.at(event);
      return {x: onGrid(x - begin.x), y: onGrid(y - begin.y)};
    };
    const into = (event: PointerEvent): string | null | undefined => {
      const now = chartLayout.peek();
      if (!event.shiftKey || !now) return undefined;
      const found = stateAt(now.layout, this.at(event), this.isMoving);
      const kind = found === null ? 'state' : now.view.find(found)?.kind;
      return kind === 'state' || kind === 'parallel' ? found : undefined;
    };
    this.follow(
      down,
      (event) => {
        const {x, y} = distance(event);
        dragged.value = {dx: x, dy: y, into: into(event)};
      },
      (event, hasMoved) => {
        dragged.value = null;
        if (!event || !hasMoved) return;
        const target = into(event);
        const keys = [...chosenStates.peek()];
        if (target !== undefined) return moveIntoState(keys, target);
        const {x, y} = distance(event);
        // What lies inside of another that moves goes along.
        moveStates(
          keys.filter((key) => !keys.some((other) => other !== key && this.isIn(key, other))),
          x,
          y,
        );
      },
    );
  }

  private isIn(key: string, outer: string): boolean {
    const view = chartView.peek();
    for (let one = view?.find(key)?.parent; one; one = view?.find(one)?.parent) if (one === outer) return true;
    return false;
  }

  private draw(down: PointerEvent, from: string, retargets?: string): void {
    const targetAt = (event: PointerEvent): string | null => {
      const now = chartLayout.peek();
      return now ? stateAt(now.layout, this.at(event)) : null;
    };
    const show = (event: PointerEvent): void => {
      drawn.value = {from, to: this.at(event), target: targetAt(event), ...(retargets === undefined ? {} : {retargets})};
    };
    show(down);
    this.follow(down, show, (event, hasMoved) => {
      drawn.value = null;
      const target = event && hasMoved ? targetAt(event) : null;
      if (target === null) return;
      if (retargets === undefined) return connectStates(from, target);
      const id = chartView.peek()?.find(target)?.id;
      if (id) editChart('Target of a transition', (one) => one.setTargets(retargets, [id]));
    });
  }

  private band(down: PointerEvent): void {
    const begin = this.at(down);
    const boxTo = (event: PointerEvent): Box => {
      const {x, y} = this.at(event);
      return {x: Math.min(x, begin.x), y: Math.min(y, begin.y), width: Math.abs(x - begin.x), height: Math.abs(y - begin.y)};
    };
    if (!down.shiftKey) chooseStates([]);
    this.follow(
      down,
      (event) => {
        selectionBand.value = boxTo(event);
      },
      (event, hasMoved) => {
        selectionBand.value = null;
        const now = chartLayout.peek();
        if (!event || !hasMoved || !now) return;
        const band = boxTo(event);
        const inside = [...now.layout.boxes].filter(
          ([, box]) =>
            box.x >= band.x &&
            box.y >= band.y &&
            box.x + box.width <= band.x + band.width &&
            box.y + box.height <= band.y + band.height,
        );
        chooseStates([...(down.shiftKey ? chosenStates.peek() : []), ...inside.map(([key]) => key)]);
      },
    );
  }

  /** A double click makes a state where it is. */
  private add(event: MouseEvent): void {
    const now = chartLayout.peek();
    if (!now || (event.target as Element).closest('[data-transition], button')) return;
    const at = this.at(event);
    const parent = stateAt(now.layout, at);
    const kind = parent === null ? 'state' : now.view.find(parent)?.kind;
    if (kind !== 'state' && kind !== 'parallel') return;
    const origin = now.layout.origins.get(parent ?? '')!;
    const place = {x: onGrid(at.x - origin.x - 37), y: onGrid(at.y - origin.y - 17)};
    addStateTo(parent, 'state', parent === null ? place : {x: Math.max(0, place.x), y: Math.max(0, place.y)});
  }
}
