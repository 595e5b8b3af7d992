// What may be connected to what, and why not.
import type {SystemView} from '../../document/index.ts';
import type {Model, Port} from '../api/types.ts';

export type EndKind = 'port' | 'input' | 'output';

/** An end of a line: of a component of the sheet, `pump.out`. */
export interface End {
  path: string;
  kind: EndKind;
  /** Of ports. */
  domain: string;
  role: string;
  unit: string;
  isMany: boolean;
  text: string;
}

const kRoles: Record<string, string> = {C: 'effort-out (C)', Q: 'flow-out (Q)'};

export const endOfPort = (path: string, port: Port): End => ({
  path,
  kind: 'port',
  domain: port.domain,
  role: port.role,
  unit: '',
  isMany: port.is_many,
  text: port.text,
});

/** All that can be joined at a component of this model. */
export function endsOf(name: string, model: Model): End[] {
  const signal =
    (kind: EndKind) =>
    ({name: own, unit, text, is_many}: {name: string; unit: string; text: string; is_many?: boolean}): End => ({
      path: `${name}.${own}`,
      kind,
      domain: 'signal',
      role: '',
      unit,
      isMany: is_many ?? false,
      text,
    });
  return [
    ...model.ports.map((port) => endOfPort(`${name}.${port.name}`, port)),
    ...model.inputs.map(signal('input')),
    ...model.outputs.map(signal('output')),
    ...(model.states ?? []).map(signal('output')),
  ];
}

/** Number of lines at an end, by its path as written. */
export function countLines(view: Pick<SystemView, 'connects' | 'routes'>, path: string): number {
  const ofPorts = view.connects.filter(({from, to}) => from === path || to === path).length;
  return ofPorts + view.routes.filter(({to}) => to === path).length;
}

/** Why both cannot be joined; null where they can. */
export function whyNot(view: Pick<SystemView, 'connects' | 'routes'>, a: End, b: End): string | null {
  if (a.path === b.path) return 'a line needs two ends';
  if (a.kind === 'port' || b.kind === 'port') {
    if (a.kind !== b.kind) return `${a.path} is ${nameOf(a)}, ${b.path} is ${nameOf(b)}`;
    if (a.domain !== b.domain) return `${a.path} is ${a.domain}, ${b.path} is ${b.domain}`;
    if (a.role === b.role)
      return `both ${a.role === 'C' ? 'offer effort (C); one must answer with flow (Q)' : 'answer with flow (Q); one must offer effort (C)'}`;
    if (view.connects.some(({from, to}) => (from === a.path && to === b.path) || (from === b.path && to === a.path)))
      return 'they are connected already';
    for (const end of [a, b]) {
      if (!end.isMany && countLines(view, end.path)) return `${end.path} is connected already and takes one connection`;
    }
    return null;
  }
  const [from, to] = a.kind === 'output' ? [a, b] : [b, a];
  if (from.kind !== 'output' || to.kind !== 'input') return `both are ${a.kind}s; a route leads from an output to an input`;
  if (isDimension(from.unit) && isDimension(to.unit) && from.unit !== to.unit)
    return `${from.path} is in ${from.unit}, ${to.path} in ${to.unit}`;
  if (view.routes.some((route) => route.from === from.path && route.to === to.path)) return 'this route exists already';
  if (!to.isMany && countLines(view, to.path)) return `${to.path} has a route already`;
  return null;
}

/** Signals of many blocks have no unit of their own (`any`): they take that of what they are given. */
const isDimension = (unit: string): boolean => unit !== '' && unit !== '1' && unit !== 'any';

const nameOf = (end: End): string => (end.kind === 'port' ? `a ${end.domain} port` : `an ${end.kind}`);

/** What a pointer over it says. */
export const describeEnd = (end: End): string => {
  const kind =
    end.kind === 'port'
      ? `${end.domain} port, ${kRoles[end.role] ?? end.role}${end.isMany ? ', any number of connections' : ''}`
      : `${end.kind}${isDimension(end.unit) ? ` [${end.unit}]` : ''}`;
  return `${end.path}: ${kind}${end.text ? `\n${end.text}` : ''}`;
};
