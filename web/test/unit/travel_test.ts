// Which events belong to the branch of a recorded run, and what a link of a chain of causes is about.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isOfRun, lineage, recording} from '../../src/live/recording.ts';
import {itemIn, subjectOf} from '../../src/live/why.ts';

const branches = [
  {name: 'trunk', parent: '', begin: 0, end: 50},
  {name: 'branch-1', parent: 'trunk', begin: 6, end: 40},
  {name: 'branch-2', parent: 'branch-1', begin: 20, end: 30},
  {name: 'branch-3', parent: 'branch-1', begin: 3, end: 30},
];

test('a branch has its parents up to where they were left', () => {
  assert.deepEqual([...lineage({branch: 'trunk', branches})], [['trunk', Infinity]]);
  assert.deepEqual(
    [...lineage({branch: 'branch-2', branches})],
    [
      ['branch-2', Infinity],
      ['branch-1', 20],
      ['trunk', 6],
    ],
  );
  // A fork before that of its parent: nothing later of the trunk belongs to it.
  assert.equal(lineage({branch: 'branch-3', branches}).get('trunk'), 3);
});

test('events of other branches, and repeated ones, are not those of the run', () => {
  const event = (branch: string | undefined, time: number, is_repeated = false) =>
    isOfRun({n: 0, run: 0, kind: 'level', path: 'a', text: '', time, branch, is_repeated});
  recording.value = null;
  assert.ok(event(undefined, 5));
  assert.ok(!event('trunk', 5, true));
  recording.value = {time: 25, is_recorded: true, begin: 0, end: 30, is_at_end: false, branch: 'branch-2', branches};
  assert.deepEqual(
    [event('trunk', 6), event('trunk', 7), event('branch-1', 7), event('branch-1', 21), event('branch-2', 25), event('', 9)],
    [true, false, true, false, true, true],
  );
  recording.value = null;
});

test('what to ask about an event', () => {
  const subject = (kind: 'level' | 'transition' | 'alarm' | 'message', text: string) => subjectOf({kind, path: 'cbv', text});
  assert.equal(subject('level', 'level Ideal -> Standard'), 'cbv.level');
  assert.equal(subject('level', 'friction Viscous -> LuGre'), 'cbv.friction');
  assert.equal(subject('transition', 'a -> b: go'), 'cbv');
  assert.equal(subject('message', '<At …>'), undefined);
});

test('the item of a link', () => {
  const items = {'load.x': 0, 'load.mass': 0, 'cylinder.p_a': 0};
  assert.equal(itemIn('load.x = 1.02 m, a step before 1.01 m', items), 'load.x');
  assert.equal(itemIn('by panel: <At time="10 s" set="load.mass" value="40 t"/>', items), 'load.mass');
  assert.equal(itemIn('dcv.spool follows operator.y', items), undefined);
  assert.equal(itemIn('toString.x constructor', items), undefined);
});
