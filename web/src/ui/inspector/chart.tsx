import {getChart} from '../../api/http.ts';
import type {Chart, ChartState, Component} from '../../api/types.ts';
import {commandOrNotice} from '../../live/commands.ts';
import {usePolled} from '../../live/polled.ts';
import {refresh} from '../../live/session.ts';
import {formatTime, withoutLongTails} from '../../view/units.ts';
import {Section} from './section.tsx';

const kPeriod = 500; // ms

/** davit itself sends the others, each to the chart it is meant for; a descriptor such as error.* names no event. */
const isForUsers = (event: string): boolean => !/\*|^(level|aspect|mode|alarm|budget|done|error)(\.|$)/.test(event);

/** The statechart of a component: states with the active ones, what it did last, buttons for its events. */
export function ChartSection({component, disabled}: {component: Component; disabled: boolean}) {
  const [chart, fault] = usePolled<Chart>(() => getChart(component.path), kPeriod, [component.path]);
  if (fault)
    return (
      <Section title="Chart">
        <p class="fault">{fault}</p>
      </Section>
    );
  if (!chart) return null;
  const press = async (event: string) => {
    if (await commandOrNotice(`event ${event}`)) refresh();
  };
  const events = chart.events.filter(isForUsers);
  return (
    <Section title="Chart">
      {events.length > 0 && (
        <div class="messages" role="group" aria-label="Events">
          {events.map((event) => (
            <button key={event} class="event" disabled={disabled} onClick={() => press(event)}>
              {event}
            </button>
          ))}
        </div>
      )}
      <ChartStates chart={chart} parent={null} />
      {chart.last.length > 0 && (
        <ol class="transitions" aria-label="Last transitions">
          {chart.last
            .slice(-8)
            .reverse()
            .map((one, index) => (
              <li key={`${one.time}${index}`} title={one.text}>
                <time>{formatTime(one.time)} s</time> {withoutLongTails(one.text)}
              </li>
            ))}
        </ol>
      )}
    </Section>
  );
}

/** States as boxes in boxes; nobody counts pseudo-states as places where a chart can be. */
function ChartStates({chart, parent}: {chart: Chart; parent: string | null}) {
  const inside = chart.states.filter((state) => state.parent === parent && !/history|initial/.test(state.kind));
  if (!inside.length) return null;
  return (
    <div class="states">
      {inside.map((state) => (
        <ChartStateBox key={state.id} chart={chart} state={state} />
      ))}
    </div>
  );
}

function ChartStateBox({chart, state}: {chart: Chart; state: ChartState; key?: string}) {
  const leaving = chart.transitions
    .filter(({from}) => from === state.id)
    .map(({to, event, cond}) => `${event}${cond && ` [${cond}]`} → ${to.join(', ') || 'stays'}`);
  return (
    <div class={`state is-${state.kind} ${state.active ? 'is-active' : ''}`} data-state={state.id} title={leaving.join('\n')}>
      <span class="id">{state.id}</span>
      <ChartStates chart={chart} parent={state.id} />
    </div>
  );
}
