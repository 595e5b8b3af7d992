// The folder that is edited: its files, what of them is open, what is not saved yet.
import {batch, computed, signal} from '@preact/signals';
import {Refused, Unreachable} from '../../api/http.ts';
import {makeProject, openSystem, type Project, type SystemDocument, type SystemView} from '../../document/index.ts';
import {notify, withdraw} from '../../live/notices.ts';
import {getFile, getFiles, getStudio, putFile, type Conflict, type Texts} from '../api/requests.ts';
import type {FileEntry, FileKind, StudioInfo} from '../api/types.ts';
import {dropDraft, readDrafts, writeDraft} from './drafts.ts';

export const project: Project = makeProject();

/** Files up to this size and number are all read at the start, so that names are followed through the whole folder [bytes]. */
const kMostAtOnce = 4e6;
const kMostFilesAtOnce = 200;
const kPeriod = 2000; // of looking whether files have changed on disk [ms]

export const info = signal<StudioInfo | null>(null);
export const files = signal<readonly FileEntry[]>([]);
export const online = signal(true);
export const loginNeeded = signal(false);
/** Counts changes of any text. */
export const revision = signal(0);

export interface Place {
  /** File of the system. */
  path: string;
  /** The names of sub-systems that lead there from the first one: `boom`. */
  within: string[];
}
/** Position of the canvas: the file that was opened, and the sub-systems that were opened inside it. */
export const trail = signal<readonly Place[]>([]);
export const current = computed<string | null>(() => trail.value.at(-1)?.path ?? null);
/** The file that runs and is checked: the outermost one. */
export const rootPath = computed<string | null>(() => trail.value[0]?.path ?? null);
/** A chart that is open beside or in place of the sheet. */
export const openChartPath = signal<string | null>(null);

export interface OpenConflict extends Conflict {
  path: string;
}
export const conflict = signal<OpenConflict | null>(null);

interface Saved {
  hash: string | null;
  version: number;
  text: string;
}
const saved = new Map<string, Saved>();
const savedCount = signal(0);

project.subscribe((change) => {
  revision.value++;
  if (change.cause === 'open' || change.cause === 'close') return;
  for (const path of change.paths) {
    if (project.has(path) && isUnsaved(path)) writeDraft(path, project.text(path), saved.get(path)?.hash ?? null);
    else dropDraft(path);
  }
});

export const system = computed<SystemDocument | null>(() => {
  revision.value;
  const path = current.value;
  return path !== null && project.has(path) ? openSystem(project, path) : null;
});
export const view = computed<SystemView | null>(() => {
  revision.value;
  return system.value?.view ?? null;
});

function isUnsaved(path: string): boolean {
  const known = saved.get(path);
  return !known || (known.version !== project.version(path) && known.text !== project.text(path));
}

export const unsaved = computed<readonly string[]>(() => {
  revision.value;
  savedCount.value;
  return project.paths.filter(isUnsaved);
});

/** What the server must know besides what is on disk. */
export const unsavedTexts = (): Texts => Object.fromEntries(unsaved.peek().map((path) => [path, project.text(path)]));

export const kindOf = (path: string): FileKind =>
  files.peek().find((file) => file.path === path)?.kind ?? (path.endsWith('.scxml') ? 'chart' : 'system');

const kNoAnswer = 'The server does not answer. The edits are kept here; save again when the connection is back.';
online.subscribe((isOnline) => {
  if (isOnline) withdraw(kNoAnswer);
});

/** Does it; a lost connection is said by `online`, everything else as a notice. */
export async function asking<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await work();
    online.value = true;
    return answer;
  } catch (error) {
    if (error instanceof Unreachable) online.value = false;
    else if (error instanceof Refused && error.status === 401) loginNeeded.value = true;
    else notify('error', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

export async function load(path: string): Promise<boolean> {
  if (project.has(path)) return true;
  const file = await asking(() => getFile(path));
  if (!file) return false;
  take(path, file.text, file.hash);
  return true;
}

function take(path: string, text: string, hash: string | null): void {
  project.open(path, text);
  saved.set(path, {hash, version: project.version(path), text});
  savedCount.value++;
}

/** Reads what the folder has; at the start also the drafts that an earlier page could not save. */
export async function readFolder(): Promise<void> {
  const found = await asking(async () => ({studio: await getStudio(), list: await getFiles()}));
  if (!found) return;
  batch(() => {
    info.value = found.studio;
    files.value = found.list;
    loginNeeded.value = false;
  });
  const texts = found.list.filter(({kind}) => kind !== 'other');
  if (texts.length <= kMostFilesAtOnce && texts.reduce((sum, {size}) => sum + size, 0) <= kMostAtOnce) {
    await Promise.all(texts.map(({path}) => load(path)));
  }
  await restoreDrafts();
}

async function restoreDrafts(): Promise<void> {
  const drafts = readDrafts();
  const restored: string[] = [];
  for (const {path, text, hash} of drafts) {
    const isOnDisk = files.value.some((file) => file.path === path);
    if (isOnDisk && !(await load(path))) continue;
    if (project.has(path) && project.text(path) === text) {
      dropDraft(path);
      continue;
    }
    project.step('Restore unsaved edits', () => {
      if (project.has(path)) project.setText(path, text);
      else project.create(path, text);
    });
    // Saved against the text they were made from, so that a change on disk meanwhile is a conflict.
    const known = saved.get(path);
    if (known) known.hash = hash;
    restored.push(path);
  }
  if (restored.length) notify('info', `Edits that were not saved are back: ${restored.join(', ')}. Undo removes them.`);
}

/** Opens a system, with the files it is made of. */
export async function openFile(path: string): Promise<void> {
  if (!(await load(path))) return;
  if (kindOf(path) === 'chart') {
    openChartPath.value = path;
    return;
  }
  openChartPath.value = null;
  await loadSources(path);
  trail.value = [{path, within: []}];
  location.hash = encodeURIComponent(path);
}

async function loadSources(path: string, seen = new Set<string>()): Promise<void> {
  if (seen.has(path)) return;
  seen.add(path);
  const known = new Set(files.peek().map((file) => file.path));
  for (const {source} of openSystem(project, path).view.components) {
    if (source === undefined || !known.has(source) || !(await load(source)) || kindOf(source) !== 'system') continue;
    await loadSources(source, seen);
  }
}

/** Opens what a component of the sheet is made of. */
export async function enter(name: string): Promise<void> {
  const component = view.peek()?.find(name);
  if (component?.source === undefined || !(await load(component.source))) return;
  if (component.kind !== 'subsystem') {
    openChartPath.value = component.source;
    return;
  }
  await loadSources(component.source);
  trail.value = [...trail.value, {path: component.source, within: [...trail.value.at(-1)!.within, name]}];
}

export function leaveTo(depth: number): void {
  openChartPath.value = null;
  trail.value = trail.value.slice(0, depth + 1);
}

/** Saves one file, unless the disk has another text than it was opened with: then a conflict. */
async function save(path: string, text: string, hash: string | null): Promise<'saved' | 'refused' | OpenConflict> {
  const version = project.version(path);
  const answer = await asking(() => putFile(path, text, hash));
  if (!answer) return 'refused';
  if (answer.conflict) return {path, ...answer.conflict};
  saved.set(path, {hash: answer.hash, version, text});
  savedCount.value++;
  dropDraft(path);
  return 'saved';
}

let isSaving = false;

/** Saves everything that is not on disk as it is here: the file on the screen first, and each whatever becomes of the others. */
export async function saveAll(): Promise<void> {
  if (isSaving) return;
  isSaving = true;
  try {
    const shown = openChartPath.peek() ?? current.peek();
    const paths = [...unsaved.peek()].sort((a, b) => Number(b === shown) - Number(a === shown));
    const conflicts: OpenConflict[] = [];
    const done: string[] = [];
    for (const path of paths) {
      const outcome = await save(path, project.text(path), saved.get(path)?.hash ?? null);
      if (outcome === 'saved') done.push(path);
      else if (outcome !== 'refused') conflicts.push(outcome);
      else if (!online.peek() || loginNeeded.peek()) break;
    }
    if (paths.length > 1 && done.length) notify('info', `Saved: ${done.join(', ')}.`);
    if (!online.peek()) notify('error', kNoAnswer);
    if (conflicts.length) {
      notify('error', `Not saved, because the file has changed on disk: ${conflicts.map(({path}) => path).join(', ')}.`);
      changedOnDisk.value = new Set([...changedOnDisk.value, ...conflicts.map(({path}) => path)]);
      conflict.value = conflicts[0]!;
    }
    if (done.length) await readList();
  } finally {
    isSaving = false;
  }
}

/** Ends a conflict: with the text of this page, that of the disk, or another. */
export async function settle(choice: 'mine' | 'disk', text?: string): Promise<void> {
  const now = conflict.peek();
  if (!now) return;
  conflict.value = null;
  if (choice === 'disk') {
    if (now.text === null) return;
    take(now.path, now.text, now.hash);
    dropDraft(now.path);
    return;
  }
  if (text !== undefined && text !== project.text(now.path))
    project.step('Merge with the disk', () => project.setText(now.path, text));
  const outcome = await save(now.path, project.text(now.path), now.hash);
  if (typeof outcome === 'object') conflict.value = outcome;
}

export async function readList(): Promise<void> {
  const list = await asking(getFiles);
  if (list) files.value = list;
}

/** Files that nobody edits here follow the disk; of others the conflict is told when they are saved. */
async function followDisk(): Promise<void> {
  const list = await asking(getFiles);
  if (!list) return;
  files.value = list;
  for (const {path, hash} of list) {
    const known = saved.get(path);
    if (!known || known.hash === hash || !project.has(path) || isSaving) continue;
    if (isUnsaved(path)) {
      changedOnDisk.value = new Set([...changedOnDisk.value, path]);
      continue;
    }
    const file = await asking(() => getFile(path));
    if (file && !isUnsaved(path) && !isSaving) take(path, file.text, file.hash);
  }
  const stale = [...changedOnDisk.value].filter(
    (path) => isUnsaved(path) && list.some((file) => file.path === path && file.hash !== saved.get(path)?.hash),
  );
  if (stale.length !== changedOnDisk.value.size) changedOnDisk.value = new Set(stale);
}

/** Files that are edited here and have changed on disk meanwhile. */
export const changedOnDisk = signal<ReadonlySet<string>>(new Set());

/** Shows what is on disk beside what is here, before anybody saves. */
export async function compareWithDisk(path: string): Promise<void> {
  const file = await asking(() => getFile(path));
  if (file) conflict.value = {path, hash: file.hash, text: file.text};
}

export function startFollowing(): void {
  const poll = async () => {
    if (loginNeeded.peek() || info.peek() === null) await readFolder();
    else await followDisk();
    window.setTimeout(poll, kPeriod);
  };
  window.setTimeout(poll, kPeriod);
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.peek().length) event.preventDefault();
  });
}
