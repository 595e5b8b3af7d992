// The text of the drawing as an element of this page. The page allows no inline styles (Content-Security-Policy), so the
// styles of the drawing become a style sheet of the document, and its style attributes are set one by one.

export interface ParsedSvg {
  svg: SVGSVGElement;
  css: string;
}

export function parseSvg(text: string): ParsedSvg {
  const read = new DOMParser().parseFromString(text, 'image/svg+xml');
  const root = read.documentElement;
  if (root.localName !== 'svg') throw new Error('the drawing of the server is not SVG');
  let css = '';
  for (const style of [...root.querySelectorAll('style')]) {
    css += style.textContent;
    style.remove();
  }
  for (const script of [...root.querySelectorAll('script, foreignObject')]) script.remove();
  const styled: [Element, string][] = [];
  for (const element of root.querySelectorAll('[style]')) {
    styled.push([element, element.getAttribute('style')!]);
    element.removeAttribute('style');
  }
  const places = styled.map(([element]) => indexPath(root, element));
  root.removeAttribute('style');
  const svg = document.importNode(root, true) as unknown as SVGSVGElement;
  places.forEach((place, index) => {
    (elementAt(svg, place) as SVGElement).style.cssText = styled[index]![1];
  });
  return {svg, css};
}

function indexPath(root: Element, element: Element): number[] {
  const path: number[] = [];
  for (let at = element; at !== root; at = at.parentElement!) path.unshift([...at.parentElement!.children].indexOf(at));
  return path;
}

const elementAt = (root: Element, path: number[]): Element => path.reduce((at, index) => at.children[index]!, root);
