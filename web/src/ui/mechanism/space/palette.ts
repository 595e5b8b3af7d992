import {Color} from 'three';

const kNames = {
  background: '--surface',
  text: '--text',
  muted: '--muted',
  grid: '--solid-grid',
  body: '--solid',
  dark: '--solid-dark',
  rod: '--solid-rod',
  edge: '--solid-edge',
  sky: '--solid-sky',
  trace: '--accent',
  limit: '--warning',
  selected: '--selected',
  water: '--water',
  push: '--push',
  pull: '--pull',
} as const;

/** Layer of three.js of what has no shadow. */
export const kThinLayer = 1;

/** The colours of the page's theme. */
export type Palette = Record<keyof typeof kNames, Color>;

export function readPalette(host: Element): Palette {
  const css = getComputedStyle(host);
  return Object.fromEntries(
    Object.entries(kNames).map(([name, variable]) => [name, new Color(css.getPropertyValue(variable).trim())]),
  ) as Palette;
}
