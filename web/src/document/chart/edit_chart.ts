// The operations on a chart. See chart_types.ts for the interface.
import type {ActionPlace, ChartDocument, ChartStateView, ChartView, StateKind} from '../chart_types.ts';
import {firstName, freeName} from '../names.ts';
import {EditRefused, type Project} from '../project_types.ts';
import {makeProject} from '../project.ts';
import {renameOutside, systemIn} from '../system/outside.ts';
import {compareNames, formatCoordinate, insertSorted, renamedPlace} from '../system/places.ts';
import {mapReferences, referenceEdits, removeElements} from '../system/references.ts';
import type {TextEdit} from '../text_edit.ts';
import {
  insertLines,
  kLineWidth,
  linesOf,
  removeAttribute,
  removeNodes,
  renameElement,
  setAttribute,
  writeElement,
  type NewElement,
} from '../xml/edits.ts';
import {escapeValue} from '../xml/entities.ts';
import {parseXml} from '../xml/parse.ts';
import {attributeOf, elementsIn, isElement, attributeValue} from '../xml/query.ts';
import type {XmlDocument, XmlElement, XmlFault, XmlNode} from '../xml/syntax.ts';
import {actionLine, actionLines} from './actions.ts';
import {mapStateCalls} from './expressions.ts';
import {kDavitNamespace, kDrawingNamespace, readChart, type ChartTree} from './read_chart.ts';

const charts = new WeakMap<Project, Map<string, EditableChart>>();
const trees = new WeakMap<XmlDocument, ChartTree>();

/** The document of a chart; the same object for the same project and path. */
export function openChart(project: Project, path: string): ChartDocument {
  const known = charts.get(project) ?? new Map<string, EditableChart>();
  const chart = known.get(path) ?? new EditableChart(project, path);
  charts.set(project, known.set(path, chart));
  return chart;
}

function treeOf(document: XmlDocument): ChartTree {
  const tree = trees.get(document) ?? readChart(document);
  trees.set(document, tree);
  return tree;
}

const isChart = (document: XmlDocument): boolean => /^(\w+:)?scxml$/.test(document.root.name);
const kNothing: ChartView = readChart(parseXml('<scxml/>').document!);

class EditableChart implements ChartDocument {
  constructor(
    private readonly project: Project,
    readonly path: string,
  ) {}

  get view(): ChartView {
    const document = this.project.lastGood(this.path);
    return document && isChart(document) ? treeOf(document) : kNothing;
  }

  get fault(): XmlFault | null {
    return this.project.parse(this.path).fault ?? null;
  }

  private current(): ChartTree {
    const {document, fault} = this.project.parse(this.path);
    if (fault) throw new EditRefused(`${this.path}:${fault.line}: ${fault.text}; correct the text first`);
    if (!isChart(document)) throw new EditRefused(`${this.path} is not a chart: its root element is <${document.root.name}>`);
    return treeOf(document);
  }

  private apply(edits: readonly TextEdit[]): void {
    this.project.edit(this.path, edits);
  }

  private state(key: string): {tree: ChartTree; view: ChartStateView; element: XmlElement} {
    const tree = this.current();
    const view = tree.find(key);
    if (!view) throw new EditRefused(`there is no state ${key}`);
    return {tree, view, element: tree.elements.get(key)!};
  }

  private transition(key: string): {tree: ChartTree; element: XmlElement} {
    const tree = this.current();
    const element = tree.transitionElements.get(key);
    if (!element) throw new EditRefused('this transition no longer exists');
    return {tree, element};
  }

  freeId(base: string): string {
    return freeName(base, (id) => this.current().isTaken(id));
  }

  private checkFree(id: string): void {
    if (!/^[A-Za-z_][\w.-]*$/.test(id))
      throw new EditRefused(`'${id}' is not an id; write letters, digits, '_', '-' and '.', no digit first`);
    if (this.current().isTaken(id)) throw new EditRefused(`the id ${id} is taken; choose another one`);
  }

  /** The prefix of davit's namespace, which is declared where it was not. */
  private davitPrefix(): string {
    const tree = this.current();
    if (tree.davitPrefix !== undefined) return tree.davitPrefix;
    const after = [...tree.root.attributes].reverse().find(({name}) => name.startsWith('xmlns'))?.name;
    this.apply([setAttribute(tree.document, tree.root, 'xmlns:davit', kDavitNamespace, after)]);
    return 'davit:';
  }

  // States

  addState(parent: string | null, kind: StateKind, {id, place}: {id?: string; place?: {x: number; y: number}} = {}): string {
    const chosen = id ?? this.freeId(kind === 'parallel' ? 'regions' : kind);
    this.checkFree(chosen);
    return this.project.step(`Add ${chosen}`, () => {
      if (parent !== null) this.checkHolds(parent, kind);
      else if (kind === 'history') throw new EditRefused('a history belongs into a state');
      const isDavit = kind === 'choice' || kind === 'select' || kind === 'include';
      const prefix = isDavit ? this.davitPrefix() : this.current().prefix;
      const attributes: [string, string][] = [[kind === 'include' ? 'src' : 'id', chosen]];
      if (kind === 'select') attributes.push(['expr', '0']);
      const element: NewElement = {name: prefix + kind, attributes};
      const holder = parent === null ? this.current().root : this.state(parent).element;
      this.insertState(holder, (indent, step) => writeElement(element, indent, step));
      if (place) this.place(new Map([[chosen, place]]));
      return chosen;
    });
  }

  private checkHolds(parent: string, kind: StateKind): void {
    const {view} = this.state(parent);
    if (view.kind !== 'state' && view.kind !== 'parallel') throw new EditRefused(`a ${view.kind} has no states in it`);
    if (view.kind === 'parallel' && kind === 'final')
      throw new EditRefused('a parallel state has no final one; put it into a region');
  }

  /** Behind the last state; else behind all that the holder has. */
  private insertState(holder: XmlElement, write: (indent: number, step: string) => readonly string[]): void {
    const tree = this.current();
    const inside = elementsIn(holder).filter((element) => element !== tree.layout);
    const states = new Set(tree.elements.values());
    const after = inside.filter((element) => states.has(element)).at(-1) ?? inside.at(-1) ?? null;
    this.apply(insertLines(tree.document, {parent: holder, after}, write));
  }

  removeStates(keys: readonly string[]): void {
    if (keys.length === 0) return;
    this.project.step(keys.length === 1 ? `Remove ${keys[0]}` : `Remove ${keys.length} states`, () => {
      const tree = this.current();
      const gone = new Set<string>();
      const add = (key: string): void => {
        gone.add(key);
        this.state(key).view.children.forEach(add);
      };
      keys.forEach(add);
      // A history with nowhere to go goes too.
      const ids = (): Set<string> => new Set([...gone].map((key) => tree.find(key)!.id).filter((id) => id !== ''));
      const edits: TextEdit[] = [];
      const removed: XmlElement[] = [];
      for (const {key, kind, parent} of tree.states) {
        if (kind !== 'history' || gone.has(key)) continue;
        const own = tree.transitions.filter(({from}) => from === key);
        if (!own.some(({targets}) => targets.some((id) => ids().has(id)))) continue;
        const beside = parent === null ? [] : tree.find(parent)!.children.map((child) => tree.find(child)!);
        const other = beside.find((one) => one.id !== '' && one.kind !== 'history' && !gone.has(one.key));
        if (other) edits.push(setAttribute(tree.document, tree.transitionElements.get(own[0]!.key)!, 'target', other.id));
        else gone.add(key);
      }
      const goneIds = ids();
      for (const {key, from, targets} of tree.transitions) {
        if (gone.has(from) || tree.find(from)?.kind === 'history' || !targets.some((id) => goneIds.has(id))) continue;
        const left = targets.filter((id) => !goneIds.has(id));
        const element = tree.transitionElements.get(key)!;
        if (left.length > 0) edits.push(setAttribute(tree.document, element, 'target', left.join(' ')));
        else removed.push(element);
      }
      const kept = tree.states
        .filter(({key}) => !gone.has(key))
        .map(({key, initial: own}) => [tree.elements.get(key)!, own] as const);
      for (const [holder, initial] of [[tree.root, tree.initial] as const, ...kept]) {
        if (!initial.some((id) => goneIds.has(id))) continue;
        const left = initial.filter((id) => !goneIds.has(id));
        const element = elementsIn(holder).find((child) => tree.localName(child) === 'initial');
        if (element && left.length === 0) removed.push(element);
        else if (element) edits.push(setAttribute(tree.document, elementsIn(element)[0]!, 'target', left.join(' ')));
        else
          edits.push(
            left.length > 0
              ? setAttribute(tree.document, holder, 'initial', left.join(' '))
              : removeAttribute(tree.document, holder, 'initial')!,
          );
      }
      const tops = [...gone].filter((key) => !gone.has(tree.find(key)!.parent ?? ''));
      removed.push(...tops.map((key) => tree.elements.get(key)!));
      removed.push(...[...goneIds].map((id) => tree.placeElements.get(id)).filter((element) => element !== undefined));
      this.apply([...edits, ...removeElements(tree.document, removed)]);
    });
  }

  renameState(key: string, to: string): void {
    const {view} = this.state(key);
    if (view.id === to) return;
    this.checkFree(to);
    this.project.step(`Rename ${key}`, () => {
      const {tree, element} = this.state(key);
      const edits = [setAttribute(tree.document, element, 'id', to)];
      if (view.id !== '') {
        edits.push(...this.idEdits(tree, view.id, to));
        this.renameInSystems(view.id, to);
      }
      this.apply(edits);
    });
  }

  /** Where one id stands for a state: targets, initial, In('id'), events done.state.ID, places. */
  private idEdits(tree: ChartTree, id: string, to: string): TextEdit[] {
    const edits = mapStateCalls(tree.document, (one) => (one === id ? to : one));
    const written = (element: XmlElement, name: string, from: string, into: string): void => {
      const attribute = attributeOf(element, name);
      if (!attribute) return;
      const text = tree.document.text.slice(attribute.valueStart, attribute.valueEnd);
      for (const match of text.matchAll(/\S+/g)) {
        const start = attribute.valueStart + match.index;
        if (match[0] === from) edits.push({start, end: start + from.length, text: escapeValue(into)});
      }
    };
    const visit = (element: XmlElement): void => {
      if (tree.localName(element) === 'transition') {
        written(element, 'target', id, to);
        written(element, 'event', `done.state.${id}`, `done.state.${to}`);
      } else {
        written(element, 'initial', id, to);
      }
      elementsIn(element).forEach(visit);
    };
    visit(tree.root);
    const place = tree.placeElements.get(id);
    if (place) edits.push(...renamedPlace(tree.document, place, 'state', to));
    return edits;
  }

  /** `operator.state.ID`, `.region.ID` and `.time.ID` in the systems that have this chart. */
  private renameInSystems(id: string, to: string): void {
    for (const path of this.project.paths) {
      const tree = path === this.path ? null : systemIn(this.project, path);
      for (const {name, kind, source} of tree?.components ?? []) {
        if (source !== this.path) continue;
        const chart = kind === 'chart' ? name : `${name}.chart`;
        const map = (full: string): string => {
          const match = full.startsWith(`${chart}.`) ? /^(state|region|time)\.(.*)$/.exec(full.slice(chart.length + 1)) : null;
          return match?.[2] === id ? `${chart}.${match[1]}.${to}` : full;
        };
        const now = systemIn(this.project, path)!;
        this.project.edit(path, referenceEdits(now.document, mapReferences(now, map)));
        renameOutside(this.project, path, firstName(chart), map, (other) => other !== this.path);
      }
    }
  }

  setKind(key: string, kind: 'state' | 'parallel' | 'final'): void {
    const {tree, view, element} = this.state(key);
    if (view.kind === kind) return;
    if (!['state', 'parallel', 'final'].includes(view.kind))
      throw new EditRefused(`a ${view.kind} stays one; add a ${kind} and remove it`);
    if (kind === 'final' && (view.children.length > 0 || tree.transitions.some(({from}) => from === key))) {
      throw new EditRefused('a final state has no states and no transitions; remove them first');
    }
    this.project.step(`${key}: ${kind}`, () => {
      const edits = renameElement(element, tree.prefix + kind);
      const initial = kind === 'state' ? null : removeAttribute(tree.document, element, 'initial');
      this.apply(initial ? [...edits, initial] : edits);
      const again = this.state(key).element;
      const inner = elementsIn(again).filter((child) => tree.localName(child) === 'initial');
      if (kind !== 'state' && inner.length > 0) this.apply(removeNodes(this.current().document, inner));
    });
  }

  setDeep(key: string, isDeep: boolean): void {
    const {view} = this.state(key);
    if (view.kind !== 'history') throw new EditRefused(`${key} is not a history`);
    this.setValue(this.state(key).element, 'type', isDeep ? 'deep' : null, `${key}: ${isDeep ? 'deep' : 'shallow'}`);
  }

  setInitial(parent: string | null, id: string | null): void {
    const tree = this.current();
    if (id !== null && !tree.isTaken(id)) throw new EditRefused(`there is no state ${id}`);
    if (parent !== null && this.state(parent).view.kind !== 'state')
      throw new EditRefused('all regions of a parallel state are entered');
    const holder = parent === null ? tree.root : this.state(parent).element;
    const element = elementsIn(holder).find((child) => tree.localName(child) === 'initial');
    const label = `Initial state of ${parent ?? 'the chart'}`;
    if (!element) return this.setValue(holder, 'initial', id, label, 'id');
    if (id === null) return this.project.step(label, () => this.apply(removeNodes(tree.document, [element])));
    const transition = elementsIn(element)[0];
    if (transition) this.setValue(transition, 'target', id, label);
  }

  moveInto(keys: readonly string[], parent: string | null): void {
    const tree = this.current();
    const wanted = keys.filter((key) => this.state(key).view.parent !== parent);
    const tops = wanted.filter((key) => !wanted.some((other) => other !== key && isInside(tree, key, other)));
    if (tops.length === 0) return;
    for (const key of tops) {
      if (parent !== null && (parent === key || isInside(tree, parent, key)))
        throw new EditRefused(`${key} cannot be moved into itself`);
      if (parent !== null) this.checkHolds(parent, this.state(key).view.kind);
    }
    if (parent?.startsWith('@')) throw new EditRefused('give the state an id first');
    this.project.step('Move into', () => {
      const elements = tops.map((key) => tree.elements.get(key)!);
      const lines = elements.flatMap((element) => linesOf(tree.document, element));
      const places = tops.map((key) => tree.placeElements.get(key)).filter((element) => element !== undefined);
      this.apply(removeElements(tree.document, [...elements, ...places]));
      const holder = parent === null ? this.current().root : this.state(parent).element;
      this.insertState(holder, () => lines);
    });
  }

  duplicate(keys: readonly string[], offset = {x: 24, y: 24}): string[] {
    return this.project.step('Duplicate', () => {
      const tree = this.current();
      const tops = keys.filter((key) => !keys.some((other) => other !== key && isInside(tree, key, other)));
      const made: string[] = [];
      for (const key of tops) {
        const {view, element} = this.state(key);
        const scratch = makeProject();
        const names = tree.root.attributes
          .filter(({name}) => name.startsWith('xmlns'))
          .map(({name, value}) => ` ${name}="${escapeValue(value)}"`)
          .join('');
        scratch.open('c', `<${tree.root.name}${names}>\n${linesOf(tree.document, element).join('\n')}\n</${tree.root.name}>\n`);
        const copy = openChart(scratch, 'c') as EditableChart;
        for (const {id} of copy.current().states) {
          if (id !== '')
            copy.renameState(
              id,
              freeName(id, (one) => this.current().isTaken(one) || copy.current().isTaken(one)),
            );
        }
        const copied = copy.current();
        const top = copied.states[0]!;
        const holder = view.parent === null ? this.current().root : this.state(view.parent).element;
        this.insertState(holder, () => linesOf(copied.document, copied.elements.get(top.key)!));
        const place = tree.places.get(view.id);
        if (place && top.id !== '') this.place(new Map([[top.id, {x: place.x + offset.x, y: place.y + offset.y}]]));
        made.push(top.id);
      }
      return made;
    });
  }

  // Transitions

  addTransition(from: string, to: string | null, {event, cond}: {event?: string; cond?: string} = {}): string {
    const {view} = this.state(from);
    if (view.kind === 'final' || view.kind === 'include')
      throw new EditRefused(`no transition leaves a ${view.kind === 'final' ? 'final state' : 'file'}`);
    if (view.kind === 'history' && this.current().transitions.some((one) => one.from === from))
      throw new EditRefused('a history has one transition; move its end');
    const target = to === null ? null : this.state(to).view;
    if (target?.id === '') throw new EditRefused('give the state an id first');
    return this.project.step(`Transition of ${from}`, () => {
      const attributes: [string, string][] = [];
      if (event) attributes.push(['event', event]);
      if (cond) attributes.push(['cond', cond]);
      if (target) attributes.push(['target', target.id]);
      return this.insertTransition(from, (indent, step) =>
        writeElement({name: `${this.current().prefix}transition`, attributes}, indent, step),
      );
    });
  }

  private insertTransition(from: string, write: (indent: number, step: string) => readonly string[]): string {
    const {tree, element} = this.state(from);
    const inside = elementsIn(element);
    const own = inside.filter((child) => tree.localName(child) === 'transition');
    const before = inside.filter((child) =>
      /^(datamodel|onentry|onexit|initial|davit:during|invoke)$/.test(tree.localName(child)),
    );
    this.apply(insertLines(tree.document, {parent: element, after: own.at(-1) ?? before.at(-1) ?? null}, write));
    return `${from}#${own.length}`;
  }

  removeTransitions(keys: readonly string[]): void {
    const elements = keys.map((key) => this.transition(key).element);
    const {document} = this.current();
    if (elements.length > 0) this.project.step('Remove transition', () => this.apply(removeElements(document, elements)));
  }

  private setValue(element: XmlElement, name: string, value: string | null, label: string, after?: string | null): void {
    const {document} = this.current();
    if (value === null) {
      const edit = removeAttribute(document, element, name);
      if (edit) this.project.step(label, () => this.apply([edit]));
    } else if (attributeValue(element, name) !== value) {
      this.project.step(label, () => this.apply([setAttribute(document, element, name, value, after)]));
    }
  }

  setTransition(key: string, attribute: 'event' | 'cond' | 'after' | 'holds' | 'is' | 'type', value: string | null): void {
    this.transition(key);
    this.project.step(`Transition: ${attribute}`, () => {
      const isOwn = attribute === 'after' || attribute === 'holds' || attribute === 'is';
      const prefix = isOwn && value !== null ? this.davitPrefix() : isOwn ? (this.current().davitPrefix ?? '') : '';
      const {element} = this.transition(key);
      // Behind what comes before it when it is read aloud: event, condition, time, target.
      const before = attribute === 'event' ? [] : attribute === 'cond' ? ['event'] : ['cond', 'event'];
      const after = before.find((name) => attributeOf(element, name)) ?? null;
      this.setValue(element, prefix + attribute, value === '' ? null : value, '', after);
    });
  }

  setTargets(key: string, targets: readonly string[]): void {
    const {tree, element} = this.transition(key);
    for (const id of targets) if (!tree.isTaken(id)) throw new EditRefused(`there is no state ${id}`);
    this.setValue(element, 'target', targets.length > 0 ? targets.join(' ') : null, 'Target of a transition');
  }

  setSource(key: string, from: string): string {
    const {tree, element} = this.transition(key);
    const {view} = this.state(from);
    if (view.kind === 'final' || view.kind === 'include' || view.kind === 'history')
      throw new EditRefused(`no transition can be moved to a ${view.kind}`);
    if (key.slice(0, key.lastIndexOf('#')) === from) return key;
    return this.project.step('Move transition', () => {
      const lines = linesOf(tree.document, element);
      this.apply(removeElements(tree.document, [element]));
      return this.insertTransition(from, () => lines);
    });
  }

  orderTransition(key: string, direction: 'up' | 'down'): string {
    const {tree, element} = this.transition(key);
    const [from, number] = [key.slice(0, key.lastIndexOf('#')), Number(key.slice(key.lastIndexOf('#') + 1))];
    const otherKey = `${from}#${number + (direction === 'up' ? -1 : 1)}`;
    const other = tree.transitionElements.get(otherKey);
    if (!other) return key;
    const {text} = tree.document;
    const swap = (a: XmlNode, b: XmlNode): TextEdit => ({start: a.start, end: a.end, text: text.slice(b.start, b.end)});
    this.project.step('Order of transitions', () => this.apply([swap(element, other), swap(other, element)]));
    return otherKey;
  }

  // Content

  setActions(key: string, where: ActionPlace | 'transition', lines: readonly string[]): void {
    const wanted = lines.map((line) => line.trim()).filter((line) => line !== '');
    const find = (): {tree: ChartTree; owner: XmlElement} => {
      if (where !== 'transition') return {tree: this.current(), owner: this.state(key).element};
      const {tree, element} = this.transition(key);
      return {tree, owner: element};
    };
    this.project.step(where === 'transition' ? 'Actions of a transition' : `${where} of ${key}`, () => {
      const prefix = where === 'during' ? this.davitPrefix() : this.current().prefix;
      const {tree, owner} = find();
      const {document} = tree;
      const tag = (name: string): string => tree.prefix + name;
      const local = where === 'during' ? 'davit:during' : where;
      const holders = where === 'transition' ? [owner] : elementsIn(owner).filter((child) => tree.localName(child) === local);
      const known = holders.flatMap((holder) => elementsIn(holder));
      const now = known.map((element) => actionLine(document, element));
      let head = 0;
      while (head < now.length && head < wanted.length && now[head] === wanted[head]) ++head;
      let tail = 0;
      while (
        tail < now.length - head &&
        tail < wanted.length - head &&
        now[now.length - 1 - tail] === wanted[wanted.length - 1 - tail]
      )
        ++tail;
      const old = known.slice(head, known.length - tail);
      const fresh = wanted.slice(head, wanted.length - tail);
      if (old.length === 0 && fresh.length === 0) return;
      if (holders.length === 0) return this.insertContent(owner, prefix + where, fresh, tag);
      if (wanted.length === 0 && where !== 'transition') return this.apply(removeElements(document, holders));
      const both = Math.min(old.length, fresh.length);
      const edits: TextEdit[] = [];
      for (let i = 0; i < both; ++i)
        edits.push({start: old[i]!.start, end: old[i]!.end, text: actionLines(fresh[i]!, 0, '', tag).join(' ')});
      if (old.length > both) edits.push(...removeElements(document, old.slice(both)));
      if (fresh.length > both) {
        const after = old[both - 1] ?? known[head - 1] ?? null;
        const holder = after?.parent ?? holders[0]!;
        edits.push(
          ...insertLines(document, {parent: holder, after}, (indent, step) =>
            fresh.slice(both).flatMap((line) => actionLines(line, indent, step, tag)),
          ),
        );
      }
      this.apply(edits);
    });
  }

  /** A new <onentry> and the like: in one line where it has one action. */
  private insertContent(owner: XmlElement, name: string, lines: readonly string[], tag: (name: string) => string): void {
    const tree = this.current();
    const inside = elementsIn(owner);
    const local = name.slice(name.indexOf(':') + 1);
    const earlier = ['datamodel', 'initial', 'onentry', 'onexit', 'during'];
    const before = inside.filter((child) => {
      const rank = earlier.indexOf(tree.localName(child).replace('davit:', ''));
      return rank >= 0 && rank <= earlier.indexOf(local);
    });
    this.apply(
      insertLines(tree.document, {parent: owner, after: before.at(-1) ?? null}, (indent, step) => {
        const actions = lines.flatMap((line) => actionLines(line, indent + step.length, step, tag));
        const one = `<${name}>${actions.join('')}</${name}>`;
        if (actions.length === 1 && indent + one.length <= kLineWidth) return [one];
        return [`<${name}>`, ...actions.map((line) => step + line), `</${name}>`];
      }),
    );
  }

  setExpr(key: string, expr: string): void {
    const {view, element} = this.state(key);
    if (view.kind !== 'select' && view.kind !== 'include') throw new EditRefused(`${key} has no expression`);
    this.setValue(element, view.kind === 'select' ? 'expr' : 'src', expr, `Expression of ${key}`);
  }

  // Data and the chart itself

  setData(id: string, value: {expr?: string; values?: string; type?: string} | null): void {
    this.project.step(`Data ${id}`, () => {
      const known = this.current().dataElements.get(id);
      if (value === null) {
        if (!known) return;
        const datamodel = known.parent!;
        const isLast = elementsIn(datamodel).length === 1;
        return this.apply(removeElements(this.current().document, [isLast ? datamodel : known]));
      }
      if (!known) this.addData(id);
      for (const [name, one] of Object.entries(value)) {
        const prefix =
          name !== 'expr' && one !== '' ? this.davitPrefix() : name !== 'expr' ? (this.current().davitPrefix ?? '') : '';
        this.setValue(this.current().dataElements.get(id)!, prefix + name, one === '' ? null : one, '');
      }
    });
  }

  private addData(id: string): void {
    if (!/^[A-Za-z_]\w*$/.test(id)) throw new EditRefused(`'${id}' is not a name; use letters, digits and _, no digit first`);
    const {document, root, prefix, localName} = this.current();
    const datamodel = elementsIn(root).find((element) => localName(element) === 'datamodel');
    const element: NewElement = {name: `${prefix}data`, attributes: [['id', id]]};
    if (datamodel) {
      this.apply(
        insertLines(document, {parent: datamodel, after: elementsIn(datamodel).at(-1) ?? null}, (indent, step) =>
          writeElement(element, indent, step),
        ),
      );
    } else {
      const made: NewElement = {name: `${prefix}datamodel`, attributes: [], children: [element]};
      this.apply(insertLines(document, {parent: root, after: null}, (indent, step) => writeElement(made, indent, step)));
    }
  }

  setChartAttribute(attribute: 'name' | 'datamodel', value: string | null): void {
    this.setValue(this.current().root, attribute, value, `Chart: ${attribute}`);
  }

  // Places

  place(places: ReadonlyMap<string, {x: number; y: number}>): void {
    const tree = this.current();
    const {document, layout} = tree;
    const edits: TextEdit[] = [];
    const added: {name: string; element: NewElement}[] = [];
    for (const [id, {x, y}] of places) {
      if (!tree.isTaken(id)) throw new EditRefused(`there is no state ${id}`);
      const known = tree.placeElements.get(id);
      if (!known) {
        added.push({
          name: id,
          element: {
            name: 'Place',
            attributes: [
              ['state', id],
              ['x', formatCoordinate(x)],
              ['y', formatCoordinate(y)],
            ],
          },
        });
        continue;
      }
      for (const [name, value] of [
        ['x', x],
        ['y', y],
      ] as const) {
        if (formatCoordinate(Number(attributeValue(known, name))) !== formatCoordinate(value))
          edits.push(setAttribute(document, known, name, formatCoordinate(value)));
      }
    }
    added.sort((a, b) => compareNames(a.name, b.name));
    if (added.length > 0 && layout) {
      edits.push(...insertSorted(document, layout, 'state', added));
    } else if (added.length > 0) {
      const after = tree.root.children.filter(isElement).at(-1) ?? null;
      edits.push(
        ...insertLines(document, {parent: tree.root, after, isGroup: after !== null}, (indent, step) =>
          writeElement(
            {name: 'Layout', attributes: [['xmlns', kDrawingNamespace]], children: added.map(({element}) => element)},
            indent,
            step,
          ),
        ),
      );
    }
    if (edits.length > 0) this.project.step('Move', () => this.apply(edits));
  }

  unplace(ids: readonly string[]): void {
    const {document, placeElements} = this.current();
    const elements = ids.map((id) => placeElements.get(id)).filter((element) => element !== undefined);
    if (elements.length > 0) this.project.step('Place automatically', () => this.apply(removeElements(document, elements)));
  }
}

/** Whether a state lies in another one, at any depth. */
function isInside(tree: ChartView, key: string, outer: string): boolean {
  for (let parent = tree.find(key)?.parent ?? null; parent !== null; parent = tree.find(parent)?.parent ?? null)
    if (parent === outer) return true;
  return false;
}
