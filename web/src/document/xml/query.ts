// Finding things in a syntax tree.
import type {XmlAttribute, XmlElement, XmlNode} from './syntax.ts';

export const isElement = (node: XmlNode): node is XmlElement => node.kind === 'element';

export function elementsIn(element: XmlElement, name?: string): XmlElement[] {
  return element.children.filter((node): node is XmlElement => isElement(node) && (name === undefined || node.name === name));
}

export function attributeOf(element: XmlElement, name: string): XmlAttribute | undefined {
  return element.attributes.find((attribute) => attribute.name === name);
}

export function attributeValue(element: XmlElement, name: string): string | undefined {
  return attributeOf(element, name)?.value;
}

/** The innermost element that a place lies in. */
export function elementAt(root: XmlElement, offset: number): XmlElement | null {
  if (offset < root.start || offset > root.end) return null;
  let found = root;
  for (;;) {
    const inside: XmlElement | undefined = found.children.find(
      (node): node is XmlElement => isElement(node) && node.start <= offset && offset <= node.end,
    );
    if (!inside) return found;
    found = inside;
  }
}
