// Keys on the drawing of a chart.
import type {PanZoom} from '../../ui/drawing/pan_zoom.ts';
import {
  addOwnTransition,
  addState,
  chooseAllStates,
  connectStates,
  duplicateStates,
  moveStates,
  placeAutomatically,
  removeChosenParts,
} from './chart_edits.ts';
import {connectingFrom} from './chart_pointer.ts';
import {chartView, chooseStates, chooseTransition, chosenStates, singleState, toggleState} from './chart_state.ts';

const kStep = 8; // of the arrow keys [units]

export const kChartKeys: readonly (readonly [string, string])[] = [
  ['S', 'state next to the selected one'],
  ['Shift+S', 'state inside it'],
  ['P', 'parallel state'],
  ['F', 'final state'],
  ['H', 'history'],
  ['C', 'choice'],
  ['T', 'transition from the selected state: choose its target next'],
  ['L', 'transition without a target'],
  ['Tab, Enter', 'go to a state or transition and select it'],
  ['Arrows', 'move the selected states'],
  ['Del', 'remove'],
  ['Ctrl+D', 'duplicate'],
  ['F2', 'new id'],
  ['A', 'automatic places'],
  ['+ − 0', 'zoom, show all'],
];

/** True where the key meant something. */
export function pressOnChart(event: KeyboardEvent, view: PanZoom): boolean {
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isControl) {
    if (key === 'd') duplicateStates();
    else if (key === 'a') chooseAllStates();
    else return false;
    return true;
  }
  if (event.altKey) return false;
  const move = (dx: number, dy: number): void => {
    if (chosenStates.peek().size > 0) moveStates([...chosenStates.peek()], dx * kStep, dy * kStep, 'arrows');
    else view.pan(dx * 0.1, dy * 0.1);
  };
  const actions: Readonly<Record<string, () => void>> = {
    s: () => addState('state', event.shiftKey),
    p: () => addState('parallel', event.shiftKey),
    f: () => addState('final', event.shiftKey),
    h: () => addState('history', true),
    c: () => addState('choice', event.shiftKey),
    t: () => {
      connectingFrom.value = singleState.peek()?.key ?? null;
    },
    l: addOwnTransition,
    a: placeAutomatically,
    Delete: removeChosenParts,
    Backspace: removeChosenParts,
    ArrowLeft: () => move(-1, 0),
    ArrowRight: () => move(1, 0),
    ArrowUp: () => move(0, -1),
    ArrowDown: () => move(0, 1),
    '+': () => view.zoom(1.25),
    '=': () => view.zoom(1.25),
    '-': () => view.zoom(0.8),
    0: () => view.fit(),
    F2: () => document.querySelector<HTMLInputElement>('.chart-form input[aria-label="id"]')?.focus(),
    Enter: () => choose(event),
    ' ': () => choose(event),
    Escape: () => {
      connectingFrom.value = null;
      chooseStates([]);
    },
  };
  const action = actions[key];
  if (!action) return false;
  action();
  return true;
}

/** What has the focus is chosen; it is the target where a transition waits for one. */
function choose(event: KeyboardEvent): void {
  const target = event.target as Element;
  const state = target.closest<SVGElement>('[data-state]')?.dataset['state'];
  const transition = target.closest<SVGElement>('[data-transition]')?.dataset['transition'];
  const from = connectingFrom.peek();
  if (from !== null && state !== undefined) {
    connectingFrom.value = null;
    connectStates(from, state);
  } else if (transition !== undefined) {
    chooseTransition(transition);
  } else if (state !== undefined && chartView.peek()?.find(state)) {
    if (event.shiftKey) toggleState(state);
    else chooseStates([state]);
  }
}
