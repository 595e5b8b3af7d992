// A line that is being drawn, from an end to wherever the pointer is.
import {signal} from '@preact/signals';
import {modelOf} from '../state/models.ts';
import {project, view} from '../state/workspace.ts';
import {endsAt, resolveEnd} from './ends.ts';
import {anchorAt, boxOf, turnedSide, type Point} from './geometry.ts';
import {whyNot, type End} from './joining.ts';
import type {SideName} from '../api/types.ts';
import type {Scene} from './scene.ts';

/** An end where it can be grabbed. */
export interface Handle {
  end: End;
  owner: string;
  at: Point;
  side: SideName;
}

export interface Joining {
  /** Nothing: a signal of `owner` that is chosen at the end. */
  handle: Handle | null;
  owner: string;
  from: Point;
  side: SideName;
  to: Point;
}

export const joining = signal<Joining | null>(null);
export const joiningHint = signal('');

/** Components whose ends are asked for in a list, when a line was drawn between them. */
export const connectDialog = signal<{from: string; end?: string; to?: string} | null>(null);

/** The ends of a component where its symbol has them. */
export function handlesOf(scene: Scene, owner: string): Handle[] {
  const now = view.peek();
  const component = now?.find(owner);
  if (!now || !component) return [];
  return endsAt(project, now, component, modelOf).flatMap((end): Handle[] => {
    const found = resolveEnd(project, now, end.path);
    const node = found && scene.byPath.get(found.node);
    if (!node) return [];
    const anchors = node.symbol.anchors.filter(({name}) => name.replace(/\[\d+\]$/, '') === found.name);
    if (anchors.length)
      return anchors.map((anchor) => ({
        end,
        owner,
        at: anchorAt(anchor, node.place),
        side: turnedSide(anchor.side, node.place),
      }));
    if (end.kind !== 'port') return [];
    const {left} = boxOf(node.symbol, node.place);
    return [{end, owner, at: {x: left, y: node.place.y}, side: 'left'}];
  });
}

/** Why the end cannot take the line that is being drawn; null where it can. */
export function refusal(from: Handle | null, to: End): string | null {
  const now = view.peek();
  if (!now || !from) return to.kind === 'port' ? 'a signal does not lead to a port' : null;
  return whyNot(now, from.end, to);
}
