// Why something happened: from the texts of the events, and from what charts set.
import type {ChartSignals, RunEvent} from '../api/types.ts';

export interface Cause {
  /** What it is that caused it: guard, event, time, command, chart. */
  kind: 'guard' | 'event' | 'time' | 'command' | 'chart' | 'alarm';
  text: string;
  /** The values that the guard had. */
  values?: string;
  /** What caused the cause, if the events tell. */
  because?: RunEvent;
}

/** `from -> to: trigger [guard] for 0.5 s with a = 1, b = 2`, as the log has a transition. */
export function readTransition(text: string): {from: string; to: string; event: string; guard: string; values: string} {
  const [, from = '', to = '', rest = ''] = /^(.*?) -> (.*?)(?:: (.*))?$/s.exec(text) ?? [];
  const at = rest.lastIndexOf(' with ');
  const [why, values] = at < 0 ? [rest, ''] : [rest.slice(0, at), rest.slice(at + ' with '.length)];
  const guardAt = why.indexOf('[');
  return guardAt < 0
    ? {from, to, event: why.trim(), guard: '', values}
    : {from, to, event: why.slice(0, guardAt).trim(), guard: why.slice(guardAt).trim(), values};
}

const kSame = 1e-9; // [s]: a cause has the time of its effect

/** The last event that `is` before an event, or with it. */
function before(
  event: RunEvent,
  events: readonly RunEvent[],
  since: number,
  is: (one: RunEvent) => boolean,
): RunEvent | undefined {
  for (let i = events.length - 1; i >= 0; i--) {
    const one = events[i]!;
    if (one.n >= event.n || one.run !== event.run) continue;
    if (one.time < event.time - since - kSame) return undefined;
    if (is(one)) return one;
  }
  return undefined;
}

/** `step` is the TimeStep [s]: what comes from outside acts with the next one. */
export function causeOf(
  event: RunEvent,
  events: readonly RunEvent[],
  charts: readonly ChartSignals[],
  step: number,
): Cause | undefined {
  if (event.kind === 'message') return {kind: 'command', text: event.text};
  if (event.kind === 'transition') {
    const {event: name, guard, values} = readTransition(event.text);
    const why = [name, guard].filter(Boolean).join(' ');
    if (!why) return undefined;
    const kind = guard && !name ? 'guard' : /^after /.test(name) ? 'time' : 'event';
    const because =
      kind === 'event'
        ? before(event, events, step, (one) => one.kind === 'message' && one.text.includes(`event="${name}"`))
        : undefined;
    return {kind, text: why, ...(values && {values}), ...(because && {because})};
  }
  if (event.kind === 'level') {
    const setters = new Set(
      charts.filter(({sets}) => sets.some((path) => path.startsWith(`${event.path}.`))).map(({path}) => path),
    );
    const because = before(event, events, step, ({kind, path, text}) =>
      kind === 'transition' ? setters.has(path) : kind === 'message' && text.includes(event.path),
    );
    if (!because) return undefined;
    return {kind: because.kind === 'message' ? 'command' : 'chart', text: because.text, because};
  }
  return undefined;
}

export interface Merged<Line = RunEvent> {
  /** The last of them. */
  last: Line;
  count: number;
  /** Time of the first [s]. */
  since: number;
}

const withoutNumbers = (text: string): string => text.replace(/-?\d+(\.\d+)?(e[-+]?\d+)?/g, '#');

/** Lines in a row that differ in the numbers of their texts only are one, with a count. */
export function merged<Line extends {time: number; text: string}>(
  lines: readonly Line[],
  keyOf: (line: Line) => unknown[],
): Merged<Line>[] {
  const found: Merged<Line>[] = [];
  let key = '';
  for (const line of lines) {
    const mine = JSON.stringify([...keyOf(line), withoutNumbers(line.text)]);
    const last = found.at(-1);
    if (last && mine === key) {
      last.last = line;
      last.count++;
    } else found.push({last: line, count: 1, since: line.time});
    key = mine;
  }
  return found;
}

export const mergedEvents = (events: readonly RunEvent[]): Merged[] =>
  merged(events, ({kind, path, is_set, is_acknowledged, run}) => [kind, path, is_set, is_acknowledged, run]);
