// Why something is what it is: the chain of causes that the server knows.
import {signal} from '@preact/signals';
import {getWhy} from '../api/http.ts';
import type {Reason, RunEvent} from '../api/types.ts';
import {recordsTab, smallPane} from '../view/settings.ts';

export interface Chain {
  path: string;
  /** The last change until then [s]; undefined: until now. */
  until: number | undefined;
  reasons: readonly Reason[];
  /** Why there is no answer. */
  fault: string;
  isAsking: boolean;
}

export const chain = signal<Chain | null>(null);
/** Counts wishes to read the chain. */
export const chainRequested = signal(0);

/** What `why` is asked about to explain an event; nothing where no cause is kept. */
export function subjectOf({kind, path, text}: Pick<RunEvent, 'kind' | 'path' | 'text'>): string | undefined {
  if (!path) return undefined;
  if (kind === 'transition' || kind === 'alarm') return path;
  if (kind !== 'level') return undefined;
  const name = /^(\w+) \S+ -> /.exec(text)?.[1];
  return name && `${path}.${name}`;
}

/** Shows the causes of a value, a chart or an alarm. `isRead`: the user wants to read them now. */
export async function askWhy(path: string, until?: number, isRead = true): Promise<void> {
  const asked: Chain = {path, until, reasons: [], fault: '', isAsking: true};
  chain.value = asked;
  recordsTab.value = 'why';
  if (isRead) {
    smallPane.value = 'records';
    chainRequested.value++;
  }
  let answer: Partial<Chain>;
  try {
    answer = {reasons: (await getWhy(path, until)).reasons};
  } catch (error) {
    answer = {fault: error instanceof Error ? error.message : String(error)};
  }
  if (chain.peek() === asked) chain.value = {...asked, ...answer, isAsking: false};
}

export const askWhyOf = (event: RunEvent, isRead = true): Promise<void> | undefined => {
  const subject = subjectOf(event);
  return subject === undefined ? undefined : askWhy(subject, event.time, isRead);
};

/** The item that a link of the chain is about: `load.x` of `load.x = 1.02 m, a step before 1.01 m`. */
export function itemIn(text: string, items: Readonly<Record<string, unknown>>): string | undefined {
  return text
    .split(/[\s:=,"[\]()]+/)
    .slice(0, 8)
    .find((word) => word.includes('.') && Object.hasOwn(items, word));
}
