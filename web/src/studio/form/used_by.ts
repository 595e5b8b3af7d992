// Which parameters count with the level and the aspects that a component has.
import type {ComponentView} from '../../document/index.ts';
import type {Model, ParameterInfo} from '../api/types.ts';

/** The option of each aspect, and the level; as written, else what the model has. */
export function optionsOf(component: Pick<ComponentView, 'attributes' | 'levels'>, model: Model): Map<string, string> {
  const written = (name: string) => component.attributes.find((one) => one.name === name)?.value;
  const found = new Map<string, string>();
  const level = written('level') ?? model.level ?? model.levels[0];
  if (level !== undefined) found.set('level', level);
  const own = component.levels.find(({name}) => name === level);
  const base = own ? own.base : level;
  for (const aspect of model.aspects) {
    const option =
      written(aspect.name) ??
      own?.attributes.find(({name}) => name === aspect.name)?.value ??
      (base === undefined ? undefined : aspect.presets?.[base]) ??
      aspect.default;
    if (option !== undefined) found.set(aspect.name, option);
  }
  for (const {name, options, default: first} of model.parameters) {
    if (options?.length && !found.has(name)) found.set(name, written(name) ?? String(first ?? ''));
  }
  return found;
}

/** One of the conditions holds; what is not known does not grey anything. */
export const isUsed = (used_with: ParameterInfo['used_with'], now: ReadonlyMap<string, string>): boolean =>
  !used_with?.length || used_with.some(({of, options}) => options.includes(now.get(of) ?? options[0]!));
