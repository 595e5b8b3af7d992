import {useEffect, useRef, useState} from 'preact/hooks';
import {effect} from '@preact/signals';
import {getDrawing} from '../../api/http.ts';
import {alarmOf} from '../../live/alarms.ts';
import {levelOf} from '../../live/levels.ts';
import {components, generation, run} from '../../live/session.ts';
import {askWhy} from '../../live/why.ts';
import {animate} from '../../view/animate.ts';
import {select, selected} from '../../view/selection.ts';
import {FitIcon} from '../icons.tsx';
import {showChartLines} from './chart_lines.ts';
import {GoTo} from './go_to.tsx';
import {Labels} from './labels.ts';
import {Legend} from './legend.tsx';
import {Lines} from './lines.ts';
import {followSignals} from './moving_parts.ts';
import {PanZoom} from './pan_zoom.ts';
import {parseSvg} from './parse_svg.ts';

const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

/** The drawing of the system, alive. */
export function Drawing() {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<PanZoom | null>(null);
  const [fault, setFault] = useState('');
  const [hasPressures, setPressures] = useState(false);

  useEffect(() => {
    let end: (() => void) | undefined;
    let isGone = false;
    getDrawing()
      .then((text) => {
        if (isGone) return;
        const {svg, css} = parseSvg(text);
        sheet.replaceSync(css);
        svg.removeAttribute('width');
        svg.removeAttribute('height');
        svg.setAttribute('role', 'group');
        svg.setAttribute('aria-label', 'Drawing of the system');
        host.current!.replaceChildren(svg);
        const labels = new Labels(svg);
        const resized = new ResizeObserver(() => labels.update());
        resized.observe(host.current!);
        view.current = new PanZoom(svg, host.current!, {changed: () => labels.update()});
        const endLife = bringToLife(svg, view.current);
        setPressures(svg.querySelector('path.line.hydraulic[data-effort]') !== null);
        end = () => {
          endLife();
          resized.disconnect();
          labels.dispose();
        };
        setFault('');
      })
      .catch((error: Error) => setFault(error.message));
    return () => {
      isGone = true;
      end?.();
      view.current?.dispose();
    };
  }, [generation.value]);

  return (
    <div class="drawing">
      <div class="canvas" ref={host} />
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {hasPressures && <Legend />}
      <div class="tools" role="group" aria-label="Zoom">
        <GoTo view={() => view.current} host={() => host.current} />
        <button onClick={() => view.current?.zoom(1.25)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button onClick={() => view.current?.zoom(0.8)} aria-label="Zoom out" title="Zoom out (−)">
          −
        </button>
        <button onClick={() => view.current?.fit()} aria-label="Show all" title="Show all (0)">
          <FitIcon />
        </button>
      </div>
    </div>
  );
}

function bringToLife(svg: SVGSVGElement, view: PanZoom): () => void {
  const lines = new Lines(svg);
  const ends = [followSignals(svg), makeSelectable(svg), showStates(svg, view), showChartLines(svg), () => lines.dispose()];
  ends.push(animate((dt) => lines.draw(run.peek()?.status === 'running' ? dt : 0)));
  return () => {
    for (const end of ends) end();
  };
}

const groups = (svg: SVGSVGElement) => svg.querySelectorAll<SVGGElement>('g.component[data-path], g.subsystem[data-path]');

/** To those who hear it: the path, what is written in it, and what it is. What is written is in the same order, with spaces. */
function describe(group: SVGGElement): void {
  const name = group.querySelector(':scope > text.name');
  if (name) {
    group.querySelector(':scope > text')!.before(name);
    for (const text of group.querySelectorAll(':scope > text')) text.textContent = `${text.textContent?.trim()} `;
  }
  const words = [...group.querySelectorAll('text:not(.name, .frame-name)')].map(({textContent}) => textContent?.trim());
  group.setAttribute('aria-label', [group.dataset.path, ...words, `(${group.dataset.model ?? 'sub-system'})`].join(' '));
}

function makeSelectable(svg: SVGSVGElement): () => void {
  const end = new AbortController();
  for (const group of groups(svg)) {
    group.setAttribute('tabindex', '0');
    group.setAttribute('role', 'button');
    const name = group.querySelector(':scope > text.name');
    if (name) group.querySelector(':scope > .symbol')?.before(name);
    describe(group);
  }
  const choose = (target: EventTarget | null) => {
    const group = (target as Element).closest<SVGGElement>('g.component[data-path], g.subsystem[data-path]');
    if (group && components.value.has(group.dataset.path!)) select(group.dataset.path!);
    // Without a mouse: the button Why of the inspector.
    const badge = (target as Element).closest<SVGGElement>('g.level-badge[data-path]');
    if (badge) void askWhy(`${badge.dataset.path!}.level`);
    return group !== null;
  };
  svg.addEventListener(
    'click',
    (event) => {
      if (!svg.parentElement?.classList.contains('is-dragged')) choose(event.target);
    },
    {signal: end.signal},
  );
  svg.addEventListener(
    'keydown',
    (event) => {
      if ((event.key === 'Enter' || event.key === ' ') && choose(event.target)) event.preventDefault();
    },
    {signal: end.signal},
  );
  return () => end.abort();
}

/** Selection, levels and alarms as classes and letters. */
function showStates(svg: SVGSVGElement, view: PanZoom): () => void {
  const stops = [
    effect(() => {
      const path = selected.value;
      for (const group of groups(svg)) {
        const isSelected = group.dataset.path === path;
        group.classList.toggle('is-selected', isSelected);
        if (isSelected) view.reveal(group);
      }
    }),
    effect(() => {
      for (const badge of svg.querySelectorAll<SVGGElement>('g.level-badge')) {
        const level = levelOf(badge.dataset.path!);
        badge.classList.remove('is-ideal', 'is-standard', 'is-advanced');
        if (!level) continue;
        badge.classList.add(`is-${level.toLowerCase()}`);
        badge.dataset.level = level;
        const text = badge.querySelector('text');
        if (text) text.textContent = level[0]!;
        const group = badge.closest<SVGGElement>('g.component');
        if (group) describe(group);
      }
    }),
    effect(() => {
      for (const mark of svg.querySelectorAll<SVGGElement>('g.alarm-mark')) {
        const state = alarmOf(mark.dataset.path!);
        mark.classList.toggle('active', state !== undefined);
        mark.classList.toggle('is-set', state === 'set');
        mark.classList.toggle('is-unacknowledged', state === 'unacknowledged');
      }
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
