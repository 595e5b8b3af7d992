import type {Component, Item} from '../../api/types.ts';
import {itemOf} from '../../live/session.ts';

export interface Groups {
  values: string[];
  inputs: string[];
  parameters: string[];
  others: string[];
}

/** Items of a component by what one does with them; levels, aspects and modes have places of their own. */
export function groupItems(component: Component, find: (path: string) => Item | undefined = itemOf): Groups {
  const groups: Groups = {values: [], inputs: [], parameters: [], others: []};
  const elsewhere = new Set([...component.aspects, ...component.modes, `${component.path}.level`]);
  for (const path of component.items) {
    const item = find(path);
    if (!item || elsewhere.has(path)) continue;
    if (item.kind === 'parameter') groups.parameters.push(path);
    else if (item.causality === 'input' || item.kind === 'input') groups.inputs.push(path);
    else if (item.signal) groups.values.push(path);
    else groups.others.push(path);
  }
  return groups;
}
