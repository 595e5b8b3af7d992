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
  /** The part is a port; a parameter may have the same name. */
  isPort: boolean;
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
  const others = [...view.connects, ...view.routes, ...view.ats, ...view.records].some(
    (one) => one.line <= line && one.line > best,
  );
  return others ? '' : found;
}

/** What a fault names of a component: messages begin with `mass: `, or have 'mass'. */
function partIn(view: SystemView, owner: string, {text, line}: Fault): string {
  const port = /^port '([\w.]+)'/.exec(text)?.[1];
  if (port !== undefined) return port;
  const component = view.find(owner);
  const inFront = /^([\w.]+): /.exec(text)?.[1];
  const quoted = [...text.matchAll(/'([\w.]+)'/g)].map((match) => match[1]!);
  const written = [...(component?.attributes ?? []), ...(component?.starts ?? [])];
  if (inFront !== undefined && (written.length === 0 || written.some(({name}) => name === inFront))) return inFront;
  const ofLine = quoted.find((name) => written.some((one) => one.name === name && one.line === line));
  return ofLine ?? quoted.find((name) => written.some((one) => one.name === name)) ?? inFront ?? '';
}

export function placeFaults(all: readonly Fault[], file: string, within: readonly string[], view: SystemView): PlacedFault[] {
  return all.flatMap((fault): PlacedFault[] => {
    const path = relative(fault.path, within);
    const isHere = fault.file === file;
    if (!isHere && (path === null || path === '')) return [];
    const [head = '', ...rest] = (path ?? '').split('.');
    const isPort = fault.text.startsWith('port ');
    if (view.find(head))
      return [{...fault, owner: head, part: rest.length ? rest.join('.') : partIn(view, head, fault), isPort}];
    if (!isHere) return [];
    const note = [...view.notes.values()].find(({line, attributes}) =>
      [line, ...attributes.map((one) => one.line)].includes(fault.line),
    );
    if (note) return [{...fault, owner: note.key, part: '', isPort}];
    const owner = fault.line > 0 ? componentAtLine(view, fault.line) : '';
    return [{...fault, owner, part: partIn(view, owner, fault), isPort}];
  });
}

export const faultsHere = computed<readonly PlacedFault[]>(() => {
  const now = view.value;
  const file = current.value;
  return now && file !== null ? placeFaults(faults.value, file, trail.value.at(-1)?.within ?? [], now) : [];
});

export const isError = ({severity}: Fault): boolean => severity !== 'warning' && severity !== 'info' && severity !== 'note';

/** Ports that a fault names, as `cylinder.rod`. */
export const faultyPorts = computed<ReadonlyMap<string, PlacedFault>>(
  () =>
    new Map(
      faultsHere.value
        .filter(({owner, part}) => owner !== '' && part !== '')
        .map((fault) => [`${fault.owner}.${fault.part}`, fault]),
    ),
);

/** The worst of each component. */
export const faultOf = computed<ReadonlyMap<string, PlacedFault>>(() => {
  const found = new Map<string, PlacedFault>();
  for (const fault of faultsHere.value) {
    const before = found.get(fault.owner);
    if (!before || (!isError(before) && isError(fault))) found.set(fault.owner, fault);
  }
  return found;
});

export const describeFault = ({text, remedy}: Fault): string =>
  remedy && !text.includes(remedy) ? `${text}; ${remedy}` : text;
