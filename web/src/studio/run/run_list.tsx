import {Section} from '../../ui/inspector/section.tsx';
import {compare, mode, remove, runPrefix, runs, show, shownRun} from './runs.ts';
import {compared} from './compare_state.ts';

/** All runs, with their results; two that are ticked can be laid over each other. */
export function RunList() {
  if (!runs.value.length) return null;
  const ticked = compared.value;
  const tick = (run: number) => {
    compared.value = ticked.includes(run) ? ticked.filter((one) => one !== run) : [...ticked, run].slice(-4);
  };
  return (
    <Section title="Runs" count={runs.value.length}>
      <ul class="runs" aria-label="Runs">
        {[...runs.value].reverse().map(({run, path, status, time, started}) => (
          <li
            key={run}
            class={shownRun.value === run && mode.value === 'run' ? 'is-shown' : ''}
            title={`${path}\nstarted ${new Date(started / 1e6).toLocaleTimeString()}`}
          >
            <input
              type="checkbox"
              aria-label={`Compare run ${run}`}
              checked={ticked.includes(run)}
              onChange={() => tick(run)}
            />
            <button class="plain link" onClick={() => show(run)}>
              {run} {path.replace(/^.*\//, '').replace(/\.xml$/, '')}
            </button>
            <span class={`status is-${status}`}>{status}</span>
            <span class="muted">{time.toFixed(1)} s</span>
            <a href={`${runPrefix(run)}api/result.csv`} download={`run${run}.csv`} title="Results of the run as CSV">
              CSV
            </a>
            <button class="plain" aria-label={`Delete run ${run}`} title="End and delete" onClick={() => remove(run)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button disabled={ticked.length < 2} onClick={compare}>
          Overlay
        </button>
      </p>
    </Section>
  );
}
