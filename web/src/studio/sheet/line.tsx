import {memo} from 'preact/compat';
import {pathOf} from './orthogonal.ts';
import type {SceneLine} from './scene.ts';

interface Props {
  line: SceneLine;
  isChosen: boolean;
}

const kTip = 6;

/** A connection or a route. A wide line below it, that is not seen, makes it easy to hit. */
export const Line = memo(({line, isChosen}: Props) => {
  const {points, kind, mark} = line;
  if (points.length < 2) return null;
  const d = pathOf(points);
  const end = points.at(-1)!;
  const before = points.at(-2)!;
  const ux = Math.sign(end.x - before.x);
  const uy = Math.sign(end.y - before.y);
  const marked = mark === 'to' ? {at: end, name: line.to} : mark === 'from' ? {at: points[0]!, name: line.from} : null;
  return (
    <g class={`joint ${isChosen ? 'is-selected' : ''}`} data-line={line.isOwn ? `${line.from} ${line.to}` : undefined}
      tabindex={line.isOwn ? 0 : undefined} role={line.isOwn ? 'button' : undefined} aria-label={line.isOwn ? `${line.from} – ${line.to}` : undefined}>
      <title>{`${line.from} ${kind === 'route' ? '→' : '–'} ${line.to}`}</title>
      {line.isOwn && <path class="reach" d={d} />}
      <path class={kind === 'route' ? 'route' : `line ${line.domain}`} d={d} />
      {kind === 'route' && mark !== 'to' && (
        <path class="tip" d={`M${end.x} ${end.y}L${end.x - kTip * ux - 2.6 * uy} ${end.y - kTip * uy + 2.6 * ux}L${end.x - kTip * ux + 2.6 * uy} ${end.y - kTip * uy - 2.6 * ux}Z`} />
      )}
      {marked && (
        <g class="line-mark">
          <path class="s" d={`M${marked.at.x - 7} ${marked.at.y}h14`} />
          <text class="mark-name" text-anchor="middle" x={marked.at.x} y={marked.at.y + 10}>{marked.name}</text>
        </g>
      )}
    </g>
  );
}, (a, b) => a.isChosen === b.isChosen && (a.line === b.line || (a.line.id === b.line.id && a.line.mark === b.line.mark && a.line.domain === b.line.domain && pathOf(a.line.points) === pathOf(b.line.points))));
