// Reads a chart view from the syntax tree.
import type {ChartDataView, ChartStateView, ChartTransitionView, ChartView, StateKind} from '../chart_types.ts';
import {elementAt, elementsIn, attributeValue} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';
import {linesIn} from './actions.ts';

export const kScxmlNamespace = 'http://www.w3.org/2005/07/scxml';
export const kDavitNamespace = 'urn:davit:chart:1';
export const kDrawingNamespace = 'urn:davit:drawing:1';

/** The view with the elements behind it. */
export interface ChartTree extends ChartView {
  document: XmlDocument;
  root: XmlElement;
  elements: ReadonlyMap<string, XmlElement>;
  transitionElements: ReadonlyMap<string, XmlElement>;
  dataElements: ReadonlyMap<string, XmlElement>;
  layout: XmlElement | null;
  placeElements: ReadonlyMap<string, XmlElement>;
  /** Prefixes with their colon: of SCXML (mostly none), and of davit's own elements; undefined where it is not declared. */
  prefix: string;
  davitPrefix: string | undefined;
  localName(element: XmlElement): string;
  isTaken(id: string): boolean;
}

const kStates: Readonly<Record<string, StateKind>> = {state: 'state', parallel: 'parallel', final: 'final', history: 'history'};
const kDavitStates: Readonly<Record<string, StateKind>> = {choice: 'choice', select: 'select', include: 'include'};
/** davit itself sends these; others are for users. */
const kOwnEvent = /\*|^(level|aspect|mode|alarm|budget|done|error)(\.|$)/;

export const splitIds = (text: string | undefined): string[] => (text ?? '').split(/\s+/).filter((id) => id !== '');

export const readChart = (document: XmlDocument): ChartTree => new ChartReader(document).read();

class ChartReader {
  private readonly states: ChartStateView[] = [];
  private readonly transitions: ChartTransitionView[] = [];
  private readonly data: ChartDataView[] = [];
  private readonly elements = new Map<string, XmlElement>();
  private readonly transitionElements = new Map<string, XmlElement>();
  private readonly dataElements = new Map<string, XmlElement>();
  private readonly placeElements = new Map<string, XmlElement>();
  private readonly places = new Map<string, {x: number; y: number}>();
  private readonly byKey = new Map<string, ChartStateView>();
  private readonly names = new Map<XmlElement, {state?: string; transition?: string}>();
  private readonly events = new Set<string>();
  private readonly ids = new Set<string>();
  private layout: XmlElement | null = null;
  private count = 0;
  private readonly counts = new Map<string, number>();
  private prefix = '';
  private davitPrefix: string | undefined;

  constructor(private readonly document: XmlDocument) {}

  read(): ChartTree {
    const {document, names, byKey} = this;
    const {root} = document;
    for (const {name, value} of root.attributes) {
      if (!name.startsWith('xmlns:')) continue;
      const prefix = `${name.slice(6)}:`;
      if (value === kDavitNamespace) this.davitPrefix ??= prefix;
      if (value === kScxmlNamespace && root.name.startsWith(prefix)) this.prefix = prefix;
    }
    this.readInside(root, null);
    return {
      document,
      root,
      elements: this.elements,
      transitionElements: this.transitionElements,
      dataElements: this.dataElements,
      layout: this.layout,
      placeElements: this.placeElements,
      prefix: this.prefix,
      davitPrefix: this.davitPrefix,
      localName: (element) => this.localName(element),
      isTaken: (id) => this.ids.has(id),
      name: attributeValue(root, 'name') ?? '',
      datamodel: attributeValue(root, 'datamodel') ?? 'davit',
      initial: splitIds(attributeValue(root, 'initial')),
      states: this.states,
      transitions: this.transitions,
      data: this.data,
      places: this.places,
      events: [...this.events],
      find: (key) => byKey.get(key),
      elementOf: (key) => this.elements.get(key) ?? this.transitionElements.get(key),
      at: (offset) => {
        for (let element = elementAt(root, offset); element; element = element.parent) {
          const found = names.get(element);
          if (found) return found;
        }
        return null;
      },
    };
  }

  /** The name without the prefix of SCXML; `davit:NAME` in davit's namespace; '' in any other. */
  private localName(element: XmlElement): string {
    const {name} = element;
    if (this.davitPrefix !== undefined && name.startsWith(this.davitPrefix))
      return `davit:${name.slice(this.davitPrefix.length)}`;
    if (this.prefix !== '') return name.startsWith(this.prefix) ? name.slice(this.prefix.length) : '';
    const own = element.parent ? attributeValue(element, 'xmlns') : undefined;
    return name.includes(':') || (own !== undefined && own !== '' && own !== kScxmlNamespace) ? '' : name;
  }

  private davitValue(element: XmlElement, name: string): string {
    return this.davitPrefix === undefined ? '' : (attributeValue(element, this.davitPrefix + name) ?? '');
  }

  private readInside(element: XmlElement, parent: string | null): string[] {
    const children: string[] = [];
    for (const child of elementsIn(element)) {
      const name = this.localName(child);
      const kind = kStates[name] ?? (name.startsWith('davit:') ? kDavitStates[name.slice(6)] : undefined);
      if (kind) children.push(this.readState(child, kind, parent));
      else if (name === 'transition' && parent !== null) this.readTransition(child, parent);
      else if (name === 'datamodel') this.readData(child);
      else if (name === '' && child.name.endsWith('Layout')) this.readLayout(child);
    }
    return children;
  }

  private readState(element: XmlElement, kind: StateKind, parent: string | null): string {
    const number = ++this.count;
    const id = attributeValue(element, 'id') ?? '';
    const key = id === '' || this.byKey.has(id) ? `@${number}` : id;
    if (id !== '') this.ids.add(id);
    const content = (name: string): string[] =>
      elementsIn(element)
        .filter((child) => this.localName(child) === name)
        .flatMap((child) => linesIn(this.document, child));
    for (const child of elementsIn(element))
      if (/^(onentry|onexit|davit:during)$/.test(this.localName(child))) this.noteSent(child);
    const initialElement = elementsIn(element).find((child) => this.localName(child) === 'initial');
    const initialTransition = initialElement && elementsIn(initialElement)[0];
    const state = {
      key,
      id,
      kind,
      parent,
      line: this.document.lineAt(element.start),
      children: [] as string[],
      initial: splitIds(initialTransition ? attributeValue(initialTransition, 'target') : attributeValue(element, 'initial')),
      isDeep: attributeValue(element, 'type') === 'deep',
      onentry: content('onentry'),
      onexit: content('onexit'),
      during: content('davit:during'),
      expr: attributeValue(element, 'expr') ?? '',
      src: attributeValue(element, 'src') ?? '',
    };
    this.states.push(state);
    this.byKey.set(key, state);
    this.elements.set(key, element);
    this.names.set(element, {state: key});
    state.children = this.readInside(element, key);
    return key;
  }

  private readTransition(element: XmlElement, from: string): void {
    const count = this.counts.get(from) ?? 0;
    this.counts.set(from, count + 1);
    const key = `${from}#${count}`;
    const event = attributeValue(element, 'event') ?? '';
    for (const name of splitIds(event)) if (!kOwnEvent.test(name)) this.events.add(name);
    this.noteSent(element);
    this.transitions.push({
      key,
      from,
      event,
      targets: splitIds(attributeValue(element, 'target')),
      cond: attributeValue(element, 'cond') ?? '',
      after: this.davitValue(element, 'after'),
      holds: this.davitValue(element, 'holds'),
      is: this.davitValue(element, 'is'),
      isInternal: attributeValue(element, 'type') === 'internal',
      actions: linesIn(this.document, element),
      line: this.document.lineAt(element.start),
    });
    this.transitionElements.set(key, element);
    this.names.set(element, {transition: key});
  }

  /** Events that a chart raises or sends to itself can be sent by hand too. */
  private noteSent(element: XmlElement): void {
    for (const child of elementsIn(element)) {
      const name = this.localName(child);
      const event = attributeValue(child, 'event');
      if (
        (name === 'raise' || (name === 'send' && attributeValue(child, 'target') === undefined)) &&
        event !== undefined &&
        !kOwnEvent.test(event)
      )
        this.events.add(event);
      this.noteSent(child);
    }
  }

  private readData(datamodel: XmlElement): void {
    for (const element of elementsIn(datamodel)) {
      if (this.localName(element) !== 'data') continue;
      const id = attributeValue(element, 'id') ?? '';
      this.data.push({
        id,
        expr: attributeValue(element, 'expr') ?? '',
        values: this.davitValue(element, 'values'),
        type: this.davitValue(element, 'type'),
        line: this.document.lineAt(element.start),
      });
      if (!this.dataElements.has(id)) this.dataElements.set(id, element);
    }
  }

  private readLayout(layout: XmlElement): void {
    if (attributeValue(layout, 'xmlns') !== kDrawingNamespace || this.layout) return;
    this.layout = layout;
    for (const element of elementsIn(layout, 'Place')) {
      const id = attributeValue(element, 'state') ?? '';
      const [x, y] = [Number(attributeValue(element, 'x')), Number(attributeValue(element, 'y'))];
      if (this.placeElements.has(id)) continue;
      this.placeElements.set(id, element);
      if (Number.isFinite(x) && Number.isFinite(y)) this.places.set(id, {x, y});
    }
  }
}
