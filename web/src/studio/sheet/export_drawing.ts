// The drawing as a file of its own: SVG with a frame and a title block.

import {addressOf} from './notes.ts';

export interface TitleBlock {
  name: string;
  file: string;
  components: number;
  program: string;
  /** `2026-11-28` */
  date: string;
  /** The pictures of notes by their addresses, each as an address that contains it. */
  pictures: ReadonlyMap<string, string>;
}

/** So that the file is complete by itself. */
export async function readPictures(paths: readonly string[]): Promise<Map<string, string>> {
  const pictures = new Map<string, string>();
  for (const address of new Set(paths.map(addressOf))) {
    const blob = await fetch(address).then((answer) => (answer.ok ? answer.blob() : null));
    if (!blob) continue;
    const reader = new FileReader();
    await new Promise((done) => {
      reader.onloadend = done;
      reader.readAsDataURL(blob);
    });
    pictures.set(address, String(reader.result));
  }
  return pictures;
}

const kSvg = 'http://www.w3.org/2000/svg';
/** What helps to edit, and is no part of the drawing. */
const kTools =
  '.overlay, .hit, .reach, .chosen, .fault-mark, .faulty-ports, .version-marks, .of-others, .is-unreadable:not(text), title';
const kBlock = {width: 330, height: 58};

function part<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | number>>,
  text = '',
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

/** The rules that drawings have in every page, with the colours that this page adds. */
function rules(): string {
  const text = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && rule.selectorText.includes('davit'))
    .map(({cssText}) => cssText)
    .join('\n');
  const css = getComputedStyle(document.documentElement);
  const colours = new Set(
    [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name!).filter((name) => !text.includes(`${name}:`)),
  );
  return `${text}\nsvg.davit{${[...colours].map((name) => `${name}:${css.getPropertyValue(name)}`).join(';')}}`;
}

function titleBlock(right: number, bottom: number, {name, file, components, program, date}: TitleBlock): SVGGElement {
  const {width, height} = kBlock;
  const [x, y] = [right - width, bottom - height];
  const group = part('g', {class: 'title-block'});
  const line = (d: string) => part('path', {class: 's', d});
  group.append(
    part('rect', {class: 'b', x, y, width, height}),
    line(`M${x} ${y + 32}h${width}M${x + width * 0.6} ${y + 32}v26`),
    part('text', {x: x + 8, y: y + 21, 'text-anchor': 'start', 'font-size': 16, 'font-weight': 'bold'}, name),
    part('text', {x: x + 8, y: y + 49, 'text-anchor': 'start', 'font-size': 10}, `${file}, ${components} components`),
    part('text', {x: x + width * 0.6 + 8, y: y + 49, 'text-anchor': 'start', 'font-size': 10}, `${date}, ${program}`),
  );
  return group;
}

/** The text of the file; `box` is what is drawn. */
export function drawingAsSvg(
  drawing: SVGSVGElement,
  box: {x: number; y: number; width: number; height: number},
  title: TitleBlock,
): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  for (const tool of copy.querySelectorAll(kTools)) tool.remove();
  for (const one of copy.querySelectorAll<SVGElement>('*')) {
    one.classList.remove('is-selected', 'is-unreadable', 'has-fault', 'is-inner');
    for (const name of ['style', 'tabindex', 'role', 'aria-label', 'aria-pressed']) one.removeAttribute(name);
  }
  for (const image of copy.querySelectorAll('image')) {
    const content = title.pictures.get(image.getAttribute('href') ?? '');
    if (content === undefined) image.remove();
    else image.setAttribute('href', content);
  }
  for (const name of ['style', 'role', 'aria-label']) copy.removeAttribute(name);
  const height = box.height + kBlock.height;
  copy.setAttribute('class', 'davit');
  copy.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${height}`);
  copy.setAttribute('width', String(box.width));
  copy.setAttribute('height', String(height));
  const edge = 6;
  const [right, bottom] = [box.x + box.width - edge, box.y + height - edge];
  copy.prepend(
    part('title', {}, title.name),
    part('style', {}, rules()),
    part('rect', {class: 'w', x: box.x, y: box.y, width: box.width, height}),
    part('rect', {class: 's', x: box.x + edge, y: box.y + edge, width: box.width - 2 * edge, height: height - 2 * edge}),
  );
  copy.append(titleBlock(right, bottom, title));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}
