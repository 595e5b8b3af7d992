// The runs of the folder: which there are, and the one that is shown.
import {computed, signal} from '@preact/signals';
import {setRun} from '../../api/http.ts';
import {notify} from '../../live/notices.ts';
import {start, stop} from '../../live/session.ts';
import {select} from '../../view/selection.ts';
import {deleteRun, getRuns, postRun, type RunOptions} from '../api/requests.ts';
import type {RunEntry} from '../api/types.ts';
import {single} from '../state/choice.ts';
import {faults} from '../state/assistant.ts';
import {describeFault} from '../state/fault_places.ts';
import {asking, online, rootPath, trail, unsavedTexts} from '../state/workspace.ts';
import {pendingChanges} from './changes.ts';

export type Mode = 'draw' | 'run' | 'compare';
export const mode = signal<Mode>('draw');
export const runs = signal<readonly RunEntry[]>([]);
/** The run that is shown, or was last. */
export const shownRun = signal<number | null>(null);
export const isStarting = signal(false);

export const runsHere = computed(() => runs.value.filter(({path}) => path === rootPath.value));
const prefixOf = (run: number): string => `run/${run}/`;
export const runPrefix = prefixOf;

export async function readRuns(): Promise<void> {
  const found = await asking(getRuns);
  if (found) runs.value = found;
}

/** Starts a run of what is on the sheet, saved or not, and shows it. */
export async function startRun(options: RunOptions = {}): Promise<void> {
  const path = rootPath.peek();
  if (path === null || isStarting.peek()) return;
  isStarting.value = true;
  const answer = await asking(() => postRun(path, unsavedTexts(), options));
  isStarting.value = false;
  if (!answer) {
    if (!online.peek()) notify('error', 'The server does not answer.');
    return;
  }
  if (answer.run === undefined) {
    faults.value = answer.faults ?? [];
    notify('error', `It cannot run yet: ${answer.faults?.[0] ? describeFault(answer.faults[0]) : 'see the errors'}`);
    return;
  }
  await readRuns();
  show(answer.run);
}

export function show(run: number): void {
  stop();
  pendingChanges.value = [];
  shownRun.value = run;
  mode.value = 'run';
  const name = single.peek();
  start(prefixOf(run));
  select(name === null ? null : [...(trail.peek().at(-1)?.within ?? []), name].join('.'));
}

export function backToDrawing(): void {
  if (mode.peek() === 'run') stop();
  setRun('');
  mode.value = 'draw';
}

export function compare(): void {
  if (mode.peek() === 'run') stop();
  mode.value = 'compare';
}

export async function remove(run: number): Promise<void> {
  if (shownRun.peek() === run) {
    if (mode.peek() === 'run') backToDrawing();
    shownRun.value = null;
  }
  await asking(() => deleteRun(run));
  await readRuns();
}

const kPeriod = 2000; // ms

export function followRuns(): void {
  window.setInterval(() => {
    if (mode.peek() !== 'draw' || runs.peek().some(({status}) => status === 'running')) void readRuns();
  }, kPeriod);
}
