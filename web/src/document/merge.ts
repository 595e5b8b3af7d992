// Edits of two people in one text: whether they meet, and how one is moved past the other.
import {ChangeSet, Text} from '@codemirror/state';
import type {TextEdit} from './text_edit.ts';

/** A text by its lines, so that an edit copies little of it. Carriage returns are characters of their lines. */
export const linesOf = (text: string): Text => Text.of(text.split('\n'));

/** Edits of a text of `length` characters. */
export const changesOf = (edits: readonly TextEdit[], length: number): ChangeSet =>
  ChangeSet.of(
    edits.map(({start, end, text}) => ({from: start, to: end, insert: text})),
    length,
    '\n',
  );

export function editsOf(changes: ChangeSet): TextEdit[] {
  const edits: TextEdit[] = [];
  changes.iterChanges((start, end, _from, _to, inserted) => {
    edits.push({start, end, text: inserted.sliceString(0, inserted.length, '\n')});
  });
  return edits;
}

const kMostOfTag = 4000; // characters of a tag that are looked at, on each side of a place

/** The tag around a place, which is between its characters; null in content. No XML parser: one of both texts may be broken. */
function tagAround(text: Text, at: number): {start: number; end: number} | null {
  const before = beginOfTag(text, at);
  if (before === null) return null;
  const start = at - before.length;
  const isComment = before.startsWith('<!--');
  let quote = '';
  /** Where the tag ends in a part of it. */
  const endIn = (part: string): number => {
    if (isComment) return part.indexOf('-->') < 0 ? -1 : part.indexOf('-->') + 3;
    for (let i = 0; i < part.length; ++i) {
      const letter = part[i]!;
      if (quote) quote = letter === quote ? '' : quote;
      else if (letter === '"' || letter === "'") quote = letter;
      else if (letter === '>') return i + 1;
    }
    return -1;
  };
  if (endIn(before) >= 0) return null;
  const end = endIn(text.sliceString(at, at + kMostOfTag, '\n'));
  return {start, end: at + Math.max(end, 0)};
}

/** From the last < before a place up to it; null where there is none near. */
function beginOfTag(text: Text, at: number): string | null {
  for (const most of [200, kMostOfTag]) {
    const part = text.sliceString(Math.max(0, at - most), at, '\n');
    const begin = part.lastIndexOf('<');
    if (begin >= 0) return part.slice(begin);
  }
  return null;
}

interface Region {
  start: number;
  end: number;
  inserted: string;
}

/** What changes touch: of a tag all of it, so that two attributes of one element are touched together. */
function regionsOf(text: Text, changes: ChangeSet): Region[] {
  return editsOf(changes).map(({start, end, text: inserted}) => ({
    start: tagAround(text, start)?.start ?? start,
    end: tagAround(text, end)?.end ?? end,
    inserted,
  }));
}

/** By what elements of a text are told apart that stand once in their parent: the name, else all attributes. */
function keysOf(inserted: string): Set<string> {
  const keys = new Set<string>();
  for (const [, tag, attributes] of inserted.matchAll(/<([A-Za-z_][\w.:-]*)([^<>]*)/g)) {
    const name = /\b(?:name|component|id)\s*=\s*("[^"]*"|'[^']*')/.exec(attributes!)?.[1];
    keys.add(name === undefined ? `${tag} ${attributes!.replace(/\/$/, '').trim()}` : name);
  }
  return keys;
}

/**
 * Whether two changes of one text touch the same element, so that only one of them can stay. Elements that both add at one
 * place stay both, unless they have one name.
 */
export function meet(text: Text, one: ChangeSet, other: ChangeSet): boolean {
  const others = regionsOf(text, other);
  return regionsOf(text, one).some((a) =>
    others.some((b) => {
      if (Math.max(a.start, b.start) < Math.min(a.end, b.end)) return true;
      const isInside = (at: Region, of: Region): boolean => at.start === at.end && of.start < at.start && at.start < of.end;
      if (isInside(a, b) || isInside(b, a)) return true;
      if (a.start !== b.start || a.end !== b.end) return false;
      const keys = keysOf(b.inserted);
      return [...keysOf(a.inserted)].some((key) => keys.has(key));
    }),
  );
}
