// The numbers of a scene, as they are now.
import type {Scene} from '../../api/types.ts';
import {values} from '../../live/session.ts';

export class SceneValues {
  /** Counts changes. */
  version = 0;
  private readonly now = new Map<string, number>();
  private readonly ends: (() => void)[];

  /** `rate`: samples a second. */
  constructor(scene: Scene, rate: number) {
    this.ends = [...signalsOf(scene)].map((path) =>
      values.watch(
        path,
        (value) => {
          if (typeof value !== 'number' || this.now.get(path) === value) return;
          this.now.set(path, value);
          this.version++;
        },
        rate,
      ),
    );
  }

  /** Of a coordinate; NaN while its signal has no value yet. */
  of(coordinate: number | string | undefined): number {
    return typeof coordinate === 'string' ? (this.now.get(coordinate) ?? NaN) : (coordinate ?? 0);
  }

  dispose(): void {
    for (const end of this.ends) end();
  }
}

function signalsOf(scene: Scene): Set<string> {
  const found = new Set<string>();
  for (const {points, force} of scene.items) {
    for (const value of [...points.flat(), force]) if (typeof value === 'string') found.add(value);
  }
  return found;
}
