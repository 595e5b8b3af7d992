import type {ActionPlace, ChartStateView, ChartTransitionView, ChartView} from '../../document/index.ts';
import {Section} from '../../ui/inspector/section.tsx';
import {ChartField} from './chart_field.tsx';
import {kChartKeys} from './chart_keys.ts';
import {
  chartIsLocked,
  chartView,
  chooseStates,
  chooseTransition,
  chosenStates,
  chosenTransition,
  editChart,
  faultOfChart,
  singleState,
  tryChart,
} from './chart_state.ts';
import {addOwnTransition, duplicateStates, removeChosenParts} from './chart_edits.ts';
import {linesOfTransition, titleOf} from './labels.ts';
import {TrialPane} from './trial_pane.tsx';

const kActions =
  'A line each: NAME = EXPRESSION, raise EVENT, send EVENT to TARGET after TIME, log LABEL: EXPRESSION, or an element such as <cancel sendid="a"/>';

/** The pane beside the drawing of a chart: of what is chosen, and the chart run alone. */
export function ChartForm() {
  const view = chartView.value;
  if (!view) return null;
  const state = singleState.value;
  const transition = chosenTransition.value;
  return (
    <div class="chart-form">
      {transition ? (
        <TransitionForm key={transition.key} view={view} transition={transition} />
      ) : state ? (
        <StateForm key={state.key} view={view} state={state} />
      ) : chosenStates.value.size > 1 ? (
        <ManyStates />
      ) : (
        <WholeChart view={view} />
      )}
      <TrialPane />
    </div>
  );
}

const lock = (): boolean => chartIsLocked.value;
const Fault = ({of}: {of: string}) => {
  const fault = faultOfChart.value.get(of);
  return fault ? (
    <p class={fault.severity === 'warning' ? 'warning' : 'fault'} role="alert">
      {fault.text}
      {fault.remedy ? `; ${fault.remedy}` : ''}
    </p>
  ) : null;
};

function ManyStates() {
  return (
    <>
      <header>
        <h2>{chosenStates.value.size} states</h2>
      </header>
      <div class="buttons">
        <button onClick={duplicateStates} disabled={lock()}>
          Duplicate
        </button>
        <button onClick={removeChosenParts} disabled={lock()}>
          Remove
        </button>
      </div>
    </>
  );
}

function StateForm({view, state}: {view: ChartView; state: ChartStateView; key?: string}) {
  const {key, kind} = state;
  const children = state.children.map((one) => view.find(one)!).filter((one) => one.id !== '' && one.kind !== 'history');
  const own = view.transitions.filter(({from}) => from === key);
  const content = (where: ActionPlace, lines: readonly string[]) => (
    <ChartField
      key={where}
      label={where}
      value={lines.join('\n')}
      rows={1}
      isLive
      isLocked={lock()}
      title={kActions}
      placeholder={where === 'during' ? 'once a step while active' : ''}
      commit={(text) =>
        tryChart(`${where} of ${key}`, (chart) => chart.setActions(key, where, text.split('\n')), `${where} ${key}`)
      }
    />
  );
  return (
    <>
      <header>
        <h2>{titleOf(state)}</h2>
        <p class="muted">
          {kind}, line {state.line}
        </p>
      </header>
      <Fault of={key} />
      <ChartField
        label="id"
        value={state.id}
        isLocked={lock()}
        commit={(id) => {
          const fault = tryChart(`Rename ${key}`, (chart) => chart.renameState(key, id));
          if (fault === null) chooseStates([id]);
          return fault;
        }}
      />
      {(kind === 'state' || kind === 'parallel' || kind === 'final') && (
        <label class="chart-field">
          <span class="name">kind</span>
          <select
            aria-label="kind"
            value={kind}
            disabled={lock()}
            onChange={(event) =>
              editChart('Kind of a state', (chart) => chart.setKind(key, event.currentTarget.value as 'state'))
            }
          >
            <option value="state">state</option>
            <option value="parallel">parallel: all regions active</option>
            <option value="final">final</option>
          </select>
        </label>
      )}
      {kind === 'state' && children.length > 0 && (
        <InitialChoice parent={key} ids={children.map(({id}) => id)} initial={state.initial} />
      )}
      {kind === 'history' && (
        <label class="chart-check">
          <input
            type="checkbox"
            checked={state.isDeep}
            disabled={lock()}
            onChange={(event) => editChart('History', (chart) => chart.setDeep(key, event.currentTarget.checked))}
          />
          deep: all states below, too
        </label>
      )}
      {(kind === 'select' || kind === 'include') && (
        <ChartField
          label={kind === 'select' ? 'expr' : 'src'}
          value={kind === 'select' ? state.expr : state.src}
          isLocked={lock()}
          commit={(text) => tryChart('Expression', (chart) => chart.setExpr(key, text))}
        />
      )}
      {(kind === 'state' || kind === 'parallel' || kind === 'final') && [
        content('onentry', state.onentry),
        content('onexit', state.onexit),
        kind !== 'final' && content('during', state.during),
      ]}
      {kind !== 'final' && kind !== 'include' && (
        <Section title="Transitions" count={own.length}>
          <ol class="chart-transitions">
            {own.map((one) => (
              <li key={one.key}>
                <button class="plain link" onClick={() => chooseTransition(one.key)}>
                  {linesOfTransition(one).join(' ') || 'always'} → {one.targets.join(', ') || 'stays'}
                </button>
                <span class="group">
                  <button
                    class="plain"
                    aria-label="Move up"
                    title="Move up: the first matching transition is taken"
                    disabled={lock()}
                    onClick={() => editChart('Order', (chart) => chart.orderTransition(one.key, 'up'))}
                  >
                    ↑
                  </button>
                  <button
                    class="plain"
                    aria-label="Move down"
                    title="Move down"
                    disabled={lock()}
                    onClick={() => editChart('Order', (chart) => chart.orderTransition(one.key, 'down'))}
                  >
                    ↓
                  </button>
                </span>
              </li>
            ))}
          </ol>
          <div class="buttons">
            <select
              aria-label="New transition to"
              value=""
              disabled={lock()}
              onChange={(event) => {
                const made = editChart('Transition', (chart) => chart.addTransition(key, event.currentTarget.value));
                if (made !== undefined) chooseTransition(made);
              }}
            >
              <option value="">New transition to …</option>
              {view.states
                .filter(({id}) => id !== '')
                .map((one) => (
                  <option key={one.key} value={one.key}>
                    {one.id}
                  </option>
                ))}
            </select>
            {kind !== 'history' && (
              <button disabled={lock()} onClick={addOwnTransition} title="A transition that stays in the state (L)">
                that stays
              </button>
            )}
          </div>
        </Section>
      )}
      <div class="buttons">
        <button onClick={duplicateStates} disabled={lock()}>
          Duplicate
        </button>
        <button onClick={removeChosenParts} disabled={lock()}>
          Remove
        </button>
      </div>
    </>
  );
}

function InitialChoice({parent, ids, initial}: {parent: string | null; ids: readonly string[]; initial: readonly string[]}) {
  const now = initial.join(' ');
  return (
    <label class="chart-field">
      <span class="name">initial</span>
      <select
        aria-label="initial"
        value={now}
        disabled={lock()}
        onChange={(event) => editChart('Initial state', (chart) => chart.setInitial(parent, event.currentTarget.value || null))}
      >
        <option value="">the first: {ids[0]}</option>
        {now !== '' && !ids.includes(now) && <option value={now}>{now}</option>}
        {ids.map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
    </label>
  );
}

function TransitionForm({view, transition}: {view: ChartView; transition: ChartTransitionView; key?: string}) {
  const {key, from, targets} = transition;
  const source = view.find(from)!;
  const field = (attribute: 'event' | 'cond' | 'after' | 'holds' | 'is', value: string, placeholder: string) => (
    <ChartField
      key={attribute}
      label={attribute}
      value={value}
      placeholder={placeholder}
      isLive
      isLocked={lock()}
      commit={(text) =>
        tryChart(`Transition: ${attribute}`, (chart) => chart.setTransition(key, attribute, text), `${attribute} ${key}`)
      }
    />
  );
  const hasEvents = source.kind === 'state' || source.kind === 'parallel';
  return (
    <>
      <header>
        <h2>
          {titleOf(source)} → {targets.join(', ') || 'stays'}
        </h2>
        <p class="muted">transition, line {transition.line}</p>
      </header>
      <Fault of={key} />
      {hasEvents && field('event', transition.event, 'none: whenever the condition holds')}
      {source.kind !== 'history' && source.kind !== 'select' && field('cond', transition.cond, 'such as load.x gt 1.5')}
      {source.kind === 'select' && field('is', transition.is, "value, such as 'auto'")}
      {hasEvents && field('after', transition.after, 'time in the state, such as 2s')}
      {hasEvents && field('holds', transition.holds, 'condition holds so long, such as 20ms')}
      <label class="chart-field">
        <span class="name">from</span>
        <select
          aria-label="from"
          value={from}
          disabled={lock() || source.kind === 'history'}
          onChange={(event) => {
            const moved = editChart('Move transition', (chart) => chart.setSource(key, event.currentTarget.value));
            if (moved !== undefined) chooseTransition(moved);
          }}
        >
          {view.states
            .filter((one) => one.key === from || (one.kind !== 'final' && one.kind !== 'history' && one.kind !== 'include'))
            .map((one) => (
              <option key={one.key} value={one.key}>
                {titleOf(one)}
              </option>
            ))}
        </select>
      </label>
      <ChartField
        label="target"
        value={targets.join(' ')}
        placeholder="stays in the state"
        isLocked={lock()}
        title="Ids; several for regions of a parallel state"
        commit={(text) =>
          tryChart('Target of a transition', (chart) =>
            chart.setTargets(
              key,
              text.split(/\s+/).filter((id) => id !== ''),
            ),
          )
        }
      />
      {hasEvents && (
        <label class="chart-check">
          <input
            type="checkbox"
            checked={transition.isInternal}
            disabled={lock()}
            onChange={(event) =>
              editChart('Transition: type', (chart) =>
                chart.setTransition(key, 'type', event.currentTarget.checked ? 'internal' : null),
              )
            }
          />
          internal: to a state inside without leaving this one
        </label>
      )}
      <ChartField
        label="actions"
        value={transition.actions.join('\n')}
        rows={2}
        isLive
        isLocked={lock()}
        title={kActions}
        commit={(text) =>
          tryChart(
            'Actions of a transition',
            (chart) => chart.setActions(key, 'transition', text.split('\n')),
            `actions ${key}`,
          )
        }
      />
      <div class="buttons">
        <button onClick={removeChosenParts} disabled={lock()}>
          Remove
        </button>
      </div>
    </>
  );
}

function WholeChart({view}: {view: ChartView}) {
  const tops = view.states.filter(({parent, id}) => parent === null && id !== '');
  return (
    <>
      <header>
        <h2>{view.name || 'Chart'}</h2>
        <p class="muted">
          {view.states.length} states, {view.transitions.length} transitions
        </p>
      </header>
      <ChartField
        label="name"
        value={view.name}
        isLocked={lock()}
        commit={(text) => tryChart('Name of the chart', (chart) => chart.setChartAttribute('name', text || null))}
      />
      <label class="chart-field">
        <span class="name">data model</span>
        <select
          aria-label="data model"
          value={view.datamodel}
          disabled={lock()}
          onChange={(event) =>
            editChart('Data model', (chart) => chart.setChartAttribute('datamodel', event.currentTarget.value))
          }
        >
          {['davit', 'ecmascript', 'null'].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {tops.length > 1 && <InitialChoice parent={null} ids={tops.map(({id}) => id)} initial={view.initial} />}
      <Section title="Data" count={view.data.length}>
        {view.data.map(({id, expr, values}) => (
          <div class="chart-data" key={id}>
            <ChartField
              key="value"
              label={id}
              value={values || expr}
              isLive
              isLocked={lock()}
              title={values ? 'Its choices; it starts at the first' : 'Its first value'}
              commit={(text) =>
                tryChart(`Data ${id}`, (chart) => chart.setData(id, values ? {values: text} : {expr: text}), `data ${id}`)
              }
            />
            <button
              class="plain"
              aria-label={`Remove ${id}`}
              disabled={lock()}
              onClick={() => editChart(`Remove ${id}`, (chart) => chart.setData(id, null))}
            >
              ×
            </button>
          </div>
        ))}
        <ChartField
          label="new data"
          value=""
          placeholder="NAME = VALUE"
          isLocked={lock()}
          commit={(text) => {
            const match = /^\s*(\w+)\s*(?:=\s*(.*))?$/.exec(text);
            if (!match) return text.trim() === '' ? null : 'write NAME = VALUE, such as lifts = 0';
            return tryChart(`Data ${match[1]}`, (chart) => chart.setData(match[1]!, {expr: match[2]?.trim() || '0'}));
          }}
        />
      </Section>
      <Section title="Keys" isClosed>
        <dl class="keys">{kChartKeys.map(([key, text]) => [<dt key={key}>{key}</dt>, <dd key={text}>{text}</dd>])}</dl>
      </Section>
    </>
  );
}
