import assert from 'node:assert/strict';
import {test} from 'node:test';
import {gridStep, heading, project, type Point} from '../../src/ui/mechanism/projection.ts';

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

test('from above x goes right and y up; from the side z goes up', () => {
  assert.deepEqual(project([1, 2, 3], 'top', 0), [1, 2]);
  assert.deepEqual(project([1, 2, 3], 'side', 0), [1, 3]);
});

test('the side view turns with the mechanism: lengths in its plane stay', () => {
  for (const slew of [0, 0.4, 1.5708, 3, -2]) {
    const points: Point[] = [
      [0, 0, 4],
      [10 * Math.cos(slew), 10 * Math.sin(slew), 9],
    ];
    const flat = points.map((point) => project(point, 'side', heading(points)));
    near(flat[1]![0] - flat[0]![0], 10);
    near(flat[1]![1] - flat[0]![1], 5);
  }
});

test('grid lines are 1, 2 or 5 times a power of ten apart, and about as many as asked for', () => {
  for (const extent of [0.03, 0.7, 4, 18, 260]) {
    const step = gridStep(extent, 10);
    assert.ok(
      [1, 2, 5, 10].some((one) => Math.abs(step / 10 ** Math.floor(Math.log10(step) + 1e-9) - one) < 1e-9),
      `${step}`,
    );
    assert.ok(extent / step >= 3.9 && extent / step <= 10, `${extent / step} lines`);
  }
});

test('what moves in the plane of x and z is seen as it is, on either side', () => {
  assert.equal(
    heading([
      [0, 0, 0],
      [-3, 0, 1],
      [2, 0, 1],
    ]),
    0,
  );
});
