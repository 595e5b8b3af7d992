import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Component, Item} from '../../src/api/types.ts';
import {canPlot, groupItems, parameterGroups} from '../../src/ui/inspector/item_groups.ts';

const item = (kind: string, fields: Partial<Item> = {}): Item => ({
  node_id: 1,
  kind,
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
  is_signal: false,
  ...fields,
});

test('each item of a component has one place; levels and aspects have theirs elsewhere', () => {
  const items: Record<string, Item> = {
    'c.p': item('parameter'),
    'c.x': item('state'),
    'c.x.ddt': item('derivative'),
    'c.u': item('input'),
    'c.y': item('output'),
    'c.level': item('level'),
    'c.friction': item('aspect'),
    'c.name': item('property'),
  };
  const groups = groupItems({items: Object.keys(items)} as Component, (path) => items[path]);
  assert.deepEqual(groups, {
    values: ['c.x', 'c.y'],
    inputs: ['c.u'],
    parameters: ['c.p'],
    inner: ['c.x.ddt'],
    settings: ['c.name'],
  });
});

test('numbers that may change can be plotted', () => {
  assert.ok(canPlot(item('state', {is_signal: true})));
  assert.ok(canPlot(item('parameter')));
  assert.ok(!canPlot(item('parameter', {is_structural: true})));
  assert.ok(!canPlot(item('property', {value_kind: 'text'})));
});

test('a long list of parameters is in groups, and none is lost', () => {
  const few = ['v.a_x', 'v.a_y', 'v.a_z'];
  assert.deepEqual(parameterGroups(few), [{title: '', paths: few}]);
  const many = [
    'flow',
    'dead_low',
    'dead_high',
    'dead_width',
    'flow_p',
    'lap',
    'lag',
    ...Array.from({length: 6}, (_, i) => `leak_${i}`),
  ];
  const groups = parameterGroups(many.map((name) => `v.${name}`));
  assert.deepEqual(
    groups.map(({title, paths}) => [title, paths.length]),
    [
      ['', 4],
      ['dead', 3],
      ['leak', 6],
    ],
  );
  assert.deepEqual(groups.flatMap(({paths}) => paths).sort(), many.map((name) => `v.${name}`).sort());
});
