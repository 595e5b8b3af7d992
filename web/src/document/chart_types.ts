// What a chart says, and what can be done to it; see system_types.ts for how views and operations work.
import type {XmlElement, XmlFault} from './xml/syntax.ts';

/** `include` stands for the states of another file; `choice` and `select` are connectors, not states. */
export type StateKind = 'state' | 'parallel' | 'final' | 'history' | 'choice' | 'select' | 'include';

export interface ChartStateView {
  /** Its id; `@3` (its number in the file) where it has none. Names it in operations. */
  key: string;
  id: string;
  kind: StateKind;
  /** Key of the state around it; null at the top. */
  parent: string | null;
  /** Keys of the states inside, in their order. */
  children: readonly string[];
  line: number;
  /** Ids of the states that are entered first; empty: the first child. */
  initial: readonly string[];
  /** Of a history: all states below, or only those directly beside it. */
  isDeep: boolean;
  /** Executable content, a line each: `spool = 1`, `raise up`, `send stop to pump`, `log 'text'`, or `<xml>`. */
  onentry: readonly string[];
  onexit: readonly string[];
  during: readonly string[];
  /** Of a select: the value that decides; of an include: the file as written. */
  expr: string;
  src: string;
}

export interface ChartTransitionView {
  /** `KEY#2`: the third transition of its state. */
  key: string;
  from: string;
  /** Ids; empty where the state is not left. */
  targets: readonly string[];
  event: string;
  cond: string;
  /** `davit:after`, `davit:holds`, `davit:is`. */
  after: string;
  holds: string;
  is: string;
  isInternal: boolean;
  actions: readonly string[];
  line: number;
}

export interface ChartDataView {
  id: string;
  expr: string;
  /** `davit:values`, `davit:type`. */
  values: string;
  type: string;
  line: number;
}

export interface ChartView {
  name: string;
  datamodel: string;
  initial: readonly string[];
  /** In the order of the file, outer before inner. */
  states: readonly ChartStateView[];
  transitions: readonly ChartTransitionView[];
  data: readonly ChartDataView[];
  /** Upper left corners, from where the content of the state around begins, by id; from the <Layout> of the file. */
  places: ReadonlyMap<string, {x: number; y: number}>;
  /** Events that transitions wait for and events of davit:raise and send, without those that davit sends itself. */
  events: readonly string[];
  find(key: string): ChartStateView | undefined;
  elementOf(key: string): XmlElement | undefined;
  at(offset: number): {state?: string; transition?: string} | null;
}

export type ActionPlace = 'onentry' | 'onexit' | 'during';

/**
 * An SCXML file of a project. Places of states are kept in an element of its own namespace at the end of the file, which SCXML
 * passes over: <Layout xmlns="urn:davit:drawing:1"><Place state="up" x="80" y="40"/></Layout>, a line each, in order of the ids.
 */
export interface ChartDocument {
  readonly path: string;
  readonly view: ChartView;
  readonly fault: XmlFault | null;

  freeId(base: string): string;
  /** Adds a state to another (to the chart where `parent` is null). Result: its id. A state that gets states keeps its transitions. */
  addState(parent: string | null, kind: StateKind, options?: {id?: string; place?: {x: number; y: number}}): string;
  /** Removes states with what is inside, transitions that lead to them, and places. */
  removeStates(keys: readonly string[]): void;
  /** A new id in all targets, conditions and places, and in the systems of the project that read `chart.state.ID`. */
  renameState(key: string, to: string): void;
  /** Makes a state a parallel one, a final one a state and so on. */
  setKind(key: string, kind: 'state' | 'parallel' | 'final'): void;
  setDeep(key: string, isDeep: boolean): void;
  /** Which state inside is entered first; null: the first in the file. `parent` null is the chart. */
  setInitial(parent: string | null, id: string | null): void;
  /** Moves states into another one (null: the chart), behind those that it has. */
  moveInto(keys: readonly string[], parent: string | null): void;
  /** Copies of states with what is inside, and the transitions between them, with ids that are free. Result: their ids. */
  duplicate(keys: readonly string[], offset?: {x: number; y: number}): string[];

  /** Result: its key. `to` null: a transition that does not leave the state. */
  addTransition(from: string, to: string | null, options?: {event?: string; cond?: string}): string;
  removeTransitions(keys: readonly string[]): void;
  setTransition(key: string, attribute: 'event' | 'cond' | 'after' | 'holds' | 'is' | 'type', value: string | null): void;
  setTargets(key: string, targets: readonly string[]): void;
  /** Moves a transition to another state. Result: its new key. */
  setSource(key: string, from: string): string;
  /** Before the transition above or behind the one below: the first that fits is taken. */
  orderTransition(key: string, direction: 'up' | 'down'): string;

  /** Executable content of a state or transition; lines as in the view. Lines that stay keep how they are written. */
  setActions(key: string, where: ActionPlace | 'transition', lines: readonly string[]): void;
  setExpr(key: string, expr: string): void;

  setData(id: string, value: {expr?: string; values?: string; type?: string} | null): void;
  setChartAttribute(attribute: 'name' | 'datamodel', value: string | null): void;

  place(places: ReadonlyMap<string, {x: number; y: number}>): void;
  unplace(ids: readonly string[]): void;
}
