// Two versions of a system: which component and line of the sheet a difference is of.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Difference, Layout} from '../../src/studio/api/types.ts';
import {changeOfLine, changesOf, endsOf, goneFrom, ownerOf} from '../../src/studio/version/version_state.ts';

const difference = (kind: Difference['kind'], part: Difference['part'], path: string, name = ''): Difference => ({
  kind,
  part,
  path,
  name,
  before: '',
  after: '',
  at_before: null,
  at_after: null,
});

test('a difference belongs to a component, a line, or neither', () => {
  const line = difference('added', 'connection', 'pump.out - supply.port');
  assert.deepEqual(endsOf(line), {from: 'pump.out', to: 'supply.port'});
  assert.equal(ownerOf(line), '');
  assert.deepEqual(endsOf(difference('added', 'route', 'lever.y > valve.spool')), {from: 'lever.y', to: 'valve.spool'});
  const inner = difference('removed', 'connection', 'boom.arm: a.x - b.y');
  assert.equal(endsOf(inner), null);
  assert.equal(ownerOf(inner), 'boom');
  assert.equal(ownerOf(difference('changed', 'component', 'boom.mass', 'mass')), 'boom');
  assert.equal(ownerOf(difference('changed', 'chart', 'operator')), 'operator');
  assert.equal(ownerOf(difference('changed', 'setting', 'SimulatorManager', 'TimeStep')), '');
});

test('a component is added or removed as a whole, and changed by what is inside it; its place does not count', () => {
  const changes = changesOf([
    difference('added', 'component', 'relief'),
    difference('removed', 'component', 'valve'),
    difference('changed', 'component', 'pump', 'speed'),
    difference('added', 'component', 'boom.mass'),
    difference('removed', 'connection', 'arm: a.x - b.y'),
    difference('changed', 'layout', 'tank', 'x'),
    difference('changed', 'setting', 'System', 'name'),
  ]);
  assert.deepEqual(Object.fromEntries(changes), {
    relief: 'added',
    valve: 'removed',
    pump: 'changed',
    boom: 'changed',
    arm: 'changed',
  });
});

test('what is gone is drawn as the other version had it; a line has no direction', () => {
  const node = (path: string) => ({path, model: '', x: 0, y: 0, rotation: 0, mirror: false, symbol: {} as never});
  const line = (from: string, to: string) => ({
    from,
    to,
    kind: 'connection' as const,
    domain: '',
    mark: '' as const,
    net: 0,
    points: [],
  });
  const layout: Layout = {
    nodes: [node('valve'), node('valve.inner'), node('pump'), node('boom.valve')],
    frames: [],
    lines: [line('valve.t', 'tank.port'), line('pump.out', 'tank.port')],
  };
  const differences = [
    difference('removed', 'component', 'valve'),
    difference('removed', 'component', 'boom.valve'),
    difference('removed', 'connection', 'tank.port - valve.t'),
    difference('added', 'connection', 'pump.out - tank.port'),
  ];
  const gone = goneFrom(differences, layout);
  assert.deepEqual(
    gone.nodes.map(({path}) => path),
    ['valve', 'valve.inner'],
  );
  assert.deepEqual(
    gone.lines.map(({from}) => from),
    ['valve.t'],
  );
  assert.equal(changeOfLine(differences, {from: 'tank.port', to: 'pump.out'}), 'added');
  assert.equal(changeOfLine(differences, {from: 'tank.port', to: 'pump.in'}), null);
  assert.deepEqual(goneFrom(differences, null), {nodes: [], lines: []});
});
