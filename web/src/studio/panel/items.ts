// The items that elements of a panel can be bound to.
import {openSystem, type ComponentView, type Project, type SystemView} from '../../document/index.ts';
import type {Model} from '../api/types.ts';

export interface ItemInfo {
  path: string;
  text: string;
  unit: string;
}

type FindModel = (component: Pick<ComponentView, 'name' | 'model'>) => Model | undefined;

/** What a path of an element names: an item to write or to show, a chart, or a component that gets a message. */
export type Wanted = 'written' | 'shown' | 'chart' | 'receiver';

export const wantedBy = (attribute: string): Wanted =>
  attribute === 'show' ? 'shown' : attribute === 'chart' ? 'chart' : attribute === 'to' ? 'receiver' : 'written';

const kDeepest = 8; // sub-systems inside each other

export function itemsOf(
  project: Project,
  view: SystemView,
  modelOf: FindModel,
  wanted: Wanted,
  prefix = '',
  depth = 0,
): ItemInfo[] {
  const routed = new Set(view.routes.map(({to}) => to));
  return view.components
    .filter(({repeated, model}) => !repeated.length && model !== 'Panel')
    .flatMap((component): ItemInfo[] => {
      const path = prefix + component.name;
      if (component.kind === 'subsystem') {
        const {source} = component;
        return source !== undefined && project.has(source) && depth < kDeepest
          ? itemsOf(project, openSystem(project, source).view, modelOf, wanted, `${path}.`, depth + 1)
          : [];
      }
      const model = modelOf(component);
      const self = {path, text: model?.text ?? '', unit: ''};
      if (wanted === 'receiver') return [self];
      if (wanted === 'chart') return component.kind === 'chart' || model?.takesChart ? [self] : [];
      return model
        ? itemsOfModel(model, wanted, (name) => routed.has(`${component.name}.${name}`)).map((one) => ({
            ...one,
            path: `${path}.${one.path}`,
          }))
        : [];
    });
}

function itemsOfModel(model: Model, wanted: 'written' | 'shown', isRouted: (name: string) => boolean): ItemInfo[] {
  const item = ({name, text, unit = ''}: {name: string; text?: string; unit?: string}): ItemInfo => ({
    path: name,
    text: text ?? '',
    unit,
  });
  const settings = model.parameters.filter(({is_structural}) => is_structural === false);
  const level = model.levels.length ? [{path: 'level', text: 'Level of detail', unit: ''}] : [];
  if (wanted === 'written')
    return [...model.inputs.filter(({name}) => !isRouted(name)), ...settings].map(item).concat(level, model.aspects.map(item));
  return [...model.outputs, ...(model.states ?? []), ...model.inputs, ...settings].map(item).concat(level);
}

/** Those that have all words. */
export function findItems(items: readonly ItemInfo[], filter: string): ItemInfo[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({path, text}) => words.every((word) => `${path} ${text}`.toLowerCase().includes(word)));
}
