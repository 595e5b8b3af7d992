// Requests to the server; all addresses are below that of the page, so a prefix of a proxy needs no care.
import type {
  Chart,
  CommandAnswer,
  EnergyAnswer,
  History,
  LogLine,
  Reason,
  RecordingState,
  RunEvent,
  RunState,
  Scene,
  System,
} from './types.ts';

/** The server answered with an error: `message` is its text. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

/** No answer: the server is gone, or does not answer in time. */
export class Unreachable extends Error {}

const kPatience = 10_000; // ms

let base = '';

/** Where the run is that the requests below mean, seen from the page: '' or 'run/3/'. */
export function setRun(prefix: string): void {
  base = prefix;
}

export const runAddress = (): string => base;

export type Query = Record<string, string | number | readonly string[] | undefined>;

function address(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

/** Any request of the page; throws Unreachable, or Refused where the status is neither good nor one of `taken`. */
export async function send(path: string, query: Query = {}, init: RequestInit = {}, taken: number[] = []): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address(path, query), {cache: 'no-store', signal: AbortSignal.timeout(kPatience), ...init});
  } catch (error) {
    throw new Unreachable(error instanceof Error ? error.message : String(error));
  }
  if (response.ok || taken.includes(response.status)) return response;
  let text = `${response.status} ${response.statusText}`;
  try {
    text = ((await response.json()) as {error?: string}).error ?? text;
  } catch {
    // Not JSON: a proxy answered.
  }
  throw new Refused(response.status, text);
}

const request = (path: string, query: Query, init?: RequestInit): Promise<Response> => send(base + path, query, init);

const get = async <T>(path: string, query: Query = {}): Promise<T> => (await request(path, query)).json() as Promise<T>;

async function post<T>(path: string, body: unknown, query: Query = {}, patience = kPatience): Promise<T> {
  const init = {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  };
  const text = await (await request(path, query, init)).text();
  return (text ? JSON.parse(text) : {}) as T;
}

/** Signals in one request; the address would become too long with more. */
const kMostPaths = 64;

/** `branch`: another one than that on which a recorded run is. */
export async function getHistory(paths: string[], from?: number, to?: number, bins = 600, branch?: string): Promise<History> {
  const answer: History = {from: from ?? 0, to: to ?? 0, signals: {}};
  for (let begin = 0; begin < paths.length; begin += kMostPaths) {
    const part = await get<History>('api/history', {path: paths.slice(begin, begin + kMostPaths), from, to, bins, branch});
    answer.from = part.from;
    answer.to = part.to;
    Object.assign(answer.signals, part.signals);
  }
  return answer;
}

export const getSystem = () => get<System>('api/system');
export const getState = () => get<RunState>('api/state');
export const getLog = (after: number) => get<{next: number; first?: number; lines: LogLine[]}>('api/log', {after, limit: 1000});
export const getEvents = (after: number) => get<{next: number; run: number; events: RunEvent[]}>('api/events', {after});
export const getChart = (component: string) => get<Chart>('api/chart', {component});
export const getEnergy = () => get<EnergyAnswer>('api/energy');
export const getScene = () => get<Scene>('api/scene');
export const getDrawing = async () => (await request('api/drawing.svg', {})).text();
export const getLogin = () => get<{challenge: string; user_required: boolean}>('api/login');
export const postLogin = (user: string, response: string) => post('api/login', {user, response});
export const postControl = (action: string, factor?: number | null) =>
  post<RunState>('api/control', factor === undefined ? {action} : {action, factor});
export const postCommand = (command: string) => post<CommandAnswer>('api/command', {command});
export const postAcknowledge = (path: string) => post('api/acknowledge', {path});
export const getSnapshot = async () => (await request('api/snapshot', {})).blob();
export const postSnapshot = (bytes: Blob) =>
  request('api/snapshot', {}, {method: 'POST', headers: {'Content-Type': 'application/octet-stream'}, body: bytes});
export type Travel =
  | {action: 'goto'; time: number}
  | {action: 'back'; condition?: string}
  | {action: 'until'; condition: string}
  | {action: 'branch_here'}
  | {action: 'branch'; branch: string};
const kLongPatience = 300_000; // ms; a long past may have to be computed again
export const getRecording = () => get<RecordingState>('api/recording');
export const postTravel = (body: Travel) => post<RecordingState>('api/travel', body, {}, kLongPatience);
export const getWhy = async (path: string, time?: number) =>
  (await request('api/why', {path, time}, {signal: AbortSignal.timeout(kLongPatience)})).json() as Promise<{
    path: string;
    reasons: Reason[];
  }>;
export const getSnapshots = () => get<string[]>('api/snapshots');
export const saveSnapshot = (name: string) => post('api/snapshots', {}, {name});
export const loadSnapshot = (name: string) => post('api/snapshots/load', {}, {name});
