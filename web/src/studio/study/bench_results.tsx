import {useState} from 'preact/hooks';
import {lineColor} from '../../ui/plots/colors.ts';
import {toSvg, type SvgPanel} from '../../ui/plots/svg.ts';
import {isDark} from '../../view/settings.ts';
import {formatNumber, prettyUnit} from '../../view/units.ts';
import type {CaseResult, ExpectationResult, FailureCurves} from '../api/types.ts';
import {info} from '../state/workspace.ts';
import {bench, benchJob, benchResult, end, isBenchRunning, isStarting, startBench} from './study_state.ts';

/** Progress and results of the bench, case by case. */
export function BenchResults() {
  const now = bench.value;
  if (!now) return null;
  const result = benchResult.value;
  const failure = benchJob.value?.failure;
  return (
    <section class="study-results" aria-label="Bench">
      <div class="plot-tools">
        <Controls />
      </div>
      {failure && (
        <p class="fault" role="alert">
          {failure}
        </p>
      )}
      <div class="bench-results" tabIndex={0} role="region" aria-label="Results of the cases">
        {result ? (
          result.cases.map((one) => <Case key={one.name} result={one} />)
        ) : (
          <p class="empty">
            {isBenchRunning.value ? 'The cases are running.' : 'No result yet. Press Start to run all cases.'}
          </p>
        )}
      </div>
    </section>
  );
}

function Controls() {
  const now = benchJob.value;
  const isBusy = isBenchRunning.value;
  const result = benchResult.value;
  const isLocked = (info.value?.read_only ?? false) || isStarting.value;
  const failed = result?.cases.filter((one) => !one.is_passed).map(({name}) => name) ?? [];
  return (
    <>
      {isBusy ? (
        <button onClick={end} title="Interrupt the cases that run">
          Cancel
        </button>
      ) : (
        <button class="is-main" disabled={isLocked} onClick={() => startBench()} title="Save the bench, and run all cases">
          Start
        </button>
      )}
      {!isBusy && failed.length > 0 && (
        <button disabled={isLocked} onClick={() => startBench(failed)}>
          Start failed cases
        </button>
      )}
      {now && isBusy && (
        <progress aria-label="Cases that have ended" max={Math.max(now.all, 1)} value={now.all ? now.done : undefined} />
      )}
      {now && (
        <span class={`status is-${now.status === 'done' ? 'finished' : now.status}`} role="status" data-status={now.status}>
          {now.status}
          {isBusy && now.all > 0 && ` ${now.done} of ${now.all} cases`}
        </span>
      )}
      {result && (
        <b class={failed.length ? 'is-failed' : 'is-passed'}>
          {result.passed} of {result.cases.length} passed
        </b>
      )}
    </>
  );
}

function Case({result}: {result: CaseResult; key?: string}) {
  const state = result.is_interrupted ? 'interrupted' : result.is_passed ? 'passed' : 'failed';
  return (
    <details class="bench-case" open={!result.is_passed} data-case={result.name}>
      <summary>
        <b class={result.is_passed ? 'is-passed' : 'is-failed'}>{state}</b> {result.name}
        <span class="muted">
          {' '}
          {result.requirement} ({formatNumber(result.simulated)} s)
        </span>
      </summary>
      {result.fault && <p class="fault">{result.fault}</p>}
      <ul>
        {result.expectations.map((one) => (
          <Expectation key={one.line} result={one} />
        ))}
      </ul>
    </details>
  );
}

function Expectation({result}: {result: ExpectationResult; key?: number}) {
  return (
    <li>
      <b class={result.is_met ? 'is-passed' : 'is-failed'}>{result.is_met ? 'met' : 'not met'}</b> <code>{result.text}</code>{' '}
      {result.requirement && <span class="muted">{result.requirement}</span>}
      {!result.is_met && <p>{result.verdict}</p>}
      {result.curves && <Curves curves={result.curves} title={`${result.text}: ${result.verdict}`} />}
    </li>
  );
}

const numbers = (values: readonly (number | null)[]): number[] => values.map((value) => value ?? Number.NaN);

/** Signals of one unit share a panel. */
export function panelsOf(curves: FailureCurves, colorOf: (index: number) => string, markColor: string): SvgPanel[] {
  const panels = new Map<string, SvgPanel & {lines: SvgPanel['lines'][number][]}>();
  curves.signals.forEach(({name, unit, options, values}, index) => {
    const key = options.length ? name : unit;
    const panel = panels.get(key) ?? {
      unit: options.length ? 'option' : prettyUnit(unit) || '1',
      lines: [],
      min: Infinity,
      max: -Infinity,
      marks: curves.at === undefined ? [] : [{time: curves.at, text: `failed at ${curves.at} s`, color: markColor}],
      ...(options.length ? {options} : {}),
    };
    panels.set(key, panel);
    panel.lines.push({name, color: colorOf(index), t: curves.time, v: numbers(values), isStepped: options.length > 0});
    if (curves.reference)
      panel.lines.push({
        name: 'reference',
        color: colorOf(index + 1),
        t: curves.reference.time,
        v: numbers(curves.reference.values),
        isStepped: false,
      });
  });
  for (const panel of panels.values()) {
    const all = panel.lines.flatMap(({v}) => v.filter(Number.isFinite));
    const [low, high] = all.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
    const pad = 0.08 * (high - low || Math.abs(high) || 1);
    panel.min = low - pad;
    panel.max = high + pad;
  }
  return [...panels.values()].filter(({min}) => Number.isFinite(min));
}

function Curves({curves, title}: {curves: FailureCurves; title: string}) {
  const [isWide, setWide] = useState(false);
  if (!curves.time.length || !curves.signals.length) return null;
  const css = getComputedStyle(document.documentElement);
  const color = (name: string) => css.getPropertyValue(name).trim();
  const dark = isDark.value;
  const text = toSvg(
    panelsOf(curves, (index) => lineColor(index, dark), color('--error')),
    [curves.time[0]!, curves.time.at(-1)!],
    {background: color('--surface'), text: color('--text'), muted: color('--muted'), grid: color('--grid')},
  );
  return (
    <button
      class={`plain bench-picture ${isWide ? 'is-wide' : ''}`}
      onClick={() => setWide(!isWide)}
      aria-label={`${isWide ? 'Smaller' : 'Larger'} picture: ${title}`}
    >
      <img alt={title} src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`} />
    </button>
  );
}
