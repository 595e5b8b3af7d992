// The ends of lines, also through sub-systems: `boom.rod` is the port `rod` of `boom.cylinder`.
import {openSystem, type ComponentView, type Project, type SystemView} from '../../document/index.ts';
import type {Model} from '../api/types.ts';
import {endOfPort, endsOf, type End} from './joining.ts';

/** The component that an end belongs to, by its path from the sheet, and its name there. */
export interface Resolved {
  node: string;
  name: string;
  component: ComponentView;
}

export type FindModel = (component: ComponentView) => Model | undefined;

const kDeepest = 32;

function viewOf(project: Project, component: ComponentView): SystemView | null {
  return component.source !== undefined && project.has(component.source) ? openSystem(project, component.source).view : null;
}

export function resolveEnd(project: Project, view: SystemView, path: string, depth = 0): Resolved | null {
  const dot = path.indexOf('.');
  if (dot < 0 || depth > kDeepest) return null;
  const head = path.slice(0, dot);
  const rest = path.slice(dot + 1);
  const component = view.find(head);
  if (!component) return null;
  if (component.kind !== 'subsystem') return {node: head, name: rest, component};
  const inside = viewOf(project, component);
  if (!inside) return null;
  const exposed = inside.exposes.find(({as}) => as === rest);
  const found = resolveEnd(project, inside, exposed ? exposed.port : rest, depth + 1);
  return found && {...found, node: `${head}.${found.node}`};
}

/** All that can be joined at a component of the sheet; of sub-systems what their files expose. */
export function endsAt(project: Project, view: SystemView, component: ComponentView, modelOf: FindModel): End[] {
  if (component.kind !== 'subsystem') {
    const model = modelOf(component);
    return model ? endsOf(component.name, model) : [];
  }
  const inside = viewOf(project, component);
  const ends: End[] = [];
  for (const {as} of inside?.exposes ?? []) {
    const found = resolveEnd(project, view, `${component.name}.${as}`);
    const port = found && modelOf(found.component)?.ports.find(({name}) => name === found.name);
    if (port) ends.push(endOfPort(`${component.name}.${as}`, port));
  }
  return ends;
}

/** Everything in the system that can be joined. */
export const allEnds = (project: Project, view: SystemView, modelOf: FindModel): End[] =>
  view.components.filter(({repeated}) => !repeated.length).flatMap((component) => endsAt(project, view, component, modelOf));
