// The chart that is open: what is chosen in it, where its states are, what is wrong with it.
import {batch, computed, effect, signal} from '@preact/signals';
import {Refused, Unreachable} from '../../api/http.ts';
import {EditRefused, openChart, type ChartDocument, type ChartView} from '../../document/index.ts';
import {notify} from '../../live/notices.ts';
import type {Fault} from '../api/types.ts';
import {info, loginNeeded, online, openChartPath, project, revision, unsavedTexts} from '../state/workspace.ts';
import {checkChart} from './chart_requests.ts';
import {layoutChart, type ChartLayout} from './layout.ts';

const kPause = 150; // after the last change, before the chart is checked [ms]
const kRetry = 1500; // without a connection [ms]

export const chart = computed<ChartDocument | null>(() => {
  revision.value;
  const path = openChartPath.value;
  return path !== null && project.has(path) ? openChart(project, path) : null;
});
export const chartView = computed<ChartView | null>(() => {
  revision.value;
  return chart.value?.view ?? null;
});
export const chartIsLocked = computed(() => info.value?.read_only === true);

/** The drawing that belongs to `view`; it follows the text by some milliseconds. */
export const chartLayout = signal<{view: ChartView; layout: ChartLayout} | null>(null);
export const chartFaults = signal<readonly Fault[]>([]);

// What is chosen, and what is not there any more is not chosen.
const wantedStates = signal<ReadonlySet<string>>(new Set());
const wantedTransition = signal<string | null>(null);
export const chosenStates = computed<ReadonlySet<string>>(() => {
  const view = chartView.value;
  return new Set([...wantedStates.value].filter((key) => view?.find(key)));
});
export const chosenTransition = computed(
  () => chartView.value?.transitions.find(({key}) => key === wantedTransition.value) ?? null,
);
export const singleState = computed(() => {
  const [key, more] = chosenStates.value;
  return key !== undefined && more === undefined ? (chartView.value?.find(key) ?? null) : null;
});

export function chooseStates(keys: Iterable<string>): void {
  batch(() => {
    wantedStates.value = new Set(keys);
    wantedTransition.value = null;
  });
}

export function chooseTransition(key: string | null): void {
  batch(() => {
    wantedStates.value = new Set();
    wantedTransition.value = key;
  });
}

export function toggleState(key: string): void {
  const next = new Set(chosenStates.peek());
  if (!next.delete(key)) next.add(key);
  chooseStates(next);
}

/** Does it as one step; what cannot be done is said. */
export function editChart<T>(label: string, work: (chart: ChartDocument) => T, merge?: string): T | undefined {
  const now = chart.peek();
  if (!now) return undefined;
  if (chartIsLocked.peek()) {
    notify('error', 'The folder is open for reading only.');
    return undefined;
  }
  try {
    return project.step(label, () => work(now), merge);
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    notify('error', error.message);
    return undefined;
  }
}

/** The same where a field says itself what is wrong: the fault, or nothing. */
export function tryChart(label: string, work: (chart: ChartDocument) => void, merge?: string): string | null {
  const now = chart.peek();
  if (!now || chartIsLocked.peek()) return 'The folder is open for reading only.';
  try {
    project.step(label, () => work(now), merge);
    return null;
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return error.message;
  }
}

/** The state or transition whose element a line belongs to. */
export function ownerOfLine(view: ChartView, line: number): {state?: string; transition?: string} | null {
  let found: {state?: string; transition?: string} | null = null;
  let best = 0;
  for (const state of view.states)
    if (state.line <= line && state.line > best) [found, best] = [{state: state.key}, state.line];
  for (const one of view.transitions)
    if (one.line <= line && one.line >= best) [found, best] = [{transition: one.key}, one.line];
  return found;
}

/** The first fault of each state and transition. */
export const faultOfChart = computed<ReadonlyMap<string, Fault>>(() => {
  const view = chartView.value;
  const found = new Map<string, Fault>();
  if (!view) return found;
  for (const fault of chartFaults.value) {
    const owner = fault.file === openChartPath.value ? ownerOfLine(view, fault.line) : null;
    const key = owner?.transition ?? owner?.state;
    if (key !== undefined && (!found.has(key) || found.get(key)!.severity === 'warning')) found.set(key, fault);
  }
  return found;
});

let isChecking = false;
let checked = '';
let timer = 0;

async function check(): Promise<void> {
  const path = openChartPath.peek();
  if (path === null || isChecking || !project.has(path)) return;
  const question = `${path} ${revision.peek()}`;
  if (question === checked) return;
  isChecking = true;
  try {
    const {faults} = await checkChart(path, unsavedTexts());
    checked = question;
    online.value = true;
    if (openChartPath.peek() === path) chartFaults.value = faults;
  } catch (error) {
    if (error instanceof Unreachable) online.value = false;
    else if (error instanceof Refused && error.status === 401) loginNeeded.value = true;
    else {
      checked = question;
      chartFaults.value = [
        {file: path, line: 0, path: '', severity: 'error', text: error instanceof Error ? error.message : String(error)},
      ];
    }
  } finally {
    isChecking = false;
    if (`${openChartPath.peek()} ${revision.peek()}` !== checked) schedule(online.peek() ? 0 : kRetry);
  }
}

function schedule(pause: number): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void check(), pause);
}

/** Follows the chart that is open; the result ends it. */
export function followChart(): () => void {
  const ends = [
    effect(() => {
      openChartPath.value;
      chartFaults.value = [];
      chartLayout.value = null;
      chooseStates([]);
    }),
    effect(() => {
      revision.value;
      if (openChartPath.value !== null) schedule(kPause);
    }),
    effect(() => {
      const view = chartView.value;
      if (!view) return;
      void layoutChart(view).then((layout) => {
        if (chartView.peek() === view) chartLayout.value = {view, layout};
      });
    }),
  ];
  return () => {
    window.clearTimeout(timer);
    for (const end of ends) end();
  };
}
