import type {PanZoom} from './pan_zoom.ts';

const kRoom = 130; // px that the list of faults takes at most, with its border

/**
 * Lists below a drawing come and go: what the pointer is on stays where it is on the screen. Where more changes, as when the text opens,
 * all is seen smaller. `changed` is called after each change; the result ends it.
 */
export function keepPlace(view: PanZoom, host: HTMLElement, changed: () => void = () => {}): () => void {
  let size = {width: host.clientWidth, height: host.clientHeight};
  const resized = new ResizeObserver(() => {
    const now = {width: host.clientWidth, height: host.clientHeight};
    if (now.width === size.width && Math.abs(now.height - size.height) <= kRoom) view.keep(size, now);
    size = now;
    changed();
  });
  resized.observe(host);
  return () => resized.disconnect();
}
