// How far the recording of a run goes, and which events belong to the branch on which the run is.
import {computed, signal} from '@preact/signals';
import type {RecordingState, RunEvent} from '../api/types.ts';

/** Null: the run is not recorded. */
export const recording = signal<RecordingState | null>(null);

/** The run has gone back: it repeats what is recorded. */
export const isInPast = computed(() => recording.value !== null && recording.value.is_at_end === false);

/** How far each branch belongs to the one on which the run is [s]: the branch itself, its parent up to the fork, and so on. */
export function lineage({branch, branches = []}: Pick<RecordingState, 'branch' | 'branches'>): Map<string, number> {
  const found = new Map<string, number>();
  let end = Infinity;
  for (let name = branch ?? ''; name && !found.has(name); ) {
    found.set(name, end);
    const own = branches.find((one) => one.name === name);
    end = Math.min(end, own?.begin ?? end);
    name = own?.parent ?? '';
  }
  return found;
}

const ofBranch = computed(() => (recording.value?.branches ? lineage(recording.value) : null));

/** Whether an event belongs to what the run has passed, or will pass again. */
export function isOfRun({branch = '', time, is_repeated = false}: RunEvent): boolean {
  if (is_repeated) return false;
  const all = ofBranch.value;
  return !all || branch === '' || time <= (all.get(branch) ?? -Infinity);
}
