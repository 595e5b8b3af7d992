// What can be done to the chart that is open, by buttons, keys and pointer.
import type {StateKind} from '../../document/index.ts';
import {
  chart,
  chartLayout,
  chartView,
  chooseStates,
  chooseTransition,
  chosenStates,
  chosenTransition,
  editChart,
  singleState,
} from './chart_state.ts';

/** A new state next to the selected one, or inside of it. */
export function addState(kind: StateKind, isInside = false, place?: {x: number; y: number}): void {
  const now = singleState.peek();
  const canHold = now?.kind === 'state' || now?.kind === 'parallel';
  const parent = now === null ? null : isInside && canHold ? now.key : now.parent;
  addStateTo(parent, kind, place);
}

export function addStateTo(parent: string | null, kind: StateKind, place?: {x: number; y: number}): void {
  const id = editChart(`Add ${kind}`, (one) => one.addState(parent, kind, place ? {place} : {}));
  if (id !== undefined) chooseStates([id]);
}

export function removeChosenParts(): void {
  const transition = chosenTransition.peek();
  if (transition) editChart('Remove transition', (one) => one.removeTransitions([transition.key]));
  else if (chosenStates.peek().size > 0) editChart('Remove', (one) => one.removeStates([...chosenStates.peek()]));
}

export function duplicateStates(): void {
  const made =
    chosenStates.peek().size > 0 ? editChart('Duplicate', (one) => one.duplicate([...chosenStates.peek()])) : undefined;
  if (made) chooseStates(made);
}

export function connectStates(from: string, to: string): void {
  const key = editChart('Transition', (one) => one.addTransition(from, to));
  if (key !== undefined) chooseTransition(key);
}

/** A transition that stays in the chosen state. */
export function addOwnTransition(): void {
  const state = singleState.peek();
  const key = state && editChart('Transition', (one) => one.addTransition(state.key, null));
  if (key) chooseTransition(key);
}

/** States without an id have no place of their own: the layout finds one. */
export function moveStates(keys: readonly string[], dx: number, dy: number, merge?: string): void {
  const now = chartLayout.peek();
  const view = chartView.peek();
  if (!now || !view || (dx === 0 && dy === 0)) return;
  const places = new Map<string, {x: number; y: number}>();
  for (const key of keys) {
    const state = view.find(key);
    const own = state && state.id !== '' ? relativePlace(key) : null;
    if (!own || !state) continue;
    const isTop = state.parent === null;
    const limit = (value: number): number => (isTop ? value : Math.max(0, value));
    places.set(state.id, {x: limit(Math.round(own.x + dx)), y: limit(Math.round(own.y + dy))});
  }
  if (places.size > 0) editChart('Move', (one) => one.place(places), merge);
}

/** Where a state is, from where the content of the state around begins. */
export function relativePlace(key: string): {x: number; y: number} | null {
  const now = chartLayout.peek();
  const box = now?.layout.boxes.get(key);
  const origin = now?.layout.origins.get(now.view.find(key)?.parent ?? '');
  return box && origin ? {x: box.x - origin.x, y: box.y - origin.y} : null;
}

export function placeAutomatically(): void {
  const ids = [...(chartView.peek()?.places.keys() ?? [])];
  const chosen = [...chosenStates.peek()];
  const wanted = chosen.length > 0 ? chosen : ids;
  editChart('Place automatically', (one) => one.unplace(wanted.filter((id) => ids.includes(id))));
}

export function moveIntoState(keys: readonly string[], parent: string | null): void {
  if (
    editChart('Move into', (one) => {
      one.moveInto(keys, parent);
      return true;
    })
  )
    chooseStates(keys.filter((key) => chart.peek()?.view.find(key)));
}

export const chooseAllStates = (): void =>
  chooseStates(
    chartView
      .peek()
      ?.states.filter(({parent}) => parent === null)
      .map(({key}) => key) ?? [],
  );
