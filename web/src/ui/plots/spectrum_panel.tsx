import {useEffect, useRef} from 'preact/hooks';
import uPlot from 'uplot';
import {isDark, siUnits} from '../../view/settings.ts';
import {formatNumber, scaleOf} from '../../view/units.ts';
import {lineColor} from './colors.ts';
import {plottedItem} from './files.ts';
import {leftOfPlot} from './margins.ts';
import {spectrum, type Spectrum} from './measure.ts';
import {registry} from './registry.ts';
import {shownRange} from './time_range.ts';

const kPeriod = 500; // ms

/** Amplitudes over frequency of the visible span, of all signals of the panels above. */
export function SpectrumPanel({paths}: {paths: string[]}) {
  const host = useRef<HTMLDivElement>(null);
  const [si, dark] = [siUnits.value, isDark.value];
  useEffect(() => {
    const element = host.current!;
    const css = getComputedStyle(element);
    const axis: uPlot.Axis = {
      stroke: css.getPropertyValue('--muted'),
      font: '11px system-ui, sans-serif',
      grid: {stroke: css.getPropertyValue('--grid'), width: 1},
      ticks: {show: false},
    };
    const plot = new uPlot(
      {
        width: Math.max(element.clientWidth, 50),
        height: Math.max(element.clientHeight, 50),
        padding: [6, 24, 0, 0],
        legend: {show: false},
        scales: {x: {time: false}, y: {range: {min: {pad: 0, hard: 0}, max: {pad: 0.08}}}},
        axes: [
          {...axis, size: 24, values: (_, ticks) => ticks.map((tick) => `${formatNumber(tick)} Hz`)},
          {...axis, size: leftOfPlot.value, values: (_, ticks) => ticks.map((tick) => formatNumber(tick))},
        ],
        series: [{}, ...paths.map((label, index): uPlot.Series => ({label, stroke: lineColor(index, dark), width: 1.4}))],
      },
      [[], ...paths.map(() => [])] as uPlot.AlignedData,
      element,
    );
    const draw = () => {
      const [from, to] = shownRange();
      const all = registry.shown().flatMap(({series}) => series);
      const found = paths.map((path) => {
        const one = all.find((series) => series.path === path);
        return one && spectrum(one.detail ?? one.points, from, to);
      });
      plot.setData(
        table(
          found,
          paths.map((path) => scaleOf(plottedItem(path), si).factor),
        ),
      );
    };
    draw();
    const timer = window.setInterval(draw, kPeriod);
    const resized = new ResizeObserver(() => plot.setSize({width: element.clientWidth, height: element.clientHeight}));
    resized.observe(element);
    return () => {
      window.clearInterval(timer);
      resized.disconnect();
      plot.destroy();
    };
  }, [paths.join(' '), si, dark]);
  return (
    <div class="panel spectrum" role="group" aria-label="Spectrum of the visible span">
      <div class="labels">
        <span class="unit">amplitude</span>
        {paths.map((path, index) => (
          <span key={path} class="label">
            <i style={{background: lineColor(index, dark)}} />
            <span class="name">{path}</span>
          </span>
        ))}
      </div>
      <div class="chart" ref={host} />
    </div>
  );
}

/** One axis of frequencies; without the mean, which hides all else. */
function table(found: (Spectrum | undefined)[], factors: number[]): uPlot.AlignedData {
  const frequencies = [...new Set(found.flatMap((one) => one?.frequency.slice(1) ?? []))].sort((a, b) => a - b);
  const columns = found.map((one, i) => {
    const values = new Map(one?.frequency.map((frequency, k) => [frequency, one.amplitude[k]! * factors[i]!]));
    return frequencies.map((frequency) => values.get(frequency));
  });
  return [frequencies, ...columns] as uPlot.AlignedData;
}
