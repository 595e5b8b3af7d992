// Executable content as lines of text, and back. What a line has no short form for is shown and kept as XML.
import {EditRefused} from '../project_types.ts';
import {linesOf, writeElement, type NewElement} from '../xml/edits.ts';
import {parseXml} from '../xml/parse.ts';
import {elementsIn} from '../xml/query.ts';
import type {XmlDocument, XmlElement} from '../xml/syntax.ts';

/** The attributes of an element, if it has no others and nothing in it. */
function only(element: XmlElement, ...names: readonly string[]): Record<string, string> | null {
  if (element.children.length > 0 || element.attributes.some(({name}) => !names.includes(name))) return null;
  return Object.fromEntries(element.attributes.map(({name, value}) => [name, value]));
}

/** One action as a line. */
export function actionLine(document: XmlDocument, element: XmlElement): string {
  const name = element.name.slice(element.name.indexOf(':') + 1);
  const line = shortForm(name, element);
  if (line !== null && !line.includes('\n')) return line;
  return linesOf(document, element)
    .map((one) => one.trim())
    .join(' ');
}

function shortForm(name: string, element: XmlElement): string | null {
  if (name === 'assign') {
    const given = only(element, 'location', 'expr');
    return given?.['location'] !== undefined && given['expr'] !== undefined ? `${given['location']} = ${given['expr']}` : null;
  }
  if (name === 'raise') {
    const given = only(element, 'event');
    return given?.['event'] === undefined ? null : `raise ${given['event']}`;
  }
  if (name === 'send') {
    const given = only(element, 'event', 'target', 'delay');
    if (given?.['event'] === undefined || /\s/.test(Object.values(given).join(''))) return null;
    return `send ${given['event']}${given['target'] === undefined ? '' : ` to ${given['target']}`}${given['delay'] === undefined ? '' : ` after ${given['delay']}`}`;
  }
  if (name === 'log') {
    const given = only(element, 'label', 'expr');
    if (given?.['expr'] === undefined) return null;
    return given['label'] === undefined
      ? `log ${given['expr']}`
      : /^[\w.-]+$/.test(given['label'])
        ? `log ${given['label']}: ${given['expr']}`
        : null;
  }
  return null;
}

/** A line as an element: the short forms above, else XML. `tag` gives a name its prefix. */
export function actionLines(line: string, indent: number, step: string, tag: (name: string) => string): string[] {
  const text = line.trim();
  const make = (name: string, attributes: NewElement['attributes']): string[] =>
    writeElement({name: tag(name), attributes}, indent, step);
  if (text.startsWith('<')) {
    const {document, fault} = parseXml(text);
    if (fault) throw new EditRefused(`column ${fault.column}: ${fault.text}`);
    return linesOf(document, document.root);
  }
  const raise = /^raise\s+([^\s=]+)$/.exec(text);
  if (raise) return make('raise', [['event', raise[1]!]]);
  const send = /^send\s+([^\s=]+)(?:\s+to\s+(\S+))?(?:\s+after\s+(\S+))?$/.exec(text);
  if (send) {
    const [, event, target, delay] = send;
    return make('send', [
      ...(target === undefined ? [] : [['target', target] as const]),
      ['event', event!],
      ...(delay === undefined ? [] : [['delay', delay] as const]),
    ]);
  }
  const log = /^log\s+(?:([\w.-]+):\s+)?([^=\s].*)$/.exec(text);
  if (log) return make('log', [...(log[1] === undefined ? [] : [['label', log[1]] as const]), ['expr', log[2]!]]);
  const assign = /^([A-Za-z_][\w.[\]]*)\s*=(?!=)\s*(.+)$/.exec(text);
  if (assign)
    return make('assign', [
      ['location', assign[1]!],
      ['expr', assign[2]!],
    ]);
  throw new EditRefused(
    `'${text}' is not an action; write NAME = EXPRESSION, raise EVENT, send EVENT to TARGET, log 'TEXT', or an element such as <cancel sendid="a"/>`,
  );
}

/** The actions in an element of content, as lines. */
export const linesIn = (document: XmlDocument, content: XmlElement): string[] =>
  elementsIn(content).map((element) => actionLine(document, element));
