import {useState} from 'preact/hooks';
import {notify} from '../../live/notices.ts';
import {Section} from '../../ui/inspector/section.tsx';
import {openChartPath, project, revision} from '../state/workspace.ts';
import {chartView, chooseStates} from './chart_state.ts';
import {
  advance,
  endTrial,
  parseEvent,
  parseValue,
  sendEvent,
  setSignal,
  startTrial,
  trial,
  trialIsBusy,
  type Trial,
} from './trial_state.ts';

const kTimes = [0.01, 0.1, 1, 10]; // s

/** The chart run alone, step by step: events and signals by hand, states and what was done. */
export function TrialPane() {
  const now = trial.value;
  revision.value;
  return (
    <Section title="Run alone" isClosed={now === null}>
      <div class="buttons">
        <button class={now ? '' : 'is-main'} disabled={trialIsBusy.value} onClick={() => void startTrial()}>
          {now ? 'Restart' : 'Run alone'}
        </button>
        {now && <button onClick={() => void endTrial()}>End</button>}
      </div>
      {now && now.path === openChartPath.value && <Running now={now} />}
    </Section>
  );
}

function Running({now}: {now: Trial}) {
  const [text, setText] = useState('');
  const isStale = project.has(now.path) && project.version(now.path) !== now.version;
  const events = [
    ...new Set([
      ...(chartView.value?.events ?? []),
      ...now.events.filter((event) => !/\*|^(done|error|level|aspect|mode|alarm|budget)(\.|$)/.test(event)),
    ]),
  ];
  const send = (event: string): void => {
    const parsed = parseEvent(event);
    if (parsed) void sendEvent(parsed);
    else notify('error', `'${event}' is not an event; write NAME, or NAME KEY=VALUE`);
  };
  return (
    <div class="trial">
      {isStale && <p class="warning">The chart has changed; restart it to run the new one.</p>}
      <p class="trial-time">
        t = {Number(now.time.toPrecision(9))} s
        {now.has_reached_final
          ? ', final state reached'
          : now.is_stuck
            ? ', livelock: transitions without end'
            : !now.is_running
              ? ', ended'
              : ''}
      </p>
      <div class="buttons" role="group" aria-label="Active states">
        {now.active
          .filter(({is_atomic}) => is_atomic)
          .map(({id}) => (
            <button key={id} class="plain link" onClick={() => chooseStates([id])}>
              {id}
            </button>
          ))}
      </div>
      <div class="buttons" role="group" aria-label="Events">
        {events.map((event) => (
          <button key={event} disabled={trialIsBusy.value} onClick={() => send(event)}>
            {event}
          </button>
        ))}
        <input
          aria-label="Event"
          placeholder="EVENT KEY=VALUE"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            send(event.currentTarget.value);
            setText('');
          }}
        />
      </div>
      <div class="buttons" role="group" aria-label="Time">
        {kTimes.map((seconds) => (
          <button key={seconds} disabled={trialIsBusy.value} onClick={() => void advance(seconds)}>
            +{seconds} s
          </button>
        ))}
        {now.next_due !== null && (
          <button
            disabled={trialIsBusy.value}
            onClick={() => void advance(Math.max(0, now.next_due! - now.time))}
            title="Next timer"
          >
            to {Number(now.next_due.toPrecision(6))} s
          </button>
        )}
      </div>
      {now.signals.length > 0 && (
        <dl class="trial-values" aria-label="Signals">
          {now.signals.map(({path, value, set_to}) => [
            <dt key={`${path} name`}>
              {path}
              {set_to !== undefined && set_to !== null && (
                <span title="Value last set by the chart">, set to {String(set_to)}</span>
              )}
            </dt>,
            <dd key={path}>
              <input
                aria-label={path}
                defaultValue={String(value)}
                key={String(value)}
                onChange={(event) => void setSignal(path, parseValue(event.currentTarget.value))}
              />
            </dd>,
          ])}
        </dl>
      )}
      {now.variables.length > 0 && (
        <dl class="trial-values" aria-label="Data">
          {now.variables.map(({name, value}) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{String(value)}</dd>])}
        </dl>
      )}
      <ol class="trial-trace" aria-label="Log">
        {now.trace
          .slice(-60)
          .reverse()
          .map((one, index) => (
            <li key={index} class={`is-${one.kind}`}>
              <time>{Number(one.time.toPrecision(6))} s</time>{' '}
              {one.kind === 'transition' ? `${one.from ?? ''} → ${one.to ?? ''} ` : `${one.kind} `}
              {one.text}
            </li>
          ))}
      </ol>
    </div>
  );
}
