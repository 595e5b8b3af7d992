import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {StudioClient} from '../../src/api/studio_client.ts';
import type {ValueRequest} from '../../src/api/messages.ts';
import type {Item} from '../../src/api/types.ts';
import {SampleClock} from '../../src/live/sample_clock.ts';
import {Values, commonRate, plainValue} from '../../src/live/values.ts';

const item = (node_id: number): Item => ({
  node_id,
  kind: 'output',
  unit: '',
  display_unit: '',
  display_factor: 1,
  display_offset: 0,
  text: '',
  value_kind: 'number',
  name: 'x',
  causality: 'local',
  is_writable: false,
  is_structural: false,
  is_signal: true,
});

function connected() {
  const sent: ValueRequest[][] = [];
  const values = new Values();
  values.setItems({a: item(3), b: item(4)}, 2);
  values.attach({
    isConnected: true,
    request: (requests: ValueRequest[]) => {
      if (requests.length) sent.push(requests);
    },
  } as unknown as StudioClient);
  return {values, sent};
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

test('watchers of one path share a subscription at the highest rate', async () => {
  const {values, sent} = connected();
  values.watch('a', () => undefined, 5);
  values.watch('a', () => undefined, 20);
  values.watch('b', () => undefined, 5);
  await settled();
  assert.deepEqual(sent, [
    [
      {node_id: 3, fs: 20, sample_rate: 20},
      {node_id: 4, fs: 5, sample_rate: 5},
    ],
  ]);
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
  values.setItems({a: item(7)}, undefined);
  values.resubscribe();
  await settled();
  assert.deepEqual(sent[1], [{node_id: 7, fs: 5, sample_rate: 5}]);
});

test('samples reach their watchers with the simulated time; late ones get the last at once', async () => {
  const {values} = connected();
  const seen: [unknown, number][] = [];
  values.watch('a', (value, time) => seen.push([value, time]));
  values.take([
    {node_id: 3, d_value: 1.5, b_value: false, str_value: '', timestamp: 1000},
    {node_id: 2, d_value: 2, b_value: false, str_value: '', timestamp: 1000},
  ]);
  values.watch('a', (value, time) => seen.push([value, time]));
  assert.deepEqual(seen, [
    [1.5, 2],
    [1.5, 2],
  ]);
});

test('every sample wins over any rate', () => {
  assert.deepEqual(
    commonRate([
      {fs: 5, sample_rate: 10},
      {fs: 2, sample_rate: 0},
    ]),
    {fs: 5, sample_rate: 0},
  );
});

test('a sample has the simulated time of its stamp, another one that of the newest before it', () => {
  const clock = new SampleClock();
  for (let i = 1; i <= 100; i++) clock.set(10 * i, i / 50);
  assert.deepEqual(clock.rowOf(500), {time: 1, before: 0.98});
  assert.equal(clock.rowOf(505).time, 1);
  assert.equal(clock.rowOf(5).time, 2);
});

test('a run of any length leaves the clock small', () => {
  const clock = new SampleClock();
  for (let i = 0; i < 100_000; i++) clock.set(i, i / 50);
  assert.equal(clock.rowOf(99_999).time, 99_999 / 50);
  assert.equal(clock.rowOf(99_000).time, 99_000 / 50);
});

test('options come as texts and are kept as numbers, conditions as 0 or 1', () => {
  const sample = {node_id: 1, d_value: 0, b_value: true, str_value: 'Advanced', timestamp: 0};
  const kind = (value_kind: string, options?: string[]) => ({...item(1), value_kind, options});
  assert.equal(plainValue(sample, kind('option', ['Ideal', 'Standard', 'Advanced'])), 2);
  assert.equal(plainValue(sample, kind('option', ['Ideal'])), 'Advanced');
  assert.equal(plainValue(sample, kind('text')), 'Advanced');
  assert.equal(plainValue(sample, kind('condition')), 1);
  assert.equal(plainValue(sample, kind('number')), 0);
});
