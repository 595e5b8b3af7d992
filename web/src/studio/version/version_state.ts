// The open file compared with another file of the folder, or with what is saved.
import {computed, effect, signal} from '@preact/signals';
import {compareFiles, postLayout} from '../api/requests.ts';
import type {Difference, Layout, LayoutLine, LayoutNode} from '../api/types.ts';
import {current, revision, unsavedTexts} from '../state/workspace.ts';

const kPause = 300; // after the last change [ms]

/** What the file is compared with: a file of the folder, or null for what is saved. Undefined: nothing is compared. */
export const before = signal<string | null | undefined>(undefined);

interface Compared {
  path: string;
  differences: readonly Difference[];
  /** Why nothing could be compared; empty where it was. */
  fault: string;
  /** The drawing of the other version, for what is no longer there. */
  layout: Layout | null;
}
export const compared = signal<Compared | null>(null);

export type Change = Difference['kind'];

/** `boom: a.x - b.y` gives the ends; nothing for what is no line of the sheet. */
export function endsOf({part, path}: Difference): {from: string; to: string} | null {
  const ends = part === 'connection' ? path.split(' - ') : part === 'route' ? path.split(' > ') : [];
  return ends.length === 2 && !path.includes(': ') ? {from: ends[0]!, to: ends[1]!} : null;
}

/** The component of the sheet that a difference is of; empty where it is of none. */
export function ownerOf(one: Difference): string {
  if (endsOf(one)) return '';
  if (one.part === 'component' || one.part === 'chart' || one.part === 'layout') return one.path.split('.', 1)[0]!;
  return /^([\w.{}+-]+): /.exec(one.path)?.[1]?.split('.', 1)[0] ?? '';
}

/** How each component of the sheet has changed; what is only inside of it makes it changed. */
export function changesOf(differences: readonly Difference[]): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const one of differences) {
    const owner = ownerOf(one);
    if (owner === '' || one.part === 'layout') continue;
    const isWhole = one.part === 'component' && one.path === owner && one.kind !== 'changed';
    if (isWhole) changes.set(owner, one.kind);
    else if (!changes.has(owner)) changes.set(owner, 'changed');
  }
  return changes;
}

const sameEnds = (line: {from: string; to: string}, {from, to}: {from: string; to: string}): boolean =>
  (line.from === from && line.to === to) || (line.from === to && line.to === from);

/** How a line has changed, by its ends. */
export function changeOfLine(differences: readonly Difference[], line: {from: string; to: string}): Change | null {
  return (
    differences.find((one) => {
      const ends = endsOf(one);
      return ends !== null && sameEnds(line, ends);
    })?.kind ?? null
  );
}

export interface Gone {
  nodes: readonly LayoutNode[];
  lines: readonly LayoutLine[];
}

/** What only the other version has, where its drawing has it. */
export function goneFrom(differences: readonly Difference[], layout: Layout | null): Gone {
  const removed = new Set(
    differences.filter(({kind, part}) => kind === 'removed' && part === 'component').map(({path}) => path),
  );
  return {
    nodes: layout?.nodes.filter(({path}) => removed.has(path.split('.', 1)[0]!)) ?? [],
    lines: layout?.lines.filter((line) => changeOfLine(differences, line) === 'removed') ?? [],
  };
}

export const changes = computed(() => changesOf(compared.value?.differences ?? []));
export const gone = computed(() => goneFrom(compared.value?.differences ?? [], compared.value?.layout ?? null));

let timer = 0;
let newest = 0;

async function ask(): Promise<void> {
  const path = current.peek();
  const other = before.peek();
  if (path === null || other === undefined) return;
  const number = ++newest;
  try {
    const texts = unsavedTexts();
    const [answer, layout] = await Promise.all([
      compareFiles(path, texts, other),
      postLayout(other ?? path, other === null ? {} : texts, 'versions').catch(() => null),
    ]);
    if (number !== newest || before.peek() === undefined) return;
    const fault = answer.faults.map((one) => `${one.file}:${one.line}: ${one.text}`).join('\n');
    compared.value = {path, differences: answer.differences, fault, layout};
  } catch (error) {
    if (number !== newest) return;
    compared.value = {path, differences: [], fault: error instanceof Error ? error.message : String(error), layout: null};
  }
}

export function closeVersions(): void {
  before.value = undefined;
  compared.value = null;
}

export function startVersions(): void {
  effect(() => {
    revision.value;
    const path = current.value;
    const other = before.value;
    window.clearTimeout(timer);
    if (other === undefined) return;
    if (path === null || path === other) return closeVersions();
    if (compared.peek()?.path !== path) compared.value = null;
    timer = window.setTimeout(() => void ask(), kPause);
  });
}
