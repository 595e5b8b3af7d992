// What a system file says, and what can be done to it. A view is read from the text and never changed: each operation edits
// the text, after which `view` is a new object.
import type {XmlElement, XmlFault} from './xml/syntax.ts';

/** An attribute as written: `value` has no entities (`&lt;` is `<`), but units, `${parameters}` and `{i}` stay as they are. */
export interface AttributeView {
  name: string;
  value: string;
  line: number;
  /** Place of the value in the text, without its quotes. */
  start: number;
  end: number;
}

/** An element inside a component that is neither Start nor Level: Operators, Integration, Input, State, Output, Port ... */
export interface InnerView {
  element: string;
  line: number;
  attributes: readonly AttributeView[];
  children: readonly InnerView[];
}

export type ComponentKind = 'model' | 'subsystem' | 'chart';

export interface ComponentView {
  /** As written; with braces inside of a <For>: `spring{i}`. */
  name: string;
  /** The element: `hydraulic.Cylinder`, `Subsystem`, `Statechart`. Models that nobody knows are here too. */
  model: string;
  kind: ComponentKind;
  line: number;
  /** All but `name`, in their order. */
  attributes: readonly AttributeView[];
  /** The attributes of all its <Start>. */
  starts: readonly AttributeView[];
  /** Its own levels, <Level name= base= ASPECT=OPTION>. */
  levels: readonly {name: string; base: string; line: number; attributes: readonly AttributeView[]}[];
  inside: readonly InnerView[];
  /** Of a sub-system or chart (also `chart=` of a component): the file it comes from, relative to the folder of the studio. */
  source?: string;
  /** The variables of the <For> elements around it, the outer first; empty for most. Such components are edited as text. */
  repeated: readonly string[];
}

/** An element that refers to others. `key` names it in operations and is valid in this view only. */
export interface ReferenceView {
  key: string;
  line: number;
  attributes: readonly AttributeView[];
  repeated: readonly string[];
}
export interface ConnectView extends ReferenceView {
  from: string;
  to: string;
}
export interface RouteView extends ReferenceView {
  from: string;
  to: string;
  hold?: string;
}
/** `<At>` has `set` and `value`, `message` and `to`, or `event`. */
export interface AtView extends ReferenceView {
  time: string;
  set?: string;
  value?: string;
  message?: string;
  event?: string;
  to?: string;
}
export interface RecordView extends ReferenceView {
  signals: readonly string[];
  interval?: string;
  times?: string;
}
/** `<Expose port= as=>`: the ports that the file shows where it is a sub-system. */
export interface ExposeView extends ReferenceView {
  port: string;
  as: string;
}
/** `<Parameter name= value= text=>` of the system. */
export interface SystemParameterView {
  name: string;
  value: string;
  text: string;
  line: number;
}

/** `<Note>` of the <Layout>: a text or a picture. `key` names it in operations and is valid in this view only. */
export interface NoteView extends ReferenceView {
  /** NaN where it is not a number as written. */
  x: number;
  y: number;
  text: string;
  /** Null: as wide as its lines. */
  width: number | null;
  /** Of the picture; 0 without one. */
  height: number;
  /** The picture, relative to the folder of the studio. */
  source?: string;
}

export interface Place {
  x: number;
  y: number;
  /** 0, 90, 180, 270: degrees, clockwise. */
  rotation: number;
  mirror: boolean;
}

export interface SystemView {
  name: string;
  components: readonly ComponentView[];
  connects: readonly ConnectView[];
  routes: readonly RouteView[];
  ats: readonly AtView[];
  records: readonly RecordView[];
  exposes: readonly ExposeView[];
  parameters: readonly SystemParameterView[];
  /** The attributes of <SimulatorManager> and of each <Integration> in it; null where there is none. */
  manager: {line: number; attributes: readonly AttributeView[]; integrations: readonly InnerView[]} | null;
  plugins: readonly string[];
  /** From <Layout>, by component. */
  places: ReadonlyMap<string, Place>;
  /** Of <Layout>, by key, in the order of the file. */
  notes: ReadonlyMap<string, NoteView>;
  find(name: string): ComponentView | undefined;
  /** The element of the text that a component is, or that a key names; for places in the text view. */
  elementOf(nameOrKey: string): XmlElement | undefined;
  /** What stands at a place of the text: a component, or the key of a Connect, Route, At, Record, Expose. */
  at(offset: number): {component?: string; key?: string} | null;
}

export interface NewComponent {
  model: string;
  /** Where it is left out: from the model (`hydraulic.ReliefValve` gives `relief_valve`, then `relief_valve2`). */
  name?: string;
  attributes?: Readonly<Record<string, string>>;
  starts?: Readonly<Record<string, string>>;
  place?: Partial<Place> & {x: number; y: number};
}

/** What is on the clipboard: text, so that it can go through the clipboard of the operating system. */
export type ClipText = string;

/** Groups: which ports of components inside get which name outside; found by the document where it is left out. */
export interface GroupOptions {
  /** Name of the new sub-system. */
  name: string;
  /** Its file, relative to the folder of the studio; default: NAME.xml beside this one. */
  path?: string;
  place?: {x: number; y: number};
}

export type Alignment = 'left' | 'center' | 'right' | 'top' | 'middle' | 'bottom' | 'across' | 'down';

/**
 * A system file of a project. Operations change the text of that file (and, for sub-systems and charts, of theirs) as one
 * step of the history, and throw EditRefused (nothing changed) where they cannot be done: the file is not well-formed, a
 * name is taken or is no name, a component is not there or stands in a <For>.
 * Paths such as `pump.out` are as in the file: relative to this system.
 */
export interface SystemDocument {
  readonly path: string;
  /** Of the last well-formed text; where the text never was: an empty system. The same object until the text changes. */
  readonly view: SystemView;
  /** Why the text is not well-formed; null where it is. `view` is then older than the text, and operations are refused. */
  readonly fault: XmlFault | null;

  /** A name that is free: `base`, else `base2`, `base3` ... */
  freeName(base: string): string;

  // Components
  /** Adds one behind the last component (before the first Connect, Route ...). Result: its name. */
  add(component: NewComponent): string;
  /** Adds a sub-system from a file: `src` is written relative to the file of this system. Result: its name. */
  addSubsystem(
    source: string,
    options?: {name?: string; attributes?: Readonly<Record<string, string>>; place?: {x: number; y: number}},
  ): string;
  addChart(source: string, options?: {name?: string; place?: {x: number; y: number}}): string;
  /** Removes components with all that refers to them: Connect, Route, At, Expose, Place, and their signals in Record. */
  remove(names: readonly string[]): void;
  /**
   * A new name in all references of this file: Connect, Route, At, Record, Expose, Place. Files outside that name it (a
   * system with this one as sub-system, charts) are in `otherReferences`; they are changed too, as far as they are open.
   */
  rename(name: string, to: string): void;
  /** Where the other open files of the project refer to a component of this one: for a question before rename and remove. */
  otherReferences(name: string): readonly {path: string; line: number; text: string}[];
  /** Copies these components, their values, places and the connections and routes between them. */
  copy(names: readonly string[]): ClipText;
  /** copy and remove. */
  cut(names: readonly string[]): ClipText;
  /** Names that are taken become new ones. Result: the names. Text that is no clip is refused. */
  paste(clip: ClipText, offset?: {x: number; y: number}): string[];
  /** copy and paste in one. */
  duplicate(names: readonly string[], offset?: {x: number; y: number}): string[];

  // Notes: `remove` and `move` take their keys, too.
  /** Adds a text or a picture to the drawing, behind the others. Result: its key. */
  addNote(at: {x: number; y: number}, attributes: Readonly<Record<string, string>>): string;
  /** An attribute of a note; null removes it. */
  setNote(key: string, attribute: string, value: string | null): void;

  // Sub-systems
  /** Moves components with what is between them into a new file; connections across the border go through <Expose>. */
  group(names: readonly string[], options: GroupOptions): void;
  /** The inverse: what is in the file of the sub-system comes here, with names that are free. Result: the names. */
  ungroup(name: string): string[];
  /**
   * The file that a component inside of sub-systems is edited in: `boom.cylinder` gives {path: 'actuator.xml', name:
   * 'cylinder'}. Null where a file on the way is not open or has no such component.
   */
  resolve(path: string): {path: string; name: string} | null;

  // Wiring
  connect(from: string, to: string): void;
  route(from: string, to: string, options?: {hold?: 'none' | 'step'}): void;
  expose(port: string, as: string): void;
  /** Removes elements by their key: Connect, Route, At, Record, Expose. */
  disconnect(keys: readonly string[]): void;
  /** Another end or attribute of a Connect, Route, At, Record or Expose. Null removes an attribute. */
  setReference(key: string, attribute: string, value: string | null): void;
  addAt(at: Readonly<Record<string, string>>): void;
  /** Adds a signal to the <Record> with this interval (the first where it is left out; a new one where there is none). */
  record(signal: string, interval?: string): void;
  unrecord(signal: string): void;

  // Panels
  /** An empty <Panel>. Result: its name. */
  addPanel(name?: string): string;
  /** Adds an element (`Lever`) to a panel, before another or as the last. Result: its name. */
  addPanelElement(panel: string, kind: string, before?: string | null): string;
  /** An attribute of an element of a panel, also its name; null removes it. */
  setPanelElement(panel: string, element: string, attribute: string, value: string | null): void;
  /** Its place among the elements: before another, or as the last. */
  movePanelElement(panel: string, element: string, before: string | null): void;
  removePanelElement(panel: string, element: string): void;

  // Parts of a mechanism
  /** Adds a part (`Body`) to a mechanism, behind those of its kind. Result: its name. */
  addPart(mechanism: string, kind: string, attributes?: Readonly<Record<string, string>>): string;
  /**
   * An attribute of a part; null removes it. Another `name` is followed by parts, start values, lines and signals; `on` another
   * body moves it with all that it carries.
   */
  setPart(mechanism: string, part: string, attribute: string, value: string | null): void;
  /** Removes a part with what it carries, and all that refers to them. */
  removePart(mechanism: string, part: string): void;

  // Values
  /** An attribute of a component; null removes it. One line of the file changes. `level`, aspects, `chart`, `src` too. */
  setParameter(component: string, parameter: string, value: string | null): void;
  /** A start value; <Start> is made and removed as needed. */
  setStart(component: string, state: string, value: string | null): void;
  /** A value of <SimulatorManager>; made where there is none. */
  setManager(attribute: string, value: string | null): void;
  /** A value of the first <Integration> in <SimulatorManager>. */
  setIntegration(attribute: string, value: string | null): void;
  /** `<Parameter>` of the system; null removes it. */
  setSystemParameter(name: string, value: string | null, text?: string): void;
  /** An own level of a component; `options` null removes it. */
  setLevel(component: string, level: string, base: string, options: Readonly<Record<string, string>> | null): void;
  setSystemName(name: string): void;
  /** All elements inside a component that are neither Start nor Level (ports, states, outputs, operators), as text. */
  setInside(component: string, xml: string): void;

  // Places
  /** Writes places; what is not given stays (0 and false where there was none). One line each, in order of the names. */
  place(places: ReadonlyMap<string, Partial<Place>> | Readonly<Record<string, Partial<Place>>>): void;
  /** Removes places: the automatic layout finds one. */
  unplace(names: readonly string[]): void;
  /** Moves by dx, dy. `drawn` gives the places of those without one (from api/layout). */
  move(names: readonly string[], dx: number, dy: number, drawn?: ReadonlyMap<string, Place>): void;
  /** Turns by degrees (90, 180, 270, clockwise) about the middle of all. */
  rotate(names: readonly string[], degrees: number, drawn?: ReadonlyMap<string, Place>): void;
  /** Left and right change sides, about the middle of all. */
  mirror(names: readonly string[], drawn?: ReadonlyMap<string, Place>): void;
  /** `across` and `down` spread evenly. `sizes` are the widths and heights as drawn, for edges; points where left out. */
  align(
    names: readonly string[],
    how: Alignment,
    drawn?: ReadonlyMap<string, Place>,
    sizes?: ReadonlyMap<string, {width: number; height: number}>,
  ): void;
}
