// What the server answers, as the page uses it: indices become what they point at, conditions become text.
import type {
  DescribedInput,
  DescribedItem,
  DescribedModel,
  DescribedOutput,
  DescribedState,
} from '../../../generated/described.ts';
import type {ElementInfo, Layout, LayoutNote, Model, ParameterInfo, SymbolShape} from './types.ts';

interface SymbolAnswer extends Omit<SymbolShape, 'shapes' | 'badge'> {
  svg: string;
  badge: {x: number; y: number} | null;
}

/** A setting, or of `starts` a state, which has less. */
type ParameterAnswer = Omit<ParameterInfo, 'default'> & Pick<Partial<DescribedItem>, 'default'>;

export interface ModelAnswer extends DescribedModel {
  symbol: SymbolAnswer;
  inputs: DescribedInput[];
  outputs: (DescribedOutput & Partial<DescribedState>)[];
  parameters: ParameterAnswer[];
  properties: ParameterAnswer[];
  starts: ParameterAnswer[];
  elements: string[];
  inner: ElementInfo[];
  /** Of components with ports and states of their own: which one. */
  path?: string;
}

export interface LayoutAnswer {
  is_drawn: boolean;
  places?: {
    path: string;
    model: string;
    x: number;
    y: number;
    rotation: number;
    mirror: boolean;
    is_placed: boolean;
    symbol: number;
    label: {x: number; y: number; begins: boolean};
    level: string | null;
  }[];
  frames?: {
    path: string;
    box: {left: number; top: number; right: number; bottom: number};
    place: {x: number; y: number} | null;
  }[];
  lines?: {
    from: string;
    to: string;
    kind: 'connection' | 'route';
    domain?: string;
    mark: '' | 'from' | 'to';
    net: number;
    points: [number, number][];
  }[];
  notes?: LayoutNote[];
  symbols?: SymbolAnswer[];
}

const symbolOf = ({svg, badge, ...rest}: SymbolAnswer): SymbolShape => ({
  ...rest,
  shapes: svg,
  ...(badge ? {badge: [badge.x, badge.y] as [number, number]} : {}),
});

const parameterOf = ({default_text, default: value, ...rest}: ParameterAnswer): ParameterInfo => ({
  ...rest,
  default: default_text ?? value ?? null,
});

export function modelOf(answer: ModelAnswer): Model {
  const isAspect = new Set(answer.aspects.map(({name}) => name));
  // Properties are no live parameters, but stand in the file in the same way.
  const properties = answer.properties
    .filter(({name}) => !isAspect.has(name) && name !== 'level' && name !== 'chart')
    .map(parameterOf);
  return {
    name: answer.name,
    domain: answer.domain,
    text: answer.text,
    equations: answer.equations,
    symbol: symbolOf(answer.symbol),
    inPalette: answer.stands_in_systems && !answer.is_operator,
    takesChart: answer.takes_chart,
    ports: answer.ports,
    inputs: answer.inputs,
    outputs: answer.outputs.filter(({is_state}) => !is_state),
    states: answer.outputs.filter(({is_state}) => is_state),
    parameters: [...answer.parameters.map(parameterOf), ...properties.filter(({is_common}) => !is_common)],
    common: properties.filter(({is_common}) => is_common),
    starts: answer.starts.map(parameterOf),
    elements: answer.elements,
    inner: answer.inner,
    levels: answer.levels,
    level: answer.level,
    aspects: answer.aspects,
  };
}

export function layoutOf(answer: LayoutAnswer): Layout | null {
  if (!answer.is_drawn) return null;
  const symbols = (answer.symbols ?? []).map(symbolOf);
  return {
    nodes: (answer.places ?? []).map(({symbol, ...rest}) => ({...rest, symbol: symbols[symbol]!})),
    frames: (answer.frames ?? []).map(({path, box, place}) => ({path, ...box, place})),
    notes: answer.notes ?? [],
    lines: (answer.lines ?? []).map(({domain, ...rest}) => ({...rest, domain: domain ?? ''})),
  };
}
