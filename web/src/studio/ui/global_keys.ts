// Keys that count everywhere on the page.
import {redo, undo} from '../state/edits.ts';
import {findDialog} from '../find/find_dialog.tsx';
import {saveAll} from '../state/saving.ts';
import {backToDrawing, mode, startRun} from '../run/runs.ts';

const isField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input:not([type="checkbox"]):not([type="radio"]), textarea, select') !== null;
/** The text view has keys of its own. */
const isText = (target: EventTarget | null): boolean => target instanceof Element && target.closest('.text-view') !== null;

function searchPalette(): void {
  const field = document.querySelector<HTMLInputElement>('.palette-search');
  field?.focus();
  field?.select();
}

function press(event: KeyboardEvent): void {
  const isControl = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (isText(event.target) || document.querySelector('dialog[open]')) return;
  const isWriting = isField(event.target) && (event.target as HTMLInputElement).classList.contains('is-draft');
  const actions: [boolean, () => void][] = [
    [isControl && key === 's', () => void saveAll()],
    [isControl && key === 'enter', () => (mode.peek() === 'draw' ? void startRun() : backToDrawing())],
    [isControl && key === 'z' && !event.shiftKey && !isWriting, undo],
    [isControl && (key === 'y' || (key === 'z' && event.shiftKey)) && !isWriting, redo],
    [
      isControl && event.shiftKey && key === 'f' && mode.peek() === 'draw',
      () => {
        findDialog.value = true;
      },
    ],
    [key === '/' && !isControl && !isField(event.target), searchPalette],
  ];
  const action = actions.find(([holds]) => holds)?.[1];
  if (!action) return;
  event.preventDefault();
  // A field that is being written takes its value first.
  if (isControl && (key === 's' || key === 'enter')) (document.activeElement as HTMLElement | null)?.blur?.();
  action();
}

export function listenToKeys(): () => void {
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}
