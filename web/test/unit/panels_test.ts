import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Item} from '../../src/api/types.ts';
import {added, removed} from '../../src/ui/plots/panels.ts';
import {matching} from '../../src/ui/plots/signal_picker.tsx';

const item = (display_unit: string) => ({display_unit, unit: 'SI'}) as Item;
const items = {p1: item('bar'), p2: item('bar'), q: item('l/min')};

test('signals of one unit share a panel', () => {
  const panels = ['p1', 'q', 'p2'].reduce<string[][]>((all, path) => added(all, path, items), []);
  assert.deepEqual(panels, [['p1', 'p2'], ['q']]);
  assert.deepEqual(added(panels, 'p1', items), panels);
});

test('an empty panel goes', () => {
  assert.deepEqual(removed([['p1', 'p2'], ['q']], 'q'), [['p1', 'p2']]);
});

test('signals are found by parts of their path', () => {
  const paths = ['pump.p_out', 'pump.q_out', 'boom_cylinder.p_a', 'load.pump_x'];
  assert.deepEqual(matching(paths, 'pump'), ['pump.p_out', 'pump.q_out', 'load.pump_x']);
  assert.deepEqual(matching(paths, 'cyl p_a'), ['boom_cylinder.p_a']);
  assert.deepEqual(matching(paths, ' '), []);
});
