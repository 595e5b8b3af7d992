import {useEffect} from 'preact/hooks';
import {addState, placeAutomatically, removeChosenParts} from './chart_edits.ts';
import {
  chartFaults,
  chartIsLocked,
  chartView,
  chooseStates,
  chooseTransition,
  chosenStates,
  chosenTransition,
  followChart,
  ownerOfLine,
  singleState,
} from './chart_state.ts';
import {connectingFrom} from './chart_pointer.ts';
import {ChartSheet} from './chart_sheet.tsx';
import {endTrial} from './trial_state.ts';

/** After a tool the keys of the chart act on what it has made. */
function add(...what: Parameters<typeof addState>): void {
  addState(...what);
  document.querySelector<HTMLElement>('.chart-sheet')?.focus();
}

/** A chart that is open: its drawing, what can be added to it, what is wrong with it. */
export function ChartPane({path}: {path: string}) {
  useEffect(() => {
    const end = followChart();
    return () => {
      end();
      void endTrial();
    };
  }, []);
  const locked = chartIsLocked.value;
  const state = singleState.value;
  const canHold = state?.kind === 'state' || state?.kind === 'parallel';
  return (
    <section class="chart-pane" aria-label={`Chart ${path}`}>
      <div class="chart-tools" role="toolbar" aria-label="Parts of the chart">
        <button disabled={locked} onClick={() => add('state')} title="State next to the selected one (S)">
          State
        </button>
        <button
          disabled={locked || !canHold}
          onClick={() => add('state', true)}
          title="State inside the selected one (Shift+S)"
        >
          {state?.kind === 'parallel' ? 'Region inside' : 'State inside'}
        </button>
        <button disabled={locked} onClick={() => add('parallel')} title="State with all regions active in parallel (P)">
          Parallel
        </button>
        <button disabled={locked} onClick={() => add('final')} title="Final state (F)">
          Final
        </button>
        <button disabled={locked || !canHold} onClick={() => add('history', true)} title="History of the selected state (H)">
          History
        </button>
        <button disabled={locked} onClick={() => add('choice')} title="Branches by conditions (C)">
          Choice
        </button>
        <button
          disabled={locked || !state || state.kind === 'final'}
          onClick={() => {
            connectingFrom.value = state!.key;
          }}
          title="From the selected state; or drag from the circle at its right (T)"
        >
          Transition
        </button>
        <span class="spacer" />
        <button
          disabled={locked || (chosenStates.value.size === 0 && !chosenTransition.value)}
          onClick={removeChosenParts}
          title="Remove the selection (Del)"
        >
          Remove
        </button>
        <button
          disabled={locked || chartView.value?.places.size === 0}
          onClick={placeAutomatically}
          title="Auto layout of the selected states or of all (A)"
        >
          Automatic places
        </button>
      </div>
      <ChartSheet />
      <ChartFaults path={path} />
    </section>
  );
}

function ChartFaults({path}: {path: string}) {
  if (chartFaults.value.length === 0) return null;
  return (
    <ul class="fault-list" aria-label="Errors of the chart">
      {chartFaults.value.slice(0, 100).map((fault, index) => {
        const owner = fault.file === path && chartView.value ? ownerOfLine(chartView.value, fault.line) : null;
        const go = (): void =>
          owner?.transition !== undefined
            ? chooseTransition(owner.transition)
            : chooseStates(owner?.state === undefined ? [] : [owner.state]);
        return (
          <li key={index} class={fault.severity === 'warning' ? 'warning' : 'fault'}>
            <button class="plain link" onClick={go}>
              {fault.file}
              {fault.line ? `:${fault.line}` : ''}
            </button>{' '}
            {fault.text}
            {fault.remedy ? `; ${fault.remedy}` : ''}
          </li>
        );
      })}
    </ul>
  );
}
