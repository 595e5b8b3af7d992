// Which signals are plotted, in which panels: those of one unit share one.
import {computed} from '@preact/signals';
import type {Item, System} from '../../api/types.ts';
import {system} from '../../live/session.ts';
import {canPlot} from '../inspector/item_groups.ts';
import {fileSignals, plottedItem} from './files.ts';
import {savedPlots, separatePanels} from '../../view/settings.ts';

const kFirstPanels = 2;
const kFirstSignals = 3; // of a panel

/** Before anybody chose: a few of the recorded signals, because a page without plots says little. */
export function firstChoice({recorded, items}: Pick<System, 'recorded' | 'items'>): string[][] {
  const numbers = recorded.filter((path) => items[path]?.is_signal && items[path]!.value_kind === 'number');
  const panels = numbers.reduce<string[][]>((all, path) => added(all, path, items), []);
  return panels.slice(0, kFirstPanels).map((panel) => panel.slice(0, kFirstSignals));
}

const unitOf = (item: Item | undefined): string => item?.display_unit || item?.unit || '';

/** With the signal in the panel of its unit, or in one of its own. */
export function added(panels: string[][], path: string, items: Record<string, Item>): string[][] {
  if (panels.flat().includes(path)) return panels;
  const index = panels.findIndex(([first]) => first !== undefined && unitOf(items[first]) === unitOf(items[path]));
  return index < 0 ? [...panels, [path]] : panels.map((panel, i) => (i === index ? [...panel, path] : panel));
}

export function removed(panels: string[][], path: string): string[][] {
  return panels.map((panel) => panel.filter((one) => one !== path)).filter((panel) => panel.length);
}

export const panels = computed<string[][]>(() => {
  const now = system.value;
  if (!now) return [];
  const chosen = savedPlots.value[now.name] ?? firstChoice(now);
  // A signal that is no longer there is not shown, but kept: the file may come back.
  return chosen.map((panel) => panel.filter((path) => plottedItem(path))).filter((panel) => panel.length);
});

/** As they are drawn: each signal in its own panel where that was chosen. */
export const shownPanels = computed(() => (separatePanels.value ? panels.value.flat().map((path) => [path]) : panels.value));

const save = (chosen: string[][]) => {
  savedPlots.value = {...savedPlots.value, [system.value!.name]: chosen};
};

/** Of the run and of files. */
export const allItems = (): Record<string, Item> => ({
  ...system.value?.items,
  ...Object.fromEntries([...fileSignals.value].map(([path, {item}]) => [path, item])),
});

export const isPlotted = (path: string): boolean => panels.value.some((panel) => panel.includes(path));

export function plot(path: string): void {
  const item = plottedItem(path);
  if (item && canPlot(item)) save(added(panels.value, path, allItems()));
}

export function togglePlot(path: string): void {
  if (isPlotted(path)) save(removed(panels.value, path));
  else plot(path);
}

export const clearPlots = (): void => save([]);
