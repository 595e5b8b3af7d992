// The syntax tree of an XML file: places in the text, so that nothing of how it is written is lost.

/** Where a text is no well-formed XML. `offset` counts characters from 0, `line` and `column` from 1. */
export interface XmlFault {
  offset: number;
  line: number;
  column: number;
  text: string;
}

export interface XmlAttribute {
  name: string;
  /** Without entities; line ends stay, as davit reads them. */
  value: string;
  /** From the first character of the name to behind the closing quote. */
  start: number;
  end: number;
  /** The value as written, between its quotes. */
  valueStart: number;
  valueEnd: number;
  quote: '"' | "'";
}

export type XmlNodeKind = 'element' | 'text' | 'cdata' | 'comment' | 'instruction';

interface NodeBase {
  kind: XmlNodeKind;
  /** The first character and the one behind the last. */
  start: number;
  end: number;
  parent: XmlElement | null;
}

export interface XmlElement extends NodeBase {
  kind: 'element';
  name: string;
  attributes: XmlAttribute[];
  children: XmlNode[];
  /** Where the name ends in the start tag. */
  nameEnd: number;
  /** Behind the `>` of the start tag. */
  openEnd: number;
  /** Where `</` begins; of `<a/>` it is `end`. */
  closeStart: number;
  isEmptyTag: boolean;
}

/** Text, CDATA, comment, declaration: what is between `start` and `end` of the text. */
export interface XmlOther extends NodeBase {
  kind: 'text' | 'cdata' | 'comment' | 'instruction';
}

export type XmlNode = XmlElement | XmlOther;

export interface XmlDocument {
  text: string;
  /** All that stands at the top: declaration, comments, spaces and the root. */
  nodes: XmlNode[];
  root: XmlElement;
  lineAt(offset: number): number;
}
