// The mechanism at its start, as the program computes it after each change.
import {effect, signal} from '@preact/signals';
import type {Scene} from '../../api/types.ts';
import {Refused, Unreachable} from '../../api/http.ts';
import type {SceneNumbers} from '../../ui/mechanism/scene_values.ts';
import {postScene} from '../api/requests.ts';
import {online, revision, rootPath, unsavedTexts} from '../state/workspace.ts';

const kPause = 150; // after the last change [ms]
const kRetry = 1000; // without a connection [ms]

export interface Pose {
  scene: Scene;
  values: Readonly<Record<string, number>>;
}
/** The last one that could be computed. */
export const pose = signal<Pose | null>(null);
/** Why the present text has none; empty where it has. */
export const poseFault = signal('');

/** The numbers of the last pose. */
export class PoseNumbers implements SceneNumbers {
  readonly isLive = signal(false);
  get version(): number {
    return pose.peek() ? 1 : 0;
  }
  time(): number {
    return 0;
  }
  of(coordinate: number | string | undefined): number {
    return typeof coordinate === 'string' ? (pose.peek()?.values[coordinate] ?? NaN) : (coordinate ?? 0);
  }
  pathOf(): [] {
    return [];
  }
}

/** Asks after each change, one question at a time, until the result is called. */
export function followPose(): () => void {
  let timer = 0;
  let isAsking = false;
  let isOver = false;
  const askAfter = (pause: number) => {
    window.clearTimeout(timer);
    if (!isOver) timer = window.setTimeout(ask, pause);
  };
  const ask = async () => {
    const path = rootPath.peek();
    if (path === null) return;
    if (isAsking) return askAfter(kPause);
    isAsking = true;
    try {
      const answer = await postScene(path, unsavedTexts());
      if (isOver) return;
      if (answer.scene) pose.value = {scene: answer.scene, values: answer.values ?? {}};
      poseFault.value = answer.scene ? '' : (answer.fault ?? 'It has errors.');
    } catch (error) {
      if (error instanceof Refused) return; // the check says what is wrong
      if (!(error instanceof Unreachable)) throw error;
      online.value = false;
      askAfter(kRetry);
    } finally {
      isAsking = false;
    }
  };
  const end = effect(() => {
    revision.value;
    rootPath.value;
    askAfter(kPause);
  });
  return () => {
    end();
    isOver = true;
    window.clearTimeout(timer);
    pose.value = null;
  };
}
