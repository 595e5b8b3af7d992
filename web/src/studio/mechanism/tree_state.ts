// The mechanism that is edited as a tree, and what is done to it. Everything is a step of the one history.
import {computed, signal} from '@preact/signals';
import type {ComponentView, InnerView} from '../../document/index.ts';
import type {ElementInfo} from '../api/types.ts';
import {attemptEdit} from '../state/edits.ts';
import {faultsHere, type PlacedFault} from '../state/fault_places.ts';
import {modelOf} from '../state/models.ts';
import {current, view} from '../state/workspace.ts';

export const kBase = 'base';

/** The file and the component whose tree is shown in place of the sheet. */
const opened = signal<{path: string; name: string} | null>(null);
export const chosenPart = signal<string | null>(null);

export const mechanism = computed<ComponentView | null>(() => {
  const what = opened.value;
  return what && what.path === current.value ? (view.value?.find(what.name) ?? null) : null;
});

export function openTree(name: string): void {
  const path = current.peek();
  if (path === null) return;
  opened.value = {path, name};
  chosenPart.value = null;
}

export function closeTree(): void {
  opened.value = null;
}

/** Whether a component can be edited as a tree. */
export const hasTree = (component: ComponentView): boolean =>
  component.repeated.length === 0 && kindsOf(component).some(({name}) => name === 'Body');

const kindsOf = (component: ComponentView): readonly ElementInfo[] => modelOf(component)?.inner ?? [];
export const kinds = computed<readonly ElementInfo[]>(() => (mechanism.value ? kindsOf(mechanism.value) : []));

export const valueIn = (part: InnerView, name: string): string | null =>
  part.attributes.find((one) => one.name === name)?.value ?? null;
export const nameOf = (part: InnerView): string => valueIn(part, 'name') ?? valueIn(part, 'src') ?? '';

export const parts = computed<readonly InnerView[]>(() => {
  const known = new Set(kinds.value.map(({name}) => name));
  return mechanism.value?.inside.filter(({element}) => known.has(element)) ?? [];
});
export const partHere = computed<InnerView | null>(() => parts.value.find((part) => nameOf(part) === chosenPart.value) ?? null);

const isOnBody = ({element}: InnerView): boolean =>
  kinds.value.find(({name}) => name === element)?.attributes.some(({name}) => name === 'on') ?? false;
export const bodies = computed<readonly string[]>(() => [
  kBase,
  ...parts.value.filter(({element}) => element === 'Body').map(nameOf),
]);

export interface Row {
  name: string;
  kind: string;
  level: number;
  part: InnerView | null;
}

/** The base with all that it carries, then what is between bodies, by kind. */
export const rows = computed<readonly Row[]>(() => {
  const found: Row[] = [{name: kBase, kind: 'Base', level: 1, part: null}];
  const left = new Set(parts.value.filter(isOnBody));
  const add = (part: InnerView, level: number) => {
    left.delete(part);
    found.push({name: nameOf(part), kind: part.element, level, part});
    if (part.element === 'Body') addOn(nameOf(part), level + 1);
  };
  const addOn = (body: string, level: number) => {
    for (const part of [...left]) if (left.has(part) && (valueIn(part, 'on') ?? kBase) === body) add(part, level);
  };
  addOn(kBase, 2);
  // On a body that is not there, or in a circle.
  for (const part of [...left]) if (left.has(part)) add(part, 1);
  for (const part of parts.value) if (!isOnBody(part)) found.push({name: nameOf(part), kind: part.element, level: 1, part});
  return found;
});

/** The faults of each part: by line, or because they begin with its name. Those of the mechanism itself have the name ''. */
export const faultsOfParts = computed<ReadonlyMap<string, PlacedFault[]>>(() => {
  const found = new Map<string, PlacedFault[]>();
  const all = parts.value;
  for (const fault of faultsHere.value) {
    if (fault.owner !== mechanism.value?.name) continue;
    const [first = ''] = /^[\w.]+/.exec(fault.text) ?? [];
    const named = all.find((part) => nameOf(part) === first);
    const before = all.filter(({line}) => fault.line > (mechanism.value?.line ?? 0) && line <= fault.line);
    const part =
      named ?? before.reduce<InnerView | undefined>((last, one) => (last && last.line > one.line ? last : one), undefined);
    const name = part ? nameOf(part) : '';
    found.set(name, [...(found.get(name) ?? []), fault]);
  }
  return found;
});

/** What a new part has besides its name, so that it can be seen. */
const kNew: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Body: {at: '1 0 0 m', joint: 'revolute', axis: '0 -1 0', mass: '100 kg', centre: '0.5 0 0 m', inertia: '1 10 10 kg.m2'},
  Frame: {at: '1 0 0 m'},
  Mount: {b_at: '0.5 0 0 m'},
  Loop: {joint: 'revolute', axis: '0 -1 0'},
  Contact: {at: '1 0 0 m', stiffness: '1e6 N/m'},
};

/** Adds a part to the chosen one: on it, between it and the base, or of it. */
export function addPart({name: kind, attributes}: ElementInfo): void {
  const to = mechanism.peek();
  if (!to) return;
  const at = partHere.peek();
  const chosen = !at ? kBase : at.element === 'Body' ? nameOf(at) : (valueIn(at, 'on') ?? kBase);
  const place: Record<string, string> = {};
  const has = (name: string) => attributes.some((one) => one.name === name);
  if (has('on') && chosen !== kBase) place.on = chosen;
  if (has('b')) Object.assign(place, {a: kBase, b: chosen === kBase ? (bodies.peek()[1] ?? kBase) : chosen});
  if (has('of')) place.of = chosen === kBase ? (bodies.peek()[1] ?? '') : chosen;
  const name = attemptEdit(`Add ${kind}`, (now) => now.addPart(to.name, kind, {...place, ...kNew[kind]}));
  if (name !== undefined) chosenPart.value = name;
}

export function setPart(part: string, attribute: string, value: string | null): void {
  const of = mechanism.peek();
  // A field that goes with the old name of its part says the new one once more.
  if (!of || !parts.peek().some((one) => nameOf(one) === part)) return;
  const done = attemptEdit(`Set ${attribute} of ${part}`, (now) => {
    now.setPart(of.name, part, attribute, value);
    return true;
  });
  if (done && attribute === 'name' && value !== null && chosenPart.peek() === part) chosenPart.value = value;
}

export function removePart(part: string): void {
  const of = mechanism.peek();
  if (!of) return;
  attemptEdit(`Remove ${part}`, (now) => now.removePart(of.name, part));
  if (!partHere.peek()) chosenPart.value = null;
}
