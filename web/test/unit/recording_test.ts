import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Recording} from '../../src/ui/mechanism/recording.ts';

const bins = (t: number[], last: (number | null)[]) => ({t, last, min: last, max: last});

test('a recording has the rows of the times that all signals have', () => {
  const recording = new Recording();
  recording.add({x: bins([0, 1, 2, 3], [5, 6, 7, 8]), y: bins([1, 3], [10, 30]), z: bins([0, 1, 2, 3], [1, 2, 3, null])});
  assert.deepEqual(recording.t, [1]);
  assert.equal(recording.read('x', 0), 6);
  assert.equal(recording.read('y', 0), 10);
});

test('rows are added behind the last one, also when bins have become wider', () => {
  const recording = new Recording();
  recording.add({x: bins([0, 1, 2], [0, 1, 2])});
  recording.add({x: bins([1, 3, 5], [1, 3, 5])});
  assert.deepEqual(recording.t, [0, 1, 2, 3, 5]);
  assert.deepEqual(
    recording.t.map((_, row) => recording.read('x', row)),
    recording.t,
  );
});

test('the row at a time is the last one that is not after it', () => {
  const recording = new Recording();
  assert.equal(recording.indexAt(1), -1);
  recording.add({x: bins([0.5, 1, 2], [0, 1, 2])});
  for (const [time, row] of [
    [-1, 0],
    [0.5, 0],
    [0.99, 0],
    [1, 1],
    [1.99, 1],
    [2, 2],
    [9, 2],
  ] as const)
    assert.equal(recording.indexAt(time), row, `${time}`);
});

test('a signal without a history leaves no row, and nothing is read from an empty recording', () => {
  const recording = new Recording();
  recording.add({x: bins([0, 1], [0, 1]), y: bins([], [])});
  assert.deepEqual(recording.t, []);
  assert.ok(Number.isNaN(recording.read('x', 0)));
});
