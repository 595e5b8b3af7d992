import assert from 'node:assert/strict';
import {test} from 'node:test';
import {makeProject, openSystem, type Project} from '../../src/document/index.ts';
import {diffLines, filesIn, random, wellFormed} from './files.ts';
import {randomEdit} from './random_system_edits.ts';

const files = filesIn('systems', '');
const systems = [...files.keys()].filter((path) => path.endsWith('.xml') && !path.startsWith('benches/'));

function projectOf(): Project {
  const project = makeProject(() => 0);
  for (const [path, text] of files) project.open(path, text);
  return project;
}

const textsOf = (project: Project): Map<string, string> => new Map(project.paths.map((path) => [path, project.text(path)]));

test('a file of systems/ that is opened, looked at and written again is the same byte for byte', () => {
  const project = projectOf();
  for (const path of systems) {
    const {components} = openSystem(project, path).view;
    assert.ok(components.length > 0, path);
    assert.equal(project.text(path), files.get(path));
    assert.equal(project.canUndo, false);
  }
});

/** These get 1,000 edits, the others 100. */
const kFull = new Set([
  'knuckle_boom_crane.xml',
  'lifting_cylinder.xml',
  'position_servo.xml',
  'spool_types.xml',
  'operated_lift.xml',
  'signal_operators.xml',
]);

test('1,000 random edits, well-formed after each: undo gives all files back byte for byte, redo the last ones', () => {
  const r = random(20);
  const counts = new Map<string, number>();
  let most = 0;
  for (const path of systems) {
    const project = projectOf();
    const first = textsOf(project);
    const edits = kFull.has(path) ? 1000 : 100;
    for (let i = 0; i < edits; ++i) {
      const before = textsOf(project);
      const steps = project.undoSteps.length;
      const {name, isRefused} = randomEdit(project, path, r);
      if (isRefused) {
        assert.deepEqual(textsOf(project), before, `${path}: a refused ${name} changed a text`);
        assert.ok(project.undoSteps.length - steps <= 1);
      } else {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      for (const one of project.paths) if (project.text(one) !== before.get(one)) wellFormed(project.text(one));
    }
    const last = textsOf(project);
    most = Math.max(most, project.undoSteps.length);
    while (project.canUndo) project.undo();
    assert.deepEqual(textsOf(project), first, path);
    while (project.canRedo) project.redo();
    assert.deepEqual(textsOf(project), last, path);
  }
  assert.ok(most > 500, `${most} steps`);
  assert.ok(counts.size >= 28, [...counts.keys()].join(' '));
});

test('another value of any parameter is a diff of one line, and its undo one of none', () => {
  for (const path of systems) {
    const project = projectOf();
    const system = openSystem(project, path);
    for (const {name, attributes, starts, repeated} of system.view.components) {
      if (repeated.length > 0) continue;
      for (const {name: parameter, value} of attributes) {
        if (value.includes('\n')) continue;
        system.setParameter(name, parameter, `${value}1`);
        assert.deepEqual(
          diffLines(files.get(path)!, project.text(path)),
          {removed: 1, added: 1},
          `${path}: ${name}.${parameter}`,
        );
        assert.equal(
          openSystem(project, path)
            .view.find(name)!
            .attributes.find((one) => one.name === parameter)!.value,
          `${value}1`,
        );
        project.undo();
        assert.equal(project.text(path), files.get(path));
      }
      for (const {name: state, value} of starts) {
        system.setStart(name, state, `${value}1`);
        assert.deepEqual(
          diffLines(files.get(path)!, project.text(path)),
          {removed: 1, added: 1},
          `${path}: start of ${name}.${state}`,
        );
        project.undo();
      }
    }
  }
});

test('group, 50 undos, redo: the same bytes', () => {
  for (const path of ['knuckle_boom_crane.xml', 'lifting_cylinder.xml', 'position_servo.xml']) {
    const r = random(50);
    const project = projectOf();
    const system = openSystem(project, path);
    for (let i = 0; i < 60; ++i) randomEdit(project, path, r);
    system.group(
      r.some(
        system.view.components.map(({name}) => name),
        8,
      ),
      {name: system.freeName('part')},
    );
    const after = textsOf(project);
    for (let i = 0; i < 50 && project.canUndo; ++i) project.undo();
    assert.notDeepEqual(textsOf(project), after);
    while (project.canRedo) project.redo();
    assert.deepEqual(textsOf(project), after);
  }
});

test('a step that fails half way changes nothing', () => {
  const project = projectOf();
  const system = openSystem(project, 'lifting_cylinder.xml');
  assert.throws(
    () =>
      project.step('Two', () => {
        system.setParameter('pump', 'speed', '1 rpm');
        system.rename('pump', 'tank');
      }),
    /taken/,
  );
  assert.deepEqual(textsOf(project), files);
  assert.equal(project.canUndo, false);
});
