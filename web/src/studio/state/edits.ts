// What can be done on the sheet. Everything is a step of the one history; what cannot be done is said.
import {EditRefused, isNote, type Alignment, type SystemDocument} from '../../document/index.ts';
import {notify} from '../../live/notices.ts';
import {freePlace, onGrid, type Point} from '../sheet/geometry.ts';
import {scene} from '../sheet/scene.ts';
import {choose, chooseLine, chosen, chosenLine, lineView} from './choice.ts';
import {models} from './models.ts';
import {info, project, system} from './workspace.ts';

/** Does it as one step; true where it was done. */
export function attemptEdit<T>(label: string, work: (system: SystemDocument) => T, merge?: string): T | undefined {
  const now = system.peek();
  if (!now) return undefined;
  if (info.peek()?.read_only) {
    notify('error', 'The folder is open for reading only.');
    return undefined;
  }
  try {
    return project.step(label, () => work(now), merge);
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    notify('error', error.message);
    return undefined;
  }
}

/** The same with places: where some are found by the program, all are written, so that nothing else moves on the sheet. */
function attemptPlacing<T>(label: string, work: (system: SystemDocument) => T, merge?: string): T | undefined {
  return attemptEdit(
    label,
    (now) => {
      const {places} = scene.peek();
      const missing = [...places].filter(([name]) => now.view.find(name)?.repeated.length === 0 && !now.view.places.has(name));
      if (missing.length) now.place(new Map(missing));
      return work(now);
    },
    merge,
  );
}

export const undo = (): void => {
  project.undo();
};
export const redo = (): void => {
  project.redo();
};

/** A new component of a model; where no place is given, near the middle of what is seen. Result: its name. */
export function addModel(model: string, at: Point, isExact = false): string | undefined {
  const symbol = models.peek().get(model)?.symbol ?? {width: 96, height: 48};
  const place = isExact ? {x: onGrid(at.x), y: onGrid(at.y)} : freePlace(at, symbol, [...scene.peek().boxes.values()]);
  const name = attemptPlacing(`Add ${model}`, (now) => now.add({model, place}));
  if (name !== undefined) choose([name]);
  return name;
}

export function addFile(path: string, kind: 'system' | 'chart', at: Point): string | undefined {
  const place = freePlace(at, {width: 160, height: 120}, [...scene.peek().boxes.values()]);
  const name = attemptPlacing(`Add ${path}`, (now) =>
    kind === 'system' ? now.addSubsystem(path, {place}) : now.addChart(path, {place}),
  );
  if (name !== undefined) choose([name]);
  return name;
}

const names = (): string[] => [...chosen.peek()];
/** Notes are not turned. */
const components = (): string[] => names().filter((name) => !isNote(name));

/** A new text on the sheet. Result: its key. */
export function addNote(at: Point): string | undefined {
  const {x, y} = freePlace(at, {width: 48, height: 16}, [...scene.peek().boxes.values()]);
  const key = attemptEdit('Add a note', (now) => now.addNote({x: onGrid(x - 24), y: onGrid(y - 8)}, {text: 'Note'}));
  if (key !== undefined) choose([key]);
  return key;
}

export function moveBy(dx: number, dy: number, merge?: string): void {
  if (!chosen.peek().size || (dx === 0 && dy === 0)) return;
  const attempt = components().length > 0 ? attemptPlacing : attemptEdit;
  attempt('Move', (now) => now.move(names(), dx, dy, scene.peek().places), merge);
}

/** Sub-systems are not turned: their frame shows what is inside. */
const turnable = (now: SystemDocument): string[] => components().filter((name) => now.view.find(name)?.kind !== 'subsystem');

export const rotateBy = (degrees: number): void =>
  void attemptPlacing('Rotate', (now) => now.rotate(turnable(now), degrees, scene.peek().places));
export const mirrorChosen = (): void => void attemptPlacing('Mirror', (now) => now.mirror(turnable(now), scene.peek().places));

export function alignChosen(how: Alignment): void {
  const {places, boxes} = scene.peek();
  const sizes = new Map([...boxes].map(([name, box]) => [name, {width: box.right - box.left, height: box.bottom - box.top}]));
  attemptPlacing('Align', (now) => now.align(components(), how, places, sizes));
}

export function removeChosen(): void {
  if (chosenLine.peek()) {
    const line = lineView.peek();
    if (line) attemptEdit('Remove the line', (now) => now.disconnect([line.line.key]));
    chosenLine.value = null;
    return;
  }
  if (!chosen.peek().size) return;
  const gone = names();
  if (gone.some(isNote)) choose(components()); // the keys of notes are those of others afterwards
  attemptEdit('Remove', (now) => now.remove(gone));
}

export function connectEnds(from: string, to: string, kind: 'port' | 'signal'): boolean {
  const done = attemptEdit(kind === 'port' ? `Connect ${from} to ${to}` : `Route ${from} to ${to}`, (now) => {
    if (kind === 'port') now.connect(from, to);
    else now.route(from, to);
    return true;
  });
  if (done) chooseLine({from, to});
  return done ?? false;
}

let clip: string | null = null;
let pasted = 0;

const asClip = (text: string): void => {
  clip = text;
  pasted = 0;
  // The clipboard of the operating system may be refused; the page's own is enough inside the page.
  void navigator.clipboard?.writeText(text).catch(() => undefined);
};

export function copyChosen(): void {
  const now = system.peek();
  if (now && chosen.peek().size) asClip(now.copy(names()));
}

export function cutChosen(): void {
  const gone = names();
  if (gone.some(isNote)) choose(components()); // the keys of notes are those of others afterwards
  const text = gone.length ? attemptEdit('Cut', (now) => now.cut(gone)) : undefined;
  if (text !== undefined) asClip(text);
}

export function pasteClip(text: string | null = clip): void {
  if (text === null) return;
  const offset = 32 * ++pasted;
  const made = attemptPlacing('Paste', (now) => now.paste(text, {x: offset, y: offset}));
  if (made) choose(made);
}

export function duplicateChosen(): void {
  const made = chosen.peek().size ? attemptPlacing('Duplicate', (now) => now.duplicate(names(), {x: 32, y: 32})) : undefined;
  if (made) choose(made);
}

export function groupChosen(name: string): void {
  const {boxes, places} = scene.peek();
  const members = names();
  if (!components().length) return;
  const found = members.map((one) => places.get(one) ?? boxes.get(one)).filter(Boolean);
  if (!found.length) return;
  if (
    attemptPlacing(`Group as ${name}`, (now) => {
      now.group(members, {name});
      return true;
    })
  )
    choose([name]);
}

export function ungroupChosen(): void {
  const [name] = names();
  if (name === undefined) return;
  const made = attemptPlacing(`Ungroup ${name}`, (now) => now.ungroup(name));
  if (made) choose(made);
}

export function renameTo(from: string, to: string): void {
  if (from === to) return;
  if (
    attemptEdit(`Rename ${from} to ${to}`, (now) => {
      now.rename(from, to);
      return true;
    })
  )
    choose([to]);
}

export const chooseAll = (): void => choose(scene.peek().places.keys());

/** Those whose box lies in a rectangle of the sheet. */
export function chooseInside(left: number, top: number, right: number, bottom: number, before: Iterable<string> = []): void {
  const inside = [...scene.peek().boxes].filter(
    ([name, box]) =>
      scene.peek().places.has(name) && box.left >= left && box.right <= right && box.top >= top && box.bottom <= bottom,
  );
  choose([...before, ...inside.map(([name]) => name)]);
}
