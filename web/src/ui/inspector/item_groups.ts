import type {Component, Item} from '../../api/types.ts';
import {itemOf} from '../../live/session.ts';

export interface Groups {
  values: string[];
  inputs: string[];
  parameters: string[];
  /** Values at ports, and derivatives. */
  inner: string[];
  /** Start values and properties. */
  settings: string[];
}

const kPlaces: Record<string, keyof Groups> = {
  parameter: 'parameters',
  input: 'inputs',
  input_element: 'inputs',
  output: 'values',
  state: 'values',
  derivative: 'inner',
  port_field: 'inner',
  port_effort: 'inner',
  property: 'settings',
  start: 'settings',
};

/** Items of a component by what one does with them; levels and aspects have places of their own. */
export function groupItems(component: Component, find: (path: string) => Item | undefined = itemOf): Groups {
  const groups: Groups = {values: [], inputs: [], parameters: [], inner: [], settings: []};
  for (const path of component.items) {
    const place = kPlaces[find(path)?.kind ?? ''];
    if (place) groups[place].push(path);
  }
  return groups;
}

/** Whether it can be drawn over time: a number that may change. */
export const canPlot = (item: Item): boolean =>
  item.value_kind !== 'text' &&
  (item.is_signal || (item.kind === 'parameter' && item.value_kind === 'number' && !item.is_structural));
