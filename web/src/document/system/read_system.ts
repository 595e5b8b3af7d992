// Reads a system view from the syntax tree. What it does not know it leaves out; the text keeps it.
import {noteView} from './notes.ts';
import {covers} from '../names.ts';
import {resolvePath} from '../paths.ts';
import type {
  AtView,
  AttributeView,
  ComponentKind,
  ComponentView,
  ConnectView,
  ExposeView,
  InnerView,
  NoteView,
  Place,
  RecordView,
  ReferenceView,
  RouteView,
  SystemParameterView,
  SystemView,
} from '../system_types.ts';
import {elementAt, elementsIn, isElement, attributeValue} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';

/** Elements of a system that are no components. */
const kParts = new Set([
  'SimulatorManager',
  'Parameter',
  'Plugin',
  'Connect',
  'Route',
  'Expose',
  'At',
  'Record',
  'Layout',
  'Panel',
  'For',
  'Start',
  'Place',
  'Note',
]);
export type ReferenceKind = 'Connect' | 'Route' | 'Expose' | 'At' | 'Record';
const kReferences: ReadonlySet<string> = new Set<ReferenceKind>(['Connect', 'Route', 'Expose', 'At', 'Record']);

/** The view with the elements behind it, for operations. */
export interface SystemTree extends SystemView {
  document: XmlDocument;
  root: XmlElement;
  /** By name; the first of a name. */
  elements: ReadonlyMap<string, XmlElement>;
  /** By key. */
  references: ReadonlyMap<string, XmlElement>;
  layout: XmlElement | null;
  placeElements: ReadonlyMap<string, XmlElement>;
  managerElement: XmlElement | null;
  isTaken(name: string): boolean;
}

export const isComponent = (element: XmlElement): boolean => !kParts.has(element.name);
export const isReference = (element: XmlElement): boolean => kReferences.has(element.name);

export const splitSignals = (signals: string): string[] => signals.split(/[\s,]+/).filter((signal) => signal !== '');

export function readSystem(document: XmlDocument, path: string): SystemTree {
  return new SystemReader(document, path).read();
}

class SystemReader {
  private readonly components: ComponentView[] = [];
  private readonly connects: ConnectView[] = [];
  private readonly routes: RouteView[] = [];
  private readonly ats: AtView[] = [];
  private readonly records: RecordView[] = [];
  private readonly exposes: ExposeView[] = [];
  private readonly parameters: SystemParameterView[] = [];
  private readonly plugins: string[] = [];
  private readonly places = new Map<string, Place>();
  private readonly elements = new Map<string, XmlElement>();
  private readonly references = new Map<string, XmlElement>();
  private readonly notes = new Map<string, NoteView>();
  private readonly placeElements = new Map<string, XmlElement>();
  private readonly byName = new Map<string, ComponentView>();
  private readonly keys = new Map<XmlElement, string>();
  private readonly names = new Map<XmlElement, string>();
  private manager: SystemView['manager'] = null;
  private managerElement: XmlElement | null = null;
  private layout: XmlElement | null = null;

  constructor(
    private readonly document: XmlDocument,
    private readonly path: string,
  ) {}

  read(): SystemTree {
    const {document, components, byName, elements, references, keys, names} = this;
    const {root} = document;
    this.readInside(root, []);
    const patterns = components.filter(({name}) => name.includes('{')).map(({name}) => name);
    return {
      document,
      root,
      elements,
      references,
      name: attributeValue(root, 'name') ?? '',
      components,
      connects: this.connects,
      routes: this.routes,
      ats: this.ats,
      records: this.records,
      exposes: this.exposes,
      parameters: this.parameters,
      manager: this.manager,
      plugins: this.plugins,
      places: this.places,
      notes: this.notes,
      layout: this.layout,
      placeElements: this.placeElements,
      managerElement: this.managerElement,
      find: (name) => byName.get(name),
      elementOf: (name) => elements.get(name) ?? references.get(name),
      isTaken: (name) => name === 'SimulatorManager' || byName.has(name) || patterns.some((pattern) => covers(pattern, name)),
      at: (offset) => {
        for (let element = elementAt(root, offset); element; element = element.parent) {
          const component = names.get(element);
          if (component !== undefined) return {component};
          const key = keys.get(element);
          if (key !== undefined) return {key};
        }
        return null;
      },
    };
  }

  private attribute = ({name, value, start, valueStart, valueEnd}: XmlElement['attributes'][number]): AttributeView => ({
    name,
    value,
    line: this.document.lineAt(start),
    start: valueStart,
    end: valueEnd,
  });

  private readInside(parent: XmlElement, repeated: readonly string[]): void {
    for (const element of parent.children) {
      if (isElement(element)) this.readElement(element, repeated);
    }
  }

  private readElement(element: XmlElement, repeated: readonly string[]): void {
    switch (element.name) {
      case 'For':
        return this.readInside(element, [...repeated, attributeValue(element, 'name') ?? '']);
      case 'SimulatorManager':
        return this.readManager(element);
      case 'Plugin':
        return void this.plugins.push(attributeValue(element, 'src') ?? '');
      case 'Layout': {
        this.layout = element;
        return this.readPlaces(element, repeated);
      }
      case 'Parameter': {
        const [name = '', value = '', text = ''] = ['name', 'value', 'text'].map((one) => attributeValue(element, one));
        this.parameters.push({name, value, text, line: this.document.lineAt(element.start)});
        return;
      }
      case 'Start':
      case 'Place':
      case 'Note':
        return;
      default:
    }
    if (isReference(element)) this.readReference(element, repeated);
    else this.readComponent(element, repeated);
  }

  private readComponent(element: XmlElement, repeated: readonly string[]): void {
    const name = attributeValue(element, 'name') ?? '';
    const kind: ComponentKind = element.name === 'Subsystem' ? 'subsystem' : element.name === 'Statechart' ? 'chart' : 'model';
    const source = attributeValue(element, kind === 'model' ? 'chart' : 'src');
    const resolved = source === undefined ? undefined : resolvePath(this.path, source);
    const component: ComponentView = {
      name,
      model: element.name,
      kind,
      repeated,
      line: this.document.lineAt(element.start),
      attributes: element.attributes.filter((attribute) => attribute.name !== 'name').map(this.attribute),
      starts: elementsIn(element, 'Start').flatMap((start) => start.attributes.map(this.attribute)),
      levels: elementsIn(element, 'Level').map((level) => ({
        name: attributeValue(level, 'name') ?? '',
        base: attributeValue(level, 'base') ?? '',
        line: this.document.lineAt(level.start),
        attributes: level.attributes
          .filter((attribute) => attribute.name !== 'name' && attribute.name !== 'base')
          .map(this.attribute),
      })),
      inside: elementsIn(element)
        .filter((inner) => inner.name !== 'Start' && inner.name !== 'Level')
        .map((inner) => this.inner(inner)),
      ...(resolved === undefined ? {} : {source: resolved}),
    };
    this.components.push(component);
    this.names.set(element, name);
    if (this.byName.has(name)) return;
    this.byName.set(name, component);
    this.elements.set(name, element);
  }

  private inner(element: XmlElement): InnerView {
    return {
      element: element.name,
      line: this.document.lineAt(element.start),
      attributes: element.attributes.map(this.attribute),
      children: elementsIn(element).map((inner) => this.inner(inner)),
    };
  }

  private readManager(element: XmlElement): void {
    if (this.managerElement) return;
    this.managerElement = element;
    this.manager = {
      line: this.document.lineAt(element.start),
      attributes: element.attributes.map(this.attribute),
      integrations: elementsIn(element).map((inner) => this.inner(inner)),
    };
  }

  private readReference(element: XmlElement, repeated: readonly string[]): void {
    const value = (name: string): string => attributeValue(element, name) ?? '';
    const optional = <K extends string>(...names: K[]): Partial<Record<K, string>> => {
      const found: Partial<Record<K, string>> = {};
      for (const name of names) {
        const given = attributeValue(element, name);
        if (given !== undefined) found[name] = given;
      }
      return found;
    };
    const list = {Connect: this.connects, Route: this.routes, Expose: this.exposes, At: this.ats, Record: this.records}[
      element.name as ReferenceKind
    ];
    const base: ReferenceView = {
      key: `${element.name}:${list.length}`,
      line: this.document.lineAt(element.start),
      attributes: element.attributes.map(this.attribute),
      repeated,
    };
    this.references.set(base.key, element);
    this.keys.set(element, base.key);
    switch (element.name as ReferenceKind) {
      case 'Connect':
        return void this.connects.push({...base, from: value('from'), to: value('to')});
      case 'Route':
        return void this.routes.push({...base, from: value('from'), to: value('to'), ...optional('hold')});
      case 'Expose':
        return void this.exposes.push({...base, port: value('port'), as: value('as')});
      case 'At':
        return void this.ats.push({...base, time: value('time'), ...optional('set', 'value', 'message', 'event', 'to')});
      case 'Record':
        return void this.records.push({...base, signals: splitSignals(value('signals')), ...optional('interval', 'times')});
    }
  }

  private readNote(element: XmlElement, repeated: readonly string[]): void {
    const key = `Note:${this.notes.size}`;
    const line = this.document.lineAt(element.start);
    const attributes = element.attributes.map(this.attribute);
    this.notes.set(key, noteView(element, key, {line, attributes, repeated}, this.path));
    this.references.set(key, element);
    this.keys.set(element, key);
  }

  private readPlaces(layout: XmlElement, repeated: readonly string[]): void {
    for (const element of elementsIn(layout)) {
      if (element.name === 'For') this.readPlaces(element, [...repeated, attributeValue(element, 'name') ?? '']);
      if (element.name === 'Note') this.readNote(element, repeated);
      if (element.name !== 'Place') continue;
      const name = attributeValue(element, 'name') ?? '';
      const place = {
        x: Number(attributeValue(element, 'x')),
        y: Number(attributeValue(element, 'y')),
        rotation: Number(attributeValue(element, 'rotation') ?? 0),
        mirror: attributeValue(element, 'mirror') === 'true',
      };
      if (this.placeElements.has(name)) continue;
      this.placeElements.set(name, element);
      if (Number.isFinite(place.x) && Number.isFinite(place.y)) this.places.set(name, place);
    }
  }
}
