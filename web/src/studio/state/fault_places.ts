// Which component of the sheet a fault belongs to.
import {computed} from '@preact/signals';
import type {SystemView} from '../../document/index.ts';
import type {Fault} from '../api/types.ts';
import {faults} from './assistant.ts';
import {current, trail, view} from './workspace.ts';

export interface PlacedFault extends Fault {
  /** The component of the sheet; empty where it is one of the system. */
  owner: string;
  /** Parameter, port or state of that component; empty where the fault says none. */
  part: string;
}

/** `/crane/boom` and `crane.boom.mass`, without what leads to the sheet. */
function relative(path: string, within: readonly string[]): string | null {
  const plain = path.replace(/^\//, '').replaceAll('/', '.');
  const prefix = within.map((name) => `${name}.`).join('');
  return plain.startsWith(prefix) ? plain.slice(prefix.length) : null;
}

function componentAtLine(view: SystemView, line: number): string {
  let found = '';
  let best = 0;
  for (const {name, line: begin} of view.components) {
    if (begin <= line && begin > best) [found, best] = [name, begin];
  }
  const others = [...view.connects, ...view.routes, ...view.ats, ...view.records].some((one) => one.line <= line && one.line > best);
  return others ? '' : found;
}

export function placeFaults(all: readonly Fault[], file: string, within: readonly string[], view: SystemView): PlacedFault[] {
  return all.flatMap((fault): PlacedFault[] => {
    const path = relative(fault.path, within);
    const isHere = fault.file === file;
    if (!isHere && (path === null || path === '')) return [];
    const [head = '', ...rest] = (path ?? '').split('.');
    if (view.find(head)) return [{...fault, owner: head, part: rest.join('.')}];
    if (!isHere) return [];
    const owner = fault.line > 0 ? componentAtLine(view, fault.line) : '';
    const part = view.find(owner)?.attributes.find(({line, name}) => line === fault.line && fault.text.includes(`'${name}'`))?.name ?? '';
    return [{...fault, owner, part}];
  });
}

export const faultsHere = computed<readonly PlacedFault[]>(() => {
  const now = view.value;
  const file = current.value;
  return now && file !== null ? placeFaults(faults.value, file, trail.value.at(-1)?.within ?? [], now) : [];
});

export const isError = ({severity}: Fault): boolean => severity !== 'warning' && severity !== 'info' && severity !== 'note';

/** The worst of each component. */
export const faultOf = computed<ReadonlyMap<string, PlacedFault>>(() => {
  const found = new Map<string, PlacedFault>();
  for (const fault of faultsHere.value) {
    const before = found.get(fault.owner);
    if (!before || (!isError(before) && isError(fault))) found.set(fault.owner, fault);
  }
  return found;
});

export const describeFault = ({text, remedy}: Fault): string => (remedy && !text.includes(remedy) ? `${text}; ${remedy}` : text);
