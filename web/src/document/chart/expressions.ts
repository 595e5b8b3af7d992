// Ids of states in the expressions of a chart: In('id'), timeIn('id').
import type {TextEdit} from '../text_edit.ts';
import {isElement} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';

const kCall = /\b(In|timeIn)\(\s*(?:'([^']*)'|"([^"]*)"|&apos;(.*?)&apos;|&quot;(.*?)&quot;)\s*\)/g;

/** Edits that give In('id') the id that `map` gives. */
export function mapStateCalls(document: XmlDocument, map: (id: string) => string): TextEdit[] {
  const edits: TextEdit[] = [];
  const read = (start: number, end: number): void => {
    for (const match of document.text.slice(start, end).matchAll(kCall)) {
      const id = match[2] ?? match[3] ?? match[4] ?? match[5] ?? '';
      const to = map(id);
      if (to === id) continue;
      const at = start + match.index + match[0].indexOf(id, match[1]!.length + 1);
      edits.push({start: at, end: at + id.length, text: to});
    }
  };
  const visit = (element: XmlElement): void => {
    for (const {valueStart, valueEnd} of element.attributes) read(valueStart, valueEnd);
    for (const node of element.children) {
      if (isElement(node)) visit(node);
      else if (node.kind === 'text' || node.kind === 'cdata') read(node.start, node.end);
    }
  };
  visit(document.root);
  return edits;
}
