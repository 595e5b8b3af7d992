// The models that components may have: those of the program, and those that the open system brings along.
import {computed, signal} from '@preact/signals';
import type {ComponentView} from '../../document/index.ts';
import {getModels} from '../api/requests.ts';
import type {AttributeInfo, ElementInfo, Model} from '../api/types.ts';
import {asking} from './workspace.ts';

const built = signal<readonly Model[]>([]);
/** Elements of system files that are not components. */
export const elements = signal<readonly ElementInfo[]>([]);
/** The attributes of one of them; '': those of all components. */
export const attributesOf = (element: string): readonly AttributeInfo[] =>
  elements.value.find(({name}) => name === element)?.attributes ?? [];
/** Of plug-ins and of the files. */
export const ownModels = signal<readonly Model[]>([]);

export const models = computed<ReadonlyMap<string, Model>>(
  () => new Map([...built.value, ...ownModels.value].map((model) => [model.name, model])),
);

/** Of components with ports and states of their own (user.Equation, FMUs): by component. */
export const ownComponents = signal<ReadonlyMap<string, Model>>(new Map());

/** What a component of the sheet is. */
export const modelOf = ({name, model}: Pick<ComponentView, 'name' | 'model'>): Model | undefined =>
  ownComponents.value.get(name) ?? models.value.get(model);

export async function readModels(): Promise<void> {
  if (built.peek().length) return;
  const found = await asking(getModels);
  if (!found) return;
  elements.value = found.elements;
  built.value = found.models;
}

/** By domain, in order of the alphabet; those whose name or text has all words. */
export function findModels(all: Iterable<Model>, filter: string): Map<string, Model[]> {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Map<string, Model[]>();
  const matches = (model: Model) => words.every((word) => `${model.name} ${model.text}`.toLowerCase().includes(word));
  for (const model of [...all]
    .filter((model) => model.inPalette && matches(model))
    .sort((a, b) => a.name.localeCompare(b.name))) {
    const domain = model.domain || 'other';
    found.set(domain, [...(found.get(domain) ?? []), model]);
  }
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}
