// Dotted lines between a statechart and what it reads and sets, as long as one of them is selected.
import {effect} from '@preact/signals';
import {chartLinks} from '../../live/chart_links.ts';
import {componentOf, system} from '../../live/session.ts';
import {selected} from '../../view/selection.ts';

const kSvg = 'http://www.w3.org/2000/svg';

export function showChartLines(svg: SVGSVGElement): () => void {
  const layer = document.createElementNS(kSvg, 'g');
  layer.classList.add('chart-lines');
  svg.append(layer);
  const stop = effect(() => {
    const path = selected.value;
    const links = path === null ? [] : chartLinks(system.value?.charts ?? [], path, (item) => componentOf(item)?.path);
    layer.replaceChildren(
      ...links.flatMap(({chart, component, kind}) => {
        const [from, to] = kind === 'reads' ? [component, chart] : [chart, component];
        const line = lineBetween(svg, from, to);
        if (!line) return [];
        line.classList.add(`is-${kind}`);
        return [line];
      }),
    );
  });
  return () => {
    stop();
    layer.remove();
  };
}

function lineBetween(svg: SVGSVGElement, from: string, to: string): SVGLineElement | undefined {
  const [begin, end] = [middleOf(svg, from), middleOf(svg, to)];
  if (!begin || !end) return undefined;
  const line = document.createElementNS(kSvg, 'line');
  line.setAttribute('x1', String(begin.x));
  line.setAttribute('y1', String(begin.y));
  line.setAttribute('x2', String(end.x));
  line.setAttribute('y2', String(end.y));
  return line;
}

/** In the units of the drawing. */
function middleOf(svg: SVGSVGElement, path: string): DOMPoint | undefined {
  const group = svg.querySelector<SVGGElement>(
    `g.component[data-path="${CSS.escape(path)}"], g.subsystem[data-path="${CSS.escape(path)}"]`,
  );
  const matrix = svg.getScreenCTM();
  if (!group || !matrix) return undefined;
  const box = group.getBoundingClientRect();
  return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix.inverse());
}
