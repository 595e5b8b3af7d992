// What the server answers; docs/live.md describes it.

import type {
  DescribedComponent,
  DescribedEnergy,
  DescribedEnergyBand,
  DescribedEnergyRow,
  DescribedItem,
  DescribedMessage,
  DescribedPanel,
  DescribedPanelAxis,
  DescribedPanelElement,
  DescribedPanelLimit,
  DescribedRun,
} from '../../generated/described.ts';

export interface Item extends DescribedItem {
  node_id: number;
  display_unit: string;
  /** display = SI * display_factor + display_offset */
  display_factor: number;
  display_offset: number;
}

export type Message = DescribedMessage;
export type Panel = DescribedPanel;
export type PanelElement = DescribedPanelElement;
export type PanelLimit = DescribedPanelLimit;
export type PanelAxis = DescribedPanelAxis;

export interface Component extends DescribedComponent {
  /** Paths. */
  aspects: string[];
  modes: string[];
  items: string[];
  chart: boolean;
}

/** What a chart reads and sets: paths of items. */
export interface ChartSignals {
  path: string;
  reads: string[];
  sets: string[];
}

export interface System {
  name: string;
  file: string;
  text: string;
  version: string;
  start_time: number;
  stop_time: number | null;
  time_step: number;
  fs: number;
  /** StudioAPI node of the simulated time. */
  time_node_id: number;
  components: Component[];
  connections: {c: string; q: string; domain: string}[];
  routes: {from: string; to: string}[];
  charts: ChartSignals[];
  items: Record<string, Item>;
  panels: Panel[];
  recorded: string[];
}

export interface RunState extends DescribedRun {
  read_only: boolean;
  clients: number;
}

/** shown = SI * factor */
export interface ShownUnit {
  unit: string;
  factor: number;
}

export type EnergyBand = DescribedEnergyBand;
export type EnergyRow = DescribedEnergyRow;

export interface EnergyTable {
  name: string;
  title: string;
  rows: EnergyRow[];
}

export interface EnergyBalance extends DescribedEnergy {
  is_accounted: true;
  shown: {energy: ShownUnit; power: ShownUnit};
  tables: EnergyTable[];
  /** What was supplied, and where it went. */
  from: EnergyBand[];
  to: EnergyBand[];
}

/** `remedy`: how to run the system so that its energy is accounted for. */
export type EnergyAnswer = EnergyBalance | {is_accounted: false; remedy: string};

export interface Bins {
  t: number[];
  min: (number | null)[];
  max: (number | null)[];
  last: (number | null)[];
}

export interface History {
  from: number;
  to: number;
  signals: Record<string, Bins>;
}

export interface LogLine {
  n: number;
  time: number;
  severity: string;
  kind: 'note' | 'level' | 'mode' | 'transition' | 'alarm' | 'message';
  path: string;
  text: string;
  run: number;
}

export interface Branch {
  name: string;
  /** Empty where there is none. */
  parent: string;
  /** Where it branches off [s]. */
  begin: number;
  end: number;
}

/** Without a recording, the first two only. */
export interface RecordingState {
  time: number;
  is_recorded: boolean;
  begin?: number;
  end?: number;
  /** Nothing is recorded behind the present time. */
  is_at_end?: boolean;
  branch?: string;
  branches?: Branch[];
}

/** A link of a chain of causes: what it has brought about comes before it, and is less deep. */
export interface Reason {
  depth: number;
  /** Nothing: it holds all the time. */
  time?: number;
  path: string;
  text: string;
}

export interface RunEvent {
  n: number;
  run: number;
  time: number;
  kind: 'alarm' | 'level' | 'transition' | 'message' | 'log';
  path: string;
  text: string;
  is_set?: boolean;
  is_acknowledged?: boolean;
  /** Of a recorded run. */
  branch?: string;
  /** An alarm of a recorded run that has gone to another time. */
  is_repeated?: boolean;
}

export interface ChartState {
  id: string;
  kind: string;
  parent: string | null;
  children: string[];
  active: boolean;
}

export interface Chart {
  states: ChartState[];
  transitions: {from: string; to: string[]; event: string; cond: string; text: string}[];
  events: string[];
  last: {time: number; text: string}[];
}

export interface SceneItem {
  component: string;
  name: string;
  kind: 'segment' | 'polyline' | 'body' | 'circle' | 'limit' | 'hull' | 'trace' | 'surface';
  text: string;
  /** Numbers [m], or paths of signals; the same for the force. */
  points: (number | string)[][];
  width?: number;
  radius?: number;
  /** Across the plane of a hull or a body. */
  depth?: number;
  /** Of a segment, from its first point: what the rest slides out of. */
  barrel?: number;
  /** [N] Pushes the ends of a segment apart. */
  force?: string;
  /** Of a surface, which has no points: amplitude, frequency, number, direction and phase of each of its waves. */
  waves?: [number, number, number, number, number][];
  /** Seen in this view only. Of the side: a figure in the plane of the view, x to the right and z up. */
  view?: string;
}

export interface Scene {
  views: string[];
  items: SceneItem[];
}

export interface CommandAnswer {
  accepted: boolean;
  text: string;
}
