// What the sheet shows: the components and lines of the document, with places, symbols and ways of the program where it has
// answered, and with what is known of the models until then.
import {computed, signal} from '@preact/signals';
import {openSystem, type ComponentView, type Place, type Project, type SystemView} from '../../document/index.ts';
import type {Anchor, Layout, LayoutFrame, LayoutLine, LayoutNode, Model, SideName, SymbolShape} from '../api/types.ts';
import {answered, layout} from '../state/assistant.ts';
import {modelOf} from '../state/models.ts';
import {current, project, revision, view} from '../state/workspace.ts';
import {dotsOf} from './dots.ts';
import {resolveEnd, type FindModel, type Resolved} from './ends.ts';
import {anchorAt, boxOf, onGrid, turnedSide, union, type Point, type Rect} from './geometry.ts';
import {noteOf, type SceneNote} from './notes.ts';
import {orthogonal, simplified} from './orthogonal.ts';

export interface SceneNode {
  /** From the sheet: `pump`, inside of sub-systems `boom.cylinder`. */
  path: string;
  /** The component of this sheet that it belongs to: `boom`. */
  owner: string;
  model: string;
  place: Place;
  symbol: SymbolShape;
  label: {x: number; y: number; begins: boolean};
  title: string;
  /** No model of this name is known. */
  isUnknown: boolean;
  /** A component of the document; not inside of a sub-system, nor made by a <For>. */
  isOwn: boolean;
  /** Made by a <For>: the name in the file, `mass{i}`. */
  pattern?: string;
  level: string;
}

export interface SceneFrame {
  path: string;
  owner: string;
  /** What a <Place> of it says. */
  place: Place;
  box: Rect;
  isOwn: boolean;
}

export interface SceneLine {
  id: string;
  /** As written; empty inside of sub-systems. */
  from: string;
  to: string;
  isOwn: boolean;
  kind: 'connection' | 'route';
  domain: string;
  mark: '' | 'from' | 'to';
  /** What is drawn in place of the end that has a mark. */
  marked: {model: string; name: string} | null;
  /** -1: not as the program has drawn it. */
  net: number;
  points: readonly Point[];
  /** The components of the sheet at its ends. */
  owners: [string, string];
  ends: [LineEnd | null, LineEnd | null];
}

export interface LineEnd {
  at: Point;
  side: SideName;
}

export interface Scene {
  nodes: readonly SceneNode[];
  byPath: ReadonlyMap<string, SceneNode>;
  frames: readonly SceneFrame[];
  notes: readonly SceneNote[];
  lines: readonly SceneLine[];
  dots: readonly Point[];
  /** Places as drawn, of all components of the sheet. */
  places: ReadonlyMap<string, Place>;
  boxes: ReadonlyMap<string, Rect>;
  whole: Rect;
}

const kUnknown = {width: 96, height: 48};
const kChart = {width: 96, height: 48};
const kNoPlace: Place = {x: 0, y: 0, rotation: 0, mirror: false};

const box = ({width, height}: {width: number; height: number}, look: string): SymbolShape => ({
  width,
  height,
  shapes: `<rect class="${look}" x="${-width / 2}" y="${-height / 2}" width="${width}" height="${height}" rx="3"/>`,
  texts: [],
  anchors: [],
});
const kUnknownSymbol = box(kUnknown, 'unknown');
const kChartSymbol = box(kChart, 'b');

/** Where those stand that neither the file nor the program has placed yet: in rows. */
const rowPlace = (index: number): Place => ({...kNoPlace, x: 160 * (index % 8), y: 128 * Math.floor(index / 8)});

const snapped = (place: Place): Place => ({...place, x: onGrid(place.x), y: onGrid(place.y)});

/** The anchors of the symbol as drawn, and those of the model that it has not because nothing is connected there yet. */
function withAllAnchors(symbol: SymbolShape, model: Model | undefined): SymbolShape {
  if (!model || symbol === model.symbol) return symbol;
  const names = new Set(symbol.anchors.map(({name}) => name.replace(/\[\d+\]$/, '')));
  const isTaken = ({x, y}: Anchor) => symbol.anchors.some((other) => other.x === x && other.y === y);
  const missing = model.symbol.anchors.filter((anchor) => !names.has(anchor.name) && !isTaken(anchor));
  return missing.length ? {...symbol, anchors: [...symbol.anchors, ...missing]} : symbol;
}

function nodeOf(component: ComponentView, place: Place, drawn: LayoutNode | undefined, model: Model | undefined): SceneNode {
  const isChart = component.kind === 'chart';
  const isStill =
    drawn && drawn.model === component.model && drawn.rotation === place.rotation && drawn.mirror === place.mirror;
  const symbol =
    drawn && drawn.model === component.model ? drawn.symbol : (model?.symbol ?? (isChart ? kChartSymbol : kUnknownSymbol));
  const size = boxOf(symbol, {...place, x: 0, y: 0});
  return {
    path: component.name,
    owner: component.name,
    model: component.model,
    place,
    symbol: withAllAnchors(symbol, model),
    label: isStill && drawn.label ? drawn.label : {x: 0, y: size.bottom + 13, begins: false},
    title: `${component.name} (${component.model})${model ? `: ${model.text}` : ''}`,
    isUnknown: !model && !isChart && !drawn,
    isOwn: component.repeated.length === 0,
    level: component.attributes.find(({name}) => name === 'level')?.value ?? drawn?.level ?? model?.level ?? '',
  };
}

/** An anchor of this name, nearest to where the line came in, turned as it is placed. */
function lineEnd(node: SceneNode | undefined, name: string, isOutput: boolean, near: Point | undefined): LineEnd | null {
  if (!node) return null;
  const named = node.symbol.anchors.filter((anchor) => anchor.name === name || anchor.name.replace(/\[\d+\]$/, '') === name);
  const distance = (anchor: Anchor) => {
    const at = anchorAt(anchor, node.place);
    return near ? Math.hypot(at.x - near.x, at.y - near.y) : 0;
  };
  const anchor = named.sort((a, b) => distance(a) - distance(b))[0];
  if (anchor) return {at: anchorAt(anchor, node.place), side: turnedSide(anchor.side, node.place)};
  // A signal without a place of its own on the symbol.
  const {left, top, right} = boxOf(node.symbol, node.place);
  return isOutput
    ? {at: {x: right, y: onGrid(node.place.y)}, side: 'right'}
    : {at: {x: onGrid((left + right) / 2), y: top}, side: 'top'};
}

const plain = (path: string): string => path.replace(/\[\d+\]$/, '');

function ownLines(found: Scene0, now: SystemView, files: Project): SceneLine[] {
  const waiting = new Map<string, LayoutLine[]>();
  const keyOf = (kind: string, from: string, to: string) =>
    kind === 'route' ? `r ${from} ${plain(to)}` : `c ${[from, to].sort().join(' ')}`;
  for (const line of found.answer?.lines ?? []) {
    const key = keyOf(line.kind, line.from, line.to);
    waiting.set(key, [...(waiting.get(key) ?? []), line]);
  }
  const lines: SceneLine[] = [];
  const add = (kind: 'connection' | 'route', from: string, to: string, key: string, repeated: readonly string[]) => {
    if (repeated.length) return;
    const a = resolveEnd(files, now, from);
    const b = resolveEnd(files, now, to);
    const drawn = a && b ? waiting.get(keyOf(kind, `${a.node}.${a.name}`, `${b.node}.${b.name}`))?.shift() : undefined;
    // The program may give a connection the other way round: from its Q to its C end.
    const isReverse = drawn !== undefined && kind === 'connection' && a !== null && drawn.from !== `${a.node}.${a.name}`;
    const way = drawn?.points.map(([x, y]) => ({x, y}));
    if (isReverse) way?.reverse();
    const mark = !drawn?.mark ? '' : isReverse ? (drawn.mark === 'from' ? 'to' : 'from') : drawn.mark;
    const owners: [string, string] = [from.split('.', 1)[0]!, to.split('.', 1)[0]!];
    const isFresh = way !== undefined && owners.every((owner, i) => found.isStill(owner) || mark === (i === 0 ? 'from' : 'to'));
    const ends: [LineEnd | null, LineEnd | null] = [
      lineEnd(
        a ? found.byPath.get(a.node) : found.byPath.get(owners[0]),
        a?.name ?? '',
        true,
        found.shifted(owners[0], way?.[0]),
      ),
      lineEnd(
        b ? found.byPath.get(b.node) : found.byPath.get(owners[1]),
        b?.name ?? '',
        false,
        found.shifted(owners[1], way?.at(-1)),
      ),
    ];
    const port = a && modelOf(a.component)?.ports.find(({name}) => name === a.name);
    lines.push({
      id: `${kind} ${from} ${to} ${key}`,
      from,
      to,
      isOwn: true,
      kind,
      domain: classOf(drawn?.domain ?? port?.domain ?? ''),
      mark: isFresh ? mark : '',
      net: isFresh ? drawn!.net : -1,
      owners,
      ends,
      marked: isFresh && mark ? markOf(mark === 'to' ? b : a, kind === 'route' && mark === 'from') : null,
      points: isFresh ? way : ends[0] && ends[1] ? orthogonal(ends[0].at, ends[0].side, ends[1].at, ends[1].side) : [],
    });
  };
  for (const {from, to, key, repeated} of now.connects) add('connection', from, to, key, repeated);
  for (const {from, to, key, repeated} of now.routes) add('route', from, to, key, repeated);
  // What is left of the program's: inside of sub-systems, and made by a <For>.
  let count = 0;
  for (const rest of waiting.values()) {
    for (const line of rest) {
      const owners: [string, string] = [line.from.split('.', 1)[0]!, line.to.split('.', 1)[0]!];
      const offset = found.offsetOf(owners[0]);
      const isInside = owners[0] === owners[1] && now.find(owners[0])?.kind === 'subsystem';
      if (!isInside && !owners.every((owner) => found.isRepeated(owner) || found.isStill(owner))) continue;
      const isGone = !isInside && owners.every((owner) => now.find(owner));
      if (isGone) continue; // a line that has just been removed
      lines.push({
        id: `inner ${count++}`,
        from: line.from,
        to: line.to,
        isOwn: false,
        kind: line.kind,
        domain: classOf(line.domain),
        mark: line.mark,
        net: line.net,
        owners,
        ends: [null, null],
        marked: line.mark ? {model: '', name: line.mark === 'to' ? line.to : line.from} : null,
        points: line.points.map(([x, y]) => ({x: x + offset.x, y: y + offset.y})),
      });
    }
  }
  return lines;
}

const markOf = (end: Resolved | null, isSignal: boolean) =>
  end ? {model: end.component.model, name: isSignal ? `${end.node}.${end.name}` : end.node} : null;

/** What the drawing calls the domains. */
export const classOf = (domain: string): string =>
  domain === 'translational' ? 'mechanical' : domain.replace(/[^A-Za-z0-9]/g, '-');

interface Scene0 {
  answer: Layout | null;
  byPath: Map<string, SceneNode>;
  /** Stands where the program has drawn it. */
  isStill: (owner: string) => boolean;
  isRepeated: (owner: string) => boolean;
  /** From where the program has drawn it to where it is now. */
  offsetOf: (owner: string) => Point;
  shifted: (owner: string, at: Point | undefined) => Point | undefined;
}

export function makeScene(now: SystemView, answer: Layout | null, find: FindModel, files: Project): Scene {
  const drawnNodes = new Map((answer?.nodes ?? []).map((node) => [node.path, node]));
  const drawnFrames = new Map((answer?.frames ?? []).map((frame) => [frame.path, frame]));
  const nodes: SceneNode[] = [];
  const frames: SceneFrame[] = [];
  const places = new Map<string, Place>();
  const boxes = new Map<string, Rect>();
  const byPath = new Map<string, SceneNode>();
  let rows = 0;

  for (const component of now.components) {
    const {name} = component;
    const written = now.places.get(name);
    if (component.kind === 'subsystem' && drawnFrames.has(name)) continue; // below
    if (component.repeated.length) continue;
    const drawn = drawnNodes.get(name);
    const place = snapped(written ?? drawn ?? rowPlace(rows++));
    const node = nodeOf(
      component,
      {x: place.x, y: place.y, rotation: place.rotation, mirror: place.mirror},
      drawn,
      find(component),
    );
    nodes.push(node);
    byPath.set(name, node);
    places.set(name, node.place);
    boxes.set(name, boxOf(node.symbol, node.place));
  }

  const offsets = new Map<string, Point>();
  for (const frame of drawnFrames.values()) {
    const owner = frame.path.split('.', 1)[0]!;
    const component = now.find(owner);
    const isOwn = frame.path === owner && component !== undefined && component.kind === 'subsystem';
    if (component === undefined && !answer?.nodes.length) continue;
    const origin = frame.place ?? originOf(frame, component, answer, files);
    if (isOwn) {
      const written = now.places.get(owner);
      offsets.set(
        owner,
        written ? {x: onGrid(written.x) - onGrid(origin.x), y: onGrid(written.y) - onGrid(origin.y)} : {x: 0, y: 0},
      );
    }
    const {x, y} = offsets.get(owner) ?? {x: 0, y: 0};
    const found: SceneFrame = {
      path: frame.path,
      owner,
      isOwn,
      place: {...kNoPlace, x: onGrid(origin.x) + x, y: onGrid(origin.y) + y},
      box: {left: frame.left + x, top: frame.top + y, right: frame.right + x, bottom: frame.bottom + y},
    };
    frames.push(found);
    if (isOwn) {
      places.set(owner, found.place);
      boxes.set(owner, found.box);
    }
  }
  const patterns = now.components.filter(({repeated}) => repeated.length).map(({name}) => name);
  const patternOf = (owner: string) => patterns.find((pattern) => matchesRepeated(pattern, owner));
  const isRepeated = (owner: string) => patternOf(owner) !== undefined;
  for (const drawn of drawnNodes.values()) {
    const owner = drawn.path.split('.', 1)[0]!;
    if (byPath.has(drawn.path)) continue;
    const isInside = drawn.path !== owner;
    // Made by a <For>: in the file it stands under a name with braces. Else it was removed since the program answered.
    if (!isRepeated(owner) && !(isInside && offsets.has(owner))) continue;
    const {x, y} = offsets.get(owner) ?? {x: 0, y: 0};
    const place = {x: drawn.x + x, y: drawn.y + y, rotation: drawn.rotation, mirror: drawn.mirror};
    const size = boxOf(drawn.symbol, {...place, x: 0, y: 0});
    const pattern = patternOf(owner);
    const node: SceneNode = {
      path: drawn.path,
      owner,
      model: drawn.model,
      place,
      symbol: drawn.symbol,
      label: drawn.label ?? {x: 0, y: size.bottom + 13, begins: false},
      title: `${drawn.path} (${drawn.model})`,
      isUnknown: false,
      isOwn: false,
      level: '',
      ...(pattern === undefined ? {} : {pattern}),
    };
    nodes.push(node);
    byPath.set(drawn.path, node);
    if (!isInside) boxes.set(owner, boxOf(node.symbol, place));
  }

  const offsetOf = (owner: string): Point => {
    const frame = offsets.get(owner);
    if (frame) return frame;
    const drawn = drawnNodes.get(owner);
    const node = byPath.get(owner);
    return drawn && node ? {x: node.place.x - drawn.x, y: node.place.y - drawn.y} : {x: 0, y: 0};
  };
  const isStill = (owner: string): boolean => {
    const {x, y} = offsetOf(owner);
    const drawn = drawnNodes.get(owner);
    const node = byPath.get(owner);
    if (x !== 0 || y !== 0) return false;
    return drawn && node
      ? drawn.rotation === node.place.rotation && drawn.mirror === node.place.mirror
      : drawnFrames.has(owner);
  };
  const shifted = (owner: string, at: Point | undefined) => at && {x: at.x + offsetOf(owner).x, y: at.y + offsetOf(owner).y};
  const lines = ownLines({answer, byPath, isStill, isRepeated, offsetOf, shifted}, now, files);
  const notes = notesOf(now, answer, offsets);
  for (const {key, box} of notes) {
    if (key === '') continue;
    places.set(key, {...kNoPlace, x: box.left, y: box.top});
    boxes.set(key, box);
  }
  const whole = union([
    ...notes.map(({box}) => box),
    ...boxes.values(),
    ...nodes.map(({symbol, place}) => boxOf(symbol, place)),
    ...lines.flatMap(({points}) => points.map(({x, y}) => ({left: x, top: y, right: x, bottom: y}))),
  ]) ?? {left: -320, top: -200, right: 320, bottom: 200};
  return {nodes, byPath, frames, notes, lines, dots: dotsOf(lines.filter(({net}) => net >= 0)), places, boxes, whole};
}

/** Those of the file, and those that only the program knows: of sub-systems, and made by a <For>. */
function notesOf(now: SystemView, answer: Layout | null, offsets: ReadonlyMap<string, Point>): SceneNote[] {
  const notes: SceneNote[] = [];
  const unknown = new Set<number>();
  for (const view of now.notes.values()) {
    const note = noteOf(view);
    if (note) notes.push(note);
    else unknown.add(view.line);
  }
  for (const {frame, line, box, ...note} of answer?.notes ?? []) {
    const offset = frame === '' ? {x: 0, y: 0} : offsets.get(frame.split('.', 1)[0]!);
    if (!offset || (frame === '' && !unknown.has(line))) continue;
    const {left, top, right, bottom} = box;
    const moved = {left: left + offset.x, top: top + offset.y, right: right + offset.x, bottom: bottom + offset.y};
    notes.push({key: '', box: moved, ...note});
  }
  return notes;
}

/**
 * What a <Place> of a sub-system would say so that it stays where it is drawn: the origin of its file where that has places, else
 * the middle of its frame.
 */
function originOf(frame: LayoutFrame, component: ComponentView | undefined, answer: Layout | null, files: Project): Point {
  const middle = {x: (frame.left + frame.right) / 2, y: (frame.top + frame.bottom) / 2};
  if (component?.source === undefined || !files.has(component.source)) return middle;
  const inside = openSystem(files, component.source).view.places;
  for (const node of answer?.nodes ?? []) {
    const place = node.path.startsWith(`${frame.path}.`) ? inside.get(node.path.slice(frame.path.length + 1)) : undefined;
    if (place) return {x: node.x - place.x, y: node.y - place.y};
  }
  return middle;
}

/** `spring{i}` stands for spring1, spring2 ... */
export function matchesRepeated(pattern: string, name: string): boolean {
  const parts = pattern.split(/\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[-\\w]+')}$`).test(name);
}

const kEmpty: Scene = {
  nodes: [],
  byPath: new Map(),
  frames: [],
  notes: [],
  lines: [],
  dots: [],
  places: new Map(),
  boxes: new Map(),
  whole: {left: -320, top: -200, right: 320, bottom: 200},
};

/** Of the file that is open. */
export const scene = computed<Scene>(() => {
  revision.value;
  const now = view.value;
  if (!now) return kEmpty;
  // Until the program has found places there is no drawing of what has none.
  if (answered.value !== current.value && now.components.some(({name}) => !now.places.has(name))) return kEmpty;
  const drawn = layout.value?.path === current.value ? (layout.value?.answer ?? null) : null;
  return makeScene(now, drawn, modelOf, project);
});

/** What is being dragged: moved by this much until it is dropped. */
export const dragged = signal<{names: ReadonlySet<string>; dx: number; dy: number} | null>(null);

/** A line with one or both ends moved. */
export function movedLine(line: SceneLine, {names, dx, dy}: NonNullable<typeof dragged.value>): SceneLine {
  const [a, b] = line.owners.map((owner) => names.has(owner)) as [boolean, boolean];
  if (!a && !b) return line;
  const shift = ({x, y}: Point): Point => ({x: x + dx, y: y + dy});
  if ((a && b) || (line.mark && (line.mark === 'to' ? a : b))) return {...line, points: line.points.map(shift)};
  const [from, to] = line.ends;
  if (!from || !to || line.mark) return line;
  return {...line, points: simplified(orthogonal(a ? shift(from.at) : from.at, from.side, b ? shift(to.at) : to.at, to.side))};
}
