// The keyboard on the sheet.
import {choose, chosen, chosenLine, single, toggle} from '../state/choice.ts';
import {
  chooseAll,
  copyChosen,
  cutChosen,
  duplicateChosen,
  mirrorChosen,
  moveBy,
  pasteClip,
  removeChosen,
  rotateBy,
  ungroupChosen,
} from '../state/edits.ts';
import {enter, leaveTo, trail, view} from '../state/workspace.ts';
import {groupDialog} from '../ui/dialogs_state.ts';
import {kGrid} from './geometry.ts';
import {connectDialog} from './joining_state.ts';
import {panSheet, putNote, revealComponent, zoomSheet} from './sheet.tsx';

const kFar = 8; // grid steps with Shift
const kPan = 0.1;

const kArrows: Record<string, [number, number]> = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};

function arrow([x, y]: [number, number], isFar: boolean): void {
  const step = kGrid * (isFar ? kFar : 1);
  if (chosen.peek().size) {
    moveBy(x * step, y * step, 'arrows');
    // What is moved out of the view takes it along.
    const [first] = chosen.peek();
    window.requestAnimationFrame(() => {
      if (first !== undefined) revealComponent(first);
    });
  } else panSheet(x * kPan, y * kPan);
}

/** Into a sub-system or chart; else to the first field of the form. */
function open(): void {
  const name = single.peek();
  if (name === null) return;
  const component = view.peek()?.find(name);
  if (component && component.kind !== 'model') void enter(name);
  else document.querySelector<HTMLElement>('.form .fields textarea, .form .fields input, .form .fields select')?.focus();
}

const kWithControl: Record<string, () => void> = {
  a: chooseAll,
  c: copyChosen,
  x: cutChosen,
  v: () => pasteClip(),
  d: duplicateChosen,
  g: () => {
    if (chosen.peek().size) groupDialog.value = true;
  },
};

const kPlain: Record<string, () => void> = {
  r: () => rotateBy(90),
  R: () => rotateBy(270),
  m: mirrorChosen,
  Delete: removeChosen,
  Backspace: removeChosen,
  Enter: open,
  n: () => void putNote(),
  c: () => {
    if (single.peek() !== null) connectDialog.value = {from: single.peek()!};
  },
  F2: () => {
    const field = document.querySelector<HTMLInputElement>('.form input.component-name');
    field?.focus();
    field?.select();
  },
  Escape: () => {
    if (chosen.peek().size || chosenLine.peek()) choose([]);
    else if (trail.peek().length > 1) leaveTo(trail.peek().length - 2);
  },
  '+': () => zoomSheet(1.25),
  '=': () => zoomSheet(1.25),
  '-': () => zoomSheet(0.8),
  '0': () => zoomSheet(null),
};

export function pressKey(event: KeyboardEvent): void {
  if ((event.target as Element).closest('input, select, textarea')) return;
  const isControl = event.ctrlKey || event.metaKey;
  // Space chooses what has the focus, Enter does so, too, before it opens it.
  const owner = (event.target as Element).closest<SVGElement>(
    '.component[data-owner], .subsystem[data-owner], .note[data-owner]',
  )?.dataset.owner;
  if (owner !== undefined && !isControl && (event.key === ' ' || (event.key === 'Enter' && !chosen.peek().has(owner)))) {
    event.preventDefault();
    if (event.shiftKey) toggle(owner);
    else choose([owner]);
    return;
  }
  const way = kArrows[event.key];
  const action = way
    ? isControl
      ? undefined
      : () => arrow(way, event.shiftKey)
    : isControl && event.shiftKey && event.key.toLowerCase() === 'g'
      ? ungroupChosen
      : isControl
        ? event.shiftKey
          ? undefined
          : kWithControl[event.key]
        : event.altKey
          ? undefined
          : kPlain[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}
