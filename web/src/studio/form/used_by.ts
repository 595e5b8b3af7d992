// Which parameters count with the level and the aspects that a component has.
import type {ComponentView} from '../../document/index.ts';
import type {Model} from '../api/types.ts';

/** The option of each aspect, and the level; as written, else what the model has. */
export function optionsOf(component: Pick<ComponentView, 'attributes' | 'levels'>, model: Model): Map<string, string> {
  const written = (name: string) => component.attributes.find((one) => one.name === name)?.value;
  const found = new Map<string, string>();
  const level = written('level') ?? model.default_level ?? model.levels[0];
  if (level !== undefined) found.set('level', level);
  const own = component.levels.find(({name}) => name === level);
  const base = own ? own.base : level;
  for (const aspect of model.aspects) {
    const option = written(aspect.name) ?? own?.attributes.find(({name}) => name === aspect.name)?.value ?? (base === undefined ? undefined : aspect.of_level?.[base]) ?? aspect.default;
    if (option !== undefined) found.set(aspect.name, option);
  }
  for (const {name, options, default: first} of model.parameters) {
    if (options?.length && !found.has(name)) found.set(name, written(name) ?? String(first ?? ''));
  }
  return found;
}

/** Conditions are `aspect=option`, alternatives of each other; what is not known does not grey anything. */
export function isUsed(used_by: readonly string[] | undefined, options: ReadonlyMap<string, string>): boolean {
  if (!used_by?.length) return true;
  return used_by.some((condition) => {
    const [name, list] = condition.includes('=') ? condition.split('=', 2) as [string, string] : ['level', condition];
    const now = options.get(name.trim());
    return now === undefined || list.split('|').map((one) => one.trim()).includes(now);
  });
}
