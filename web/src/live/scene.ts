// The animation of the mechanism: which shapes there are, and what moves them.
import {effect, signal} from '@preact/signals';
import {getScene} from '../api/http.ts';
import type {Scene} from '../api/types.ts';
import {generation, system} from './session.ts';

/** Nothing until it is known. */
export const scene = signal<Scene | null>(null);
export const sceneFault = signal('');

effect(() => {
  const mine = generation.value;
  scene.value = null;
  sceneFault.value = '';
  if (mine === 0) return;
  getScene()
    .then((found) => {
      if (mine === generation.peek()) scene.value = found;
    })
    .catch((error: Error) => {
      if (mine === generation.peek()) sceneFault.value = error.message;
    });
});

/** Whether something moves that is more than one body; nothing until it is known. */
export const hasMechanism = (): boolean | undefined =>
  sceneFault.value ? false : system.value && scene.value ? scene.value.items.length > 1 : undefined;
