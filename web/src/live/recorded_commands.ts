// What clients did, as lines of `--commands`: the run log has each of their requests as the `<At>` that repeats it.
import type {LogLine} from '../api/types.ts';

/** Charts, whose senders are paths, do the same again by themselves. */
const kRequest = /^by (?!\/).*: <At ([^>]*)\/>$/;
const kAttribute = /(\w+)="([^"]*)"/g;

function commandOf(text: string): string | undefined {
  const request = kRequest.exec(text);
  if (!request) return undefined;
  const found = new Map([...request[1]!.matchAll(kAttribute)].map(([, name, value]) => [name!, value!]));
  const what = found.has('set')
    ? `set ${found.get('set')} ${found.get('value')}`
    : found.has('message')
      ? `message ${found.get('to')} ${found.get('message')}`
      : `event ${found.get('event')}`;
  return `${found.get('time')} ${what}`;
}

export const recordedCommands = (lines: readonly LogLine[]): string =>
  lines
    .map(({text}) => commandOf(text))
    .filter((line) => line !== undefined)
    .map((line) => `${line}\n`)
    .join('');
