// Charts of `davit studio`: checked, and run alone.
import {send} from '../../api/http.ts';
import type {Texts} from '../api/requests.ts';
import type {Fault} from '../api/types.ts';

export type SignalValue = number | boolean | string;

/** What a chart that runs alone does; `trace` is since the answer before. */
export interface ChartTrial {
  session: number;
  time: number;
  active: {id: string; is_atomic: boolean; since: number}[];
  variables: {name: string; value: SignalValue}[];
  signals: {path: string; value: SignalValue; set_to?: SignalValue | null}[];
  events: string[];
  is_running: boolean;
  has_reached_final: boolean;
  is_stuck: boolean;
  next_due: number | null;
  trace: {
    kind: 'event' | 'transition' | 'exit' | 'enter' | 'log' | 'error';
    text: string;
    from?: string;
    to?: string;
    line?: number;
    time: number;
  }[];
}

export interface ChartEvent {
  name: string;
  values: Record<string, SignalValue>;
}

async function post<T>(path: string, body: unknown, patience = 30_000): Promise<T> {
  const response = await send(
    path,
    {},
    {
      method: 'POST',
      headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patience),
    },
  );
  return response.json() as Promise<T>;
}

export const checkChart = (path: string, texts: Texts) => post<{faults: Fault[]}>('api/chart/check', {path, texts});
export const runChart = (path: string, texts: Texts) => post<ChartTrial | {faults: Fault[]}>('api/chart/run', {path, texts});
export const sendToChart = (session: number, what: {event?: ChartEvent; advance?: number; set?: Record<string, SignalValue>}) =>
  post<ChartTrial>('api/chart/send', {session, ...what});
export const endChart = (session: number) => send('api/chart/run', {session}, {method: 'DELETE'});
