// The chart that is open, run alone: step by step, with events and signals by hand.
import {signal} from '@preact/signals';
import {Refused} from '../../api/http.ts';
import {notify} from '../../live/notices.ts';
import {openChartPath, project, unsavedTexts} from '../state/workspace.ts';
import {chartFaults} from './chart_state.ts';
import {endChart, runChart, sendToChart, type ChartEvent, type ChartTrial, type SignalValue} from './chart_requests.ts';

const kMostTraced = 300;

export interface Trial extends ChartTrial {
  path: string;
  /** Of the text that runs. */
  version: number;
}

export const trial = signal<Trial | null>(null);
export const trialIsBusy = signal(false);

async function take(
  question: () => Promise<ChartTrial>,
  path: string,
  version: number,
  before: ChartTrial['trace'],
): Promise<void> {
  trialIsBusy.value = true;
  try {
    const answer = await question();
    trial.value = {...answer, path, version, trace: [...before, ...answer.trace].slice(-kMostTraced)};
  } catch (error) {
    // The server ends sessions that nobody asks for a while.
    if (error instanceof Refused && error.status === 404) trial.value = null;
    notify('error', error instanceof Error ? error.message : String(error));
  } finally {
    trialIsBusy.value = false;
  }
}

export async function startTrial(): Promise<void> {
  const path = openChartPath.peek();
  if (path === null) return;
  await endTrial();
  const version = project.version(path);
  await take(
    async () => {
      const answer = await runChart(path, unsavedTexts());
      if ('session' in answer) return answer;
      chartFaults.value = answer.faults;
      throw new Error('The chart has errors; correct them first.');
    },
    path,
    version,
    [],
  );
}

const ask = async (what: {event?: ChartEvent; advance?: number; set?: Record<string, SignalValue>}): Promise<void> => {
  const now = trial.peek();
  if (now) await take(() => sendToChart(now.session, what), now.path, now.version, now.trace);
};

export const sendEvent = (event: ChartEvent): Promise<void> => ask({event});
export const advance = (seconds: number): Promise<void> => ask({advance: seconds});
export const setSignal = (path: string, value: SignalValue): Promise<void> => ask({set: {[path]: value}});

export async function endTrial(): Promise<void> {
  const now = trial.peek();
  trial.value = null;
  if (now) await endChart(now.session).catch(() => undefined);
}

/** `up q=1 mode=auto`: an event with values. */
export function parseEvent(text: string): ChartEvent | null {
  const [name, ...rest] = text.trim().split(/\s+/);
  if (!name || !/^[A-Za-z_][\w.-]*$/.test(name)) return null;
  const values: Record<string, SignalValue> = {};
  for (const part of rest) {
    const match = /^(\w+)=(.+)$/.exec(part);
    if (!match) return null;
    values[match[1]!] = parseValue(match[2]!);
  }
  return {name, values};
}

export function parseValue(text: string): SignalValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : text.replace(/^'(.*)'$/, '$1');
}
