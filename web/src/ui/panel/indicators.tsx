import {useEffect, useState} from 'preact/hooks';
import {getChart} from '../../api/http.ts';
import type {PanelElement, PanelLimit} from '../../api/types.ts';
import {alarms} from '../../live/alarms.ts';
import {acknowledge} from '../../live/commands.ts';
import {itemOf, system} from '../../live/session.ts';
import {siUnits} from '../../view/settings.ts';
import {formatLive, formatNumber, prettyUnit, scaleOf} from '../../view/units.ts';
import {ValueEditor} from '../inspector/value_editor.tsx';
import {LiveValue} from '../live_value.tsx';
import {severityOf, zones} from './limits.ts';
import {useValue} from './use_value.ts';

interface Props {
  element: PanelElement;
  disabled: boolean;
  key?: string;
}

export function Lamp({element}: Props) {
  const value = useValue(element.axes[0]?.item ?? '');
  const isLit = typeof value === 'number' && value > element.above;
  return (
    <div class={`lamp is-${element.color} ${isLit ? 'is-lit' : ''}`} role="status" data-lamp={element.name}>
      <i />
      <span>{element.label}</span>
      <span class="visually-hidden">{isLit ? 'on' : 'off'}</span>
    </div>
  );
}

const kRadius = 40;
const kSweep = 240; // degrees from low to high

const onArc = (share: number, radius: number): string => {
  const angle = ((share - 0.5) * kSweep * Math.PI) / 180;
  return `${(50 + radius * Math.sin(angle)).toFixed(2)} ${(46 - radius * Math.cos(angle)).toFixed(2)}`;
};

const arc = (from: number, to: number, radius = kRadius): string =>
  `M${onArc(from, radius)} A${radius} ${radius} 0 ${(to - from) * kSweep > 180 ? 1 : 0} 1 ${onArc(to, radius)}`;

/** The number of a limit of a gauge now; nothing if it has none, or it is not known yet. */
function useLimit(element: PanelElement, severity: PanelLimit['severity']): number | undefined {
  const limit = element.limits.find((one) => one.severity === severity);
  const value = useValue(limit?.item ?? '');
  if (limit?.item) return typeof value === 'number' ? value : undefined;
  return limit?.value;
}

/** With `select`, its label leads to what it shows. */
export function Gauge({element, select}: Props & {select?: () => void}) {
  const axis = element.axes[0];
  const value = useValue(axis?.item ?? '');
  const limits = {warning: useLimit(element, 'warning'), alarm: useLimit(element, 'alarm'), isBadBelow: element.is_bad_below};
  if (!axis) return null;
  const {factor, offset, unit} = scaleOf(itemOf(axis.item), siUnits.value);
  const number = typeof value === 'number' ? value : axis.low;
  const shareOf = (at: number) => Math.min(1, Math.max(0, (at - axis.low) / (axis.high - axis.low)));
  const share = shareOf(number);
  const severity = value === undefined ? undefined : severityOf(number, limits);
  const end = (at: number) => formatNumber(at * factor + offset, 3);
  return (
    <div class={`gauge ${severity ? `is-${severity}` : ''}`}>
      <div
        role="meter"
        aria-label={element.label}
        aria-valuemin={axis.low}
        aria-valuemax={axis.high}
        aria-valuenow={number}
        aria-valuetext={`${formatLive(number * factor + offset)} ${unit}${severity ? `, ${severity}` : ''}`}
      >
        <svg viewBox="0 -4 100 82" aria-hidden="true">
          <path class="scale" d={arc(0, 1)} />
          <path class="filled" d={arc(0, share)} />
          {zones(axis.low, axis.high, limits).map(({severity: zone, from, to}) => (
            <path key={zone} class={`zone is-${zone}`} d={arc(shareOf(from), shareOf(to), kRadius + 6)} />
          ))}
          <path class="pointer" d={`M50 46 L${onArc(share, kRadius - 7)}`} />
          <circle class="hub" cx="50" cy="46" r="3" />
          <text x="15" y="76">
            {end(axis.low)}
          </text>
          <text x="85" y="76">
            {end(axis.high)}
          </text>
        </svg>
      </div>
      <div class="caption">
        {select ? (
          <button class="plain link" onClick={select}>
            {element.label}
          </button>
        ) : (
          <span class="label">{element.label}</span>
        )}
        <span class="value">
          {value === undefined ? '…' : formatLive(number * factor + offset)} <span class="unit">{prettyUnit(unit)}</span>
        </span>
      </div>
    </div>
  );
}

export function Field({element, disabled}: Props) {
  const path = element.axes[0]?.item ?? '';
  const item = itemOf(path);
  if (!item) return null;
  return (
    <div class="item">
      <span class="name">{element.label}</span>
      {element.is_writable && !disabled ? <ValueEditor path={path} item={item} /> : <LiveValue path={path} />}
      <span class="unit">{item.options?.length ? '' : prettyUnit(scaleOf(item, siUnits.value).unit)}</span>
    </div>
  );
}

export const ChartState = ({element}: Props) => <ActiveStates label={element.label} chart={element.chart} />;

/** The active states of a chart that have no states inside. */
export function ActiveStates({label, chart}: {label: string; chart: string; key?: string}) {
  const prefix = `${chart}.state.`;
  const [outer, setOuter] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    getChart(chart)
      .then(({states: all}) => setOuter(new Set(all.filter(({children}) => children.length).map(({id}) => id))))
      .catch(() => undefined); // then all of them are shown
  }, [chart]);
  const states = Object.keys(system.value?.items ?? {}).filter(
    (path) => path.startsWith(prefix) && !outer.has(path.slice(prefix.length)),
  );
  return (
    <div class="chart-state" role="status" aria-label={label}>
      <span class="label">{label}</span>
      <span class="active">
        {states.map((path) => (
          <StateName key={path} path={path} name={path.slice(prefix.length)} />
        ))}
      </span>
    </div>
  );
}

function StateName({path, name}: {path: string; name: string; key?: string}) {
  return useValue(path) === 1 ? <span class="state is-active">{name}</span> : null;
}

/** Whether a path is one of those that a glob with * and ? means. */
export function matchesGlob(path: string, glob: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${pattern}$`).test(path);
}

export function PanelAlarms({element}: Props) {
  const mine = alarms.value.filter(({path}) => matchesGlob(path, element.alarms));
  return (
    <div class="panel-alarms" aria-label={element.label} role="log">
      <span class="label">{element.label}</span>
      {mine.length === 0 && <p class="empty">No alarm is set.</p>}
      {mine.map((alarm) => (
        <div key={alarm.path} class={`alarm ${alarm.is_set ? 'is-set' : ''}`}>
          <span>
            {alarm.path}: {alarm.text}
          </span>
          {!alarm.is_acknowledged && <button onClick={() => acknowledge(alarm.path)}>Acknowledge</button>}
        </div>
      ))}
    </div>
  );
}
