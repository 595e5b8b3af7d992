import {useEffect, useRef} from 'preact/hooks';
import {effect} from '@preact/signals';
import uPlot from 'uplot';
import {componentOf, epoch, now, runEvents, values} from '../../live/session.ts';
import {isChart, isPartOfAnother} from '../../live/charts.ts';
import {isInPast} from '../../live/recording.ts';
import {isDark, plotSpan, siUnits} from '../../view/settings.ts';
import {formatLive, formatNumber, formatValue, prettyUnit, scaleOf} from '../../view/units.ts';
import {markColor, paintMarks, paintPresent, type Style} from './annotations.ts';
import {isOfBranch} from './branch_lines.ts';
import {lineColor} from './colors.ts';
import {cursors, isMeasuring, paintCursors, setNext} from './cursors.ts';
import {plottedItem} from './files.ts';
import {aligned, held} from './history_points.ts';
import {kRightOfPlot, leftOfPlot} from './margins.ts';
import {Marks} from './marks.ts';
import {togglePlot} from './panels.ts';
import {registry} from './registry.ts';
import {makeSeries, type PlottedSeries} from './series.ts';
import {paintTrigger, trigger, triggeredAt} from './trigger.ts';
import {heldAt, shownRange, zoomed} from './time_range.ts';

const kPeriod = 100; // between two drawings [ms]
const kCursor = 'davit';

/** Signals of one unit over time. */
export function Panel({paths, isLast}: {paths: string[]; isLast: boolean; key?: string}) {
  const host = useRef<HTMLDivElement>(null);
  const values = useRef<HTMLSpanElement[]>([]);
  const si = siUnits.value;
  const dark = isDark.value;
  const item = plottedItem(paths[0]!);
  const scale = scaleOf(item, si);
  const left = leftOfPlot.value;
  useEffect(() => run(host.current!, values.current, paths, dark, isLast), [paths.join(' '), si, dark, isLast, left]);
  return (
    <div class="panel">
      <div class="labels">
        <span class="unit">{item?.options?.length ? 'option' : prettyUnit(scale.unit) || '1'}</span>
        {paths.map((path, index) => (
          <span key={path} class="label" title={plottedItem(path)?.text}>
            <i style={{background: lineColor(index, dark)}} />
            <span class="name">{path}</span>
            <span
              class="value"
              data-plot={path}
              ref={(span) => {
                if (span) values.current[index] = span;
              }}
            />
            <button class="plain" aria-label={`Take ${path} out`} title="Remove" onClick={() => togglePlot(path)}>
              ×
            </button>
          </span>
        ))}
      </div>
      <div class="chart" ref={host} />
    </div>
  );
}

function run(host: HTMLElement, labels: HTMLSpanElement[], paths: string[], dark: boolean, isLast: boolean): () => void {
  let isStale = true;
  const stale = () => {
    isStale = true;
  };
  const series = paths.map((path) => makeSeries(path, stale));
  const scales = paths.map((path) => scaleOf(plottedItem(path), siUnits.value));
  const style = readStyle(host);
  const heads = new Marks(host);
  const marks = () => runEvents.value.filter(({kind, path}) => kind !== 'log' && isNear(path, paths));
  const plot = new uPlot(
    options(host, paths, dark, isLast, style, {
      heads,
      marks,
      cursor: (index) => showValues(labels, paths, series, plot, index),
    }),
    [[], ...paths.map(() => [])] as uPlot.AlignedData,
    host,
  );

  const draw = () => {
    if (heldAt.value !== null && zoomed.value === null && !isStale) return;
    isStale = false;
    const newest = Math.max(
      ...series.map(({points}) => points.t.at(-1) ?? -Infinity),
      heldAt.value === null ? now() : -Infinity,
    );
    const useDetail = zoomed.value !== null && series.every(({detail}) => detail !== null);
    const [times, ...columns] = aligned(
      series.map(({points, detail, isLive}) =>
        visible(useDetail ? detail! : isLive ? held(points, newest) : points, shownRange()),
      ),
    );
    const shown = columns.map((column, i) =>
      column.map((value) => (value === null ? null : value * scales[i]!.factor + scales[i]!.offset)),
    );
    plot.batch(() => {
      plot.setData([times, ...shown] as uPlot.AlignedData, false);
      const [min, max] = shownRange();
      plot.setScale('x', {min, max});
    });
    if (plot.cursor.idx == null) showValues(labels, paths, series, plot, null);
  };
  const timer = window.setInterval(draw, kPeriod);
  const resized = new ResizeObserver(() => plot.setSize({width: host.clientWidth, height: host.clientHeight}));
  resized.observe(host);
  const begun = epoch.value;
  const stops = [
    effect(() => {
      if (epoch.value === begun) return;
      for (const one of series) {
        one.clear();
        void one.readPast();
      }
    }),
    effect(() => {
      const range = zoomed.value;
      for (const one of series) {
        if (range) void one.readDetail(range.from, range.to);
        else one.detail = null;
      }
      stale();
    }),
    effect(() => {
      plotSpan.value;
      cursors.value;
      isMeasuring.value;
      runEvents.value;
      trigger.value;
      triggeredAt.value;
      stale();
    }),
  ];
  const forget = registry.add({paths, series, plot, color: (index) => lineColor(index, dark), marks});
  return () => {
    forget();
    heads.dispose();
    window.clearInterval(timer);
    resized.disconnect();
    for (const stop of stops) stop();
    for (const one of series) one.dispose();
    plot.destroy();
  };
}

/** The points that are shown, and one beyond at each side so that the line reaches the edge. */
function visible({t, v}: {t: number[]; v: number[]}, [from, to]: [number, number]) {
  let begin = t.findIndex((time) => time >= from);
  if (begin < 0) begin = t.length;
  let end = t.length;
  while (end > begin && t[end - 1]! > to) end--;
  return {t: t.slice(Math.max(0, begin - 1), end + 1), v: v.slice(Math.max(0, begin - 1), end + 1)};
}

/** Events of the components in the panel, and of what is no component: the charts of the system. */
function isNear(path: string, paths: string[]): boolean {
  const component = componentOf(path);
  return (
    !component || (isChart(component) && !isPartOfAnother(component)) || paths.some((one) => componentOf(one) === component)
  );
}

function showValues(
  labels: HTMLSpanElement[],
  paths: string[],
  series: PlottedSeries[],
  plot: uPlot,
  index: number | null,
): void {
  paths.forEach((path, i) => {
    const item = plottedItem(path);
    let text: string;
    if (index === null) {
      text = formatValue(presentValue(series[i]!), item, siUnits.value);
    } else {
      // The line may have no point just there: take the one before.
      const column = plot.data[i + 1]!;
      let at = index;
      while (at > 0 && column[at] == null) at--;
      const value = column[at];
      text = value == null ? '–' : (item?.options?.[Math.round(value)] ?? formatLive(value));
    }
    const label = labels[i];
    if (label && label.textContent !== text) label.textContent = text;
  });
}

/** The last one, or where the run has gone back to. */
function presentValue({path, points: {t, v}, isLive}: PlottedSeries): number | undefined {
  if (!isLive || !isInPast.value) return v.at(-1);
  const latest = values.latest(path);
  return typeof latest === 'number' ? latest : v[t.findIndex((time) => time > now()) - 1];
}

function readStyle(host: HTMLElement): Style & {grid: string; muted: string; present: string} {
  const css = getComputedStyle(host);
  const color = (name: string) => css.getPropertyValue(name).trim();
  return {
    grid: color('--grid'),
    muted: color('--muted'),
    present: color('--warning'),
    mark: (kind) => markColor(kind, color),
  };
}

interface Drawn {
  heads: Marks;
  marks: () => import('../../api/types.ts').RunEvent[];
  cursor: (index: number | null) => void;
}

function options(
  host: HTMLElement,
  paths: string[],
  dark: boolean,
  isLast: boolean,
  style: ReturnType<typeof readStyle>,
  drawn: Drawn,
): uPlot.Options {
  const choices = plottedItem(paths[0]!)?.options;
  const axis: uPlot.Axis = {
    stroke: style.muted,
    font: '11px system-ui, sans-serif',
    grid: {stroke: style.grid, width: 1},
    ticks: {stroke: style.grid, width: 1, size: 4},
  };
  return {
    width: Math.max(host.clientWidth, 50),
    height: Math.max(host.clientHeight, 50),
    padding: [6, kRightOfPlot, 0, 0],
    legend: {show: false},
    pxAlign: false,
    scales: {
      x: {time: false, auto: false},
      y: {range: {min: {pad: 0.08, soft: 0, mode: 2}, max: {pad: 0.08, soft: 0, mode: 2}}},
    },
    axes: [
      // The times stand below the last panel, for all of them.
      {...axis, size: isLast ? 24 : 6, values: (_, ticks) => ticks.map((tick) => (isLast ? `${formatNumber(tick)} s` : ''))},
      {
        ...axis,
        size: leftOfPlot.value,
        space: 24,
        values: (_, ticks) => ticks.map((tick) => (choices ? (choices[tick] ?? '') : formatNumber(tick))),
      },
    ],
    cursor: {sync: {key: kCursor}, drag: {x: true, y: false, setScale: false}, points: {size: 6}},
    series: [
      {},
      ...paths.map(
        (path, index): uPlot.Series => ({
          label: path,
          stroke: lineColor(index, dark),
          width: 1.4,
          dash: isOfBranch(path) ? [6, 4] : undefined,
          spanGaps: true,
          points: {show: false},
          paths: choices ? uPlot.paths.stepped!({align: 1}) : undefined,
        }),
      ),
    ],
    hooks: {
      draw: [
        (plot) => {
          drawn.heads.show(plot, drawn.marks());
          paintMarks(plot, drawn.marks(), style);
          if (isInPast.value) paintPresent(plot, now(), style.present);
        },
        paintCursors,
        (plot) => paintTrigger(plot, paths),
      ],
      setCursor: [(plot) => drawn.cursor(plot.cursor.idx ?? null)],
      setSelect: [
        (plot) => {
          const {left, width} = plot.select;
          if (width < 4) return;
          zoomed.value = {from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x')};
          plot.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
        },
      ],
      ready: [
        (plot) => {
          plot.over.addEventListener('dblclick', () => {
            zoomed.value = null;
          });
          let pressedAt = 0;
          plot.over.addEventListener('mousedown', ({offsetX}) => {
            pressedAt = offsetX;
          });
          plot.over.addEventListener('click', ({offsetX}) => {
            if (isMeasuring.value && Math.abs(offsetX - pressedAt) < 4) setNext(plot.posToVal(offsetX, 'x'));
          });
        },
      ],
    },
  };
}
