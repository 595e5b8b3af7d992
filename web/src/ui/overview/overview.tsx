import {useEffect, useState} from 'preact/hooks';
import {getHistory} from '../../api/http.ts';
import type {Component, PanelElement} from '../../api/types.ts';
import {alarms} from '../../live/alarms.ts';
import {isChart, isPartOfAnother} from '../../live/charts.ts';
import {acknowledge} from '../../live/commands.ts';
import {componentOf, components, epoch, itemOf, system} from '../../live/session.ts';
import {select} from '../../view/selection.ts';
import {recordsTab, siUnits, smallPane} from '../../view/settings.ts';
import {formatNumber, formatTime, prettyUnit, scaleOf} from '../../view/units.ts';
import {LiveValue} from '../live_value.tsx';
import {ActiveStates, Gauge} from '../panel/indicators.tsx';
import {useValue} from '../panel/use_value.ts';
import {declared, readings, worstAlarm} from './choice.ts';

/** While nothing is selected: gauges, active states and the most severe alarm. */
export function Overview() {
  const now = system.value;
  if (!now) return null;
  const gauges = declared(now, 'Gauge');
  return (
    <section class="overview" aria-label="Overview">
      <WorstAlarm />
      {gauges.length > 0 ? (
        <div class="gauges">
          {gauges.map((element) => (
            <Gauge
              key={element.name}
              element={element}
              disabled
              select={() => select(componentOf(element.axes[0]!.item)?.path ?? null)}
            />
          ))}
        </div>
      ) : (
        <Readings paths={readings(now)} />
      )}
      <States charts={declared(now, 'ChartState')} />
      <div class="empty">
        <p>{now.text}</p>
        <p>Select a component in the drawing or in the list: its equations, values, parameters, level and chart appear here.</p>
        <dl class="facts">
          <dt>File</dt>
          <dd>{now.file}</dd>
          <dt>Components</dt>
          <dd>{components.value.size}</dd>
          <dt>Steps</dt>
          <dd>{`TimeStep ${now.time_step * 1000} ms, fs ${now.fs} Hz`}</dd>
          <dt>davit</dt>
          <dd>{now.version}</dd>
        </dl>
      </div>
    </section>
  );
}

function WorstAlarm() {
  const worst = worstAlarm(alarms.value);
  if (!worst) return <p class="no-alarm">No alarm is set.</p>;
  const others = alarms.value.length - 1;
  return (
    <div class={`alarm is-${worst.level.toLowerCase()} ${worst.is_set ? 'is-set' : ''}`} role="status">
      <span>
        <button class="plain link" onClick={() => select(componentOf(worst.path)?.path ?? null)}>
          {worst.path}
        </button>{' '}
        {worst.is_set ? 'since' : 'was set at'} {formatTime(worst.time)} s: {worst.text}
        {others > 0 && (
          <>
            {' '}
            <button
              class="plain link"
              onClick={() => {
                recordsTab.value = 'alarms';
                smallPane.value = 'records';
              }}
            >
              {others} more
            </button>
          </>
        )}
      </span>
      {!worst.is_acknowledged && <button onClick={() => acknowledge(worst.path)}>Acknowledge</button>}
    </div>
  );
}

/** Of the charts that panels show; without a panel, of all charts of the system. */
function States({charts}: {charts: PanelElement[]}) {
  const all = [...components.value.values()].filter((one: Component) => isChart(one) && !isPartOfAnother(one));
  const shown = charts.length
    ? charts.map(({label, chart}) => ({label, chart}))
    : all.map(({path}) => ({label: path, chart: path}));
  if (!shown.length) return null;
  return (
    <div class="overview-states">
      {shown.map(({label, chart}) => (
        <ActiveStates key={chart} label={label} chart={chart} />
      ))}
    </div>
  );
}

type Extremes = Record<string, {min: number; max: number}>;

/** Numbers, each with where it is between the extremes of the run. */
function Readings({paths}: {paths: string[]}) {
  const [extremes, setExtremes] = useState<Extremes>({});
  useEffect(() => {
    let isGone = false;
    getHistory(paths, undefined, undefined, 1)
      .then(({signals}) => {
        if (isGone) return;
        const found: Extremes = {};
        for (const [path, {min, max}] of Object.entries(signals))
          if (min[0] != null && max[0] != null) found[path] = {min: min[0], max: max[0]};
        setExtremes(found);
      })
      .catch(() => undefined); // without it the extremes are those of the page
    return () => {
      isGone = true;
    };
  }, [paths.join(' '), epoch.value]);
  return (
    <div class="readings" key={epoch.value}>
      {paths.map((path) => (
        <Reading key={path} path={path} past={extremes[path]} />
      ))}
    </div>
  );
}

function Reading({path, past}: {path: string; past: {min: number; max: number} | undefined; key?: string}) {
  const value = useValue(path);
  const [seen, setSeen] = useState({min: Infinity, max: -Infinity});
  const number = typeof value === 'number' ? value : NaN;
  useEffect(() => {
    if (number < seen.min || number > seen.max) setSeen({min: Math.min(seen.min, number), max: Math.max(seen.max, number)});
  }, [number]);
  const min = Math.min(seen.min, past?.min ?? Infinity);
  const max = Math.max(seen.max, past?.max ?? -Infinity);
  const {factor, offset, unit} = scaleOf(itemOf(path), siUnits.value);
  const share = max > min ? (number - min) / (max - min) : 0;
  const end = (at: number) => (Number.isFinite(at) ? formatNumber(at * factor + offset, 3) : '');
  return (
    <div class="reading" data-reading={path}>
      <button class="plain link name" onClick={() => select(componentOf(path)?.path ?? null)}>
        {path}
      </button>
      <span class="value">
        <LiveValue path={path} /> <span class="unit">{prettyUnit(unit)}</span>
      </span>
      <span class="range" title="Least and greatest value of the run">
        <span>{end(min)}</span>
        <i>
          <b style={{left: `${Math.min(1, Math.max(0, share)) * 100}%`}} />
        </i>
        <span>{end(max)}</span>
      </span>
    </div>
  );
}
