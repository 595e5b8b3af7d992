// What the user chose about the page itself; the browser keeps it.
import {effect, signal, type Signal} from '@preact/signals';

export function kept<T>(name: string, initial: T): Signal<T> {
  const key = `davit.${name}`;
  let value = initial;
  try {
    const text = localStorage.getItem(key);
    if (text !== null) value = JSON.parse(text) as T;
  } catch {
    // Refused or spoilt: as if nothing had been chosen.
  }
  const made = signal(value);
  effect(() => {
    try {
      localStorage.setItem(key, JSON.stringify(made.value));
    } catch {
      // Private windows may refuse.
    }
  });
  return made;
}

export const theme = kept<'system' | 'light' | 'dark'>('theme', 'system');
export const siUnits = kept('si', false);
/** Nothing: nobody has chosen yet. */
export const centerView = kept<'drawing' | 'mechanism' | 'both' | 'panel' | 'energy' | null>('center', null);
/** The same. */
export const mechanismView = kept<'flat' | 'space' | null>('mechanism', null);
export const recordsTab = kept<'alarms' | 'events' | 'log' | 'why'>('records', 'alarms');
/** Sizes of the panes [px]: the first time, shares of the window; `text` is the text view of the studio. */
export const panes = kept('panes', {
  left: Math.round(Math.min(Math.max(window.innerWidth * 0.14, 180), 300)),
  right: Math.round(Math.min(Math.max(window.innerWidth * 0.24, 320), 480)),
  plots: Math.round(window.innerHeight * 0.31),
  bottom: Math.round(window.innerHeight * 0.15),
  text: Math.round(window.innerHeight * 0.34),
});
/** The one pane that a window below 900 px shows. */
export const smallPane = kept<string>('pane', 'view');
/** Whether the plots show the levels. */
export const levelStrip = kept('levels', true);
/** A panel for each signal. */
export const separatePanels = kept('separate', false);
export const plotSpan = kept('span', 60); // [s], 0: the whole run
/** Panels of plots by system name. */
export const savedPlots = kept<Record<string, string[][]>>('plots', {});
/** Upper ends of the scale of pressures [Pa] by system name: `seen` only grows, so that pictures can be compared; `chosen` by the user. */
export const pressureScales = kept<Record<string, {seen: number; chosen?: number}>>('pressures', {});
/** Views of the drawing by system name, as boxes of the drawing. */
export const bookmarks = kept<Record<string, {name: string; box: {x: number; y: number; width: number; height: number}}[]>>(
  'bookmarks',
  {},
);

const dark = window.matchMedia('(prefers-color-scheme: dark)');
export const isDark = signal(false);

effect(() => {
  isDark.value = theme.value === 'dark' || (theme.value === 'system' && dark.matches);
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
});
dark.addEventListener('change', () => {
  if (theme.value === 'system') {
    isDark.value = dark.matches;
    document.documentElement.dataset.theme = dark.matches ? 'dark' : 'light';
  }
});
