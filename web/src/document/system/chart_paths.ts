// Paths of components in the expressions of a chart.
import type {TextEdit} from '../text_edit.ts';
import {elementsIn, isElement} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';

const kExpressions = new Set([
  'cond',
  'expr',
  'location',
  'array',
  'eventexpr',
  'targetexpr',
  'delayexpr',
  'typeexpr',
  'srcexpr',
  'namelist',
  'davit:is',
]);
/** Texts and entities are passed over; what is left and looks like a path is one. */
const kToken = /'[^']*'|"[^"]*"|&apos;.*?&apos;|&quot;.*?&quot;|&#?\w+;|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*/g;

export interface ChartPath {
  path: string;
  start: number;
  end: number;
}

/** The paths that a chart reads and sets, as far as they are none of its own data; also the targets of <send>. */
export function chartPaths(document: XmlDocument): ChartPath[] {
  const found: ChartPath[] = [];
  const own = new Set<string>(['_event', '_sessionid', '_name', '_ioprocessors', '_x']);
  collectData(document.root, own);
  const add = (start: number, end: number): void => {
    for (const match of document.text.slice(start, end).matchAll(kToken)) {
      if (!/^[A-Za-z_]/.test(match[0]) || !match[0].includes('.')) continue;
      if (own.has(match[0].slice(0, match[0].search(/[.[]/)))) continue;
      found.push({path: match[0], start: start + match.index, end: start + match.index + match[0].length});
    }
  };
  const visit = (element: XmlElement): void => {
    for (const {name, value, valueStart, valueEnd} of element.attributes) {
      if (kExpressions.has(name)) add(valueStart, valueEnd);
      if (element.name === 'send' && name === 'target' && /^[A-Za-z_][\w.]*$/.test(value))
        found.push({path: value, start: valueStart, end: valueEnd});
    }
    for (const node of element.children) {
      if (isElement(node)) visit(node);
      else if (element.name === 'script' && (node.kind === 'text' || node.kind === 'cdata')) add(node.start, node.end);
    }
  };
  visit(document.root);
  return found;
}

function collectData(element: XmlElement, own: Set<string>): void {
  for (const child of elementsIn(element)) {
    if (child.name === 'data') own.add(child.attributes.find(({name}) => name === 'id')?.value ?? '');
    else if (child.name === 'foreach')
      for (const {name, value} of child.attributes) if (name === 'item' || name === 'index') own.add(value);
    collectData(child, own);
  }
}

export function mapChartPaths(document: XmlDocument, map: (path: string) => string): TextEdit[] {
  const edits: TextEdit[] = [];
  for (const {path, start, end} of chartPaths(document)) {
    const mapped = map(path);
    if (mapped !== path) edits.push({start, end, text: mapped});
  }
  return edits;
}
