import assert from 'node:assert/strict';
import {test} from 'node:test';
import {editBetween, makeProject, openSystem, SharedText, type Project, type TextEdit} from '../../src/document/index.ts';
import {applyEdits} from '../../src/document/text_edit.ts';
import {filesIn, random, wellFormed} from './files.ts';
import {randomEdit} from './random_system_edits.ts';

const systems = filesIn('systems', '.xml');
const kPath = 'lifting_cylinder.xml';

/** The order that the server gives: a change is taken from who knows all changes before it. */
class Server {
  readonly changes: {author: number; edits: readonly TextEdit[]}[] = [];
  constructor(public text: string) {}
  take(author: number, known: number, edits: readonly TextEdit[]): boolean {
    if (known !== this.changes.length) return false;
    this.text = applyEdits(this.text, edits);
    this.changes.push({author, edits});
    return true;
  }
}

class Person {
  readonly project: Project = makeProject(() => 0);
  readonly shared: SharedText;
  readonly lost: string[] = [];
  private version = 0;

  constructor(
    private readonly server: Server,
    private readonly number: number,
  ) {
    this.project.open(kPath, server.text);
    this.shared = new SharedText(server.text, server.text, '');
    this.project.subscribe(({cause, changes, step}) => {
      if (cause !== 'others') for (const change of changes.get(kPath) ?? []) this.shared.add(step?.label ?? '', change);
    });
  }
  get text(): string {
    return this.project.text(kPath);
  }
  get system() {
    return openSystem(this.project, kPath);
  }
  sync(): void {
    for (; this.version < this.server.changes.length; ++this.version) {
      const {author, edits} = this.server.changes[this.version]!;
      if (author === this.number) this.shared.confirm();
      else {
        const received = this.shared.receive(edits, this.text);
        this.lost.push(...received.lost);
        this.project.receive(kPath, received.edits);
      }
    }
    assert.equal(this.shared.knownOf(this.text), this.server.text);
    let known = this.version;
    for (const {edits} of this.shared.pending) assert.ok(this.server.take(this.number, known++, edits));
  }
}

function meeting(count: number, text: string): {server: Server; people: Person[]; settle: () => void} {
  const server = new Server(text);
  const people = Array.from({length: count}, (_, number) => new Person(server, number));
  const settle = () => {
    for (let round = 0; round < 2; ++round) for (const person of people) person.sync();
    for (const {text: own} of people) assert.equal(own, server.text);
  };
  return {server, people, settle};
}

test('three people and 300 random edits: the same bytes for all, well-formed, also when all undo what they have done', () => {
  for (const path of [kPath, 'position_servo.xml', 'knuckle_boom_crane.xml']) {
    const r = random(7);
    const {server, people, settle} = meeting(3, systems.get(path)!);
    for (let i = 0; i < 300; ++i) {
      const person = r.pick(people)!;
      const action = r.next();
      if (action < 0.1) person.project.undo();
      else if (action < 0.15) person.project.redo();
      else randomEdit(person.project, kPath, r);
      wellFormed(person.text);
      if (r.next() < 0.3) r.pick(people)!.sync();
      wellFormed(server.text);
    }
    settle();
    const lost = people.reduce((sum, person) => sum + person.lost.length, 0);
    assert.ok(lost > 0 && lost < 150, `${lost} edits met another`);
    for (const {project} of people) while (project.canUndo) project.undo();
    settle();
    wellFormed(server.text);
  }
});

test('undo is of each person alone: of other elements it leaves what the others have done', () => {
  const text = systems.get(kPath)!;
  const names = openSystemOf(text)
    .view.components.filter(({attributes}) => attributes.length > 0)
    .map(({name}) => name);
  assert.ok(names.length >= 4);
  const r = random(3);
  const {people, settle} = meeting(2, text);
  const alone = new Person(new Server(text), 0);
  for (let i = 0; i < 100; ++i) {
    const number = i % 2;
    const name = r.pick(names.filter((_, index) => index % 2 === number))!;
    const attribute = r.pick(people[number]!.system.view.find(name)!.attributes)!.name;
    const value = `${i} bar`;
    people[number]!.system.setParameter(name, attribute, value);
    if (number === 1) alone.system.setParameter(name, attribute, value);
    if (r.next() < 0.5) r.pick(people)!.sync();
  }
  settle();
  assert.deepEqual(
    people.map(({lost}) => lost),
    [[], []],
  );
  const both = people[0]!.text;
  while (people[0]!.project.canUndo) people[0]!.project.undo();
  settle();
  assert.equal(people[1]!.text, alone.text);
  while (people[1]!.project.canUndo) people[1]!.project.undo();
  settle();
  assert.equal(people[0]!.text, text);
  for (const {project} of people) while (project.canRedo) project.redo();
  settle();
  assert.equal(people[0]!.text, both);
});

const openSystemOf = (text: string) => {
  const project = makeProject();
  project.open(kPath, text);
  return openSystem(project, kPath);
};

const kTwo = '<System name="s">\n  <hydraulic.Pump name="pump" speed="1 rpm"/>\n  <hydraulic.Tank name="tank"/>\n</System>\n';

test('of two changes of one element the first stays, and the other one is named', () => {
  const {server, people, settle} = meeting(2, kTwo);
  people[0]!.system.setParameter('pump', 'speed', '2 rpm');
  people[1]!.project.step('Set the size', () => people[1]!.system.setParameter('pump', 'size', '9'));
  people[1]!.system.setParameter('tank', 'pressure', '1 bar');
  settle();
  assert.deepEqual(people[1]!.lost, ['Set the size']);
  assert.equal(server.text, kTwo.replace('1 rpm', '2 rpm').replace('name="tank"', 'name="tank" pressure="1 bar"'));
  assert.equal(people[1]!.project.undoSteps.length, 1);
  people[1]!.project.undo();
  settle();
  assert.equal(server.text, kTwo.replace('1 rpm', '2 rpm'));
});

test('what another user has changed again is not taken back', () => {
  const {server, people, settle} = meeting(2, kTwo);
  people[0]!.system.setParameter('tank', 'level', 'Ideal');
  people[0]!.system.setParameter('pump', 'speed', '2 rpm');
  settle();
  people[1]!.system.setParameter('pump', 'speed', '3 rpm');
  settle();
  assert.equal(people[0]!.project.undoSteps.length, 1);
  people[0]!.project.undo();
  settle();
  assert.equal(server.text, kTwo.replace('1 rpm', '3 rpm'));
});

test('components that two add at one place are both there; of two with one name the first', () => {
  const {server, people, settle} = meeting(2, kTwo);
  people[0]!.system.add({model: 'mechanical.Mass', name: 'a'});
  people[1]!.system.add({model: 'mechanical.Mass', name: 'b'});
  settle();
  const added = (name: string): string => `  <mechanical.Mass name="${name}"/>\n`;
  assert.equal(server.text, kTwo.replace('</System>', `${added('a')}${added('b')}</System>`));
  people[0]!.system.add({model: 'signal.Step', name: 'c'});
  people[1]!.system.add({model: 'mechanical.Mass', name: 'c'});
  settle();
  assert.equal(people[1]!.lost.length, 1);
  assert.equal([...server.text.matchAll(/name="c"/g)].length, 1);
});

test('what is added inside of an element that another user has removed goes with it', () => {
  const {server, people, settle} = meeting(2, '<System>\n  <For>\n    <a/>\n  </For>\n</System>\n');
  const at = server.text.indexOf('</For>');
  people[0]!.project.edit(kPath, [{start: server.text.indexOf('  <For>'), end: at + 7, text: ''}]);
  people[1]!.project.edit(kPath, [{start: at - 2, end: at - 2, text: '    <b/>\n'}]);
  settle();
  assert.equal(server.text, '<System>\n</System>\n');
  assert.equal(people[1]!.lost.length, 1);
});

test('a tag is one element, with > in a value, in a text that is no XML, and in a comment', () => {
  for (const [text, first, second, isOne] of [
    ['<a if="x > 1" b="2"/><c/>', 'x', '2', true],
    ['<a if="x > 1" b="2"/><c d="3"/>', '2', '3', false],
    ['<a b="1" c="2"', '1', '2', true],
    ['<!-- 1 > 2 3 --><a b="4"/>', '1', '3', true],
    ['<a>1 <b/> 2</a>', '1', '2', false],
  ] as const) {
    const {people, settle} = meeting(2, text);
    [first, second].forEach((old, index) => {
      const start = text.indexOf(old);
      people[index]!.project.edit(kPath, [{start, end: start + old.length, text: 'new'}]);
    });
    settle();
    assert.equal(people[1]!.lost.length, isOne ? 1 : 0, text);
  }
});

test('an edit between two texts does not cut a character in two', () => {
  for (const [before, after] of [
    ['a😀b', 'a😁b'],
    ['😀', '😀😀'],
    ['😀😁', '😁'],
    ['x𐐀', 'x𝐀'],
  ] as const) {
    const {start, end, text} = editBetween(before, after)!;
    assert.equal(applyEdits(before, [{start, end, text}]), after);
    for (const part of [before.slice(0, start), before.slice(end), text]) assert.equal(Buffer.from(part).toString(), part);
  }
});
