import {useRef} from 'preact/hooks';
import {getSnapshot, postSnapshot} from '../api/http.ts';
import {alarmOf} from '../live/alarms.ts';
import {control} from '../live/commands.ts';
import {attempt, notify} from '../live/notices.ts';
import {connected, refresh, run, system} from '../live/session.ts';
import {download} from '../view/download.ts';
import {Clock} from './clock.tsx';
import {DisplayButtons} from './display_buttons.tsx';
import {PauseIcon, PlayIcon, ResetIcon, StepIcon} from './icons.tsx';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

type Quantile = {share: number; seconds: number};

const duration = (seconds: number): string =>
  seconds < 1e-3 ? `${(1e6 * seconds).toFixed(0)} µs` : `${(1e3 * seconds).toFixed(1)} ms`;

const quantiles = (title: string, list: readonly Quantile[] = []): string =>
  `${title}: ${list.map(({share, seconds}) => `${100 * share} % ${duration(seconds)}`).join(', ')}`;

export function TopBar() {
  const state = run.value;
  const status = connected.value ? (state?.status ?? 'waiting') : 'lost';
  const isRunning = state?.status === 'running';
  const isOver = state?.status === 'finished' || state?.status === 'failed';
  const isLocked = !connected.value || (state?.read_only ?? false);
  return (
    <header class="top-bar">
      <h1 title={system.value?.text}>{system.value?.name}</h1>
      <span class={`status is-${status}`} role="status">
        {status === 'lost' ? 'no connection' : status}
      </span>
      <div class="group" role="group" aria-label="Run">
        {isRunning ? (
          <button onClick={() => control('pause')} disabled={isLocked} title="Pause">
            <PauseIcon />
            Pause
          </button>
        ) : (
          <button class="is-main" onClick={() => control('start')} disabled={isLocked || isOver} title="Start">
            <PlayIcon />
            Start
          </button>
        )}
        <button onClick={() => control('step')} disabled={isLocked || isOver || isRunning} title="One step">
          <StepIcon />
          Step
        </button>
        <button onClick={() => control('reset')} disabled={isLocked} title="Back to the start">
          <ResetIcon />
          Reset
        </button>
      </div>
      <Clock />
      <Speed disabled={isLocked} />
      <dl class="meters">
        <div>
          <dt>real time</dt>
          <dd>{state?.real_time_factor ? `${state.real_time_factor.toFixed(2)}×` : '–'}</dd>
        </div>
        <div class={alarmOf('SimulatorManager') === 'set' ? 'is-bad' : ''} title="Late periods">
          <dt>missed</dt>
          <dd>{state?.missed_periods ?? 0}</dd>
        </div>
        {state?.lateness && (
          <div
            class="wide-only"
            title={`${quantiles('Woken late by', state.lateness)}\n${quantiles('A step takes', state.step_duration)}`}
          >
            <dt>late 99.9 %</dt>
            <dd>{duration(state.lateness.find(({share}) => share === 0.999)?.seconds ?? 0)}</dd>
          </div>
        )}
        <div>
          <dt>clients</dt>
          <dd>{state?.clients ?? 0}</dd>
        </div>
      </dl>
      {state?.read_only && <span class="tag">read only</span>}
      <span class="spacer" />
      <Snapshots disabled={isLocked} />
      <DisplayButtons />
    </header>
  );
}

function Speed({disabled}: {disabled: boolean}) {
  const speed = run.value?.speed ?? null;
  const known = speed === null || kSpeeds.includes(speed);
  return (
    <label class="field">
      speed
      <select
        value={speed === null ? 'free' : String(speed)}
        disabled={disabled}
        onChange={(event) => {
          const {value} = event.currentTarget;
          void control('speed', value === 'free' ? null : Number(value));
        }}
      >
        {!known && <option value={String(speed)}>{speed}×</option>}
        {kSpeeds.map((one) => (
          <option key={one} value={String(one)}>
            {one}×
          </option>
        ))}
        <option value="free">free</option>
      </select>
    </label>
  );
}

function Snapshots({disabled}: {disabled: boolean}) {
  const input = useRef<HTMLInputElement>(null);
  const save = () =>
    attempt(async () => {
      download(`${system.value?.name}-${(run.value?.time ?? 0).toFixed(2)}s.state`, await getSnapshot());
    });
  const load = async () => {
    const file = input.current?.files?.[0];
    if (!file) return;
    if (await attempt(() => postSnapshot(file))) notify('info', `The run resumes from ${file.name}.`);
    input.current!.value = '';
    refresh();
  };
  return (
    <div class="group" role="group" aria-label="Snapshot">
      <button onClick={save} disabled={!connected.value} title="Save the state of the run in a file">
        Save state
      </button>
      <button onClick={() => input.current?.click()} disabled={disabled} title="Resume from a snapshot">
        Load state
      </button>
      <input ref={input} type="file" hidden onChange={load} aria-label="File of a state" />
    </div>
  );
}
