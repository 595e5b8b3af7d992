// What `davit studio` answers; docs/studio.md describes it.

import type {
  DescribedAspect,
  DescribedInput,
  DescribedItem,
  DescribedModel,
  DescribedPort,
  DescribedRun,
} from '../../../generated/described.ts';

import type {TextEdit} from '../../document/index.ts';

export type FileKind = 'system' | 'chart' | 'study' | 'bench' | 'other';

export interface FileEntry {
  path: string;
  kind: FileKind;
  size: number;
  hash: string | null;
}

export interface FileText {
  path: string;
  hash: string;
  text: string;
}

export interface StudioInfo {
  folder: string;
  read_only: boolean;
  version: string;
}

/** Somebody else who has the folder open. */
export interface Person {
  client: string;
  user: string;
  /** The file that is shown there, and what is selected in it. */
  path: string;
  chosen: string[];
}

/** What a page knows of a file that several edit, and what it has edited. */
export interface SharedFile {
  path: string;
  /** Of the text that was opened. */
  hash: string;
  version?: number;
  changes: {label: string; edits: readonly TextEdit[]}[];
}

export interface SharedChange {
  client: string;
  user: string;
  label: string;
  /** Of this page itself not there. */
  edits?: TextEdit[];
  /** The text was saved as it is at this place; its hash. */
  saved?: string;
}

export interface SharedAnswer {
  /** Under which others see this page. */
  name: string;
  people: Person[];
  /** Those that have changed since `version`; `text` in place of changes that are too many. */
  files: {
    path: string;
    is_shared?: false;
    version?: number;
    changes?: SharedChange[];
    text?: string;
    saved?: string | null;
  }[];
  /** Files that others have edited and this page has not named. */
  shared: string[];
}

export type SideName = 'left' | 'top' | 'right' | 'bottom';

/** Where a line meets a symbol, from its middle, before it is turned. */
export interface Anchor {
  name: string;
  x: number;
  y: number;
  side: SideName;
}

/** How a component looks: SVG about the origin, x to the right, y down. */
export interface SymbolShape {
  width: number;
  height: number;
  shapes: string;
  texts: {x: number; y: number; text: string; size: number}[];
  anchors: Anchor[];
  badge?: [number, number];
}

export type Port = DescribedPort;

export type SignalInfo = Pick<DescribedInput, 'name' | 'unit' | 'text'> & Partial<Pick<DescribedInput, 'is_many'>>;

export interface ParameterInfo
  extends Partial<Omit<DescribedItem, 'name' | 'unit' | 'text' | 'default'>>,
    Pick<DescribedItem, 'name' | 'unit' | 'text'>,
    Partial<Pick<DescribedInput, 'used_with'>> {
  display_unit?: string;
  /** shown = factor * SI */
  display_factor?: number;
  /** All components have it: solver, TimeStep. */
  is_common?: boolean;
  /** As it would be written: `250 bar`; null where one must be. */
  default?: string | number | null;
}

export type Aspect = Partial<DescribedAspect> & Pick<DescribedAspect, 'name' | 'options'>;

export interface Model
  extends Pick<DescribedModel, 'name' | 'domain' | 'text' | 'equations' | 'levels' | 'ports'>,
    Partial<Pick<DescribedModel, 'level'>> {
  symbol: SymbolShape;
  /** Stands in systems by itself; operators do not. */
  inPalette: boolean;
  takesChart: boolean;
  inputs: SignalInfo[];
  outputs: SignalInfo[];
  states?: SignalInfo[];
  parameters: ParameterInfo[];
  /** Settings that all components have. */
  common: ParameterInfo[];
  starts: ParameterInfo[];
  aspects: Aspect[];
  /** That it may have inside. */
  elements: string[];
  /** Those of them whose attributes are known. */
  inner: ElementInfo[];
}

/** An attribute of an element that is not a component. */
export interface AttributeInfo {
  name: string;
  text: string;
  is_required: boolean;
  /** It names an item or a component. */
  is_path: boolean;
  /** Empty: any text of its form. */
  options: string[];
}

/** An element of system files that is not a component; without a name: what the elements of all components have. */
export interface ElementInfo {
  name: string;
  text: string;
  place: 'file' | 'system' | 'component' | 'layout' | 'panel';
  attributes: AttributeInfo[];
}

export interface Fault {
  file: string;
  line: number;
  /** Component, port or parameter: `pump.displacement`. */
  path: string;
  severity: string;
  text: string;
  remedy?: string;
}

export interface LayoutNode {
  path: string;
  model: string;
  x: number;
  y: number;
  rotation: number;
  mirror: boolean;
  is_placed?: boolean;
  level?: string | null;
  label?: {x: number; y: number; begins: boolean};
  symbol: SymbolShape;
}

export interface LayoutFrame {
  path: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** As <Layout> has it. */
  place: {x: number; y: number} | null;
}

export interface LayoutLine {
  from: string;
  to: string;
  kind: 'connection' | 'route';
  domain: string;
  /** The end that is a mark of its own. */
  mark: '' | 'from' | 'to';
  /** Lines of one net may lie on each other. */
  net: number;
  points: [number, number][];
}

/** Of a sub-system, or made by a <For>: what the file of the sheet has is drawn from its text. */
export interface LayoutNote {
  /** Empty: the sheet itself. */
  frame: string;
  /** Of its file. */
  line: number;
  box: {left: number; top: number; right: number; bottom: number};
  lines: string[];
  height: number;
  picture: string | null;
}

export interface Layout {
  notes?: LayoutNote[];
  nodes: LayoutNode[];
  frames: LayoutFrame[];
  lines: LayoutLine[];
}

/** What two versions of a system differ in. */
export interface Difference {
  kind: 'added' | 'removed' | 'changed';
  part: 'setting' | 'component' | 'connection' | 'route' | 'expose' | 'command' | 'record' | 'chart' | 'layout';
  /** Of the component, or `pump.out - supply.port`. */
  path: string;
  /** What of it; empty: all. */
  name: string;
  before: string;
  after: string;
  at_before: {file: string; line: number} | null;
  at_after: {file: string; line: number} | null;
}

export interface Template {
  name: string;
  text: string;
  content: string;
}

export interface RunEntry extends DescribedRun {
  run: number;
  path: string;
  /** UTC [ns]. */
  started: number;
}

/** A part of the text that the command line takes for an element: `path=column[:weight]`. */
export interface StudyPart {
  attribute: string;
  before: string;
  after: string;
  is_optional: boolean;
  text: string;
  /** Empty: any text. */
  choices?: string[];
}

/** An element of a bench file, inside `bench` or `case`; `<Bench>` itself is inside `file`. */
export interface BenchElement {
  element: string;
  text: string;
  place: 'file' | 'bench' | 'case';
  parts: StudyPart[];
}

/** An option of a study, as the command line and study files have it. */
export interface StudyOption {
  name: string;
  text: string;
  form: string;
  kind: 'text' | 'file' | 'flag' | 'whole' | 'number' | 'choice';
  choices: string[];
  default: string;
  /** Of the study file; empty: an attribute of the study. */
  element: string;
  parts: StudyPart[];
  /** Of a file that a new study names: what follows the name of the study, `_bode.svg`. */
  usual_file: string;
  is_attribute: boolean;
  is_required: boolean;
  is_repeated: boolean;
}

export interface StudyKind {
  /** Of the command: `sweep` */
  name: string;
  /** Of the file: `Sweep` */
  element: string;
  text: string;
  /** A table that was begun can be continued. */
  is_resumed: boolean;
  options: StudyOption[];
}

export interface StudyKinds {
  kinds: StudyKind[];
  /** Functions of measures: `max` */
  measures: string[];
  bench: BenchElement[];
}

/** What a failed expectation is about, over the time [s]. */
export interface FailureCurves {
  time: number[];
  /** Where it failed. */
  at?: number;
  signals: {name: string; unit: string; options: string[]; values: (number | null)[]}[];
  /** Of `<Follows>`. */
  reference?: {time: number[]; values: (number | null)[]};
}

export interface ExpectationResult {
  text: string;
  requirement: string;
  line: number;
  is_met: boolean;
  verdict: string;
  curves?: FailureCurves;
}

export interface CaseResult {
  name: string;
  requirement: string;
  line: number;
  is_passed: boolean;
  is_interrupted: boolean;
  /** Why it did not run to its end. */
  fault: string;
  simulated: number;
  wall: number;
  expectations: ExpectationResult[];
}

/** What a bench has found. */
export interface BenchResult {
  passed: number;
  cases: CaseResult[];
}

/** A study that runs or has run. */
export interface StudyJob {
  study: number;
  path: string;
  place: number;
  kind?: string;
  status: 'loading' | 'running' | 'stopped' | 'done' | 'failed';
  done: number;
  all: number;
  what: string;
  failure: string;
  warnings: string[];
  found?: Record<string, unknown> | null;
}
