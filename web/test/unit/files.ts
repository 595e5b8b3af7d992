// Files of the repository, for tests of documents.
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseXml} from '../../src/document/xml/parse.ts';
import type {XmlDocument, XmlNode} from '../../src/document/xml/syntax.ts';

// Tests run from web/generated/test-XXXX.
export const repository = process.env['WEB_FOLDER'] ?? fileURLToPath(new URL('../../..', import.meta.url));

/** All files of a folder of the repository that end so, by their path in that folder. */
export function filesIn(folder: string, extension: string): Map<string, string> {
  const files = new Map<string, string>();
  const read = (path: string): void => {
    for (const name of readdirSync(path).sort()) {
      const file = join(path, name);
      if (statSync(file).isDirectory()) read(file);
      else if (name.endsWith(extension)) files.set(relative(join(repository, folder), file), readFileSync(file, 'utf8'));
    }
  };
  read(join(repository, folder));
  return files;
}

/** A document written again from its nodes alone; equals its text where no node is lost or misplaced. */
export function written(document: XmlDocument): string {
  const {text} = document;
  const write = (node: XmlNode): string => {
    if (node.kind !== 'element') return text.slice(node.start, node.end);
    const open = text.slice(node.start, node.openEnd);
    return node.isEmptyTag ? open : open + node.children.map(write).join('') + text.slice(node.closeStart, node.end);
  };
  const mark = text.charCodeAt(0) === 0xfeff ? text[0] : '';
  return mark + document.nodes.map(write).join('');
}

export function wellFormed(text: string): XmlDocument {
  const {document, fault} = parseXml(text);
  if (fault)
    throw new Error(
      `line ${fault.line}: ${fault.text}\n${text
        .split('\n')
        .slice(Math.max(0, fault.line - 3), fault.line + 2)
        .join('\n')}`,
    );
  return document;
}

/** Lines that are not in both, as `diff` counts them. */
export function diffLines(before: string, after: string): {removed: number; added: number} {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) ++start;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  // Longest common subsequence of what is left.
  const rows = Array.from({length: x.length + 1}, () => new Uint32Array(y.length + 1));
  for (let i = 1; i <= x.length; ++i)
    for (let j = 1; j <= y.length; ++j)
      rows[i]![j] = x[i - 1] === y[j - 1] ? rows[i - 1]![j - 1]! + 1 : Math.max(rows[i - 1]![j]!, rows[i]![j - 1]!);
  const common = rows[x.length]![y.length]!;
  return {removed: x.length - common, added: y.length - common};
}

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function random(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (count: number): number => Math.floor(next() * count);
  return {
    next,
    integer,
    pick: (list) => list[integer(list.length)],
    some: (list, most) => [...list].sort(() => next() - 0.5).slice(0, 1 + integer(most)),
  };
}

export interface Random {
  next(): number;
  /** 0 to count - 1. */
  integer(count: number): number;
  pick<T>(list: readonly T[]): T | undefined;
  /** One or more of them, at most `most`. */
  some<T>(list: readonly T[], most: number): T[];
}
