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

const kLong = 12; // parameters that are easily looked over
const kLeast = 3; // of a group

/**
 * A long list of parameters in groups by the first word of their names, `dead_band_*`; what belongs to no group comes first, without a
 * title, and the order of the model's author stays: the most used first.
 */
export function parameterGroups(paths: string[]): {title: string; paths: string[]}[] {
  if (paths.length <= kLong) return [{title: '', paths}];
  const wordOf = (path: string) => path.slice(path.lastIndexOf('.') + 1).split('_')[0]!;
  const found = new Map<string, string[]>();
  for (const path of paths) found.set(wordOf(path), [...(found.get(wordOf(path)) ?? []), path]);
  const isGroup = ([, members]: [string, string[]]) => members.length >= kLeast;
  const groups = [...found].filter(isGroup).map(([title, members]) => ({title, paths: members}));
  const alone = paths.filter((path) => found.get(wordOf(path))!.length < kLeast);
  return alone.length ? [{title: '', paths: alone}, ...groups] : groups;
}

/** Whether it can be drawn over time: a number that may change. */
export const canPlot = (item: Item): boolean =>
  item.value_kind !== 'text' &&
  (item.is_signal || (item.kind === 'parameter' && item.value_kind === 'number' && !item.is_structural));
