// The panel that is drawn, and what is done to it. Everything is a step of the one history.
import {computed, signal} from '@preact/signals';
import type {ComponentView, InnerView} from '../../document/index.ts';
import {attemptEdit} from '../state/edits.ts';
import {elements} from '../state/models.ts';
import {view} from '../state/workspace.ts';

/** Whether the pane shows a panel in place of the sheet. */
export const isPanelOpen = signal(false);
const wanted = signal<string | null>(null);
export const chosenElement = signal<string | null>(null);

export const panelsHere = computed<readonly ComponentView[]>(
  () => view.value?.components.filter(({model}) => model === 'Panel') ?? [],
);
/** The one that is drawn. */
export const panel = computed<ComponentView | null>(
  () => panelsHere.value.find(({name}) => name === wanted.value) ?? panelsHere.value[0] ?? null,
);
export const elementKinds = computed(() => elements.value.filter(({place}) => place === 'panel'));

export const valueIn = (element: InnerView, name: string): string | null =>
  element.attributes.find((one) => one.name === name)?.value ?? null;
export const nameOf = (element: InnerView): string => valueIn(element, 'name') ?? '';

export const elementHere = computed<InnerView | null>(
  () => panel.value?.inside.find((one) => nameOf(one) === chosenElement.value) ?? null,
);

export function choosePanel(name: string): void {
  wanted.value = name;
  chosenElement.value = null;
}

/** Opens the panel of the file, or a new one. */
export function openPanel(): void {
  if (!panel.peek()) newPanel();
  isPanelOpen.value = panel.peek() !== null;
}

export function newPanel(): void {
  const name = attemptEdit('Add a panel', (now) => now.addPanel());
  if (name !== undefined) choosePanel(name);
}

export function addElement(kind: string, before: string | null = null): void {
  const to = panel.peek();
  if (!to) return;
  const name = attemptEdit(`Add ${kind}`, (now) => now.addPanelElement(to.name, kind, before));
  if (name !== undefined) chosenElement.value = name;
}

export function setElement(element: string, attribute: string, value: string | null): void {
  const of = panel.peek();
  if (!of) return;
  const done = attemptEdit(`Set ${attribute} of ${element}`, (now) => {
    now.setPanelElement(of.name, element, attribute, value);
    return true;
  });
  if (done && attribute === 'name' && value !== null) chosenElement.value = value;
}

export function moveElement(element: string, before: string | null): void {
  const of = panel.peek();
  if (of) attemptEdit(`Move ${element}`, (now) => now.movePanelElement(of.name, element, before));
}

export function removeElement(element: string): void {
  const of = panel.peek();
  if (!of) return;
  attemptEdit(`Remove ${element}`, (now) => now.removePanelElement(of.name, element));
  if (chosenElement.peek() === element) chosenElement.value = null;
}
