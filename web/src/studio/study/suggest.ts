// What a click on a parameter or a signal adds to a study.
import type {ComponentView, StudyRow} from '../../document/index.ts';
import type {Model, StudyKind, StudyOption} from '../api/types.ts';
import {defaultOf} from '../form/component_form.tsx';

export interface Pick {
  /** As studies name it: `boom.cylinder.bore` */
  path: string;
  name: string;
  text: string;
  /** As written or by default: `80 mm`; empty where it is unknown. */
  value: string;
  options: readonly string[];
}

/** What of a component can be varied. */
export function parametersOf(component: ComponentView, model: Model | undefined, within: readonly string[]): Pick[] {
  const prefix = [...within, component.name].join('.');
  const written = (list: ComponentView['attributes'], name: string) => list.find((one) => one.name === name)?.value;
  const pick = (name: string, text: string, value: string, options: readonly string[] = []): Pick => ({
    path: `${prefix}.${name}`,
    name,
    text,
    value,
    options,
  });
  if (!model)
    return component.attributes
      .filter(({name}) => name !== 'src')
      .map(({name, value}) => pick(name, `Handed down to ${component.name}`, value));
  const levels = [...model.levels, ...component.levels.map(({name}) => name)];
  return [
    ...(levels.length ? [pick('level', 'Level of detail', written(component.attributes, 'level') ?? '', levels)] : []),
    ...model.parameters.map((info) =>
      pick(info.name, info.text, written(component.attributes, info.name) ?? defaultOf(info), info.options),
    ),
    ...model.starts.map((info) =>
      pick(info.name, `${info.text} (start value)`, written(component.starts, info.name) ?? defaultOf(info)),
    ),
  ];
}

export function signalsOf(component: ComponentView, model: Model | undefined, within: readonly string[]): Pick[] {
  const prefix = [...within, component.name].join('.');
  return [...(model?.states ?? []), ...(model?.outputs ?? [])].map(({name, text}) => ({
    path: `${prefix}.${name}`,
    name,
    text,
    value: '',
    options: [],
  }));
}

/** What of a component can be driven: its inputs, then parameters, which the server accepts where they may change during a run. */
export function inputsOf(component: ComponentView, model: Model | undefined, within: readonly string[]): Pick[] {
  const prefix = [...within, component.name].join('.');
  const numbers = (model?.parameters ?? []).filter(({is_structural, options}) => !is_structural && !options?.length);
  return [...(model?.inputs ?? []), ...numbers].map(({name, text}) => ({
    path: `${prefix}.${name}`,
    name,
    text,
    value: '',
    options: [],
  }));
}

const hasPart = (option: StudyOption, part: string): boolean => option.parts.some(({attribute}) => attribute === part);

const kInput = 'Input';
const kOutput = 'Output';
/** Elements that take an item that can be set. */
export const takersOfParameters = (kind: StudyKind): StudyOption[] =>
  kind.options.filter(
    (option) =>
      option.element && hasPart(option, 'path') && !hasPart(option, 'column') && ![kInput, kOutput].includes(option.element),
  );
/** Elements that take what is driven. */
export const takersOfInputs = (kind: StudyKind): StudyOption[] => kind.options.filter(({element}) => element === kInput);
/** Elements that take a measure, or a signal. */
export const takersOfSignals = (kind: StudyKind): StudyOption[] =>
  kind.options.filter(
    (option) => option.element && (hasPart(option, 'expr') || hasPart(option, 'column') || option.element === kOutput),
  );

const plain = (value: number): string => String(Number(value.toPrecision(6)));

/** Values about the present one: three quarters of a way from its half to its half more; of a search its bounds. */
export function valuesAbout(value: string, isSearch: boolean): string {
  const [, digits = '', unit = ''] = /^([-+]?[\d.]+(?:e[-+]?\d+)?)( .*)?$/i.exec(value.trim()) ?? [];
  const number = Number.parseFloat(digits);
  if (!Number.isFinite(number) || number === 0) return '';
  const of = (factor: number) => plain(number * factor) + unit;
  const [low, high] = number > 0 ? [0.5, 1.5] : [1.5, 0.5];
  return isSearch ? `${of(low)}:${of(high)}` : `${of(low)}:${plain(Math.abs(number) / 4)}${unit}:${of(high)}`;
}

/** The attributes of a new element for a parameter. */
export function rowOfParameter(kind: StudyKind, option: StudyOption, {path, value, options}: Pick): [string, string][] {
  // The commands that search take bounds.
  const isSearch = kind.name === 'optimize' || kind.name === 'fit';
  return option.parts
    .filter((part) => !part.is_optional)
    .map(({attribute}) => {
      if (attribute === 'path') return [attribute, path];
      if (attribute === 'values') return [attribute, options.length ? options.join(',') : valuesAbout(value, isSearch)];
      return [attribute, attribute === 'time' ? '1 s' : value];
    });
}

/** The attributes of a new element for a measure of a signal; names are those that no row has. */
export function rowOfSignal(
  option: StudyOption,
  {path, name}: Pick,
  measure: string,
  rows: readonly StudyRow[],
): [string, string][] {
  const names = new Set(
    rows.flatMap(({attributes}) => attributes.filter((one) => one.name === 'name').map(({value}) => value)),
  );
  const stem = `${measure}_${name}`.replace(/[^A-Za-z0-9_]/g, '_');
  let free = stem;
  for (let number = 2; names.has(free); number++) free = `${stem}_${number}`;
  return option.parts
    .filter((part) => !part.is_optional || part.attribute === 'name')
    .map(({attribute}) => {
      if (attribute === 'expr') return [attribute, `${measure}(${path})`];
      if (attribute === 'name') return [attribute, free];
      return [attribute, path];
    });
}
