import type {ChartStateView} from '../../document/index.ts';
import type {Fault} from '../api/types.ts';
import type {Box, Point} from './geometry.ts';
import {pathOf} from './geometry.ts';
import {kLine, linesOfState, titleOf, widthOf} from './labels.ts';
import {kMark, type TransitionLine} from './layout.ts';

interface StateProps {
  state: ChartStateView;
  box: Box;
  isChosen?: boolean;
  isActive?: boolean;
  isTarget?: boolean;
  fault?: Fault | undefined;
  /** Can be reached by the keyboard. */
  isLive?: boolean;
  key?: string;
}

/** A state as a box, a history or a connector as a circle. */
export function StateShape({
  state,
  box,
  isChosen = false,
  isActive = false,
  isTarget = false,
  fault,
  isLive = false,
}: StateProps) {
  const {x, y, width, height} = box;
  const isCompound = state.children.length > 0;
  const classes = [
    'chart-state',
    `is-${state.kind}`,
    isCompound && 'is-compound',
    isChosen && 'is-chosen',
    isActive && 'is-active',
    isTarget && 'is-target',
    fault && (fault.severity === 'warning' ? 'has-warning' : 'has-fault'),
  ];
  const reachable = isLive
    ? ({
        tabindex: 0,
        role: 'button',
        'aria-label': [state.kind, markOf(state), titleOf(state), ...linesOfState(state)].join(' '),
        'aria-pressed': isChosen,
      } as const)
    : {};
  return (
    <g class={classes.filter(Boolean).join(' ')} data-state={state.key} {...reachable}>
      {fault && <title>{`line ${fault.line}: ${fault.text}`}</title>}
      {state.kind === 'history' || state.kind === 'choice' || state.kind === 'select' ? (
        <Round state={state} box={box} />
      ) : (
        <>
          <rect class="outline" x={x} y={y} width={width} height={height} rx={9} />
          {state.kind === 'final' && <rect class="inner" x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx={6.5} />}
          {isCompound && <path class="rule" d={`M${x} ${y + 23}h${width}`} />}
          <text
            class="title"
            x={isCompound ? x + 12 : x + width / 2}
            y={y + (isCompound ? 16 : linesOfState(state).length ? 17 : height / 2 + 4)}
            text-anchor={isCompound ? 'start' : 'middle'}
          >
            {`${titleOf(state)} `}
          </text>
          {linesOfState(state).map((line, index) => (
            <text key={index} class="action" x={x + 10} y={y + 35 + index * kLine}>
              {`${line} `}
            </text>
          ))}
        </>
      )}
    </g>
  );
}

const markOf = ({kind, isDeep}: ChartStateView): string =>
  kind === 'history' ? (isDeep ? 'H*' : 'H') : kind === 'choice' ? 'C' : kind === 'select' ? 'S' : '';

function Round({state, box}: {state: ChartStateView; box: Box}) {
  const {x, y} = {x: box.x + box.width / 2, y: box.y + box.height / 2};
  return (
    <>
      <circle class="outline" cx={x} cy={y} r={box.width / 2} />
      <text class="title" x={x} y={y + 4} text-anchor="middle">
        {`${markOf(state)} `}
      </text>
      <text class="action" x={x + box.width / 2 + 5} y={y - 3}>
        {titleOf(state)}
      </text>
    </>
  );
}

interface TransitionProps {
  line: TransitionLine;
  isChosen?: boolean;
  isTaken?: boolean;
  fault?: Fault | undefined;
  isLive?: boolean;
  marker: string;
  key?: string;
}

export function TransitionShape({line, isChosen = false, isTaken = false, fault, isLive = false, marker}: TransitionProps) {
  const d = pathOf(line.points);
  const classes = [
    'chart-transition',
    isChosen && 'is-chosen',
    isTaken && 'is-taken',
    fault && (fault.severity === 'warning' ? 'has-warning' : 'has-fault'),
  ];
  const reachable = isLive
    ? ({tabindex: 0, role: 'button', 'aria-label': `transition ${line.lines.join(' ')}`, 'aria-pressed': isChosen} as const)
    : {};
  const width = Math.max(0, ...line.lines.map(widthOf)) + 4;
  return (
    <g class={classes.filter(Boolean).join(' ')} data-transition={line.key} {...reachable}>
      {fault && <title>{`line ${fault.line}: ${fault.text}`}</title>}
      <path class="reach" d={d} />
      <path class="way" d={d} marker-end={`url(#${marker})`} />
      {line.lines.length > 0 && (
        <rect class="label-ground" x={line.label.x - 2} y={line.label.y} width={width} height={line.lines.length * kLine} />
      )}
      {line.lines.map((text, index) => (
        <text key={index} class="label" x={line.label.x} y={line.label.y + 10.5 + index * kLine}>
          {text}
        </text>
      ))}
    </g>
  );
}

export function InitialShape({at, points, marker}: {at: Point; points: readonly Point[]; marker: string; key?: string}) {
  return (
    <g class="chart-initial">
      <circle cx={at.x} cy={at.y} r={kMark / 2} />
      <path class="way" d={pathOf(points)} marker-end={`url(#${marker})`} />
    </g>
  );
}

export const ArrowMarker = ({id}: {id: string}) => (
  <marker id={id} viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
    <path d="M0 1L9 5L0 9z" />
  </marker>
);
