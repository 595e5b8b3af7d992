import {useEffect, useRef, useState} from 'preact/hooks';
import uPlot from 'uplot';
import {send} from '../../api/http.ts';
import type {History, Item, System} from '../../api/types.ts';
import {aligned, pointsOf} from '../../ui/plots/history_points.ts';
import {lineColor} from '../../ui/plots/colors.ts';
import {isDark, siUnits} from '../../view/settings.ts';
import {formatNumber, prettyUnit, scaleOf} from '../../view/units.ts';
import {asking} from '../state/workspace.ts';
import {compared, comparedSignals} from './compare_state.ts';
import {backToDrawing, runPrefix} from './runs.ts';

const kBins = 1500;
const kFirst = 3; // signals that are shown before anybody chose
const kDashes: number[][] = [[], [7, 4], [2, 3], [10, 3, 2, 3]];

/** Compare runs: one panel a signal, one kind of line a run. */
export function CompareView() {
  const [systems, setSystems] = useState<readonly System[]>([]);
  const [filter, setFilter] = useState('');
  const numbers = compared.value;
  useEffect(() => {
    void asking(() =>
      Promise.all(numbers.map(async (run) => (await send(`${runPrefix(run)}api/system`)).json() as Promise<System>)),
    ).then((found) => {
      if (!found) return;
      setSystems(found);
      const all = found[0]?.recorded ?? [];
      if (!comparedSignals.peek().some((path) => found[0]?.items[path]))
        comparedSignals.value = all.filter((path) => found[0]?.items[path]?.value_kind === 'number').slice(0, kFirst);
    });
  }, [numbers.join()]);
  const items: Record<string, Item> = Object.assign({}, ...systems.map((system) => system.items));
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = words.length
    ? Object.keys(items)
        .filter((path) => items[path]!.is_signal && words.every((word) => path.toLowerCase().includes(word)))
        .slice(0, 60)
    : [];
  const toggle = (path: string) => {
    const now = comparedSignals.value;
    comparedSignals.value = now.includes(path) ? now.filter((one) => one !== path) : [...now, path];
  };
  return (
    <section class="compare" aria-label="Compare runs">
      <div class="plot-tools">
        <button onClick={backToDrawing}>Back to drawing</button>
        {numbers.map((run, index) => (
          <span key={run} class={`run-key is-dash-${index}`}>
            <svg width="30" height="8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="30"
                y2="4"
                stroke="currentColor"
                stroke-width="2"
                stroke-dasharray={kDashes[index % kDashes.length]!.join(' ')}
              />
            </svg>{' '}
            run {run}
          </span>
        ))}
        <input
          type="search"
          aria-label="Add a signal to compare"
          placeholder="Add a signal"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        {matching.length > 0 && (
          <span class="matches">
            {matching.map((path) => (
              <button
                key={path}
                onClick={() => {
                  toggle(path);
                  setFilter('');
                }}
              >
                {path}
              </button>
            ))}
          </span>
        )}
      </div>
      <div class="panels">
        {comparedSignals.value
          .filter((path) => items[path])
          .map((path) => (
            <Panel key={path} path={path} item={items[path]!} numbers={numbers} take={() => toggle(path)} />
          ))}
        {!numbers.length && <p class="empty">Tick two runs in the list.</p>}
      </div>
    </section>
  );
}

function Panel({
  path,
  item,
  numbers,
  take,
}: {
  path: string;
  item: Item;
  numbers: readonly number[];
  take: () => void;
  key?: string;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [largest, setLargest] = useState<number | null>(null);
  const scale = scaleOf(item, siUnits.value);
  useEffect(() => {
    let plot: uPlot | undefined;
    let isGone = false;
    let resized: ResizeObserver | undefined;
    void asking(() =>
      Promise.all(
        numbers.map(
          async (run) => (await send(`${runPrefix(run)}api/history`, {path, bins: kBins})).json() as Promise<History>,
        ),
      ),
    ).then((found) => {
      if (!found || isGone || !host.current) return;
      const lines = found.map(({signals}) => (signals[path] ? pointsOf(signals[path]) : {t: [], v: []}));
      const [times, ...columns] = aligned(lines);
      const shown = columns.map((column) =>
        column.map((value) => (value === null ? null : value * scale.factor + scale.offset)),
      );
      setLargest(largestDifference(shown));
      const css = getComputedStyle(host.current);
      const axis: uPlot.Axis = {
        stroke: css.getPropertyValue('--muted'),
        grid: {stroke: css.getPropertyValue('--grid'), width: 1},
        ticks: {show: false},
        font: '11px system-ui, sans-serif',
      };
      plot = new uPlot(
        {
          width: Math.max(host.current.clientWidth, 50),
          height: Math.max(host.current.clientHeight, 60),
          legend: {show: false},
          padding: [6, 20, 0, 0],
          scales: {x: {time: false}},
          axes: [
            {...axis, size: 24, values: (_, ticks) => ticks.map((tick) => `${formatNumber(tick)} s`)},
            {...axis, size: 62, values: (_, ticks) => ticks.map((tick) => formatNumber(tick))},
          ],
          series: [
            {},
            ...numbers.map(
              (run, index): uPlot.Series => ({
                label: `run ${run}`,
                stroke: lineColor(index, isDark.value),
                width: 1.5,
                dash: kDashes[index % kDashes.length],
                spanGaps: true,
                points: {show: false},
              }),
            ),
          ],
        },
        [times, ...shown] as uPlot.AlignedData,
        host.current,
      );
      resized = new ResizeObserver(() => {
        if (host.current) plot?.setSize({width: host.current.clientWidth, height: host.current.clientHeight});
      });
      resized.observe(host.current);
    });
    return () => {
      isGone = true;
      resized?.disconnect();
      plot?.destroy();
    };
  }, [path, numbers.join(), siUnits.value, isDark.value]);
  return (
    <div class="panel" data-compare={path}>
      <div class="labels">
        <span class="unit">{prettyUnit(scale.unit) || '1'}</span>
        <span class="label">
          <span class="name">{path}</span>
          {largest !== null && (
            <span class="value" title="Largest difference of the first two at common points">
              Δ {formatNumber(largest, 3)}
            </span>
          )}
          <button class="plain" aria-label={`Take ${path} out`} onClick={take}>
            ×
          </button>
        </span>
      </div>
      <div class="chart" ref={host} />
    </div>
  );
}

function largestDifference([a, b]: (number | null)[][]): number | null {
  if (!a || !b) return null;
  let largest: number | null = null;
  a.forEach((value, index) => {
    const other = b[index];
    if (value !== null && other !== null && other !== undefined) largest = Math.max(largest ?? 0, Math.abs(value - other));
  });
  return largest;
}
