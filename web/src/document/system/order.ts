// Where in a system file a new element goes: behind the last of its kind, the kinds in the order in which davit's own files have them.
import type {InsertPlace} from '../xml/edits.ts';
import {elementsIn} from '../xml/query.ts';
import type {XmlElement} from '../xml/syntax.ts';

export type Kind =
  | 'Plugin'
  | 'Parameter'
  | 'SimulatorManager'
  | 'component'
  | 'Connect'
  | 'Expose'
  | 'Route'
  | 'At'
  | 'Record'
  | 'Panel'
  | 'Layout';
const kOrder: readonly Kind[] = [
  'Plugin',
  'Parameter',
  'SimulatorManager',
  'component',
  'Connect',
  'Expose',
  'Route',
  'At',
  'Record',
  'Panel',
  'Layout',
];

function kindOf(element: XmlElement): Kind {
  if (element.name === 'For') {
    const first = elementsIn(element)[0];
    return first ? kindOf(first) : 'component';
  }
  return kOrder.find((kind) => kind === element.name) ?? 'component';
}

export function placeFor(root: XmlElement, kind: Kind): InsertPlace {
  const own = kOrder.indexOf(kind);
  let sameKind: XmlElement | null = null;
  let before: XmlElement | null = null;
  for (const element of elementsIn(root)) {
    const rank = kOrder.indexOf(kindOf(element));
    if (rank === own) sameKind = element;
    if (rank < own) before = element;
  }
  if (sameKind) return {parent: root, after: sameKind};
  return {parent: root, after: before, isGroup: before !== null && kind !== 'Parameter' && kind !== 'SimulatorManager'};
}
