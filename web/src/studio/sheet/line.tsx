import {memo} from 'preact/compat';
import type {Point} from './geometry.ts';
import {pathOf} from './orthogonal.ts';
import type {SceneLine} from './scene.ts';

interface Props {
  line: SceneLine;
  isChosen: boolean;
}

const kTip = 6;

/** What stands for a component at the end of a line that does not lead there; as in the drawings of the program. */
function Mark({model, name, at: {x, y}}: {model: string; name: string; at: Point}) {
  switch (model) {
    case 'hydraulic.Tank':
      return <path class="s" d={`M${x} ${y}v6M${x - 9} ${y + 1}v7h18v-7`} />;
    case 'pneumatic.Exhaust':
      return <path class="b" d={`M${x - 6} ${y}h12l-6 9Z`} />;
    case 'electrical.Ground':
      return <path class="s" d={`M${x - 8} ${y}h16M${x - 5} ${y + 3}h10M${x - 2} ${y + 6}h4`} />;
    case 'mechanical.Fixed':
      return <path class="s" d={`M${x - 9} ${y}h18M${x - 9} ${y + 6}l6 -6M${x - 3} ${y + 6}l6 -6M${x + 3} ${y + 6}l6 -6`} />;
    default:
      return (
        <g>
          <circle class="k" cx={x} cy={y} r={2.5} />
          <text class="inner" font-size={8} x={x} y={y + 9}>
            {name}
          </text>
        </g>
      );
  }
}

/** A connection or a route. A wide line below it, that is not seen, makes it easy to hit. */
export const Line = memo(
  ({line, isChosen}: Props) => {
    const {points, kind, mark} = line;
    if (points.length < 2) return null;
    const d = pathOf(points);
    const end = points.at(-1)!;
    const before = points.at(-2)!;
    const ux = Math.sign(end.x - before.x);
    const uy = Math.sign(end.y - before.y);
    return (
      <g
        class={`joint ${isChosen ? 'is-selected' : ''}`}
        data-line={line.isOwn ? `${line.from} ${line.to}` : undefined}
        tabindex={line.isOwn ? 0 : undefined}
        role={line.isOwn ? 'button' : undefined}
        aria-label={line.isOwn ? `${line.from} – ${line.to}` : undefined}
      >
        <title>{`${line.from} ${kind === 'route' ? '→' : '–'} ${line.to}`}</title>
        {line.isOwn && <path class="reach" d={d} />}
        <path class={kind === 'route' ? 'route' : `line ${line.domain}`} d={d} />
        {kind === 'route' && mark !== 'to' && (
          <path
            class="tip"
            d={`M${end.x} ${end.y}L${end.x - kTip * ux - 2.6 * uy} ${end.y - kTip * uy + 2.6 * ux}L${end.x - kTip * ux + 2.6 * uy} ${end.y - kTip * uy - 2.6 * ux}Z`}
          />
        )}
        {line.marked && mark && <Mark {...line.marked} at={mark === 'to' ? end : points[0]!} />}
      </g>
    );
  },
  (a, b) =>
    a.isChosen === b.isChosen &&
    (a.line === b.line ||
      (a.line.id === b.line.id &&
        a.line.mark === b.line.mark &&
        a.line.domain === b.line.domain &&
        pathOf(a.line.points) === pathOf(b.line.points))),
);
