import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {StudioClient} from '../../src/api/studio_client.ts';
import type {ValueRequest} from '../../src/api/messages.ts';
import type {Item} from '../../src/api/types.ts';
import {Values, commonRate, simulatedTime} from '../../src/live/values.ts';

const item = (node_id: number): Item => ({node_id, kind: 'output', unit: '', display_unit: '', display_factor: 1, display_offset: 0, text: '',
  value_kind: 'real', writable: false, structural: false, signal: true});

function connected() {
  const sent: ValueRequest[][] = [];
  const values = new Values();
  values.setItems({a: item(3), b: item(4)}, 1000);
  values.attach({isConnected: true, request: (requests: ValueRequest[]) => { if (requests.length) sent.push(requests); }} as unknown as StudioClient);
  return {values, sent};
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('watchers of one path share a subscription at the highest rate', async () => {
  const {values, sent} = connected();
  values.watch('a', () => undefined, 5);
  values.watch('a', () => undefined, 20);
  values.watch('b', () => undefined, 5);
  await settled();
  assert.deepEqual(sent, [[{node_id: 3, fs: 20, sample_rate: 20}, {node_id: 4, fs: 5, sample_rate: 5}]]);
});

test('the last watcher that goes ends the subscription', async () => {
  const {values, sent} = connected();
  const first = values.watch('a', () => undefined, 5);
  const second = values.watch('a', () => undefined, 5);
  await settled();
  first();
  await settled();
  assert.equal(sent.length, 1);
  second();
  await settled();
  assert.deepEqual(sent[1], [{node_id: 3, stop: true}]);
});

test('one who comes and goes at once leaves nothing', async () => {
  const {values, sent} = connected();
  values.watch('a', () => undefined)();
  await settled();
  assert.deepEqual(sent, []);
});

test('a new connection asks for everything again, by the new ids', async () => {
  const {values, sent} = connected();
  values.watch('a', () => undefined, 5);
  await settled();
  values.setItems({a: item(7)}, 1000);
  values.resubscribe();
  await settled();
  assert.deepEqual(sent[1], [{node_id: 7, fs: 5, sample_rate: 5}]);
});

test('samples reach their watchers with the simulated time; late ones get the last at once', async () => {
  const {values} = connected();
  const seen: [unknown, number][] = [];
  values.watch('a', (value, time) => seen.push([value, time]));
  values.take([{node_id: 3, d_value: 1.5, str_value: '', timestamp: 1000 + 2e9}]);
  values.watch('a', (value, time) => seen.push([value, time]));
  assert.deepEqual(seen, [[1.5, 2], [1.5, 2]]);
});

test('every sample wins over any rate', () => {
  assert.deepEqual(commonRate([{fs: 5, sample_rate: 10}, {fs: 2, sample_rate: 0}]), {fs: 5, sample_rate: 0});
});

test('simulated time of UTC nanoseconds is exact to a microsecond', () => {
  const begin = '1795390000000000000';
  assert.ok(Math.abs(simulatedTime(Number(begin) + 12.34e9, begin) - 12.34) < 1e-6);
});
