// Several people in one folder: their edits reach each other, and each sees who is there.
import {computed, signal} from '@preact/signals';
import {SharedText, type Received} from '../../document/index.ts';
import {parseXml} from '../../document/xml/parse.ts';
import {notify} from '../../live/notices.ts';
import {postLeave, postShare} from '../api/requests.ts';
import type {Person, SharedAnswer, SharedChange, SharedFile} from '../api/types.ts';
import {chosen} from './choice.ts';
import {
  asking,
  current,
  info,
  isUnsaved,
  loginNeeded,
  noteSaved,
  online,
  openChartPath,
  project,
  savedOf,
} from './workspace.ts';

const kPeriod = 500; // of asking for the edits of others [ms]
const kSoon = 30; // after an edit [ms]
const kMostSteps = 100; // of others that are listed

export const people = signal<readonly Person[]>([]);
/** Under which name others see this page. */
export const ownName = signal('');

/** Who else has selected a component of the file on the canvas, by its name. */
export const ofOthers = computed<ReadonlyMap<string, string>>(() => {
  const names = new Map<string, string>();
  for (const {user, path, chosen} of people.value) {
    if (path !== current.value) continue;
    for (const name of chosen) names.set(name, names.has(name) ? `${names.get(name)}, ${user}` : user);
  }
  return names;
});

export interface OthersStep {
  user: string;
  label: string;
  path: string;
}
/** What others have done, the last first. */
export const othersSteps = signal<readonly OthersStep[]>([]);

/** The files that the server knows edits of, or is told of edits of. */
const texts = new Map<string, SharedText>();
/** Files that others have edited. */
let editedByOthers: ReadonlySet<string> = new Set();

export const isShared = (path: string): boolean => texts.has(path);

project.subscribe(({cause, paths, changes, step}) => {
  if (cause === 'others') return;
  if (cause === 'open' || cause === 'close') for (const path of paths) texts.delete(path);
  for (const [path, list] of changes) for (const change of list) texts.get(path)?.add(step?.label ?? 'Edit', change);
  if (changes.size) askSoon();
});

/** A file that is on disk, and of which the text is known that it was edited from. */
function mayBeShared(path: string): boolean {
  const known = savedOf(path);
  return project.has(path) && known !== undefined && known.hash !== null && !known.isOther;
}

function begin(path: string): void {
  if (texts.has(path) || !mayBeShared(path) || !(isUnsaved(path) || editedByOthers.has(path))) return;
  texts.set(path, new SharedText(savedOf(path)!.text, project.text(path), 'Edits that are not saved'));
}

/** While a text that was XML is none, nobody else gets it: their drawings would stand still. */
function isHeld(path: string, text: SharedText): boolean {
  return project.parse(path).fault !== undefined && parseXml(text.knownOf(project.text(path))).document !== undefined;
}

function fileOf(path: string, text: SharedText, isForced: boolean): SharedFile {
  const changes = text.pending;
  return {
    path,
    hash: savedOf(path)?.hash ?? '',
    ...(text.version === undefined ? {} : {version: text.version}),
    changes: changes.length && !isForced && isHeld(path, text) ? [] : changes,
  };
}

let last: Promise<unknown> = Promise.resolve();

/** Sends what was edited here and takes over what others have edited; one after the other. */
export function exchange(isForced = false): Promise<void> {
  const next = last.then(() => ask(isForced));
  last = next;
  return next;
}

async function ask(isForced: boolean): Promise<void> {
  if (loginNeeded.peek() || !info.peek()) return;
  for (const path of project.paths) begin(path);
  const files = [...texts].map(([path, text]) => fileOf(path, text, isForced));
  const shown = openChartPath.peek() ?? current.peek() ?? '';
  const answer = await asking(() => postShare(shown, [...chosen.peek()].slice(0, kMostSteps), files));
  if (answer) takeOver(answer);
  else if (online.peek()) texts.clear(); // refused: what is not saved is sent again as a whole
}

function takeOver(answer: SharedAnswer): void {
  if (JSON.stringify(answer.people) !== JSON.stringify(people.peek())) people.value = answer.people;
  ownName.value = answer.name;
  editedByOthers = new Set(answer.shared);
  for (const file of answer.files) {
    const text = texts.get(file.path);
    if (!text) continue;
    if (file.is_shared === false) {
      // The server has begun anew, or nobody has edited it.
      if (text.version !== undefined || !text.pending.length) texts.delete(file.path);
      continue;
    }
    if (file.text === undefined) for (const change of file.changes ?? []) takeChange(file.path, text, change);
    else {
      receive(file.path, text.receiveText(file.text, project.text(file.path)));
      if (file.saved) noteSaved(file.path, file.saved, file.text);
    }
    text.version = file.version!;
  }
  isBehind = answer.shared.some((path) => mayBeShared(path) && !texts.has(path));
}

function takeChange(path: string, text: SharedText, {user, label, edits, saved}: SharedChange): void {
  if (saved !== undefined) {
    noteSaved(path, saved, text.knownOf(project.text(path)));
    if (edits && user) notify('info', `${user} has saved ${path}.`);
  } else if (edits) {
    receive(path, text.receive(edits, project.text(path)));
    if (user) othersSteps.value = [{user, label, path}, ...othersSteps.peek()].slice(0, kMostSteps);
  } else {
    text.confirm();
  }
}

function receive(path: string, {edits, lost}: Received): void {
  project.receive(path, edits);
  if (lost.length)
    notify('error', `Taken back in ${path}, because another user has changed the same element before: ${lost.join(', ')}.`);
}

/** Returns when the server has all edits of this page, or does not take them. */
export async function shareAll(): Promise<void> {
  for (let round = 0; round < 5; ++round) {
    await exchange(true);
    if ([...texts.values()].every(({pending}) => !pending.length)) return;
  }
}

/** Others have edited files that this page has not asked for yet. */
let isBehind = false;

/** There is something to send or to ask for. */
const isWaiting = (): boolean =>
  online.peek() && (isBehind || [...texts].some(([path, text]) => text.pending.length > 0 && !isHeld(path, text)));

let timer = 0;

function askIn(time: number): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(async () => {
    await exchange();
    askIn(isWaiting() ? kSoon : kPeriod);
  }, time);
}

function askSoon(): void {
  if (timer) askIn(kSoon);
}

export function startSharing(): void {
  askIn(0);
  window.addEventListener('pagehide', postLeave);
}
