// What the page asks the run to do.
import {postAcknowledge, postCommand, postControl} from '../api/http.ts';
import {attempt, notify} from './notices.ts';
import {refresh} from './session.ts';

/** A line of `--commands`; returns why it was refused, or nothing. */
export async function command(line: string): Promise<string | undefined> {
  try {
    const answer = await postCommand(line);
    refresh();
    return answer.accepted ? undefined : answer.text;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The same, a refusal is shown as a notice. */
export async function commandOrNotice(line: string): Promise<boolean> {
  const refusal = await command(line);
  if (refusal !== undefined) notify('error', refusal);
  return refusal === undefined;
}

export async function control(action: string, factor?: number | null): Promise<void> {
  await attempt(() => postControl(action, factor));
  refresh();
}

export async function acknowledge(path: string): Promise<void> {
  await attempt(() => postAcknowledge(path));
  refresh();
}
