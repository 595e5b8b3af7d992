// Texts and pictures on the sheet; the same rules as in the drawing of the program (drawing/diagram.cc).
import type {NoteView} from '../../document/index.ts';
import {onGrid, type Rect} from './geometry.ts';

const kLetter = 6.3; // a character, across [units]
const kLine = 14;
const kBase = 11; // from the top of a line to the base of its letters

export interface SceneNote {
  /** In the file; empty: inside of a sub-system, or made by a <For>. */
  key: string;
  box: Rect;
  lines: readonly string[];
  /** Of the picture, above the lines. */
  height: number;
  /** From the folder. */
  picture: string | null;
}

/** The lines of a text: as it has them, and broken at spaces where they would be wider. A longer word stays whole. */
export function breakLines(text: string, width: number | null): string[] {
  if (text === '') return [];
  const most = width === null ? Infinity : Math.floor(width / kLetter);
  return text.split('\n').flatMap((line) => {
    const broken: string[] = [''];
    let length = 0;
    for (const word of line.split(/[ \t\r]+/).filter(Boolean)) {
      const letters = [...word].length;
      if (length > 0 && length + 1 + letters > most) {
        broken.push('');
        length = 0;
      }
      broken[broken.length - 1] += (length > 0 ? ' ' : '') + word;
      length += (length > 0 ? 1 : 0) + letters;
    }
    return broken;
  });
}

/** Of a note of the file; null where only the program knows where it is. */
export function noteOf(view: NoteView): SceneNote | null {
  const {key, x, y, text, width, height, source} = view;
  if (view.repeated.length > 0 || !Number.isFinite(x) || !Number.isFinite(y)) return null;
  const lines = breakLines(text, width);
  const across = Math.max(width ?? 0, ...lines.map((line) => kLetter * [...line].length));
  const [left, top] = [onGrid(x), onGrid(y)];
  return {
    key,
    box: {left, top, right: left + across, bottom: top + height + kLine * lines.length},
    lines,
    height,
    picture: source ?? null,
  };
}

/** From the upper left corner of a note to the base of a line. */
export const baseOf = ({height}: SceneNote, line: number): number => height + kBase + kLine * line;

/** Where the page reads a picture. */
export const addressOf = (picture: string): string => `api/picture?path=${encodeURIComponent(picture)}`;
