const kFrame = 1000 / 30; // ms; more costs power and shows nothing more

/** Calls `draw` up to 30 times a second, while the page is seen; with the time since the last call [s]. Returns what ends it. */
export function animate(draw: (dt: number) => void): () => void {
  let last = performance.now();
  let frame = requestAnimationFrame(function step(time) {
    frame = requestAnimationFrame(step);
    if (time - last < kFrame - 2) return;
    draw(Math.min((time - last) / 1000, 0.1));
    last = time;
  });
  return () => cancelAnimationFrame(frame);
}
