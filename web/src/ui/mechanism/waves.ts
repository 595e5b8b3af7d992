// The surface of water: a sum of harmonic waves.

/** Amplitude a [m], frequency w [rad/s], number k [rad/m], direction b and phase [rad]: z = a cos(w t - k (x cos b + y sin b) + phase). */
export type Wave = readonly [a: number, w: number, k: number, b: number, phase: number];

/** A square grid of places: `count` of them along each side, `step` apart, from x and y on. */
export interface Grid {
  x: number;
  y: number;
  step: number;
  count: number;
}

/** The height of the surface at a place [m]. */
export function heightAt(waves: readonly Wave[], time: number, x: number, y: number): number {
  let z = 0;
  for (const [a, w, k, b, phase] of waves) z += a * Math.cos(w * time - k * (x * Math.cos(b) + y * Math.sin(b)) + phase);
  return z;
}

/** Writes the heights at the places of a grid, row by row: x varies within a row. */
export function fillHeights(waves: readonly Wave[], time: number, {x, y, step, count}: Grid, heights: Float32Array): void {
  heights.fill(0);
  for (const [a, w, k, b, phase] of waves) {
    const first = w * time - k * (x * Math.cos(b) + y * Math.sin(b)) + phase;
    const alongY = -k * step * Math.sin(b);
    // From place to place along x the wave only turns by the same angle.
    const [c, s] = [Math.cos(-k * step * Math.cos(b)), Math.sin(-k * step * Math.cos(b))];
    for (let row = 0, at = 0; row < count; row++) {
      const angle = first + row * alongY;
      let [re, im] = [a * Math.cos(angle), a * Math.sin(angle)];
      for (let i = 0; i < count; i++) {
        heights[at++]! += re;
        [re, im] = [re * c - im * s, re * s + im * c];
      }
    }
  }
}
