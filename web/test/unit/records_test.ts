import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {LogLine, RunEvent} from '../../src/api/types.ts';
import {standingAlarms} from '../../src/live/alarms.ts';
import {filterLog} from '../../src/ui/records/run_log.tsx';

const alarm = (n: number, path: string, is_set: boolean, is_acknowledged: boolean): RunEvent => ({
  run: 1,
  n,
  time: n,
  kind: 'alarm',
  path,
  text: path,
  is_set,
  is_acknowledged,
});
const standing = (events: RunEvent[]) => standingAlarms(events, () => 'Warning').map(({path, is_set}) => `${path} ${is_set}`);

test('an alarm stands until it is gone and acknowledged, in either order', () => {
  assert.deepEqual(standing([alarm(1, 'a', true, false)]), ['a true']);
  assert.deepEqual(standing([alarm(1, 'a', true, false), alarm(2, 'a', false, false)]), ['a false']);
  assert.deepEqual(standing([alarm(1, 'a', true, false), alarm(2, 'a', true, true)]), ['a true']);
  assert.deepEqual(standing([alarm(1, 'a', true, false), alarm(2, 'a', true, true), alarm(3, 'a', false, true)]), []);
  assert.deepEqual(standing([alarm(1, 'a', true, false), alarm(2, 'a', false, false), alarm(3, 'a', false, true)]), []);
});

test('the newest alarm is first', () => {
  assert.deepEqual(standing([alarm(1, 'a', true, false), alarm(2, 'b', true, false)]), ['b true', 'a true']);
});

test('the log is filtered by severity and by every word', () => {
  const line = (n: number, severity: string, text: string): LogLine => ({
    run: 1,
    n,
    time: n,
    severity,
    kind: 'note',
    path: 'pump',
    text,
  });
  const lines = [line(0, 'info', 'level Advanced'), line(1, 'warning', 'level high'), line(2, 'error', 'over')];
  assert.deepEqual(
    filterLog(lines, '', 'warning').map(({n}) => n),
    [1, 2],
  );
  assert.deepEqual(
    filterLog(lines, 'PUMP level', 'detail').map(({n}) => n),
    [0, 1],
  );
});
