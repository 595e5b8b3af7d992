// What is found in the texts of a folder, and the texts with something else in its place.

export interface FindOptions {
  /** Capital and small letters differ. */
  hasCase: boolean;
  /** Not inside of a longer word; a `.` ends one. */
  isWhole: boolean;
}

export interface Match {
  start: number;
  end: number;
  /** From 1. */
  line: number;
  /** The line around it: before, itself, behind. */
  parts: readonly [string, string, string];
}

const kMostAround = 60; // characters of the line on each side

function patternOf(wanted: string, {hasCase, isWhole}: FindOptions): RegExp {
  const plain = wanted.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(isWhole ? `(?<![\\w])${plain}(?![\\w])` : plain, hasCase ? 'gu' : 'giu');
}

export function matchesIn(text: string, wanted: string, options: FindOptions): Match[] {
  if (wanted === '') return [];
  const matches: Match[] = [];
  let line = 1;
  let seen = 0;
  for (const {index, 0: found} of text.matchAll(patternOf(wanted, options))) {
    const end = index + found.length;
    for (; seen < index; seen++) if (text[seen] === '\n') line++;
    const lineStart = text.lastIndexOf('\n', index - 1) + 1;
    const lineEnd = text.indexOf('\n', end);
    matches.push({
      start: index,
      end,
      line,
      parts: [
        text.slice(Math.max(lineStart, index - kMostAround), index).trimStart(),
        found,
        text.slice(end, Math.min(lineEnd < 0 ? text.length : lineEnd, end + kMostAround)),
      ],
    });
  }
  return matches;
}

export const replacedIn = (text: string, wanted: string, by: string, options: FindOptions): string =>
  wanted === '' ? text : text.replace(patternOf(wanted, options), () => by);
