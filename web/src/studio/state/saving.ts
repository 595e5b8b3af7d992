// Saving, and what the disk has meanwhile.
import {signal} from '@preact/signals';
import {notify} from '../../live/notices.ts';
import {getFile, getFiles, putFile, type Conflict} from '../api/requests.ts';
import {dropDraft} from './drafts.ts';
import {exchange, isShared, shareAll} from './sharing.ts';
import {
  asking,
  current,
  files,
  info,
  isUnsaved,
  kNoAnswer,
  loginNeeded,
  noteSaved,
  online,
  openChartPath,
  project,
  readFolder,
  readList,
  savedOf,
  take,
  unsaved,
} from './workspace.ts';

const kPeriod = 2000; // of looking whether files have changed on disk [ms]

export interface OpenConflict extends Conflict {
  path: string;
}
export const conflict = signal<OpenConflict | null>(null);

/** Saves one file, unless the disk has another text than this page knows, or than that of the hash `over`: then a conflict. */
async function save(path: string, over?: string | null): Promise<'saved' | 'refused' | OpenConflict> {
  for (let round = 0; round < 5; ++round) {
    await shareAll();
    const text = project.text(path);
    const hash = over === undefined ? (savedOf(path)?.hash ?? null) : over;
    const answer = await asking(() => putFile(path, text, hash));
    if (!answer) return 'refused';
    if (answer.isBehind) continue; // somebody else has edited it between both requests
    if (answer.conflict) return {path, ...answer.conflict};
    noteSaved(path, answer.hash, text);
    return 'saved';
  }
  notify('error', `${path} is not saved: others edit it all the time; save again.`);
  return 'refused';
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
      const outcome = await save(path);
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
    const {path, text: onDisk, hash} = now;
    if (isShared(path)) {
      project.step('Use the version on disk', () => project.setText(path, onDisk));
      await shareAll();
      noteSaved(path, hash, onDisk);
    } else {
      take(path, onDisk, hash);
      dropDraft(path);
    }
    return;
  }
  if (text !== undefined && text !== project.text(now.path))
    project.step('Merge with the disk', () => project.setText(now.path, text));
  const outcome = await save(now.path, now.hash);
  if (typeof outcome === 'object') conflict.value = outcome;
}

/** Files that nobody edits here follow the disk; of others the conflict is told when they are saved. */
async function followDisk(): Promise<void> {
  const list = await asking(getFiles);
  if (!list) return;
  files.value = list;
  await exchange(); // who shares a file learns from the server that it was saved
  for (const {path, hash} of list) {
    const known = savedOf(path);
    if (!known || known.hash === hash || !project.has(path) || isSaving) continue;
    if (isUnsaved(path)) {
      changedOnDisk.value = new Set([...changedOnDisk.value, path]);
      continue;
    }
    const file = await asking(() => getFile(path));
    if (file && !isUnsaved(path) && !isSaving && !isShared(path)) take(path, file.text, file.hash);
  }
  const stale = [...changedOnDisk.value].filter(
    (path) => isUnsaved(path) && list.some((file) => file.path === path && file.hash !== savedOf(path)?.hash),
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
