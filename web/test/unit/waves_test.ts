import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fillHeights, heightAt, type Wave} from '../../src/ui/mechanism/waves.ts';

const kWaves: Wave[] = [
  [1.5, 0.7, 0.05, 0.4, 1],
  [0.3, 1.9, 0.37, 3.5, -2],
];

test('a wave travels to its direction, as fast as its frequency over its number', () => {
  const [a, w, k, b] = kWaves[0]!;
  const way = 40;
  const before = heightAt([kWaves[0]!], 3, 2, 7);
  const after = heightAt([kWaves[0]!], 3 + (way * k) / w, 2 + way * Math.cos(b), 7 + way * Math.sin(b));
  assert.ok(Math.abs(before - after) < 1e-12 && Math.abs(before) < a);
});

test('the heights of a grid are those of its places', () => {
  const grid = {x: -30, y: 12, step: 2.5, count: 65};
  const heights = new Float32Array(grid.count ** 2);
  fillHeights(kWaves, 17.3, grid, heights);
  for (const [row, i] of [
    [0, 0],
    [3, 64],
    [64, 1],
    [64, 64],
  ] as const) {
    const expected = heightAt(kWaves, 17.3, grid.x + i * grid.step, grid.y + row * grid.step);
    // The rounding of numbers of 32 bits.
    assert.ok(Math.abs(heights[row * grid.count + i]! - expected) < 1e-6 * 4);
  }
});
