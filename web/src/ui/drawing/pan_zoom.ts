// Zoom and pan of an SVG by its viewBox.

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The box after a zoom by `factor` (above 1: closer) that leaves the point (x, y) where it is on the screen. */
export function zoomed(box: Box, factor: number, x: number, y: number): Box {
  return {
    x: x - (x - box.x) / factor,
    y: y - (y - box.y) / factor,
    width: box.width / factor,
    height: box.height / factor,
  };
}

export interface Size {
  width: number;
  height: number;
}

/** The box that shows all of `box` in a window of another size at the same scale, its upper left corner where it was. */
export function kept(box: Box, before: Size, now: Size): Box {
  const scale = Math.min(before.width / box.width, before.height / box.height);
  return {
    x: box.x - (before.width / scale - box.width) / 2,
    y: box.y - (before.height / scale - box.height) / 2,
    width: now.width / scale,
    height: now.height / scale,
  };
}

const kClosest = 12; // times the whole
const kLeastWidth = 200; // of large drawings [units]
const kFarthest = 0.5;
const kArrow = 0.1; // of the width a key press
const kWheel = 0.0016; // of a wheel's delta

export interface PanZoomOptions {
  /** Whether this press of a pointer moves the view: by default the first button and the wheel. */
  pans?: (event: PointerEvent) => boolean;
  /** Keys `+ - 0` and arrows, and a double click that shows all. */
  hasKeys?: boolean;
  /** After each change of what is seen. */
  changed?: () => void;
}

export class PanZoom {
  private box: Box;
  private whole: Box;
  private readonly end = new AbortController();
  /** Fingers on the drawing, by pointer: where they are. */
  private readonly fingers = new Map<number, {x: number; y: number}>();

  constructor(
    private readonly svg: SVGSVGElement,
    private readonly host: HTMLElement,
    private readonly options: PanZoomOptions = {},
  ) {
    const {x, y, width, height} = svg.viewBox.baseVal;
    this.whole = {x, y, width, height};
    this.box = this.whole;
    const signal = this.end.signal;
    host.addEventListener('wheel', (event) => this.wheel(event), {passive: false, signal});
    host.addEventListener('pointerdown', (event) => this.touch(event), {signal, capture: true});
    window.addEventListener('pointermove', (event) => this.pinch(event), {signal});
    for (const type of ['pointerup', 'pointercancel'] as const) {
      window.addEventListener(type, ({pointerId}) => this.fingers.delete(pointerId), {signal});
    }
    host.addEventListener('pointerdown', (event) => this.drag(event), {signal});
    if (options.hasKeys === false) return;
    host.addEventListener('keydown', (event) => this.press(event), {signal});
    host.addEventListener('dblclick', () => this.fit(), {signal});
  }

  /** What `fit` shows, after the drawing has grown. */
  setWhole(whole: Box): void {
    this.whole = whole;
  }

  get isPinched(): boolean {
    return this.fingers.size > 1;
  }

  /** Moves what is seen, in shares of its size. */
  pan(x: number, y: number): void {
    this.show({...this.box, x: this.box.x + x * this.box.width, y: this.box.y + y * this.box.height});
  }

  dispose(): void {
    this.end.abort();
  }

  fit(): void {
    this.show(this.whole);
  }

  /** What is seen. */
  get shown(): Box {
    return this.box;
  }

  /** Shows this box and an edge of a tenth around it. */
  fitTo({x, y, width, height}: Box): void {
    const edge = 0.1 * Math.max(width, height);
    this.show({x: x - edge, y: y - edge, width: width + 2 * edge, height: height + 2 * edge});
  }

  /** Shows exactly this box, as `shown` gave it. */
  goTo(box: Box): void {
    this.show(box);
  }

  zoom(factor: number): void {
    this.zoomAt(factor, this.box.x + this.box.width / 2, this.box.y + this.box.height / 2);
  }

  /** Brings an element into view where it is not. */
  reveal(element: SVGGraphicsElement): void {
    const place = element.getBoundingClientRect();
    const view = this.host.getBoundingClientRect();
    if (place.left >= view.left && place.right <= view.right && place.top >= view.top && place.bottom <= view.bottom) return;
    const center = this.toDrawing(place.left + place.width / 2, place.top + place.height / 2);
    this.show({...this.box, x: center.x - this.box.width / 2, y: center.y - this.box.height / 2});
  }

  /** After the host has another size: what is seen stays where it is on the screen, from its upper left corner on. */
  keep(before: Size, now: Size): void {
    if (before.width <= 0 || before.height <= 0) return;
    this.show(kept(this.box, before, now));
  }

  private zoomAt(factor: number, x: number, y: number): void {
    const scale = this.whole.width / this.box.width;
    const closest = Math.max(kClosest, this.whole.width / kLeastWidth);
    const allowed = Math.min(Math.max(scale * factor, kFarthest), closest) / scale;
    this.show(zoomed(this.box, allowed, x, y));
  }

  private show(box: Box): void {
    this.box = box;
    this.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
    this.options.changed?.();
  }

  toDrawing(clientX: number, clientY: number): DOMPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM()!.inverse());
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const {x, y} = this.toDrawing(event.clientX, event.clientY);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    this.zoomAt(Math.exp(-event.deltaY * lines * kWheel), x, y);
  }

  private touch(down: PointerEvent): void {
    if (down.pointerType === 'touch') this.fingers.set(down.pointerId, {x: down.clientX, y: down.clientY});
  }

  /** Two fingers: their distance zooms, their middle moves. */
  private pinch(move: PointerEvent): void {
    const finger = this.fingers.get(move.pointerId);
    if (!finger) return;
    const others = [...this.fingers].filter(([id]) => id !== move.pointerId);
    const other = others[0]?.[1];
    if (other) {
      const before = this.toDrawing((finger.x + other.x) / 2, (finger.y + other.y) / 2);
      const factor =
        Math.hypot(move.clientX - other.x, move.clientY - other.y) /
        Math.max(1, Math.hypot(finger.x - other.x, finger.y - other.y));
      this.zoomAt(factor, before.x, before.y);
      const after = this.toDrawing((move.clientX + other.x) / 2, (move.clientY + other.y) / 2);
      this.show({...this.box, x: this.box.x - (after.x - before.x), y: this.box.y - (after.y - before.y)});
    }
    this.fingers.set(move.pointerId, {x: move.clientX, y: move.clientY});
  }

  private drag(down: PointerEvent): void {
    if (down.button > 1 || (down.target as Element).closest('button')) return;
    if (this.options.pans && !this.options.pans(down)) return;
    let last = this.toDrawing(down.clientX, down.clientY);
    const end = new AbortController();
    const begin = {x: down.clientX, y: down.clientY};
    let isMoving = false;
    window.addEventListener(
      'pointermove',
      (move) => {
        if (this.isPinched) return;
        if (!isMoving && Math.hypot(move.clientX - begin.x, move.clientY - begin.y) < 4) return;
        isMoving = true;
        this.host.classList.add('is-dragged');
        const at = this.toDrawing(move.clientX, move.clientY);
        this.show({...this.box, x: this.box.x - (at.x - last.x), y: this.box.y - (at.y - last.y)});
        last = this.toDrawing(move.clientX, move.clientY);
      },
      {signal: end.signal},
    );
    const stop = () => {
      end.abort();
      // The click that follows the drag still finds the class.
      window.setTimeout(() => this.host.classList.remove('is-dragged'));
    };
    window.addEventListener('pointerup', stop, {signal: end.signal});
    window.addEventListener('pointercancel', stop, {signal: end.signal});
  }

  private press(event: KeyboardEvent): void {
    const move = (x: number, y: number) => this.pan(x * kArrow, y * kArrow);
    const actions: Record<string, () => void> = {
      '+': () => this.zoom(1.25),
      '=': () => this.zoom(1.25),
      '-': () => this.zoom(0.8),
      '0': () => this.fit(),
      ArrowLeft: () => move(-1, 0),
      ArrowRight: () => move(1, 0),
      ArrowUp: () => move(0, -1),
      ArrowDown: () => move(0, 1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
  }
}
