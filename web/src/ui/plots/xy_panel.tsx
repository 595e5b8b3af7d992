import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import {now} from '../../live/session.ts';
import {isDark, siUnits} from '../../view/settings.ts';
import {formatNumber, prettyUnit, scaleOf} from '../../view/units.ts';
import {lineColor} from './colors.ts';
import {plottedItem} from './files.ts';
import {held} from './history_points.ts';
import {leftOfPlot} from './margins.ts';
import {panels} from './panels.ts';
import {registry} from './registry.ts';
import {heldAt, shownRange} from './time_range.ts';
import {overEachOther, xy} from './xy.ts';

const kPeriod = 200; // ms

/** A plotted signal over another one, of the visible span; a dot is at its end. */
export function XyPanel() {
  const host = useRef<HTMLDivElement>(null);
  const chosen = xy.value;
  const all = panels.value.flat();
  const [x, y] = [known(chosen?.x, all, 0), known(chosen?.y, all, 1)];
  const [si, dark] = [siUnits.value, isDark.value];
  useEffect(() => (host.current && x && y ? draw(host.current, x, y, dark) : undefined), [x, y, si, dark]);
  if (!x || !y) return null;
  return (
    <div class="panel xy" role="group" aria-label={`${y} over ${x}`}>
      <div class="labels">
        {(['y', 'x'] as const).map((axis) => (
          <label key={axis} class="field">
            {axis}
            <select
              aria-label={`Signal of axis ${axis}`}
              value={axis === 'x' ? x : y}
              onChange={({currentTarget}) => {
                xy.value = {x, y, [axis]: currentTarget.value};
              }}
            >
              {all.map((path) => (
                <option key={path}>{path}</option>
              ))}
            </select>
            <span class="unit">{prettyUnit(scaleOf(plottedItem(axis === 'x' ? x : y), si).unit)}</span>
          </label>
        ))}
      </div>
      <div class="chart" ref={host} />
    </div>
  );
}

/** The chosen signal if it is still plotted, else the one at a place. */
const known = (path: string | undefined, all: string[], place: number): string | undefined =>
  path && all.includes(path) ? path : (all[place] ?? all[0]);

function draw(host: HTMLElement, x: string, y: string, dark: boolean): () => void {
  const css = getComputedStyle(host);
  const axis: uPlot.Axis = {
    stroke: css.getPropertyValue('--muted'),
    font: '11px system-ui, sans-serif',
    grid: {stroke: css.getPropertyValue('--grid'), width: 1},
    ticks: {show: false},
    values: (_, ticks) => ticks.map((tick) => formatNumber(tick)),
  };
  const plot = new uPlot(
    {
      mode: 2,
      width: Math.max(host.clientWidth, 50),
      height: Math.max(host.clientHeight, 50),
      padding: [6, 24, 0, 0],
      legend: {show: false},
      cursor: {drag: {x: false, y: false}},
      scales: {x: {time: false, range: (_, min, max) => room(min, max)}, y: {range: (_, min, max) => room(min, max)}},
      axes: [
        {...axis, size: 24},
        {...axis, size: leftOfPlot.value},
      ],
      series: [
        {},
        {
          label: y,
          stroke: lineColor(0, dark),
          width: 1.4,
          paths: line,
          facets: [
            {scale: 'x', auto: true},
            {scale: 'y', auto: true},
          ],
        },
      ],
    },
    [null, [[], []]] as unknown as uPlot.AlignedData,
    host,
  );
  const again = () => {
    const series = registry.shown().flatMap((one) => one.series);
    const of = (path: string) => {
      const one = series.find((found) => found.path === path);
      if (!one) return {t: [], v: []};
      return one.isLive ? held(one.detail ?? one.points, heldAt.value ?? now()) : one.points;
    };
    const points = overEachOther(of(x), of(y), ...shownRange());
    const scaled = (path: string, values: number[]) => {
      const {factor, offset} = scaleOf(plottedItem(path), siUnits.value);
      return values.map((value) => value * factor + offset);
    };
    plot.setData([null, [scaled(x, points.x), scaled(y, points.y)]] as unknown as uPlot.AlignedData);
  };
  again();
  const timer = window.setInterval(again, kPeriod);
  const resized = new ResizeObserver(() => plot.setSize({width: host.clientWidth, height: host.clientHeight}));
  resized.observe(host);
  return () => {
    window.clearInterval(timer);
    resized.disconnect();
    plot.destroy();
  };
}

/** A little more than the values need; of a constant, something around it. */
function room(min: number, max: number): [number, number] {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
  const pad = (max - min) * 0.05 || Math.abs(min) * 0.1 || 1;
  return [min - pad, max + pad];
}

/** In the order of time: x may go back. */
const line: uPlot.Series.PathBuilder = (plot, index) => {
  const [xs, ys] = plot.data[index] as unknown as [number[], number[]];
  const path = new Path2D();
  xs.forEach((x, i) => {
    const at = [plot.valToPos(x, 'x', true), plot.valToPos(ys[i]!, 'y', true)] as const;
    if (i === 0) path.moveTo(...at);
    else path.lineTo(...at);
    if (i === xs.length - 1) path.arc(...at, 3 * devicePixelRatio, 0, 2 * Math.PI);
  });
  return {stroke: path};
};
