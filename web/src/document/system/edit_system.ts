// The operations on a system file. See system_types.ts for the interface.
import {checkName, firstName, freeName, nameOfModel} from '../names.ts';
import {relativePath} from '../paths.ts';
import {EditRefused, type Project} from '../project_types.ts';
import type {
  Alignment,
  ClipText,
  ComponentView,
  GroupOptions,
  NewComponent,
  Place,
  SystemDocument,
  SystemView,
} from '../system_types.ts';
import type {TextEdit} from '../text_edit.ts';
import {escapeValue} from '../xml/entities.ts';
import {
  insertLines,
  kLineWidth,
  linesOf,
  removeAttribute,
  removeNodes,
  setAttribute,
  writeElement,
  type NewElement,
} from '../xml/edits.ts';
import {endOfLine, lineStart} from '../xml/lines.ts';
import {parseXml} from '../xml/parse.ts';
import {attributeOf, elementsIn, attributeValue} from '../xml/query.ts';
import type {XmlElement, XmlFault} from '../xml/syntax.ts';
import {aligned, mirrored, moved, placesOf, rotated, type Places} from './arrange.ts';
import {copyText, pasteText} from './clip.ts';
import {elementsOf} from './fragment.ts';
import {groupComponents, ungroupSubsystem} from './group.ts';
import {addPart, removePart, setPart} from './mechanism.ts';
import {addedNote, isNote, movedNotes, noteElement, withoutNotes} from './notes.ts';
import {placeFor, type Kind} from './order.ts';
import {cachedSystem, referencesOutside, renameOutside, systemIn} from './outside.ts';
import {formatCoordinate, placeEdits, renamedPlace} from './places.ts';
import type {SystemTree} from './read_system.ts';
import {mapReferences, referenceEdits, removeElements} from './references.ts';

const kEmptyFile = '<System name="" xmlns="urn:davit:system:1"/>\n';
const systems = new WeakMap<Project, Map<string, EditableSystem>>();

/** The document of a system file; the same object for the same project and path. */
export function openSystem(project: Project, path: string): SystemDocument {
  const known = systems.get(project) ?? new Map<string, EditableSystem>();
  const system = known.get(path) ?? new EditableSystem(project, path);
  systems.set(project, known.set(path, system));
  return system;
}

/** What the operations of other files of this folder need. */
export class EditableSystem implements SystemDocument {
  constructor(
    readonly project: Project,
    readonly path: string,
  ) {}

  get view(): SystemView {
    const document = this.project.lastGood(this.path);
    return document?.root.name === 'System' ? cachedSystem(document, this.path) : kNothing;
  }

  get fault(): XmlFault | null {
    return this.project.parse(this.path).fault ?? null;
  }

  /** The tree of the text as it is now. */
  current(): SystemTree {
    const {document, fault} = this.project.parse(this.path);
    if (fault) throw new EditRefused(`${this.path}:${fault.line}: ${fault.text}; correct the text first`);
    if (document.root.name !== 'System')
      throw new EditRefused(`${this.path} is not a system: its root element is <${document.root.name}>`);
    return cachedSystem(document, this.path);
  }

  apply(edits: readonly TextEdit[]): void {
    this.project.edit(this.path, edits);
  }

  /** Inserts lines where elements of their kind go. */
  insert(kind: Kind, write: (indent: number, step: string) => readonly string[]): void {
    const tree = this.current();
    this.apply(insertLines(tree.document, placeFor(tree.root, kind), write));
  }

  freeName(base: string): string {
    const tree = this.current();
    return freeName(base, (name) => tree.isTaken(name) || tree.exposes.some(({as}) => as === name));
  }

  checkFree(name: string): void {
    checkName(name);
    const tree = this.current();
    if (tree.isTaken(name)) throw new EditRefused(`the name ${name} is taken; choose another name`);
    if (tree.exposes.some(({as}) => as === name)) throw new EditRefused(`a port is exposed as ${name}; choose another name`);
  }

  /** The element of a component that an operation may change. */
  /** Of a component, also in a <For>: its values are those of all that this makes. */
  private element(name: string): XmlElement {
    const element = this.current().elements.get(name);
    if (!element) throw new EditRefused(`there is no component ${name}`);
    return element;
  }

  // Components

  add({model, name, attributes = {}, starts = {}, place}: NewComponent): string {
    if (!/^[A-Za-z_][\w.-]*$/.test(model)) throw new EditRefused(`'${model}' is not a model; name one such as hydraulic.Tank`);
    return this.project.step(`Add ${name ?? nameOfModel(model)}`, () => {
      const chosen = name ?? this.freeName(nameOfModel(model));
      this.checkFree(chosen);
      const children: NewElement[] =
        Object.keys(starts).length > 0 ? [{name: 'Start', attributes: Object.entries(starts)}] : [];
      const element: NewElement = {
        name: model,
        attributes: [['name', chosen], ...Object.entries(attributes).filter(([key]) => key !== 'name')],
        children,
      };
      this.insert('component', (indent, step) => writeElement(element, indent, step));
      if (place) this.place({[chosen]: place});
      return chosen;
    });
  }

  addSubsystem(
    source: string,
    {
      name,
      attributes = {},
      place,
    }: {name?: string; attributes?: Readonly<Record<string, string>>; place?: {x: number; y: number}} = {},
  ): string {
    if (source === this.path || this.contains(source, this.path))
      throw new EditRefused(`${source} contains ${this.path}; a system may not contain itself`);
    const base = name ?? this.freeName(nameOfFile(source));
    return this.add({
      model: 'Subsystem',
      name: base,
      attributes: {src: relativePath(this.path, source), ...attributes},
      ...(place ? {place} : {}),
    });
  }

  addChart(source: string, {name, place}: {name?: string; place?: {x: number; y: number}} = {}): string {
    const base = name ?? this.freeName(nameOfFile(source));
    return this.add({
      model: 'Statechart',
      name: base,
      attributes: {src: relativePath(this.path, source)},
      ...(place ? {place} : {}),
    });
  }

  /** Whether the system of a file has another file as sub-system, at any depth. */
  private contains(path: string, wanted: string, seen = new Set<string>()): boolean {
    if (seen.has(path)) return false;
    seen.add(path);
    return (systemIn(this.project, path)?.components ?? []).some(
      ({kind, source}) =>
        kind === 'subsystem' && source !== undefined && (source === wanted || this.contains(source, wanted, seen)),
    );
  }

  remove(names: readonly string[]): void {
    if (names.length === 0) return;
    this.project.step(`Remove ${labelOf(names)}`, () => {
      const tree = this.current();
      const notes = names.filter(isNote).map((key) => noteElement(tree, key));
      const elements = [...elementsOf(tree, withoutNotes(names)), ...notes];
      const gone = new Set(names);
      const places = names.map((name) => tree.placeElements.get(name)).filter((place) => place !== undefined);
      const changes = mapReferences(tree, (path) => (gone.has(firstName(path)) ? null : path));
      this.apply(referenceEdits(tree.document, changes, [...elements, ...places]));
    });
  }

  rename(name: string, to: string): void {
    if (name === to) return;
    this.checkFree(to);
    this.project.step(`Rename ${name}`, () => {
      const map = (path: string): string => (firstName(path) === name ? to + path.slice(name.length) : path);
      renameOutside(this.project, this.path, name, map);
      const tree = this.current();
      const element = elementsOf(tree, [name])[0]!;
      const edits = mapReferences(tree, map).edits;
      edits.push(setAttribute(tree.document, element, 'name', to));
      const place = tree.placeElements.get(name);
      if (place) edits.push(...renamedPlace(tree.document, place, 'name', to));
      this.apply(edits);
    });
  }

  otherReferences(name: string): readonly {path: string; line: number; text: string}[] {
    return referencesOutside(this.project, this.path, name);
  }

  copy(names: readonly string[]): ClipText {
    return copyText(this, names);
  }

  cut(names: readonly string[]): ClipText {
    const clip = this.copy(names);
    this.project.step(`Cut ${labelOf(names)}`, () => this.remove(names));
    return clip;
  }

  paste(clip: ClipText, offset = {x: 0, y: 0}): string[] {
    return this.project.step('Paste', () => pasteText(this, clip, offset));
  }

  duplicate(names: readonly string[], offset = {x: 16, y: 16}): string[] {
    return this.project.step('Duplicate', () => pasteText(this, this.copy(names), offset));
  }

  // Notes

  addNote({x, y}: {x: number; y: number}, attributes: Readonly<Record<string, string>>): string {
    const place = [
      ['x', formatCoordinate(x)],
      ['y', formatCoordinate(y)],
    ] as const;
    this.project.step('Add a note', () => this.apply(addedNote(this.current(), [...place, ...Object.entries(attributes)])));
    return [...this.current().notes.keys()].at(-1)!;
  }

  setNote(key: string, attribute: string, value: string | null): void {
    this.setValue(noteElement(this.current(), key), attribute, value, `Note: ${attribute}`);
  }

  // Sub-systems

  group(names: readonly string[], options: GroupOptions): void {
    this.project.step(`Group ${options.name}`, () => groupComponents(this, names, options));
  }

  ungroup(name: string): string[] {
    return this.project.step(`Ungroup ${name}`, () => ungroupSubsystem(this, name));
  }

  resolve(path: string): {path: string; name: string} | null {
    let file = this.path;
    const parts = path.split('.');
    for (const [index, name] of parts.entries()) {
      const component = systemIn(this.project, file)?.find(name);
      if (!component) return null;
      if (index === parts.length - 1) return {path: file, name};
      if (component.kind !== 'subsystem' || component.source === undefined) return null;
      file = component.source;
    }
    return null;
  }

  // Wiring

  connect(from: string, to: string): void {
    const isKnown = this.current().connects.some(
      (one) => (one.from === from && one.to === to) || (one.from === to && one.to === from),
    );
    if (isKnown) throw new EditRefused(`${from} and ${to} are connected already`);
    this.project.step('Connect', () =>
      this.insertElement('Connect', [
        ['from', from],
        ['to', to],
      ]),
    );
  }

  route(from: string, to: string, {hold}: {hold?: 'none' | 'step'} = {}): void {
    if (this.current().routes.some((one) => one.from === from && one.to === to))
      throw new EditRefused(`there is a route from ${from} to ${to} already`);
    this.project.step('Route', () =>
      this.insertElement('Route', [['from', from], ['to', to], ...(hold ? [['hold', hold] as const] : [])]),
    );
  }

  expose(port: string, as: string): void {
    this.checkFree(as);
    this.project.step(`Expose ${as}`, () =>
      this.insertElement('Expose', [
        ['port', port],
        ['as', as],
      ]),
    );
  }

  addAt(at: Readonly<Record<string, string>>): void {
    this.project.step('Add command', () => this.insertElement('At', Object.entries(at)));
  }

  insertElement(name: Exclude<Kind, 'component'>, attributes: readonly (readonly [string, string])[]): void {
    this.insert(name, (indent, step) => writeElement({name, attributes}, indent, step));
  }

  private reference(key: string): XmlElement {
    const element = this.current().references.get(key);
    if (!element) throw new EditRefused(`there is no ${key.replace(/:.*/, '')} of this kind any more`);
    return element;
  }

  disconnect(keys: readonly string[]): void {
    this.project.step('Disconnect', () =>
      this.apply(
        removeElements(
          this.current().document,
          keys.map((key) => this.reference(key)),
        ),
      ),
    );
  }

  setReference(key: string, attribute: string, value: string | null): void {
    this.setValue(this.reference(key), attribute, value, `Change ${key.replace(/:.*/, '')}`);
  }

  record(signal: string, interval?: string): void {
    const {document, references, records} = this.current();
    const known = records.find((one) => interval === undefined || one.interval === interval);
    if (known?.signals.includes(signal)) return;
    this.project.step(`Record ${signal}`, () => {
      const attribute = known && attributeOf(references.get(known.key)!, 'signals');
      if (!attribute)
        return this.insertElement('Record', [
          ['signals', signal],
          ...(interval === undefined ? [] : [['interval', interval] as const]),
        ]);
      const text = escapeValue(signal, attribute.quote);
      const column = attribute.valueEnd - lineStart(document.text, attribute.valueEnd);
      const indent = attribute.valueStart - lineStart(document.text, attribute.valueStart);
      const space =
        column + text.length + 2 > kLineWidth
          ? endOfLine(document.text) + ' '.repeat(indent)
          : attribute.value.trim() === ''
            ? ''
            : ' ';
      this.apply([{start: attribute.valueEnd, end: attribute.valueEnd, text: space + text}]);
    });
  }

  unrecord(signal: string): void {
    this.project.step(`Do not record ${signal}`, () => {
      const tree = this.current();
      const changes = mapReferences(tree, (path) => path);
      const only = mapReferences(tree, (path) => (path === signal ? null : path));
      const isRecord = (element: XmlElement): boolean => element.name === 'Record';
      const records = [...tree.references.values()].filter(isRecord);
      changes.removed = only.removed.filter(isRecord);
      changes.edits = only.edits.filter(({start}) => records.some((record) => record.start <= start && start < record.end));
      this.apply(referenceEdits(tree.document, changes));
    });
  }

  // Panels

  addPanel(name = this.freeName('panel')): string {
    this.checkFree(name);
    this.project.step(`Add ${name}`, () => this.insertElement('Panel', [['name', name]]));
    return name;
  }

  addPanelElement(panel: string, kind: string, before: string | null = null): string {
    return this.project.step(`Add ${kind}`, () => {
      const taken = new Set(elementsIn(this.element(panel)).map((one) => attributeValue(one, 'name')));
      const name = freeName(nameOfModel(kind), (one) => taken.has(one));
      this.insertIntoPanel(panel, before, (indent, step) =>
        writeElement({name: kind, attributes: [['name', name]]}, indent, step),
      );
      return name;
    });
  }

  setPanelElement(panel: string, element: string, attribute: string, value: string | null): void {
    if (attribute === 'name') {
      if (value === null || value === element) return;
      checkName(value);
      if (elementsIn(this.element(panel)).some((one) => attributeValue(one, 'name') === value))
        throw new EditRefused(`the panel has an element ${value} already; choose another name`);
    }
    this.setValue(this.panelElement(panel, element), attribute, value, `${panel}.${element}: ${attribute}`);
  }

  movePanelElement(panel: string, element: string, before: string | null): void {
    if (element === before) return;
    this.project.step(`Move ${element}`, () => {
      const lines = linesOf(this.current().document, this.panelElement(panel, element));
      this.removePanelElement(panel, element);
      this.insertIntoPanel(panel, before, () => lines);
    });
  }

  removePanelElement(panel: string, element: string): void {
    this.project.step(`Remove ${element}`, () =>
      this.apply(removeNodes(this.current().document, [this.panelElement(panel, element)])),
    );
  }

  private panelElement(panel: string, name: string): XmlElement {
    const found = elementsIn(this.element(panel)).find((one) => attributeValue(one, 'name') === name);
    if (!found) throw new EditRefused(`the panel ${panel} has no element ${name}`);
    return found;
  }

  private insertIntoPanel(
    panel: string,
    before: string | null,
    write: (indent: number, step: string) => readonly string[],
  ): void {
    const parent = this.element(panel);
    const elements = elementsIn(parent);
    const index = before === null ? elements.length : elements.indexOf(this.panelElement(panel, before));
    this.apply(insertLines(this.current().document, {parent, after: elements[index - 1] ?? null}, write));
  }

  // Parts of a mechanism

  addPart(mechanism: string, kind: string, attributes: Readonly<Record<string, string>> = {}): string {
    return addPart(this, mechanism, kind, attributes);
  }

  setPart(mechanism: string, part: string, attribute: string, value: string | null): void {
    setPart(this, mechanism, part, attribute, value);
  }

  removePart(mechanism: string, part: string): void {
    removePart(this, mechanism, part);
  }

  // Values

  /** Sets or removes an attribute of an element of the text as it is now. */
  private setValue(element: XmlElement, name: string, value: string | null, label: string, after?: string): void {
    if (!/^[A-Za-z_][\w.:-]*$/.test(name)) throw new EditRefused(`'${name}' is not a name of an attribute`);
    const {document} = this.current();
    if (value === null) {
      const edit = removeAttribute(document, element, name);
      if (edit) this.project.step(label, () => this.apply([edit]));
      return;
    }
    if (attributeValue(element, name) !== value)
      this.project.step(label, () => this.apply([setAttribute(document, element, name, value, after)]));
  }

  setParameter(component: string, parameter: string, value: string | null): void {
    if (parameter === 'name') throw new EditRefused('the name is changed by rename');
    const after = parameter === 'level' || parameter === 'src' ? 'name' : undefined;
    this.setValue(this.element(component), parameter, value, `${component}.${parameter}`, after);
  }

  setStart(component: string, state: string, value: string | null): void {
    const element = this.element(component);
    const starts = elementsIn(element, 'Start');
    const known = starts.find((start) => attributeOf(start, state)) ?? (value === null ? undefined : starts[0]);
    const label = `Start of ${component}.${state}`;
    if (!known) {
      if (value === null) return;
      const {document} = this.current();
      const after = elementsIn(element).at(-1) ?? null;
      const lines = insertLines(document, {parent: element, after}, (indent, step) =>
        writeElement({name: 'Start', attributes: [[state, value]]}, indent, step),
      );
      return this.project.step(label, () => this.apply(lines));
    }
    if (value === null && known.attributes.length === 1) {
      return this.project.step(label, () => this.apply(removeNodes(this.current().document, [known])));
    }
    this.setValue(known, state, value, label);
  }

  private manager(): XmlElement {
    if (!this.current().managerElement) this.insertElement('SimulatorManager', []);
    return this.current().managerElement!;
  }

  setManager(attribute: string, value: string | null): void {
    if (value === null && !this.current().managerElement) return;
    this.project.step(`SimulatorManager.${attribute}`, () => this.setValue(this.manager(), attribute, value, ''));
  }

  setIntegration(attribute: string, value: string | null): void {
    this.project.step(`Integration ${attribute}`, () => {
      const manager = this.manager();
      const known = elementsIn(manager, 'Integration')[0];
      if (known) return this.setValue(known, attribute, value, '');
      if (value === null) return;
      const attributes: [string, string][] = attribute === 'solver' ? [] : [['solver', 'ODE']];
      const element: NewElement = {name: 'Integration', attributes: [...attributes, [attribute, value]]};
      this.apply(
        insertLines(this.current().document, {parent: manager, after: elementsIn(manager).at(-1) ?? null}, (indent, step) =>
          writeElement(element, indent, step),
        ),
      );
    });
  }

  setSystemParameter(name: string, value: string | null, text?: string): void {
    const element = elementsIn(this.current().root, 'Parameter').find((one) => attributeValue(one, 'name') === name);
    this.project.step(`Parameter ${name}`, () => {
      if (value === null) {
        if (element) this.apply(removeElements(this.current().document, [element]));
      } else if (!element) {
        checkName(name);
        this.insertElement('Parameter', [['name', name], ['value', value], ...(text ? [['text', text] as const] : [])]);
      } else {
        this.setValue(element, 'value', value, '');
        const again = elementsIn(this.current().root, 'Parameter').find((one) => attributeValue(one, 'name') === name)!;
        if (text !== undefined) this.setValue(again, 'text', text === '' ? null : text, '');
      }
    });
  }

  setLevel(component: string, level: string, base: string, options: Readonly<Record<string, string>> | null): void {
    this.project.step(`Level ${level} of ${component}`, () => {
      const element = this.element(component);
      const {document} = this.current();
      const known = elementsIn(element, 'Level').find((one) => attributeValue(one, 'name') === level);
      if (options === null) return known ? this.apply(removeNodes(document, [known])) : undefined;
      const attributes: [string, string][] = [['name', level], ['base', base], ...Object.entries(options)];
      if (!known) {
        const after = elementsIn(element, 'Level').at(-1) ?? null;
        return this.apply(
          insertLines(document, {parent: element, after}, (indent, step) =>
            writeElement({name: 'Level', attributes}, indent, step),
          ),
        );
      }
      const wanted = new Map(attributes);
      const edits = known.attributes
        .filter(({name}) => !wanted.has(name))
        .map(({name}) => removeAttribute(document, known, name)!);
      for (const [name, value] of attributes)
        if (attributeValue(known, name) !== value) edits.push(setAttribute(document, known, name, value));
      this.apply(edits);
    });
  }

  setSystemName(name: string): void {
    checkName(name);
    this.setValue(this.current().root, 'name', name, 'Name of the system');
  }

  setInside(component: string, xml: string): void {
    const parsed = parseXml(`<x>${xml}</x>`);
    if (parsed.fault) throw new EditRefused(`line ${parsed.fault.line}: ${parsed.fault.text}`);
    this.project.step(`Inside of ${component}`, () => {
      const isInner = (element: XmlElement): boolean => element.name !== 'Start' && element.name !== 'Level';
      const inner = elementsIn(this.element(component)).filter(isInner);
      if (inner.length > 0) this.apply(removeNodes(this.current().document, inner));
      const lines = dedented(xml);
      if (lines.length === 0) return;
      const element = this.element(component);
      const after = elementsIn(element, 'Level').at(-1) ?? null;
      this.apply(insertLines(this.current().document, {parent: element, after}, () => lines));
    });
  }

  // Places

  place(places: ReadonlyMap<string, Partial<Place>> | Readonly<Record<string, Partial<Place>>>): void {
    const map = places instanceof Map ? (places as ReadonlyMap<string, Partial<Place>>) : new Map(Object.entries(places));
    const tree = this.current();
    for (const name of map.keys()) if (!tree.find(name)) throw new EditRefused(`there is no component ${name}`);
    const edits = placeEdits(tree, map);
    if (edits.length > 0) this.project.step('Move', () => this.apply(edits));
  }

  unplace(names: readonly string[]): void {
    const {document, placeElements} = this.current();
    const elements = names.map((name) => placeElements.get(name)).filter((element) => element !== undefined);
    if (elements.length > 0) this.project.step('Place automatically', () => this.apply(removeElements(document, elements)));
  }

  move(names: readonly string[], dx: number, dy: number, drawn?: ReadonlyMap<string, Place>): void {
    this.project.step('Move', () => {
      const notes = movedNotes(this.current(), names.filter(isNote), dx, dy);
      if (notes.length > 0) this.apply(notes);
      this.arrange('Move', withoutNotes(names), drawn, (places) => moved(places, dx, dy));
    });
  }

  rotate(names: readonly string[], degrees: number, drawn?: ReadonlyMap<string, Place>): void {
    this.arrange('Rotate', names, drawn, (places, find) => rotated(places, degrees, find));
  }

  mirror(names: readonly string[], drawn?: ReadonlyMap<string, Place>): void {
    this.arrange('Mirror', names, drawn, mirrored);
  }

  align(
    names: readonly string[],
    how: Alignment,
    drawn?: ReadonlyMap<string, Place>,
    sizes?: ReadonlyMap<string, {width: number; height: number}>,
  ): void {
    this.arrange('Align', names, drawn, (places) => aligned(places, how, sizes));
  }

  private arrange(
    label: string,
    names: readonly string[],
    drawn: ReadonlyMap<string, Place> | undefined,
    work: (places: Places, find: (name: string) => ComponentView | undefined) => Places,
  ): void {
    if (names.length === 0) return;
    const tree = this.current();
    const repeated = names.find((name) => tree.find(name)?.repeated.length);
    if (repeated !== undefined) throw new EditRefused(`${repeated} is made by a <For>; edit its places as text`);
    this.project.step(label, () => this.place(work(placesOf(names, tree.places, drawn), tree.find)));
  }
}

const kNothing: SystemView = cachedSystem(parseXml(kEmptyFile).document!, '');

/** `parts/boom_stand.xml` gives `boom_stand`. */
function nameOfFile(path: string): string {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[^.]*$/, '')
    .replace(/[^A-Za-z0-9_]/g, '_');
  return /^[A-Za-z_]/.test(name) ? name : `system_${name}`;
}

/** Lines without blank ones at the ends and without what all are indented by. */
function dedented(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trimEnd());
  while (lines.length > 0 && lines[0] === '') lines.shift();
  while (lines.at(-1) === '') lines.pop();
  const indents = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)![0].length);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(Math.min(least, line.length)));
}

const labelOf = (names: readonly string[]): string =>
  names.length !== 1 ? `${names.length} components` : isNote(names[0]!) ? 'the note' : names[0]!;
