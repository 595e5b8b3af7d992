// Reads XML into a syntax tree that keeps every place. Takes what davit takes: no document types, no entities of one's own.
import {entityCharacter, unescaped} from './entities.ts';
import {lineFinder, lineStart} from './lines.ts';
import type {XmlAttribute, XmlDocument, XmlElement, XmlFault, XmlNodeKind} from './syntax.ts';

const kMostLevels = 200;

export type ParseResult = {document: XmlDocument; fault?: undefined} | {document?: undefined; fault: XmlFault};

class Refusal extends Error {
  constructor(
    readonly offset: number,
    message: string,
  ) {
    super(message);
  }
}

export function parseXml(text: string): ParseResult {
  try {
    return {document: new Parser(text).read()};
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const offset = Math.min(error.offset, text.length);
    return {fault: {offset, line: lineFinder(text)(offset), column: offset - lineStart(text, offset) + 1, text: error.message}};
  }
}

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 9 || code === 13;
/** What ends a name: spaces / > < = quotes, and the end of the text. */
const endsName = (code: number): boolean =>
  isSpace(code) || code === 47 || code === 62 || code === 60 || code === 61 || code === 34 || code === 39 || Number.isNaN(code);
const kNameStart = /^[\p{L}_:]/u;

class Parser {
  private at = 0;
  private nextEntity = -1;
  private readonly open: XmlElement[] = [];
  private readonly document: XmlDocument;

  constructor(private readonly text: string) {
    this.document = {text, nodes: [], root: null as unknown as XmlElement, lineAt: lineFinder(text)};
  }

  read(): XmlDocument {
    const {text} = this;
    if (text.charCodeAt(0) === 0xfeff) this.at = 1;
    while (this.at < text.length) {
      const markup = text.indexOf('<', this.at);
      const end = markup < 0 ? text.length : markup;
      if (end > this.at) this.readText(end);
      if (markup >= 0) this.readMarkup();
    }
    const unclosed = this.open.at(-1);
    if (unclosed)
      throw new Refusal(unclosed.start, `<${unclosed.name}> is not closed before the file ends; write </${unclosed.name}>`);
    if (!this.document.root) throw new Refusal(0, 'the file has no element; begin with <System> or <scxml>');
    return this.document;
  }

  private add(kind: Exclude<XmlNodeKind, 'element'>, end: number): void {
    const parent = this.open.at(-1) ?? null;
    (parent ? parent.children : this.document.nodes).push({kind, start: this.at, end, parent});
    this.at = end;
  }

  private readText(end: number): void {
    if (this.open.length === 0) {
      for (let i = this.at; i < end; ++i) {
        if (!isSpace(this.text.charCodeAt(i))) throw new Refusal(i, 'text outside of the root element; remove it');
      }
    }
    this.checkEntities(this.at, end);
    this.add('text', end);
  }

  private readMarkup(): void {
    const {text, at} = this;
    const next = text[at + 1];
    if (next === '/') return this.readEndTag();
    if (next === '?') return this.readUntil('instruction', '<?', '?>');
    if (next !== '!') return this.readStartTag();
    if (text.startsWith('<!--', at)) return this.readUntil('comment', '<!--', '-->');
    if (text.startsWith('<![CDATA[', at)) {
      if (this.open.length === 0) throw new Refusal(at, 'text outside of the root element; remove it');
      return this.readUntil('cdata', '<![CDATA[', ']]>');
    }
    throw new Refusal(at, 'document types and entities are not allowed; remove the <!...>');
  }

  private readUntil(kind: 'instruction' | 'comment' | 'cdata', begin: string, end: string): void {
    const close = this.text.indexOf(end, this.at + begin.length);
    if (close < 0) throw new Refusal(this.at, `the ${kind} that begins here is not closed; write ${end} at its end`);
    this.add(kind, close + end.length);
  }

  private readName(): string {
    const begin = this.at;
    while (!endsName(this.text.charCodeAt(this.at))) ++this.at;
    const name = this.text.slice(begin, this.at);
    if (!kNameStart.test(name)) throw new Refusal(begin, name ? `'${name}' is not a name of XML` : 'a name is missing here');
    return name;
  }

  private skipSpaces(): void {
    while (isSpace(this.text.charCodeAt(this.at))) ++this.at;
  }

  private readEndTag(): void {
    const start = this.at;
    this.at += 2;
    const name = this.readName();
    this.skipSpaces();
    if (this.text[this.at] !== '>') throw new Refusal(start, `</${name} has no '>' at its end`);
    ++this.at;
    const element = this.open.pop();
    if (!element) throw new Refusal(start, `</${name}> closes nothing; remove it`);
    if (element.name !== name) {
      throw new Refusal(
        start,
        `<${element.name}> of line ${this.document.lineAt(element.start)} is closed by </${name}>; close each element by its own name`,
      );
    }
    element.closeStart = start;
    element.end = this.at;
  }

  private readStartTag(): void {
    const start = this.at;
    ++this.at;
    const name = this.readName();
    const parent = this.open.at(-1) ?? null;
    if (!parent && this.document.root) throw new Refusal(start, `a second root element <${name}>; a file has one`);
    const element: XmlElement = {
      kind: 'element',
      name,
      start,
      end: 0,
      parent,
      attributes: [],
      children: [],
      nameEnd: this.at,
      openEnd: 0,
      closeStart: 0,
      isEmptyTag: false,
    };
    this.readAttributes(element);
    (parent ? parent.children : this.document.nodes).push(element);
    if (!parent) this.document.root = element;
    element.openEnd = this.at;
    if (element.isEmptyTag) {
      element.end = element.closeStart = this.at;
    } else {
      this.open.push(element);
      if (this.open.length > kMostLevels) throw new Refusal(start, `elements are nested more than ${kMostLevels} deep`);
    }
  }

  private readAttributes(element: XmlElement): void {
    const {text} = this;
    const notEnded = (): Refusal =>
      new Refusal(element.start, `<${element.name}> has no '>' at its end, or a quote too many or too few`);
    for (;;) {
      const before = this.at;
      this.skipSpaces();
      const code = text.charCodeAt(this.at);
      if (code === 62) {
        ++this.at;
        return;
      }
      if (code === 47 && text[this.at + 1] === '>') {
        element.isEmptyTag = true;
        this.at += 2;
        return;
      }
      if (Number.isNaN(code) || code === 60) throw notEnded();
      if (before === this.at) throw new Refusal(this.at, 'a space is missing here, or a quote is too many');
      element.attributes.push(this.readAttribute(element, notEnded));
    }
  }

  private readAttribute(element: XmlElement, notEnded: () => Refusal): XmlAttribute {
    const {text} = this;
    const start = this.at;
    const name = this.readName();
    if (element.attributes.some((other) => other.name === name))
      throw new Refusal(start, `a second attribute '${name}'; keep one of them`);
    this.skipSpaces();
    if (text[this.at] !== '=') throw new Refusal(start, `the attribute '${name}' has no value; write ${name}="..."`);
    ++this.at;
    this.skipSpaces();
    const quote = text[this.at];
    if (quote !== '"' && quote !== "'")
      throw new Refusal(this.at, `the value of '${name}' is not in quotes; write ${name}="..."`);
    const valueStart = this.at + 1;
    const valueEnd = text.indexOf(quote, valueStart);
    if (valueEnd < 0) throw notEnded();
    this.checkEntities(valueStart, valueEnd);
    this.at = valueEnd + 1;
    return {name, value: unescaped(text.slice(valueStart, valueEnd)), start, end: this.at, valueStart, valueEnd, quote};
  }

  /** The next `&`; the text is searched once, not once an element. */
  private entityFrom(offset: number): number {
    if (this.nextEntity < offset) {
      const at = this.text.indexOf('&', offset);
      this.nextEntity = at < 0 ? Infinity : at;
    }
    return this.nextEntity;
  }

  private checkEntities(start: number, end: number): void {
    for (let at = this.entityFrom(start); at < end; at = this.entityFrom(at + 1)) {
      const close = this.text.indexOf(';', at);
      const name = close < 0 || close >= end || close - at > 12 ? undefined : this.text.slice(at + 1, close);
      if (name === undefined || !/^#?\w+$/.test(name)) throw new Refusal(at, "a lone '&'; write &amp; for it");
      if (entityCharacter(name) === undefined) throw new Refusal(at, `unknown entity '&${name};'; write the character itself`);
    }
  }
}
