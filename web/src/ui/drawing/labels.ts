// Semantic zoom: text of the drawing is readable or hidden.

/** Smaller text is not shown [px]. */
export const kReadable = 9;
const kNear = 70; // px from the pointer: the name of this component is shown first

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const overlap = (a: Rect, b: Rect): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Which of the boxes can be shown without covering one before it, or one of `taken`. */
export function withoutOverlap(boxes: Rect[], taken: Rect[] = []): boolean[] {
  const placed = [...taken];
  return boxes.map((box) => {
    if (placed.some((other) => overlap(box, other))) return false;
    placed.push(box);
    return true;
  });
}

/** The box of a text when it is `factor` times as large: its anchor on the baseline stays. */
export function enlarged({left, top, right, bottom}: Rect, factor: number, anchor: string): Rect {
  const width = (right - left) * factor;
  const from = anchor === 'start' ? left : anchor === 'end' ? right - width : (left + right - width) / 2;
  return {left: from, top: bottom - (bottom - top) * factor, right: from + width, bottom};
}

/** How far a box must move to the right to lie within what is seen, as far as it can; 0 for one that lies outside of it. */
export function shiftInto({left, right}: Rect, seen: Rect): number {
  if (right < seen.left || left > seen.right || right - left > seen.right - seen.left) return 0;
  return Math.max(0, seen.left - left) - Math.max(0, right - seen.right);
}

interface Label {
  text: SVGTextElement;
  path: string | undefined;
  size: number; // of the letters, in units of the drawing
  local: number; // units of the drawing a unit of the text's own group
  box: Rect;
  /** Of the symbol that it names. */
  middle: DOMPoint;
  anchor: string;
}

/** Follows the zoom, by `update`. Names are at least `kReadable` high as long as they cover no other name; all other text hides below that. */
export class Labels {
  private readonly names: Label[] = [];
  private readonly others: Label[] = [];
  private readonly end = new AbortController();
  private scale = 0;
  private seen: Rect = {left: 0, top: 0, right: 0, bottom: 0};
  private near: string | undefined;

  constructor(private readonly svg: SVGSVGElement) {
    const toSvg = svg.getScreenCTM()?.inverse();
    if (!toSvg) return;
    const texts = [...svg.querySelectorAll<SVGTextElement>('text')];
    for (const {style, classList} of texts) {
      // As another one has left them.
      [style.fontSize, style.transform] = ['', ''];
      classList.remove('is-unreadable');
    }
    for (const text of texts) {
      const matrix = toSvg.multiply(text.getScreenCTM()!);
      const {x, y, width, height} = text.getBBox();
      const [a, b] = [new DOMPoint(x, y).matrixTransform(matrix), new DOMPoint(x + width, y + height).matrixTransform(matrix)];
      const css = getComputedStyle(text);
      const local = Math.hypot(matrix.a, matrix.b);
      const symbol = text.closest(kNamed)?.querySelector(':scope > .symbol, :scope > .outline') ?? text;
      const place = symbol.getBoundingClientRect();
      const label: Label = {
        text,
        path: pathAt(text),
        size: Number.parseFloat(css.fontSize) * local,
        local,
        box: {left: Math.min(a.x, b.x), top: Math.min(a.y, b.y), right: Math.max(a.x, b.x), bottom: Math.max(a.y, b.y)},
        middle: new DOMPoint(place.x + place.width / 2, place.y + place.height / 2).matrixTransform(toSvg),
        anchor: css.textAnchor,
      };
      const isName = ['name', 'frame-name', 'title'].some((kind) => text.classList.contains(kind));
      (isName ? this.names : this.others).push(label);
    }
    // Names of sub-systems say most.
    const rank = ({text}: Label) => (text.classList.contains('frame-name') ? 0 : 1);
    this.names.sort((a, b) => rank(a) - rank(b));
    svg.addEventListener('pointermove', (event) => this.point(event), {signal: this.end.signal});
    svg.addEventListener('pointerleave', () => this.approach(undefined), {signal: this.end.signal});
    svg.addEventListener('focusin', ({target}) => this.approach(pathAt(target)), {signal: this.end.signal});
    this.update();
  }

  dispose(): void {
    this.end.abort();
  }

  /** After each change of what is seen. */
  update(): void {
    const matrix = this.svg.getScreenCTM();
    if (!matrix || matrix.a <= 0) return;
    const window = this.svg.parentElement!.getBoundingClientRect();
    const a = new DOMPoint(window.left, window.top).matrixTransform(matrix.inverse());
    const b = new DOMPoint(window.right, window.bottom).matrixTransform(matrix.inverse());
    const isSame = [a.x - this.seen.left, b.x - this.seen.right].every((shift) => Math.abs(shift * matrix.a) < 0.5);
    if (isSame && Math.abs(matrix.a / this.scale - 1) < 1e-6) return;
    this.scale = matrix.a;
    this.seen = {left: a.x, top: a.y, right: b.x, bottom: b.y};
    for (const {text, size} of this.others) text.classList.toggle('is-unreadable', size * this.scale < kReadable);
    this.placeNames();
  }

  private placeNames(): void {
    const order = [...this.names].sort((a, b) => Number(b.path === this.near) - Number(a.path === this.near));
    const factors = order.map(({size}) => Math.max(1, (kReadable * 1.01) / (size * this.scale)));
    const boxes = order.map(({box, anchor}, i) => enlarged(box, factors[i]!, anchor));
    const shifts = boxes.map((box, i) => (factors[i]! > 1 ? shiftInto(box, this.seen) : 0));
    const shown = withoutOverlap(boxes.map((box, i) => ({...box, left: box.left + shifts[i]!, right: box.right + shifts[i]!})));
    order.forEach(({text, size, local}, i) => {
      const factor = factors[i]!;
      text.style.fontSize = factor > 1 ? `${(factor * size) / local}px` : '';
      text.style.transform = shifts[i] ? `translateX(${shifts[i]! / local}px)` : '';
      text.classList.toggle('is-unreadable', factor > 1 && !shown[i]);
    });
  }

  private point({target, clientX, clientY}: PointerEvent): void {
    const over = pathAt(target);
    if (over !== undefined) return this.approach(over);
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return;
    const {x, y} = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    let [nearest, least] = [undefined as string | undefined, kNear / this.scale];
    for (const {middle, path} of this.names) {
      const distance = Math.hypot(middle.x - x, middle.y - y);
      if (distance < least) [nearest, least] = [path, distance];
    }
    this.approach(nearest);
  }

  private approach(path: string | undefined): void {
    if (path === this.near) return;
    this.near = path;
    this.placeNames();
  }
}

/** What has a name: a component, or a state of a chart. */
const kNamed = 'g[data-path], g[data-state]';
const pathAt = (target: EventTarget | null): string | undefined => {
  const {path, state} = (target as Element).closest?.<SVGGElement>(kNamed)?.dataset ?? {};
  return path ?? state;
};
