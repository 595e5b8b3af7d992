// Places of states and ways of transitions: each state that has states is laid out in layers by ELK, from inside out.
// Places that the file has take precedence; lines to and from such states are straight.
import type {ChartStateView, ChartTransitionView, ChartView} from '../../document/index.ts';
import {centerOf, contains, inward, leaving, loop, middleOf, straight, type Box, type Point} from './geometry.ts';
import {kLine, linesOfState, linesOfTransition, titleOf, widthOf} from './labels.ts';

export interface TransitionLine {
  key: string;
  points: Point[];
  /** Upper left corner of the label. */
  label: Point;
  lines: string[];
}

export interface InitialMark {
  /** The state that it is in; '' is the chart. */
  owner: string;
  at: Point;
  points: Point[];
}

export interface ChartLayout {
  /** By key, in the drawing. */
  boxes: Map<string, Box>;
  /** Where the content of a state begins, by key; '' is the chart. */
  origins: Map<string, Point>;
  transitions: TransitionLine[];
  initials: InitialMark[];
  box: Box;
}

const kPadding = 18;
const kTitle = 24;
const kRound = 28; // of histories and connectors
export const kMark = 10; // of the dot that leads to the initial state
const kAspect = 1.6; // of a screen, width to height
const kLong = 320; // extent from which both directions are tried [units]
const kShortest = {width: 74, height: 34};

interface Edge {
  key: string;
  from: string;
  to: string;
  lines: string[];
}
interface Level {
  boxes: Map<string, Box>;
  /** By transition; ends at the children of this level. */
  routes: Map<string, {points: Point[]; label: Point}>;
  /** Layers lie below each other. */
  isDown: boolean;
  width: number;
  height: number;
}

interface ElkResult {
  width?: number;
  height?: number;
  children?: {id: string; x?: number; y?: number}[];
  edges?: {
    id: string;
    sections?: {startPoint: Point; endPoint: Point; bendPoints?: Point[]}[];
    labels?: {x?: number; y?: number}[];
  }[];
}

type Elk = {layout(graph: object): Promise<ElkResult>};
let elk: Promise<Elk> | undefined;
/** ELK is large: it is loaded when the first chart is opened. */
function loadElk(): Promise<Elk> {
  elk ??= import('elkjs/lib/elk.bundled.js').then(({default: Constructor}) => new Constructor() as unknown as Elk);
  return elk;
}

/** What ELK found for a graph: charts change in few of their states at a time. */
const known = new Map<string, Promise<ElkResult>>();
const kMostKnown = 400;

async function solve(graph: object): Promise<ElkResult> {
  const key = JSON.stringify(graph);
  let result = known.get(key);
  if (!result) {
    if (known.size >= kMostKnown) known.delete(known.keys().next().value!);
    result = loadElk().then((found) => found.layout(JSON.parse(key) as object));
    known.set(key, result);
  }
  return result;
}

export async function layoutChart(view: ChartView): Promise<ChartLayout> {
  return new Layouter(view).layout();
}

const isRound = ({kind}: ChartStateView): boolean => kind === 'history' || kind === 'choice' || kind === 'select';

class Layouter {
  private readonly levels = new Map<string, Level>();
  private readonly boxes = new Map<string, Box>();
  private readonly edges = new Map<string, Edge[]>();

  constructor(private readonly view: ChartView) {}

  async layout(): Promise<ChartLayout> {
    for (const transition of this.view.transitions) this.addEdge(transition);
    const tops = this.view.states.filter(({parent}) => parent === null);
    const level = await this.layoutLevel('', tops, this.view.initial, true);
    this.place('', tops, {x: 0, y: 0}, level);
    const initials = this.marks(tops);
    const transitions = this.lines();
    const origins = new Map<string, Point>([['', {x: 0, y: 0}]]);
    for (const state of this.view.states) if (!isRound(state)) origins.set(state.key, this.originIn(state));
    return {boxes: this.boxes, origins, transitions, initials, box: around([...this.boxes.values()], transitions, initials)};
  }

  private outers(key: string): string[] {
    const list = [key];
    for (let parent = this.view.find(key)?.parent; parent; parent = this.view.find(parent)?.parent) list.push(parent);
    return list;
  }

  /** The states directly in their common state that contain both ends; nothing where one contains the other. */
  private common(from: string, to: string): {owner: string; from: string; to: string} | null {
    const [a, b] = [this.outers(from), this.outers(to)];
    if (a.includes(to) || b.includes(from)) return null;
    while (a.length && b.length && a.at(-1) === b.at(-1)) {
      a.pop();
      b.pop();
    }
    return {owner: this.view.find(a.at(-1)!)?.parent ?? '', from: a.at(-1)!, to: b.at(-1)!};
  }

  /** From a state to one inside of it, or back: a gate stands for the border of the outer one. */
  private inside(from: string, to: string, key: string): {owner: string; from: string; to: string} | null {
    if (from === to) return null;
    const gate = `gate of ${key}`;
    const up = this.outers(from);
    const down = this.outers(to);
    if (up.includes(to)) return {owner: to, from: up[up.indexOf(to) - 1]!, to: gate};
    return {owner: from, from: gate, to: down[down.indexOf(from) - 1]!};
  }

  private addEdge(transition: ChartTransitionView): void {
    transition.targets.forEach((id, index) => {
      const target = this.view.states.find((state) => state.id === id);
      const ends =
        target &&
        (this.common(transition.from, target.key) ?? this.inside(transition.from, target.key, `${transition.key}>${index}`));
      if (!ends) return;
      const edge = {
        key: `${transition.key}>${index}`,
        from: ends.from,
        to: ends.to,
        lines: index === 0 ? linesOfTransition(transition) : [],
      };
      this.edges.set(ends.owner, [...(this.edges.get(ends.owner) ?? []), edge]);
    });
  }

  private async sizeOf(state: ChartStateView): Promise<{width: number; height: number}> {
    if (isRound(state)) return {width: kRound, height: kRound};
    const lines = linesOfState(state);
    const width = Math.max(kShortest.width, widthOf(titleOf(state)) * 1.15 + 26, ...lines.map((line) => widthOf(line) + 20));
    const head = kTitle + lines.length * kLine;
    const children = this.childrenOf(state);
    // Loops stand out at the right.
    if (children.length === 0)
      return {width: Math.ceil(width), height: Math.max(kShortest.height, head + (lines.length ? 8 : 6))};
    const level = await this.layoutLevel(state.key, children, state.initial, state.kind === 'state');
    return {
      width: Math.ceil(Math.max(width, level.width + 2 * kPadding)),
      height: Math.ceil(head + level.height + kPadding + 8),
    };
  }

  private childrenOf = (state: ChartStateView): ChartStateView[] => state.children.map((key) => this.view.find(key)!);

  private async layoutLevel(
    owner: string,
    children: readonly ChartStateView[],
    initial: readonly string[],
    hasInitial: boolean,
  ): Promise<Level> {
    const sizes = new Map<string, {width: number; height: number}>();
    for (const child of children) sizes.set(child.key, await this.sizeOf(child));
    const edges = this.edges.get(owner) ?? [];
    const mark = `initial of ${owner}`;
    const first = hasInitial ? this.firstOf(children, initial) : undefined;
    const start = first === undefined ? undefined : {mark, first};
    const across = await solve(graphOf(sizes, edges, 'RIGHT', start));
    // Long chains go down, where that fills a screen better.
    const extent = ({width = 0, height = 0}: ElkResult): number => Math.max(width / kAspect, height);
    const down = extent(across) > kLong ? await solve(graphOf(sizes, edges, 'DOWN', start)) : across;
    const isDown = extent(down) < 0.85 * extent(across);
    const result = isDown ? down : across;
    const boxes = new Map<string, Box>();
    for (const {id, x = 0, y = 0} of result.children ?? [])
      if (!id.startsWith('gate of ')) boxes.set(id, {x, y, ...(sizes.get(id) ?? {width: kMark, height: kMark})});
    for (const child of children) {
      const place = this.view.places.get(child.id);
      if (place && child.id !== '') boxes.set(child.key, {...boxes.get(child.key)!, ...place});
    }
    const routes: Level['routes'] = new Map();
    for (const {id, sections, labels} of result.edges ?? []) {
      const section = sections?.[0];
      if (!section) continue;
      const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint];
      routes.set(id, {points, label: labels?.[0] ? {x: labels[0].x ?? 0, y: labels[0].y ?? 0} : middleOf(points)});
    }
    const ends = [...boxes.values()];
    const level = {
      boxes,
      routes,
      isDown,
      width: Math.max(result.width ?? 0, ...ends.map(({x, width}) => x + width)),
      height: Math.max(result.height ?? 0, ...ends.map(({y, height}) => y + height)),
    };
    this.levels.set(owner, level);
    return level;
  }

  /** The child that contains the initial state. */
  private firstOf(children: readonly ChartStateView[], initial: readonly string[]): string | undefined {
    const target = this.view.states.find(({id}) => id !== '' && id === initial[0]);
    if (!target)
      return children.find((child) => child.kind === 'state' || child.kind === 'parallel' || child.kind === 'final')?.key;
    return this.outers(target.key).find((key) => children.some((child) => child.key === key));
  }

  private place(owner: string, children: readonly ChartStateView[], origin: Point, level: Level): void {
    for (const child of children) {
      const {x, y, width, height} = level.boxes.get(child.key)!;
      const box = {x: origin.x + x, y: origin.y + y, width, height};
      this.boxes.set(child.key, box);
      const inner = this.levels.get(child.key);
      if (inner) this.place(child.key, this.childrenOf(child), this.originIn(child), inner);
    }
    const mark = level.boxes.get(`initial of ${owner}`);
    if (mark) this.boxes.set(`initial of ${owner}`, {...mark, x: origin.x + mark.x, y: origin.y + mark.y});
  }

  /** Where the content of a state begins. */
  private originIn(state: ChartStateView): Point {
    const box = this.boxes.get(state.key)!;
    return {x: box.x + kPadding, y: box.y + kTitle + linesOfState(state).length * kLine + 8};
  }

  private isMoved = (key: string): boolean => this.view.places.has(this.view.find(key)?.id || ' ');

  private marks(tops: readonly ChartStateView[]): InitialMark[] {
    const marks: InitialMark[] = [];
    const add = (owner: string, children: readonly ChartStateView[], initial: readonly string[]): void => {
      const box = this.boxes.get(`initial of ${owner}`);
      const first = this.firstOf(children, initial);
      this.boxes.delete(`initial of ${owner}`);
      if (!box || first === undefined) return;
      const target = this.view.states.find(({id}) => id !== '' && id === initial[0])?.key ?? first;
      const state = this.view.find(owner);
      const origin = state ? this.originIn(state) : {x: 0, y: 0};
      const route = this.levels.get(owner)!.routes.get('initial');
      const to = this.boxes.get(target)!;
      if (this.isMoved(first) || !route) {
        const at = this.isMoved(first)
          ? {x: this.boxes.get(first)!.x - 22 - kMark, y: this.boxes.get(first)!.y - 6}
          : {x: box.x, y: box.y};
        marks.push({
          owner,
          at: centerOf({...at, width: kMark, height: kMark}),
          points: straight({...at, width: kMark, height: kMark}, to, 0),
        });
      } else {
        const points = route.points.map(({x, y}) => ({x: x + origin.x, y: y + origin.y}));
        marks.push({owner, at: centerOf(box), points: extended(points, null, target === first ? null : to)});
      }
    };
    add('', tops, this.view.initial);
    for (const state of this.view.states)
      if (state.kind === 'state' && state.children.length > 0) add(state.key, this.childrenOf(state), state.initial);
    return marks;
  }

  private lines(): TransitionLine[] {
    const lines: TransitionLine[] = [];
    const pairs = new Map<string, number>();
    const count = (a: string, b: string): number => {
      const pair = `${a} ${b}`;
      const number = pairs.get(pair) ?? 0;
      pairs.set(pair, number + 1);
      return number;
    };
    for (const transition of this.view.transitions) {
      const from = this.boxes.get(transition.from)!;
      const label = linesOfTransition(transition);
      if (transition.targets.length === 0) {
        const points = loop(from, count(transition.from, transition.from));
        lines.push({key: transition.key, points, label: {x: points[2]!.x + 4, y: points[2]!.y - 4}, lines: label});
      }
      transition.targets.forEach((id, index) => {
        const target = this.view.states.find((state) => state.id === id);
        if (!target) return;
        const text = index === 0 ? label : [];
        const shape = this.wayOf(transition, target, index, count(transition.from, target.key));
        lines.push({key: transition.key, lines: text, points: shape.points, label: shape.label});
      });
    }
    return lines;
  }

  /** Whether one line alone joins two states. */
  private isSingle(a: string, b: string): boolean {
    const [idA, idB] = [this.view.find(a)!.id, this.view.find(b)!.id];
    const isBetween = ({from, targets}: ChartTransitionView): boolean =>
      (from === a && targets.includes(idB)) || (from === b && targets.includes(idA));
    return this.view.transitions.filter(isBetween).length <= 1;
  }

  private wayOf(
    transition: ChartTransitionView,
    target: ChartStateView,
    index: number,
    number: number,
  ): {points: Point[]; label: Point} {
    const from = this.boxes.get(transition.from)!;
    const to = this.boxes.get(target.key)!;
    if (transition.from === target.key) {
      const points = loop(from, number);
      return {points, label: {x: points[2]!.x + 4, y: points[2]!.y - 4}};
    }
    const key = `${transition.key}>${index}`;
    const apart = this.common(transition.from, target.key);
    const ends = apart ?? this.inside(transition.from, target.key, key)!;
    const route = this.levels.get(ends.owner)!.routes.get(key);
    if (!route || this.isMoved(ends.from) || this.isMoved(ends.to)) {
      if (apart) {
        const points = straight(from, to, this.isSingle(transition.from, target.key) ? 0 : 8 + number * 14);
        return {points, label: besideStraight(points, linesOfTransition(transition))};
      }
      const points = ends.owner === transition.from ? inward(from, to) : inward(to, from).reverse();
      return {points, label: beside(points)};
    }
    const owner = this.view.find(ends.owner);
    const origin = owner ? this.originIn(owner) : {x: 0, y: 0};
    const way = route.points.map(({x, y}) => ({x: x + origin.x, y: y + origin.y}));
    const {isDown} = this.levels.get(ends.owner)!;
    if (ends.from.startsWith('gate of ')) way[0] = isDown ? {x: way[0]!.x, y: from.y + kTitle - 1} : {x: from.x, y: way[0]!.y};
    if (ends.to.startsWith('gate of '))
      way[way.length - 1] = isDown ? {x: way.at(-1)!.x, y: to.y + to.height} : {x: to.x + to.width, y: way.at(-1)!.y};
    const hasSource = ends.from === transition.from || ends.from.startsWith('gate of ');
    const hasTarget = ends.to === target.key || ends.to.startsWith('gate of ');
    const points = extended(way, hasSource ? null : from, hasTarget ? null : to);
    return {points, label: {x: route.label.x + origin.x, y: route.label.y + origin.y}};
  }
}

const beside = (points: readonly Point[]): Point => {
  const {x, y} = middleOf(points);
  return {x: x + 5, y: y + 3};
};

/** The label of a straight line: at the side of it on which a second one back has none. */
function besideStraight(points: readonly Point[], lines: readonly string[]): Point {
  const {x, y} = middleOf(points);
  const [a, b] = [points[0]!, points.at(-1)!];
  const width = Math.max(0, ...lines.map(widthOf)) + 4;
  const height = lines.length * kLine;
  if (Math.abs(b.x - a.x) < Math.abs(b.y - a.y)) return {x: b.y > a.y ? x - width - 4 : x + 6, y: y - height / 2};
  return {x: x - width / 2, y: b.x > a.x ? y + 4 : y - height - 4};
}

const kChannel = 9; // beside the border of a state, where it is free of states [units]

/** A way between the borders of two states, led on to states inside of them: along the border, then across. */
function extended(points: Point[], from: Box | null, to: Box | null): Point[] {
  const list = [...points];
  if (from) list.unshift(...channel(from, list[0]!, list[1]!));
  if (to) list.push(...channel(to, list.at(-1)!, list.at(-2)!).reverse());
  return list;
}

/** From a state to the point at the border of the one around; `beyond` is where the way goes on outside. */
function channel(box: Box, border: Point, beyond: Point): Point[] {
  const isRight = beyond.x > border.x || (beyond.x === border.x && border.x > centerOf(box).x);
  const x = isRight ? border.x - kChannel : border.x + kChannel;
  const {y} = centerOf(box);
  const side = x >= box.x + box.width / 2 ? box.x + box.width : box.x;
  if (Math.abs(beyond.x - border.x) < 1) return [leaving(box, border)];
  return [
    {x: side, y},
    {x, y},
    {x, y: border.y},
  ];
}

function graphOf(
  sizes: ReadonlyMap<string, {width: number; height: number}>,
  edges: readonly Edge[],
  direction: 'RIGHT' | 'DOWN',
  initial?: {mark: string; first: string},
): object {
  const gate = (id: string, layerConstraint: 'FIRST' | 'LAST'): object[] =>
    id.startsWith('gate of ')
      ? [{id, width: 2, height: 2, layoutOptions: {'elk.layered.layering.layerConstraint': layerConstraint}}]
      : [];
  const children: object[] = [
    ...edges.flatMap(({from}) => gate(from, 'FIRST')),
    ...[...sizes].map(([id, size]) => ({id, ...size})),
    ...edges.flatMap(({to}) => gate(to, 'LAST')),
  ];
  const lines: object[] = edges.map(({key, from, to, lines: text}) => ({
    id: key,
    sources: [from],
    targets: [to],
    ...(text.length
      ? {
          labels: [
            {
              id: `label of ${key}`,
              text: text.join('\n'),
              width: Math.max(...text.map(widthOf)) + 6,
              height: text.length * kLine,
            },
          ],
        }
      : {}),
  }));
  if (initial) {
    children.unshift({id: initial.mark, width: kMark, height: kMark});
    lines.unshift({id: 'initial', sources: [initial.mark], targets: [initial.first]});
  }
  return {
    id: 'chart',
    children,
    edges: lines,
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': direction,
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.padding': '[top=6,left=4,bottom=6,right=4]',
      'elk.spacing.nodeNode': '26',
      'elk.layered.spacing.nodeNodeBetweenLayers': '34',
      'elk.spacing.edgeNode': '16',
      'elk.spacing.edgeEdge': '12',
      'elk.spacing.componentComponent': '22',
      'elk.spacing.edgeLabel': '3',
      'elk.layered.spacing.edgeNodeBetweenLayers': '14',
      'elk.aspectRatio': '1.7',
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
      'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      'elk.layered.feedbackEdges': 'true',
      'elk.randomSeed': '1',
    },
  };
}

function around(boxes: readonly Box[], transitions: readonly TransitionLine[], initials: readonly InitialMark[]): Box {
  const points: Point[] = [
    ...boxes.flatMap(({x, y, width, height}) => [
      {x, y},
      {x: x + width, y: y + height},
    ]),
    ...transitions.flatMap(({points: way, label, lines}) => [
      ...way,
      {x: label.x + Math.max(0, ...lines.map(widthOf)), y: label.y + lines.length * kLine},
    ]),
    ...initials.map(({at}) => at),
  ];
  if (points.length === 0) return {x: 0, y: 0, width: 400, height: 240};
  const [left, top] = [Math.min(...points.map(({x}) => x)), Math.min(...points.map(({y}) => y))];
  return {
    x: left - 16,
    y: top - 16,
    width: Math.max(...points.map(({x}) => x)) - left + 32,
    height: Math.max(...points.map(({y}) => y)) - top + 32,
  };
}

/** The innermost state at a point of the drawing. */
export function stateAt(layout: ChartLayout, point: Point, except: (key: string) => boolean = () => false): string | null {
  let found: string | null = null;
  let area = Infinity;
  for (const [key, box] of layout.boxes) {
    if (except(key) || !contains(box, point) || box.width * box.height >= area) continue;
    [found, area] = [key, box.width * box.height];
  }
  return found;
}
