// The folder that is edited: its files, what of them is open, what is not saved yet.
import {batch, computed, signal} from '@preact/signals';
import {Refused, Unreachable} from '../../api/http.ts';
import {makeProject, openSystem, type Project, type SystemDocument, type SystemView} from '../../document/index.ts';
import {notify, withdraw} from '../../live/notices.ts';
import {getFile, getFiles, getStudio, type Texts} from '../api/requests.ts';
import type {FileEntry, FileKind, StudioInfo} from '../api/types.ts';
import {dropDraft, readDrafts, writeDraft} from './drafts.ts';

export const project: Project = makeProject();

/** Files up to this size and number are all read at the start, so that names are followed through the whole folder [bytes]. */
const kMostAtOnce = 4e6;
const kMostFilesAtOnce = 200;

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

/** A file as it is on disk, as far as this page knows. */
interface Saved {
  hash: string | null;
  /** Of the project, when it had this text. */
  version: number;
  text: string;
  /** The edits here are a draft that was made from another text, the one of the hash. */
  isOther?: boolean;
}
const saved = new Map<string, Saved>();
const savedCount = signal(0);

export const savedOf = (path: string): Readonly<Saved> | undefined => saved.get(path);

/** The file has this text on disk. */
export function noteSaved(path: string, hash: string | null, text: string): void {
  saved.set(path, {hash, version: project.text(path) === text ? project.version(path) : -1, text});
  savedCount.value++;
  if (!isUnsaved(path)) dropDraft(path);
}

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

export function isUnsaved(path: string): boolean {
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

export const kNoAnswer = 'The server does not answer. The edits are kept here; save again when the connection is back.';
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

/** Takes over what the disk has. */
export function take(path: string, text: string, hash: string | null): void {
  project.open(path, text);
  noteSaved(path, hash, text);
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
    if (known && known.hash !== hash) saved.set(path, {...known, hash, isOther: true});
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

export async function readList(): Promise<void> {
  const list = await asking(getFiles);
  if (list) files.value = list;
}
