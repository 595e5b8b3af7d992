// What is chosen on the sheet.
import {computed, effect, signal} from '@preact/signals';
import {current, view} from './workspace.ts';

export const chosen = signal<ReadonlySet<string>>(new Set());
/** A connection or route: its ends as written. Keys change with each view, ends do not. */
export const chosenLine = signal<{from: string; to: string} | null>(null);

export function choose(names: Iterable<string>): void {
  chosen.value = new Set(names);
  chosenLine.value = null;
}

export function toggle(name: string): void {
  const next = new Set(chosen.peek());
  if (!next.delete(name)) next.add(name);
  choose(next);
}

export function chooseLine(line: {from: string; to: string} | null): void {
  chosen.value = new Set();
  chosenLine.value = line;
}

/** The one component that is chosen. */
export const single = computed<string | null>(() => (chosen.value.size === 1 ? [...chosen.value][0]! : null));

export const lineView = computed(() => {
  const line = chosenLine.value;
  const now = view.value;
  if (!line || !now) return null;
  const isIt = ({from, to}: {from: string; to: string}) => from === line.from && to === line.to;
  const connect = now.connects.find(isIt);
  if (connect) return {kind: 'connection' as const, line: connect};
  const route = now.routes.find(isIt);
  return route ? {kind: 'route' as const, line: route} : null;
});

export function startChoice(): void {
  // What is no longer there is not chosen either.
  effect(() => {
    const now = view.value;
    const left = [...chosen.peek()].filter((name) => now?.find(name) || now?.notes.has(name));
    if (left.length !== chosen.peek().size) chosen.value = new Set(left);
  });
  effect(() => {
    current.value;
    choose([]);
  });
}
