// The text of the drawing as an element of this page. The page allows no inline styles (Content-Security-Policy), and even a
// parser reports them, so they are taken out of the text first: the styles of the drawing become a style sheet of the
// document, its style attributes are set one by one.

export interface ParsedSvg {
  svg: SVGSVGElement;
  css: string;
}

/** The text without styles; attributes `style` become `data-style`. */
export function separateStyles(text: string): {text: string; css: string} {
  let css = '';
  const without = text
    .replace(/<style\b[^>]*>([\s\S]*?)<\/style>/g, (_, inner: string) => {
      css += inner.replace(/<!\[CDATA\[|\]\]>/g, '');
      return '';
    })
    .replace(/(\s)style=(["'])/g, '$1data-style=$2');
  return {text: without, css};
}

export function parseSvg(text: string): ParsedSvg {
  const separated = separateStyles(text);
  const root = new DOMParser().parseFromString(separated.text, 'image/svg+xml').documentElement;
  if (root.localName !== 'svg') throw new Error('the drawing from the server is not SVG');
  for (const foreign of [...root.querySelectorAll('script, foreignObject')]) foreign.remove();
  const svg = document.importNode(root, true) as unknown as SVGSVGElement;
  svg.removeAttribute('data-style');
  for (const element of svg.querySelectorAll<SVGElement>('[data-style]')) element.style.cssText = element.dataset.style!;
  return {svg, css: separated.css};
}
