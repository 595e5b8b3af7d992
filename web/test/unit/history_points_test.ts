import assert from 'node:assert/strict';
import {test} from 'node:test';
import {aligned, append, held, pointsOf, type Points} from '../../src/ui/plots/history_points.ts';

test('a peak inside of a bin stays', () => {
  const {t, v} = pointsOf({t: [0, 1, 2], min: [0, -3, 0], max: [0, 9, 0], last: [0, 1, 0]});
  assert.equal(Math.max(...v), 9);
  assert.equal(Math.min(...v), -3);
  assert.ok(
    t.every((time, i) => i === 0 || time > t[i - 1]!),
    'times go up',
  );
});

test('a slope stays straight: extremes that the line passes anyway are not drawn', () => {
  const bins = {t: [0, 1, 2], min: [0, 0.1, 1.1], max: [0, 1, 2], last: [0, 1, 2]};
  assert.deepEqual(pointsOf(bins), {t: bins.t, v: bins.last});
});

test('bins of one sample are that sample', () => {
  const bins = {t: [0, 0.1, 0.2], min: [1, 2, 3], max: [1, 2, 3], last: [1, 2, 3]};
  assert.deepEqual(pointsOf(bins), {t: bins.t, v: bins.last});
});

test('empty bins are left out', () => {
  assert.deepEqual(pointsOf({t: [0, 1, 2], min: [1, null, 3], max: [1, null, 3], last: [1, null, 3]}), {t: [0, 2], v: [1, 3]});
});

test('lines are laid on one axis, each value at its time', () => {
  const [times, a, b] = aligned([
    {t: [0, 2], v: [1, 2]},
    {t: [1, 2], v: [3, 4]},
  ]);
  assert.deepEqual(times, [0, 1, 2]);
  assert.deepEqual(a, [1, null, 2]);
  assert.deepEqual(b, [null, 3, 4]);
});

test('a value that was not sent again has held until the row of samples before the next', () => {
  const line: Points = {t: [], v: []};
  append(line, 0, 5, 0);
  append(line, 0.02, 6, 0);
  append(line, 10, 9, 9.98);
  assert.deepEqual(line, {t: [0, 0.02, 9.98, 10], v: [5, 6, 6, 9]});
  append(line, 10, 8, 9.98);
  assert.equal(line.v.at(-1), 8);
  assert.deepEqual(held(line, 12), {t: [...line.t, 12], v: [...line.v, 8]});
  assert.equal(held(line, 9).t.length, 4);
});

test('where all samples are lost for a while the line goes straight on', () => {
  const line: Points = {t: [], v: []};
  append(line, 0, 0, 0);
  append(line, 5, 50, 0);
  assert.deepEqual(line, {t: [0, 5], v: [0, 50]});
});
