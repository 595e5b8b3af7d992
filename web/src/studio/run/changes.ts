// Edits while a run is shown: what can change in the run does at once, the rest waits for a restart.
import {signal} from '@preact/signals';
import {command} from '../../live/commands.ts';
import {notify} from '../../live/notices.ts';
import {connected, itemOf, run} from '../../live/session.ts';
import {trail} from '../state/workspace.ts';

/** Parameters whose change needs a restart. */
export const pendingChanges = signal<readonly string[]>([]);

/** A value of the file has changed. `value` is as it is written there. */
export function parameterChanged(component: string, name: string, value: string, isLive: boolean): void {
  if (!connected.peek()) return;
  const path = [...(trail.peek().at(-1)?.within ?? []), component, name].join('.');
  const item = itemOf(path);
  const canChange = name === 'level' ? true : isLive && item?.is_writable === true && !item.is_structural;
  const isOver = run.peek()?.status === 'finished' || run.peek()?.status === 'failed';
  if (!canChange || isOver || value === '' || value.includes('${')) {
    if (!pendingChanges.peek().includes(path)) pendingChanges.value = [...pendingChanges.peek(), path];
    return;
  }
  const line =
    name === 'level'
      ? `level ${[...(trail.peek().at(-1)?.within ?? []), component].join('.')} ${value}`
      : `set ${path} ${value}`;
  void command(line).then((refusal) => {
    if (refusal !== undefined) notify('error', refusal);
  });
}
