import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {RunEvent} from '../../src/api/types.ts';
import {bandsOf, rowsOf, switchesOf} from '../../src/live/level_history.ts';

const event = (time: number, path: string, text: string, kind: RunEvent['kind'] = 'level'): RunEvent => ({
  run: 1,
  n: 0,
  time,
  kind,
  path,
  text,
});
const same = (path: string) => path;

test('bands cover the time from the start to the end without gaps, each beginning at its switch', () => {
  const events = [
    event(2, 'pump', 'level Advanced -> Ideal; 1.2e-05 m3 of oil left the equations'),
    event(3, 'pump', 'level Ideal -> Worn (modified), leakage None -> Gap'),
    event(3, 'valve', 'level Ideal -> Standard'),
    event(4, 'pump', 'leakage Gap -> None'),
    event(4, 'pump', 'level high', 'alarm'),
  ];
  const bands = bandsOf(switchesOf(events, same).get('pump')!, 'Standard', 0, 5);
  assert.deepEqual(
    bands.map(({from, to, level, isModified}) => [from, to, level, isModified]),
    [
      [0, 2, 'Advanced', false],
      [2, 3, 'Ideal', false],
      [3, 5, 'Worn', true],
    ],
  );
});

test('without a switch there is the level of the system', () => {
  assert.deepEqual(bandsOf([], 'Ideal', 1, 4), [{from: 1, to: 4, level: 'Ideal', isModified: false}]);
});

test('a run that begins anew has its own switches only', () => {
  const first = [event(1, 'pump', 'level Ideal -> Standard'), event(6, 'pump', 'level Standard -> Advanced')];
  const reset = [...first, event(2, 'pump', 'level Ideal -> Advanced')];
  assert.deepEqual(
    switchesOf(reset, same)
      .get('pump')!
      .map(({time}) => time),
    [2],
  );
  const resumed = [...first, event(5, 'pump', 'level Standard -> Ideal')];
  assert.deepEqual(
    switchesOf(resumed, same)
      .get('pump')!
      .map(({time}) => time),
    [1, 5],
  );
});

test('components of the same levels share a row, below those that have switched', () => {
  const switches = switchesOf([event(2, 'c', 'level Ideal -> Standard'), event(2, 'd', 'level Ideal -> Standard')], same);
  const rows = rowsOf(new Map(['a', 'b', 'c', 'd'].map((path) => [path, bandsOf(switches.get(path) ?? [], 'Ideal', 0, 9)])));
  assert.deepEqual(
    rows.map(({components}) => components),
    [
      ['c', 'd'],
      ['a', 'b'],
    ],
  );
});
