// Parts of a mechanism: added, changed, moved, removed and renamed in the text, which stays as it was written otherwise.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {EditRefused, makeProject, openSystem} from '../../src/document/index.ts';
import {diffLines, filesIn} from './files.ts';

const kArm = `<System name="arm" xmlns="urn:davit:system:1">
  <!-- the machine -->
  <mechanism.Mechanism name="arm">
    <Body name="boom" joint="revolute" axis="0 -1 0"/>  <!-- main boom -->
    <Body name="boom_tip" on="boom" at="3 0 0 m"/>
    <Body name="stick" on="boom_tip"
          at="1 0 0 m" joint="revolute" axis="0 -1 0"/>
    <Mount name="lift" a="base" b="boom" via="head"/>
    <Loop name="stay" a="boom" b="stick" distance="1 m"/>
    <Frame name="head" on="boom"/>
    <Reaction name="pin" of="stick"/>
    <Start boom_angle="30 deg" stick_angle="-40 deg"/>
  </mechanism.Mechanism>
  <hydraulic.Cylinder name="cylinder"/>
  <signal.Constant name="wanted"/>
  <Connect from="cylinder.rod" to="arm.lift"/>
  <Route from="wanted.y" to="arm.boom_tip_mass"/>
  <At time="1 s" set="arm.boom_mass" value="2 t"/>
  <Record signals="arm.boom_angle arm.boom_tip_x arm.lift_force arm.head_x"/>
</System>
`;

function edited(text = kArm) {
  const project = makeProject(() => 0);
  project.open('arm.xml', text);
  const system = openSystem(project, 'arm.xml');
  return {project, system, text: () => project.text('arm.xml')};
}

test('a part is written behind those of its kind, with a free name', () => {
  const {system, text} = edited();
  assert.equal(system.addPart('arm', 'Body', {on: 'stick', mass: '5 kg'}), 'body');
  assert.equal(system.addPart('arm', 'Body'), 'body2');
  assert.equal(system.addPart('arm', 'Contact', {on: 'stick'}), 'contact');
  const added = text()
    .split('\n')
    .filter((line) => !kArm.includes(line));
  assert.deepEqual(added, [
    '    <Body name="body" on="stick" mass="5 kg"/>',
    '    <Body name="body2"/>',
    '    <Contact name="contact" on="stick"/>',
  ]);
  assert.match(text(), /axis="0 -1 0"\/>\n {4}<Body name="body"/);
});

test('an attribute changes in its line alone', () => {
  const {system, text} = edited();
  system.setPart('arm', 'stick', 'mass', '80 kg');
  system.setPart('arm', 'boom_tip', 'at', '4 0 0 m');
  system.setPart('arm', 'boom_tip', 'on', null);
  assert.equal(
    text(),
    kArm
      .replace('axis="0 -1 0"/>\n    <Mount', 'axis="0 -1 0" mass="80 kg"/>\n    <Mount')
      .replace(' on="boom" at="3 0 0 m"', ' at="4 0 0 m"'),
  );
});

test('a part moves to another body with what it carries, but not onto what it carries', () => {
  const {system, text} = edited();
  for (const below of ['boom', 'boom_tip', 'stick'])
    assert.throws(() => system.setPart('arm', 'boom', 'on', below), EditRefused, below);
  assert.equal(text(), kArm);
  system.setPart('arm', 'stick', 'on', 'boom');
  assert.equal(text(), kArm.replace('name="stick" on="boom_tip"', 'name="stick" on="boom"'));
  system.setPart('arm', 'boom', 'on', 'base');
  assert.equal(text(), kArm.replace('name="stick" on="boom_tip"', 'name="stick" on="boom"'), 'it is on the base already');
});

test('a new name is followed by parts, start values, lines and signals, and by no other name that begins like it', () => {
  const {system, text} = edited();
  system.setPart('arm', 'boom', 'name', 'jib');
  assert.equal(
    text(),
    kArm
      .replace('name="boom" ', 'name="jib" ')
      .replace('on="boom" at', 'on="jib" at')
      .replace('b="boom"', 'b="jib"')
      .replace('a="boom"', 'a="jib"')
      .replace('name="head" on="boom"', 'name="head" on="jib"')
      .replace('Start boom_angle', 'Start jib_angle')
      .replace('arm.boom_mass', 'arm.jib_mass')
      .replace('arm.boom_angle', 'arm.jib_angle'),
  );
  system.setPart('arm', 'lift', 'name', 'jack');
  assert.match(text(), /to="arm\.jack"/);
  assert.match(text(), /arm\.jack_force/);
  system.setPart('arm', 'head', 'name', 'top');
  assert.match(text(), /via="top"/);
  for (const name of ['stick', 'base', '2nd', 'jack'])
    assert.throws(() => system.setPart('arm', 'jib', 'name', name), EditRefused);
});

test('a body goes with all that it carries and all that refers to these', () => {
  const {system, text} = edited();
  system.removePart('arm', 'boom_tip');
  const gone = ['boom_tip', 'stick', 'stay', 'pin'];
  for (const name of gone) assert.ok(!text().includes(`name="${name}"`), name);
  for (const name of ['boom', 'lift', 'head']) assert.ok(text().includes(`name="${name}"`), name);
  assert.ok(!text().includes('arm.boom_tip'), 'no route and no signal');
  assert.match(text(), /set="arm\.boom_mass"/);
  assert.match(text(), /<!-- main boom -->/);
});

test('undo gives the bytes back, whatever was done', () => {
  const {project, system, text} = edited();
  system.addPart('arm', 'Body', {on: 'boom'});
  system.setPart('arm', 'body', 'name', 'hook');
  system.setPart('arm', 'hook', 'on', 'stick');
  system.removePart('arm', 'boom');
  system.addPart('arm', 'Frame');
  const last = text();
  while (project.canUndo) project.undo();
  assert.equal(text(), kArm);
  while (project.canRedo) project.redo();
  assert.equal(text(), last);
});

test('in each system with a mechanism, a body gets a new name and its old one again', () => {
  let count = 0;
  for (const [path, original] of filesIn('systems', '.xml')) {
    if (!original.includes('<mechanism.Mechanism')) continue;
    const project = makeProject(() => 0);
    project.open(path, original);
    const system = openSystem(project, path);
    for (const {name, inside} of system.view.components.filter(({model}) => model === 'mechanism.Mechanism')) {
      for (const part of inside.filter(({element}) => element === 'Body')) {
        const body = part.attributes.find((one) => one.name === 'name')!.value;
        if (body.includes('{')) continue;
        system.setPart(name, body, 'name', 'renamed_body');
        assert.ok(diffLines(original, project.text(path)).added > 0);
        system.setPart(name, 'renamed_body', 'name', body);
        assert.equal(project.text(path), original, `${path} ${body}`);
        count++;
      }
    }
  }
  assert.ok(count > 20, `${count} bodies`);
});
