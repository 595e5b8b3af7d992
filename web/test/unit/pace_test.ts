import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Pace} from '../../src/ui/mechanism/space/pace.ts';

/** Frames that take so long each; the details that were drawn. */
function run(pace: Pace, begin: number, frames: number, each: number, isStale = true): string[] {
  return Array.from({length: frames}, (_, i) => (pace.take(begin + i * each, isStale) ? pace.now : 'none'));
}

test('fast frames have everything', () => {
  assert.deepEqual(new Set(run(new Pace(), 0, 200, 16)), new Set(['all']));
});

test('slow frames have less, and then least, never more again while it moves', () => {
  const drawn = run(new Pace(), 0, 100, 50);
  assert.deepEqual([...new Set(drawn)], ['all', 'less', 'least']);
  assert.deepEqual(
    drawn,
    [...drawn].sort((a, b) => ['all', 'less', 'least'].indexOf(a) - ['all', 'less', 'least'].indexOf(b)),
  );
});

test('what stands still is drawn completely, once', () => {
  const pace = new Pace();
  run(pace, 0, 100, 50);
  const rest = run(pace, 5000, 100, 16, false);
  assert.deepEqual(
    rest.filter((one) => one !== 'none'),
    ['all'],
  );
  assert.equal(run(pace, 7000, 1, 16)[0], 'least', 'it moves again');
});

test('a change now and then is not slow', () => {
  assert.deepEqual(new Set(run(new Pace(), 0, 100, 400)), new Set(['all']));
});
