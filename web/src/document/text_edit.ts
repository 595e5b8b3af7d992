// Edits of a text, and their inverse. All changes of documents are such edits: what they do not name stays byte for byte.

/** Replaces the characters from `start` up to `end` (not included) by `text`. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Edits, and those that take them back; the places of each are those of the text before it. */
export interface TextChange {
  edits: readonly TextEdit[];
  inverse: readonly TextEdit[];
}

/** In the order of their places; edits at one place keep their order. Throws where two overlap. */
function sorted(edits: readonly TextEdit[]): TextEdit[] {
  const order = edits
    .map((edit, index) => ({edit, index}))
    .sort((a, b) => a.edit.start - b.edit.start || a.edit.end - b.edit.end || a.index - b.index);
  const list = order.map(({edit}) => edit);
  for (let i = 1; i < list.length; ++i) {
    if (list[i]!.start < list[i - 1]!.end) throw new RangeError('edits of a text overlap');
  }
  return list;
}

/** The text with all edits made; their places are those of `text`. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const edit of sorted(edits)) {
    if (edit.start < at || edit.end < edit.start || edit.end > text.length)
      throw new RangeError('an edit lies outside of the text');
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

/** The edits that make `text` of applyEdits(text, edits); their places are those of the new text. */
export function inverseEdits(text: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return sorted(edits).map(({start, end, text: inserted}) => {
    const begin = start + shift;
    shift += inserted.length - (end - start);
    return {start: begin, end: begin + inserted.length, text: text.slice(start, end)};
  });
}

/** Whether a place is between the two halves of a character. */
const isInCharacter = (text: string, at: number): boolean =>
  (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** The one edit that makes `after` of `before`: what both begin and end with is left out. Nothing where they are equal. */
export function editBetween(before: string, after: string): TextEdit | null {
  if (before === after) return null;
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before.charCodeAt(start) === after.charCodeAt(start)) ++start;
  if (isInCharacter(before, start) || isInCharacter(after, start)) --start;
  let tail = 0;
  while (tail < least - start && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail))
    ++tail;
  if (isInCharacter(before, before.length - tail) || isInCharacter(after, after.length - tail)) --tail;
  return {start, end: before.length - tail, text: after.slice(start, after.length - tail)};
}
