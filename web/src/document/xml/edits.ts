// Edits of an XML text, written as a person would: in the lines they concern, with the indentation of the neighbours.
import type {TextEdit} from '../text_edit.ts';
import {escapeValue} from './entities.ts';
import {endOfLine, indentAt, isBlank, lineEnd, lineStart} from './lines.ts';
import {attributeOf, isElement} from './query.ts';
import type {XmlAttribute, XmlDocument, XmlElement, XmlNode} from './syntax.ts';

/** Where lines of attributes are broken. */
export const kLineWidth = 120;
const kStep = '  ';

/** A start tag and what is in it, to be written. */
export interface NewElement {
  name: string;
  attributes: readonly (readonly [string, string])[];
  children?: readonly NewElement[];
}

/** What one level of the file is indented by. */
export function indentStep(document: XmlDocument): string {
  for (const child of document.root.children) {
    if (!isElement(child)) continue;
    const indent = indentAt(document.text, child.start);
    if (indent && lineStart(document.text, child.start) + indent.length === child.start) return indent;
  }
  return kStep;
}

/** The element in lines, the first of them without indentation; `indent` is how far all will be moved to the right. */
export function writeElement(element: NewElement, indent: number, step: string): string[] {
  let line = `<${element.name}`;
  const lines: string[] = [];
  const isEmpty = !element.children?.length;
  element.attributes.forEach(([name, value], index) => {
    const part = ` ${name}="${escapeValue(value)}"`;
    const isLast = index === element.attributes.length - 1;
    const width = indent + line.length + part.length + (isLast ? 2 : 0);
    if (width > kLineWidth && index > 0) {
      lines.push(line);
      line = step + step + part.slice(1);
    } else {
      line += part;
    }
  });
  lines.push(line + (isEmpty ? '/>' : '>'));
  for (const child of element.children ?? [])
    lines.push(...writeElement(child, indent + step.length, step).map((inner) => step + inner));
  if (!isEmpty) lines.push(`</${element.name}>`);
  return lines;
}

/** How an element is written, in lines without the indentation that its first line has. */
export function linesOf(document: XmlDocument, element: XmlElement): string[] {
  const {text} = document;
  const indent = indentAt(text, element.start);
  return text
    .slice(element.start, element.end)
    .split(/\r?\n/)
    .map((line, index) => (index > 0 && line.startsWith(indent) ? line.slice(indent.length) : line));
}

/** Gives an attribute a value, where it stands, or behind the attribute `after` (the last where that is left out; null: before all). */
export function setAttribute(
  document: XmlDocument,
  element: XmlElement,
  name: string,
  value: string,
  after?: string | null,
): TextEdit {
  const known = attributeOf(element, name);
  if (known) return {start: known.valueStart, end: known.valueEnd, text: escapeValue(value, known.quote)};
  const {text} = document;
  const before: XmlAttribute | undefined =
    after === null ? undefined : ((after === undefined ? undefined : attributeOf(element, after)) ?? element.attributes.at(-1));
  const at = before?.end ?? element.nameEnd;
  const quote = element.attributes[0]?.quote ?? '"';
  const part = `${name}=${quote}${escapeValue(value, quote)}${quote}`;
  const column = at - lineStart(text, at);
  const rest = before === element.attributes.at(-1) ? 2 : 0;
  if (!before || column + 1 + part.length + rest <= kLineWidth) return {start: at, end: at, text: ` ${part}`};
  // In a line of its own, below the attributes that have one.
  const below = element.attributes.find((attribute) => isBlank(text.slice(lineStart(text, attribute.start), attribute.start)));
  const step = indentStep(document);
  const indent = below ? indentAt(text, below.start) : indentAt(text, element.start) + step + step;
  return {start: at, end: at, text: endOfLine(text) + indent + part};
}

export function removeAttribute(document: XmlDocument, element: XmlElement, name: string): TextEdit | null {
  const index = element.attributes.findIndex((attribute) => attribute.name === name);
  if (index < 0) return null;
  const attribute = element.attributes[index]!;
  const {text} = document;
  const previousEnd = element.attributes[index - 1]?.end ?? element.nameEnd;
  const next = element.attributes[index + 1];
  const isFirstOfLine = text.slice(previousEnd, attribute.start).includes('\n');
  if (isFirstOfLine && next && !text.slice(attribute.end, next.start).includes('\n')) {
    return {start: attribute.start, end: next.start, text: ''};
  }
  return {start: previousEnd, end: attribute.end, text: ''};
}

export function renameElement(element: XmlElement, name: string): TextEdit[] {
  const open = {start: element.start + 1, end: element.nameEnd, text: name};
  if (element.isEmptyTag) return [open];
  return [open, {start: element.closeStart + 2, end: element.closeStart + 2 + element.name.length, text: name}];
}

/** Whether a node has its lines for itself, but for a comment behind it. */
function endOfOwnLines(text: string, start: number, end: number): number | null {
  if (!isBlank(text.slice(lineStart(text, start), start))) return null;
  const stop = lineEnd(text, end);
  return /^[ \t]*(<!--(?:(?!-->)[^\n])*-->)?[ \t]*\r?\n?$/.test(text.slice(end, stop)) ? stop : null;
}

/**
 * Removes nodes of one parent with their lines. Of blank lines before and after them one stays. A parent that has nothing
 * left is closed in its start tag, `<a/>`, unless it is the root.
 */
export function removeNodes(document: XmlDocument, nodes: readonly XmlNode[]): TextEdit[] {
  const parent = nodes[0]?.parent;
  if (!parent) return [];
  const {text} = document;
  const gone = new Set(nodes);
  const isLeft = parent.children.some(
    (node) => !gone.has(node) && !(node.kind === 'text' && isBlank(text.slice(node.start, node.end))),
  );
  if (!isLeft && parent.parent) return [{start: parent.openEnd - 1, end: parent.end, text: '/>'}];
  // Neighbours that only spaces part are one.
  const runs: {start: number; end: number}[] = [];
  for (const node of [...nodes].sort((a, b) => a.start - b.start)) {
    const last = runs.at(-1);
    if (last && isBlank(text.slice(last.end, node.start))) last.end = node.end;
    else runs.push({start: node.start, end: node.end});
  }
  const edits = runs.map(({start, end}): TextEdit => {
    const stop = endOfOwnLines(text, start, end);
    if (stop === null) {
      let begin = start;
      if (/[ \t]/.test(text[begin - 1] ?? '') && /[\s<]/.test(text[end] ?? '')) --begin;
      return {start: begin, end, text: ''};
    }
    let begin = lineStart(text, start);
    const isFirst = begin === lineStart(text, parent.openEnd) || begin === 0;
    if (isFirst) return {start, end, text: ''};
    const lineBefore = lineStart(text, begin - 1);
    const isBlankBefore = isBlank(text.slice(lineBefore, begin)) && lineBefore >= parent.openEnd;
    const after = text.slice(stop, lineEnd(text, stop));
    const isBlankAfter = after !== '' && isBlank(after);
    if (isBlankBefore && (isBlankAfter || stop > parent.closeStart || isBlank(text.slice(stop, parent.closeStart))))
      begin = lineBefore;
    return {start: begin, end: stop, text: ''};
  });
  return joined(edits);
}

/** Removals that touch or overlap become one. */
function joined(edits: readonly TextEdit[]): TextEdit[] {
  const list: TextEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    const last = list.at(-1);
    if (last && edit.start <= last.end) last.end = Math.max(last.end, edit.end);
    else list.push({...edit});
  }
  return list;
}

/** Where an element goes, and what is written before and behind it. */
export interface InsertPlace {
  parent: XmlElement;
  /** Behind this node; at the beginning of the parent where it is null. */
  after: XmlNode | null;
  /** A blank line before it. */
  isGroup?: boolean;
}

/** Inserts lines; `write` makes them without their indentation, which it gets the length of. */
export function insertLines(
  document: XmlDocument,
  place: InsertPlace,
  write: (indent: number, step: string) => readonly string[],
): TextEdit[] {
  const {text} = document;
  const {parent, after} = place;
  const eol = endOfLine(text);
  const step = indentStep(document);
  const siblings = parent.children.filter(isElement);
  const model = (after && isElement(after) ? after : null) ?? siblings[0];
  const hasOwnLine = model !== undefined && isBlank(text.slice(lineStart(text, model.start), model.start));
  const indent = hasOwnLine ? indentAt(text, model.start) : indentAt(text, parent.start) + step;
  const lines = write(indent.length, step);
  if (lines.length === 0) return [];
  const body = lines.map((line) => (line === '' ? '' : indent + line)).join(eol);
  if (parent.isEmptyTag) {
    let begin = parent.end - 2;
    while (/\s/.test(text[begin - 1]!)) --begin;
    return [{start: begin, end: parent.end, text: `>${eol}${body}${eol}${indentAt(text, parent.start)}</${parent.name}>`}];
  }
  const from = after?.end ?? parent.openEnd;
  const behind = /^[ \t]*(<!--(?:(?!-->)[^\n])*-->)?[ \t]*(?=\r?\n)/.exec(text.slice(from, lineEnd(text, from)));
  const blank = place.isGroup ? eol : '';
  if (behind) {
    const at = from + behind[0].length;
    return [{start: at, end: at, text: eol + blank + body}];
  }
  // Something else follows in the same line.
  const next = text.slice(from, parent.closeStart);
  const tail = isBlank(next) ? eol + indentAt(text, parent.start) : eol + indent;
  const spaces = /^[ \t]*/.exec(next)![0].length;
  return [{start: from, end: from + spaces, text: eol + blank + body + tail}];
}
