// What the pointer does on the sheet: choose, move, draw a line, or draw a band around components.
import {signal} from '@preact/signals';
import {isNote} from '../../document/index.ts';
import type {PanZoom} from '../../ui/drawing/pan_zoom.ts';
import {choose, chooseLine, chosen, toggle} from '../state/choice.ts';
import {chooseInside, connectEnds, moveBy} from '../state/edits.ts';
import {enter} from '../state/workspace.ts';
import {onGrid, type Point, type Rect} from './geometry.ts';
import {describeEnd} from './joining.ts';
import {connectDialog, handlesOf, joining, joiningHint, refusal, type Handle} from './joining_state.ts';
import {dragged, scene} from './scene.ts';

const kSlack = 4; // px before a press becomes a drag
const kReach = 14; // around a symbol, where its ends are still shown [units]
const kCatch = 10; // around an end that a line is drawn to [units]

/** The component whose ends are shown because the pointer is there. */
export const hovered = signal<string | null>(null);
export const band = signal<Rect | null>(null);

const dataOf = (target: EventTarget | null, selector: string, name: string): string | undefined =>
  (target as Element | null)?.closest<SVGElement>(selector)?.dataset[name];

/** The component of the sheet at a point; the smallest where boxes lie in each other. */
/** The name in the file of what a <For> makes: all of it is chosen together. */
const patternOf = (owner: string): string | undefined => scene.peek().nodes.find((node) => node.owner === owner)?.pattern;

function ownerAt({x, y}: Point, reach = 0): string | null {
  let found: string | null = null;
  let least = Infinity;
  for (const [name, {left, top, right, bottom}] of scene.peek().boxes) {
    if (x < left - reach || x > right + reach || y < top - reach || y > bottom + reach || !scene.peek().places.has(name))
      continue;
    const size = (right - left) * (bottom - top);
    if (size < least) [found, least] = [name, size];
  }
  return found;
}

export class Pointer {
  private isSpace = false;

  constructor(private readonly view: () => PanZoom) {}

  /** Middle button, Alt, the space bar, or one finger beside everything: the view moves. */
  pans(event: PointerEvent): boolean {
    if (event.button === 1 || this.isSpace || event.altKey) return true;
    return event.pointerType === 'touch' && !(event.target as Element).closest('[data-owner], [data-end], [data-line]');
  }

  listen(host: HTMLElement): () => void {
    const end = new AbortController();
    const {signal} = end;
    host.addEventListener('pointerdown', (event) => this.down(event, host), {signal});
    host.addEventListener('pointermove', (event) => this.hover(event), {signal});
    host.addEventListener(
      'pointerleave',
      () => {
        if (!joining.peek()) hovered.value = null;
      },
      {signal},
    );
    host.addEventListener(
      'dblclick',
      (event) => {
        const owner = dataOf(event.target, '[data-owner]', 'owner');
        if (owner !== undefined && isNote(owner)) focusNote();
        else if (owner !== undefined) void enter(owner);
      },
      {signal},
    );
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.code === 'Space' && document.activeElement === host) {
          this.isSpace = true;
          event.preventDefault();
        }
      },
      {signal},
    );
    window.addEventListener(
      'keyup',
      (event) => {
        if (event.code === 'Space') this.isSpace = false;
      },
      {signal},
    );
    host.addEventListener(
      'focusin',
      (event) => {
        // What gets the focus by the keyboard is chosen, so that keys act on it.
        const owner = dataOf(event.target, '.component[data-owner], .subsystem[data-owner], .note[data-owner]', 'owner');
        if (owner !== undefined && (event.target as Element).matches(':focus-visible') && !chosen.peek().has(owner))
          choose([owner]);
        const line = dataOf(event.target, '[data-line]', 'line');
        if (line !== undefined && (event.target as Element).matches(':focus-visible')) this.takeLine(line);
      },
      {signal},
    );
    return () => end.abort();
  }

  private takeLine(line: string): void {
    const [from, to] = line.split(' ');
    chooseLine({from: from!, to: to!});
  }

  private at(event: PointerEvent | MouseEvent): Point {
    const {x, y} = this.view().toDrawing(event.clientX, event.clientY);
    return {x, y};
  }

  private hover(event: PointerEvent): void {
    if (event.buttons || joining.peek() || dragged.peek()) return;
    const owner = ownerAt(this.at(event), kReach);
    if (owner !== hovered.peek()) hovered.value = owner;
  }

  private down(event: PointerEvent, host: HTMLElement): void {
    if (event.button !== 0 || this.pans(event) || (event.target as Element).closest('.tools')) return;
    host.focus({preventScroll: true});
    event.preventDefault();
    const end = dataOf(event.target, '[data-end]', 'end');
    const signals = dataOf(event.target, '[data-signals]', 'signals');
    const line = dataOf(event.target, '[data-line]', 'line');
    const owner = dataOf(event.target, '[data-owner]', 'owner');
    if (end !== undefined || signals !== undefined) this.join(event, end, signals);
    else if (owner !== undefined && scene.peek().places.has(owner)) this.move(event, owner);
    else if (owner !== undefined && patternOf(owner) !== undefined) choose([patternOf(owner)!]);
    else if (line !== undefined) this.takeLine(line);
    else this.drawBand(event);
  }

  private follow(move: (event: PointerEvent) => void, done: (event: PointerEvent, isCancelled: boolean) => void): void {
    const end = new AbortController();
    const {signal} = end;
    const finish = (event: PointerEvent, isCancelled: boolean) => {
      end.abort();
      done(event, isCancelled);
    };
    window.addEventListener(
      'pointermove',
      (event) => {
        if (this.view().isPinched) finish(event, true);
        else move(event);
      },
      {signal},
    );
    window.addEventListener('pointerup', (event) => finish(event, false), {signal});
    window.addEventListener('pointercancel', (event) => finish(event, true), {signal});
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        finish(new PointerEvent('pointercancel'), true);
      },
      {signal, capture: true},
    );
  }

  private move(down: PointerEvent, owner: string): void {
    const isMore = down.shiftKey || down.ctrlKey || down.metaKey;
    const wasChosen = chosen.peek().has(owner);
    if (isMore) toggle(owner);
    else if (!wasChosen) choose([owner]);
    const begin = this.at(down);
    let isMoving = false;
    this.follow(
      (event) => {
        if (!isMoving && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < kSlack) return;
        isMoving = true;
        const now = this.at(event);
        dragged.value = {names: chosen.peek(), dx: onGrid(now.x - begin.x), dy: onGrid(now.y - begin.y)};
      },
      (_, isCancelled) => {
        const drag = dragged.peek();
        dragged.value = null;
        if (drag && !isCancelled) moveBy(drag.dx, drag.dy);
        if (!isMoving && !isMore && wasChosen) choose([owner]);
      },
    );
  }

  private join(down: PointerEvent, path: string | undefined, owner: string | undefined): void {
    const begin = this.at(down);
    let handle: Handle | null = null;
    if (path !== undefined) {
      const name = path.split('.', 1)[0]!;
      const same = handlesOf(scene.peek(), name).filter(({end}) => end.path === path);
      handle =
        same.sort(
          (a, b) => Math.hypot(a.at.x - begin.x, a.at.y - begin.y) - Math.hypot(b.at.x - begin.x, b.at.y - begin.y),
        )[0] ?? null;
    }
    if (!handle && owner === undefined) return;
    const from = handle ? handle.at : begin;
    joining.value = {handle, owner: handle?.owner ?? owner!, from, side: handle?.side ?? 'right', to: begin};
    this.follow(
      (event) => {
        const to = this.at(event);
        joining.value = {...joining.peek()!, to};
        const target = this.targetAt(to);
        if (target) {
          const why = refusal(handle, target.end);
          joiningHint.value = target.end.path === handle?.end.path ? '' : (why ?? `connects to ${describeEnd(target.end)}`);
        } else {
          joiningHint.value = '';
        }
      },
      (event, isCancelled) => {
        const line = joining.peek()!;
        joining.value = null;
        joiningHint.value = '';
        if (!isCancelled) this.finish(line.handle, line.owner, this.at(event), down, event);
      },
    );
  }

  private targetAt(to: Point): Handle | null {
    const near = ownerAt(to, kReach + kCatch);
    const owners = scene.peek().nodes.length > 500 ? (near ? [near] : []) : [...scene.peek().places.keys()];
    let best: Handle | null = null;
    let least = kCatch;
    for (const handle of owners.flatMap((owner) => handlesOf(scene.peek(), owner))) {
      const distance = Math.hypot(handle.at.x - to.x, handle.at.y - to.y);
      if (distance < least) [best, least] = [handle, distance];
    }
    return best;
  }

  private finish(handle: Handle | null, owner: string, to: Point, down: PointerEvent, up: PointerEvent): void {
    const isClick = Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) < kSlack;
    if (isClick) {
      connectDialog.value = {from: owner, end: handle?.end.path};
      return;
    }
    const target = this.targetAt(to);
    if (handle && target && target.end.path !== handle.end.path) {
      const why = refusal(handle, target.end);
      if (why === null) this.connect(handle, target.end.path);
      else say(why);
      return;
    }
    const other = target?.owner ?? ownerAt(to, kReach);
    if (other === null || other === owner) return;
    // Dropped on a component: its one end that fits, or a list.
    const open = handle
      ? [
          ...new Set(
            handlesOf(scene.peek(), other)
              .filter(({end}) => refusal(handle, end) === null)
              .map(({end}) => end.path),
          ),
        ]
      : [];
    if (handle && open.length === 1) this.connect(handle, open[0]!);
    else connectDialog.value = {from: owner, end: handle?.end.path, to: other};
  }

  private connect({end}: Handle, to: string): void {
    if (end.kind === 'port') connectEnds(end.path, to, 'port');
    else if (end.kind === 'output') connectEnds(end.path, to, 'signal');
    else connectEnds(to, end.path, 'signal');
  }

  private drawBand(down: PointerEvent): void {
    const begin = this.at(down);
    const before = down.shiftKey ? [...chosen.peek()] : [];
    if (!down.shiftKey) choose([]);
    this.follow(
      (event) => {
        const now = this.at(event);
        band.value = {left: begin.x, top: begin.y, right: now.x, bottom: now.y};
      },
      (_, isCancelled) => {
        const box = band.peek();
        band.value = null;
        if (!box || isCancelled) return;
        chooseInside(
          Math.min(box.left, box.right),
          Math.min(box.top, box.bottom),
          Math.max(box.left, box.right),
          Math.max(box.top, box.bottom),
          before,
        );
      },
    );
  }
}

/** The text of the note that is chosen, for typing. */
export function focusNote(): void {
  const field = document.querySelector<HTMLTextAreaElement>('.form textarea.note-text');
  field?.focus();
  field?.select();
}

let hintTimer = 0;
/** Says it for a while at the foot of the sheet. */
export function say(text: string): void {
  joiningHint.value = text;
  window.clearTimeout(hintTimer);
  hintTimer = window.setTimeout(() => {
    joiningHint.value = '';
  }, 5000);
}
