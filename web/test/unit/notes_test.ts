// Notes: texts and pictures on the sheet, as operations of the document and as they are drawn.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {EditRefused, makeProject, openSystem} from '../../src/document/index.ts';
import {breakLines, noteOf} from '../../src/studio/sheet/notes.ts';
import {makeScene} from '../../src/studio/sheet/scene.ts';
import {placeFaults} from '../../src/studio/state/fault_places.ts';

const kSystem = `<System name="s" xmlns="urn:davit:system:1">
  <hydraulic.Tank name="tank"/>
  <Layout>
    <Place name="tank" x="80" y="160"/>
    <Note x="8" y="16" text="a &amp; b" width="100"/>
    <For name="i" from="1" to="2"><Note x="{8*i}" y="0" text="n{i}"/></For>
    <Note x="0" y="0" picture="pictures/plant.svg"/>
  </Layout>
</System>
`;

function systemOf(text = kSystem, path = 'parts/s.xml') {
  const project = makeProject(() => 0);
  project.open(path, text);
  return {project, system: openSystem(project, path), text: () => project.text(path)};
}

test('notes are read with their keys, in the order of the file', () => {
  const {system} = systemOf();
  const [first, repeated, picture] = [...system.view.notes.values()];
  assert.deepEqual([...system.view.notes.keys()], ['Note:0', 'Note:1', 'Note:2']);
  assert.equal(first!.text, 'a & b');
  assert.equal(first!.width, 100);
  assert.equal(first!.height, 0);
  assert.deepEqual(repeated!.repeated, ['i']);
  assert.equal(picture!.source, 'parts/pictures/plant.svg');
  assert.ok(picture!.width! > 0 && picture!.height > 0);
  assert.equal(system.view.at(system.view.elementOf('Note:0')!.start + 1)?.key, 'Note:0');
});

test('a picture is named only by a path that stays in the folder, and by its ending', () => {
  const source = (picture: string) =>
    systemOf(
      `<System name="s"><Layout><Note x="0" y="0" picture="${picture}"/></Layout></System>`,
      's.xml',
    ).system.view.notes.get('Note:0')!.source;
  assert.equal(source('a.PNG'), 'a.PNG');
  for (const wrong of ['../a.png', '/etc/a.png', 'https://x/a.png'.replace('https:', 'C:'), 'a.js', ''])
    assert.equal(source(wrong), undefined, wrong);
});

test('a note is added, moved, written and removed, and each step is undone to the same text', () => {
  const plain = '<System name="s" xmlns="urn:davit:system:1">\n  <hydraulic.Tank name="tank"/>\n</System>\n';
  const {project, system, text} = systemOf(plain);
  const texts = [plain];
  const steps = [
    () => assert.equal(system.addNote({x: 8, y: -16}, {text: 'first'}), 'Note:0'),
    () => assert.equal(system.addNote({x: 0, y: 0}, {text: 'second'}), 'Note:1'),
    () => system.setNote('Note:0', 'text', 'a <b>\n"c"'),
    () => system.move(['Note:0', 'tank'], 8, 24, new Map([['tank', {x: 0, y: 0, rotation: 0, mirror: false}]])),
    () => system.setNote('Note:1', 'width', '120'),
    () => system.remove(['Note:0', 'tank']),
    () => system.remove(['Note:0']),
  ];
  for (const step of steps) {
    step();
    assert.notEqual(text(), texts.at(-1));
    texts.push(text());
  }
  assert.ok(texts[3]!.includes('text="a &lt;b>&#10;&quot;c&quot;"'), texts[3]);
  assert.ok(texts[4]!.includes('<Note x="16" y="8" text="a'), texts[4]);
  assert.ok(texts[4]!.includes('<Place name="tank" x="8" y="24"/>'), texts[4]);
  assert.ok(!texts[6]!.includes('first') && texts[6]!.includes('second'));
  assert.ok(!texts[7]!.includes('Layout'), 'an empty layout goes too');
  for (const before of texts.reverse().slice(1)) {
    project.undo();
    assert.equal(text(), before);
  }
});

/** Of all notes of a file: where they are and what they say. */
const notesOf = (text: string) =>
  [...text.matchAll(/<Note x="([^"]*)" y="([^"]*)" (\w+="[^"]*")/g)].map(([, x, y, what]) => [x, y, what]);

test('notes are copied, cut and pasted as components are', () => {
  const {project, system, text} = systemOf();
  const clip = system.copy(['tank', 'Note:0', 'Note:2']);
  assert.equal(text(), kSystem);
  assert.deepEqual(system.paste(clip, {x: 32, y: 16}), ['tank2', 'Note:3', 'Note:4']);
  assert.deepEqual(notesOf(text()).slice(-2), [
    ['40', '32', 'text="a &amp; b"'],
    ['32', '16', 'picture="pictures/plant.svg"'],
  ]);
  assert.equal(system.view.notes.get('Note:3')!.width, 100);
  project.undo();
  assert.equal(text(), kSystem);
  assert.deepEqual(system.duplicate(['Note:0'], {x: 8, y: 8}), ['Note:3']);
  project.undo();
  assert.equal(
    system.cut(['Note:2']),
    system.copy(['Note:0']).replace(/<Note .*\/>/, '<Note x="0" y="0" picture="pictures/plant.svg"/>'),
  );
  project.undo();
  assert.equal(text(), kSystem);
  assert.throws(() => system.copy(['Note:1']), EditRefused);
  // Pictures are named from the file into which they are pasted.
  project.open('s2.xml', '<System name="t"/>\n');
  const other = openSystem(project, 's2.xml');
  assert.deepEqual(other.paste(clip), ['tank', 'Note:0', 'Note:1']);
  assert.equal(other.view.notes.get('Note:1')!.source, 'parts/pictures/plant.svg');
});

test('notes go into a sub-system with the components beside them, and come back', () => {
  const {project, system, text} = systemOf();
  system.group(['tank', 'Note:0'], {name: 'plant'});
  const inner = project.text('parts/plant.xml');
  // From the place of the sub-system, which is that of the tank.
  assert.deepEqual(notesOf(inner), [['-72', '-144', 'text="a &amp; b"']]);
  assert.deepEqual(
    notesOf(text()).map(([, , what]) => what),
    ['text="n{i}"', 'picture="pictures/plant.svg"'],
  );
  assert.deepEqual(system.ungroup('plant'), ['tank', 'Note:2']);
  assert.deepEqual(notesOf(text()).at(-1), ['8', '16', 'text="a &amp; b"']);
  project.undo();
  project.undo();
  assert.equal(text(), kSystem);
  assert.throws(() => system.group(['Note:0'], {name: 'plant'}), EditRefused);
});

test('what a <For> makes is edited as text', () => {
  const {system, text} = systemOf();
  for (const edit of [
    () => system.move(['Note:1'], 8, 8),
    () => system.remove(['Note:1']),
    () => system.setNote('Note:1', 'text', 'x'),
    () => system.setNote('Note:9', 'text', 'x'),
  ])
    assert.throws(edit, EditRefused);
  assert.equal(text(), kSystem);
});

test('lines are broken at spaces so that none is wider, and no word is lost', () => {
  assert.deepEqual(breakLines('', 100), []);
  assert.deepEqual(breakLines('one  two\n\nthree', null), ['one two', '', 'three']);
  // 10 characters.
  assert.deepEqual(breakLines('aaaa bbbbb cc dd incompressible e', 63), ['aaaa bbbbb', 'cc dd', 'incompressible', 'e']);
  assert.deepEqual(breakLines('øøøø ååååå c', 63), ['øøøø ååååå', 'c']);
  const text = 'the relief valve opens at 250 bar and is tested each year';
  for (let width = 10; width < 400; width += 7) {
    const lines = breakLines(text, width);
    assert.equal(lines.join(' '), text);
    for (const line of lines) assert.ok(line.length <= Math.floor(width / 6.3) || !line.includes(' '), `${width}: ${line}`);
  }
});

test('the sheet has the notes of the file from its text, and those that only the program knows from the program', () => {
  const {project, system} = systemOf();
  const own = noteOf(system.view.notes.get('Note:0')!)!;
  assert.deepEqual([own.box.left, own.box.top, own.box.right], [8, 16, 108]);
  const {line} = system.view.notes.get('Note:1')!;
  const box = {left: 8, top: 0, right: 20, bottom: 14};
  const note = {frame: '', line, box, lines: ['n1'], height: 0, picture: null};
  const stale = {...note, line: line - 1, lines: ['a & b']};
  const scene = makeScene(system.view, {nodes: [], frames: [], lines: [], notes: [note, stale]}, () => undefined, project);
  assert.deepEqual(
    scene.notes.map(({key, lines}) => [key, ...lines]),
    [['Note:0', 'a & b'], ['Note:2'], ['', 'n1']],
  );
  assert.ok(scene.places.has('Note:0') && scene.boxes.has('Note:2'), 'they can be chosen');
});

test('a fault of a note belongs to it', () => {
  const {system} = systemOf();
  const {line} = system.view.notes.get('Note:2')!;
  const fault = {file: 'parts/s.xml', line, path: '/', severity: 'error', text: 'picture: no such file', remedy: ''};
  const [placed] = placeFaults([fault as never], 'parts/s.xml', [], system.view);
  assert.equal(placed!.owner, 'Note:2');
});
