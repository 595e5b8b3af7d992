// Moves the run in its recorded time.
import {computed, signal} from '@preact/signals';
import {postTravel, type Travel} from '../api/http.ts';
import {control} from './commands.ts';
import {attempt} from './notices.ts';
import {recording} from './recording.ts';
import {now, refresh, run} from './session.ts';

/** What the server is moving to, for whoever waits. */
export const moving = signal<Travel | null>(null);

/** The last time that is recorded, or the present [s]. */
export const lastTime = (): number => Math.max(now(), recording.value?.end ?? -Infinity);

/** The times that can be reached [s]. */
export const recorded = computed(() => ({begin: recording.value?.begin ?? 0, end: lastTime()}));

async function travel(body: Travel): Promise<boolean> {
  if (moving.peek()) return false;
  moving.value = body;
  const isDone = await attempt(async () => {
    recording.value = await postTravel(body);
  });
  moving.value = null;
  refresh();
  return isDone;
}

let next: number | null = null;

/** Goes to a time; of several wishes in a short time the last one counts. */
export async function goTo(time: number): Promise<void> {
  const {begin, end} = recorded.peek();
  next = Math.min(Math.max(time, begin), end);
  if (moving.peek()) return;
  while (next !== null) {
    const to = next;
    next = null;
    if (!(await travel({action: 'goto', time: to}))) next = null;
  }
}

export const stepBack = (): Promise<boolean> => travel({action: 'back'});

/** The next communication point: a recorded one, or a new one at the end. */
export async function stepOn(): Promise<void> {
  if (run.peek()?.status === 'running') await control('pause');
  await control('step');
}

export const backUntil = (condition: string): Promise<boolean> => travel({action: 'back', condition});
export const runUntil = (condition: string): Promise<boolean> => travel({action: 'until', condition});
/** Begins a branch at the present point of the past. */
export const branchHere = (): Promise<boolean> => travel({action: 'branch_here'});
export const switchTo = (branch: string): Promise<boolean> => travel({action: 'branch', branch});
