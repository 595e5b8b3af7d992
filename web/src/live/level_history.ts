// Which level a component had when: the run's events tell each switch, the system the levels at the start.
import type {RunEvent} from '../api/types.ts';

export interface Switch {
  time: number;
  from: string;
  to: string;
  /** An aspect was set individually after the level. */
  isModified: boolean;
}

export interface Band {
  from: number;
  to: number;
  level: string;
  isModified: boolean;
}

const kSwitch = /^level (\w+) -> (\w+)( \(modified\))?/;

/** By component, in the order of time. `pathOf`: of the component that an event names. */
export function switchesOf(events: readonly RunEvent[], pathOf: (named: string) => string | undefined): Map<string, Switch[]> {
  const found = new Map<string, Switch[]>();
  for (const {kind, path, text, time} of events) {
    const match = kind === 'level' ? kSwitch.exec(text) : null;
    const component = match && pathOf(path);
    if (!component) continue;
    const before = found.get(component) ?? [];
    // Where time went back, what the run had beyond is void; so is all of it where the run began with other levels.
    while (before.length && before.at(-1)!.time >= time) before.pop();
    if (before.length && before.at(-1)!.to !== match[1]) before.length = 0;
    before.push({time, from: match[1]!, to: match[2]!, isModified: match[3] !== undefined});
    found.set(component, before);
  }
  return found;
}

/** Stretches of one level from `begin` to `end` without gaps. `level`: the one where there is no switch. */
export function bandsOf(switches: readonly Switch[], level: string, begin: number, end: number): Band[] {
  const bands: Band[] = [{from: begin, to: end, level: switches[0]?.from ?? level, isModified: false}];
  for (const {time, to, isModified} of switches) {
    const last = bands.at(-1)!;
    if (time >= end || (last.level === to && last.isModified === isModified)) continue;
    last.to = Math.max(time, begin);
    bands.push({from: last.to, to: end, level: to, isModified});
  }
  return bands.filter(({from, to}) => to > from);
}

export interface LevelRow {
  components: string[];
  bands: Band[];
}

/** Components that always had the same level share a row; those that have switched come first. */
export function rowsOf(bands: ReadonlyMap<string, Band[]>): LevelRow[] {
  const rows = new Map<string, LevelRow>();
  for (const [component, all] of bands) {
    const key = JSON.stringify(all);
    const row = rows.get(key);
    if (row) row.components.push(component);
    else rows.set(key, {components: [component], bands: all});
  }
  return [...rows.values()].sort((a, b) => Number(b.bands.length > 1) - Number(a.bands.length > 1));
}
