// The connection as the page sees it: what is known of the system, how the run goes, what was said. Everything that the
// page shows hangs on these signals.
import {batch, computed, effect, signal} from '@preact/signals';
import {StudioClient} from '../api/studio_client.ts';
import {Refused, Unreachable, getEvents, getLog, getRecording, getState, getSystem, setRun} from '../api/http.ts';
import type {Component, Item, LogLine, RunEvent, RunState, System} from '../api/types.ts';
import {notify} from './notices.ts';
import {isOfRun, recording} from './recording.ts';
import {Values} from './values.ts';

export const system = signal<System | null>(null);
export const components = signal<Map<string, Component>>(new Map());
export const run = signal<RunState | null>(null);
export const connected = signal(false);
export const loginNeeded = signal(false);
export const log = signal<LogLine[]>([]);
export const events = signal<RunEvent[]>([]);
const runNumber = signal(0);
/** Those since the run began, on its branch: the server also has those of runs before, and of other branches. */
export const runEvents = computed(() => events.value.filter((event) => event.run === runNumber.value && isOfRun(event)));
/** Counts connections: the server may have another system than before. */
export const generation = signal(0);
/** Counts restarts of the run (reset, snapshot, another server) and changes of the branch: what was kept of the past is void. */
export const epoch = signal(0);
export const values = new Values();

const kPeriod = 400; // of asking for the state of the run [ms]
const kMostLines = 5000;

let client: StudioClient | undefined;
let nextLog = 0;
let nextEvent = 0;
let isReading = false;
let wakeUp: (() => void) | undefined;
let polling = 0; // counts start() and stop()

/** Simulated time now [s]. */
export const now = (): number => run.value?.time ?? 0;

export const itemOf = (path: string): Item | undefined => system.value?.items[path];

/** Of the items of a component, and of parts of it, the longest path that is a component; also as the log names it: /crane/boom. */
export function componentOf(named: string): Component | undefined {
  const path = named.startsWith('/') ? named.slice(1).replaceAll('/', '.') : named;
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const component = components.value.get(path.slice(0, end));
    if (component) return component;
  }
  return undefined;
}

/** Watches the run at the address `prefix`, seen from the page. */
export function start(prefix = ''): void {
  setRun(prefix);
  const base = new URL(prefix || '.', location.href);
  base.protocol = base.protocol === 'https:' ? 'wss:' : 'ws:';
  client = new StudioClient(base.href.split('#')[0]!, {
    connected: () => values.resubscribe(),
    disconnected: () => undefined,
    samples: (samples) => values.take(samples),
    refused: (text) => notify('error', text),
  });
  values.attach(client);
  void poll(++polling);
}

/** Ends what start() began; the run itself goes on. */
export function stop(): void {
  polling++;
  client?.close();
  client = undefined;
  batch(() => {
    connected.value = false;
    system.value = null;
    components.value = new Map();
    run.value = null;
    log.value = [];
    events.value = [];
    recording.value = null;
  });
  wakeUp?.();
}

/** Asks at once how the run goes, after something was changed. */
export function refresh(): void {
  wakeUp?.();
}

/** Reads the system; after a new connection its ids and items may be others than before. */
async function readSystem(): Promise<void> {
  const read = await getSystem();
  batch(() => {
    generation.value++;
    system.value = read;
    components.value = new Map(read.components.map((component) => [component.path, component]));
    values.setItems(read.items, read.time_node_id);
  });
  document.title = `${read.name} · davit`;
}

async function poll(mine: number): Promise<void> {
  while (mine === polling) {
    await readOnce(mine);
    await new Promise<void>((resolve) => {
      wakeUp = resolve;
      window.setTimeout(resolve, connected.value ? kPeriod : 1000);
    });
  }
}

async function readOnce(mine: number): Promise<void> {
  if (isReading) return;
  isReading = true;
  try {
    const before = run.value;
    const state = await getState();
    const isNew = !connected.value;
    if (mine !== polling) return;
    if (isNew) {
      await readSystem();
      if (mine !== polling) return;
      nextLog = nextEvent = 0;
      client?.close();
      client?.connect();
    }
    const [lines, found] = await Promise.all([getLog(nextLog), getEvents(nextEvent)]);
    if (mine !== polling) return;
    // A recorded run goes back without a restart.
    const hasGoneBack = before !== null && state.time < before.time && recording.peek() === null;
    const restarted = isNew || hasGoneBack || found.run !== runNumber.peek();
    if (isNew || recording.peek() !== null) void readRecording(mine);
    batch(() => {
      run.value = state;
      connected.value = true;
      loginNeeded.value = false;
      takeLog(lines.lines, isNew);
      runNumber.value = found.run;
      takeEvents(found.events, isNew);
      if (restarted) epoch.value++;
    });
    nextLog = lines.next;
    nextEvent = found.next;
  } catch (error) {
    if (mine === polling) fail(error);
  } finally {
    isReading = false;
  }
}

let isReadingRecording = false;

/** Not awaited: the answer comes between two steps, which may take long. */
async function readRecording(mine: number): Promise<void> {
  if (isReadingRecording) return;
  isReadingRecording = true;
  try {
    const read = await getRecording();
    if (mine === polling) recording.value = read.is_recorded ? read : null;
  } catch (error) {
    if (!(error instanceof Unreachable || error instanceof Refused)) throw error; // the state of the run tells
  } finally {
    isReadingRecording = false;
  }
}

let branch: string | undefined;
effect(() => {
  const now = recording.value?.branch;
  if (branch !== undefined && now !== undefined && now !== branch) epoch.value = epoch.peek() + 1;
  branch = now;
});

function takeLog(lines: LogLine[], anew: boolean): void {
  if (anew) log.value = lines;
  else if (lines.length) log.value = [...log.value, ...lines].slice(-kMostLines);
}

function takeEvents(found: RunEvent[], anew: boolean): void {
  if (anew) events.value = found;
  else if (found.length) events.value = [...events.value, ...found].slice(-kMostLines);
}

function fail(error: unknown): void {
  if (!(error instanceof Unreachable || error instanceof Refused)) throw error;
  connected.value = false;
  if (error instanceof Refused && error.status === 401) loginNeeded.value = true;
}
