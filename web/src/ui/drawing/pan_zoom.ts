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

const kClosest = 12;  // times the whole
const kFarthest = 0.5;
const kArrow = 0.1;  // of the width a key press
const kWheel = 0.0016;  // of a wheel's delta

export class PanZoom {
  private box: Box;
  private readonly whole: Box;
  private readonly end = new AbortController();

  constructor(private readonly svg: SVGSVGElement, private readonly host: HTMLElement) {
    const {x, y, width, height} = svg.viewBox.baseVal;
    this.whole = {x, y, width, height};
    this.box = this.whole;
    const signal = this.end.signal;
    host.addEventListener('wheel', (event) => this.wheel(event), {passive: false, signal});
    host.addEventListener('pointerdown', (event) => this.drag(event), {signal});
    host.addEventListener('keydown', (event) => this.press(event), {signal});
    host.addEventListener('dblclick', () => this.fit(), {signal});
  }

  dispose(): void {
    this.end.abort();
  }

  fit(): void {
    this.show(this.whole);
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

  private zoomAt(factor: number, x: number, y: number): void {
    const scale = this.whole.width / this.box.width;
    const allowed = Math.min(Math.max(scale * factor, kFarthest), kClosest) / scale;
    this.show(zoomed(this.box, allowed, x, y));
  }

  private show(box: Box): void {
    this.box = box;
    this.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
  }

  private toDrawing(clientX: number, clientY: number): DOMPoint {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM()!.inverse());
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const {x, y} = this.toDrawing(event.clientX, event.clientY);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    this.zoomAt(Math.exp(-event.deltaY * lines * kWheel), x, y);
  }

  private drag(down: PointerEvent): void {
    if (down.button > 1 || (down.target as Element).closest('button')) return;
    let last = this.toDrawing(down.clientX, down.clientY);
    const end = new AbortController();
    const begin = {x: down.clientX, y: down.clientY};
    let isMoving = false;
    window.addEventListener('pointermove', (move) => {
      if (!isMoving && Math.hypot(move.clientX - begin.x, move.clientY - begin.y) < 4) return;
      isMoving = true;
      this.host.classList.add('is-dragged');
      const at = this.toDrawing(move.clientX, move.clientY);
      this.show({...this.box, x: this.box.x - (at.x - last.x), y: this.box.y - (at.y - last.y)});
      last = this.toDrawing(move.clientX, move.clientY);
    }, {signal: end.signal});
    const stop = () => {
      end.abort();
      // The click that follows the drag still finds the class.
      window.setTimeout(() => this.host.classList.remove('is-dragged'));
    };
    window.addEventListener('pointerup', stop, {signal: end.signal});
    window.addEventListener('pointercancel', stop, {signal: end.signal});
  }

  private press(event: KeyboardEvent): void {
    const {width, height} = this.box;
    const move = (x: number, y: number) => this.show({...this.box, x: this.box.x + x * width * kArrow, y: this.box.y + y * height * kArrow});
    const actions: Record<string, () => void> = {
      '+': () => this.zoom(1.25), '=': () => this.zoom(1.25), '-': () => this.zoom(0.8), '0': () => this.fit(),
      ArrowLeft: () => move(-1, 0), ArrowRight: () => move(1, 0), ArrowUp: () => move(0, -1), ArrowDown: () => move(0, 1),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    action();
  }
}
