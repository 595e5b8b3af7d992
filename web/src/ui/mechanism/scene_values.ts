// The numbers of a scene: as they are now, or as they were in a row of the recording.
import {signal} from '@preact/signals';
import type {Scene, SceneItem} from '../../api/types.ts';
import {now, values} from '../../live/session.ts';
import type {Recording} from './recording.ts';

type Coordinate = number | string | undefined;

/** What a picture of a scene needs of its numbers. */
export interface SceneNumbers {
  /** Counts changes of what is shown. */
  readonly version: number;
  /** Whether it is the present of a run. */
  readonly isLive: {peek(): boolean};
  /** What is shown was then [s]. */
  time(): number;
  /** Of a coordinate; NaN while its signal has no value yet. */
  of(coordinate: Coordinate): number;
  /** In the past: where the first point of an item has been up to there, oldest first. */
  pathOf(item: SceneItem): Iterable<[number, number, number]>;
}

export class SceneValues implements SceneNumbers {
  version = 0;
  readonly isLive = signal(true);
  private past: {recording: Recording; row: number} | null = null;
  private readonly now = new Map<string, number>();
  private readonly ends: (() => void)[];

  /** `rate`: samples a second. */
  constructor(scene: Scene, rate: number) {
    this.ends = signalsOf(scene).map((path) =>
      values.watch(
        path,
        (value) => {
          if (typeof value !== 'number' || this.now.get(path) === value) return;
          this.now.set(path, value);
          if (!this.past) this.version++;
        },
        rate,
      ),
    );
  }

  time(): number {
    return this.past ? (this.past.recording.t[this.past.row] ?? 0) : now();
  }

  of(coordinate: Coordinate): number {
    if (typeof coordinate !== 'string') return coordinate ?? 0;
    return this.past ? this.past.recording.read(coordinate, this.past.row) : (this.now.get(coordinate) ?? NaN);
  }

  /** Shows a row of a recording; null: the present. */
  show(past: {recording: Recording; row: number} | null): void {
    this.past = past;
    this.version++;
    this.isLive.value = past === null;
  }

  *pathOf({points}: SceneItem): Generator<[number, number, number]> {
    if (!this.past) return;
    const {recording, row} = this.past;
    const at = (one: Coordinate, i: number) => (typeof one === 'string' ? recording.read(one, i) : (one ?? 0));
    const [x, y, z] = points[0] ?? [];
    for (let i = 0; i <= row; i++) yield [at(x, i), at(y, i), at(z, i)];
  }

  dispose(): void {
    for (const end of this.ends) end();
  }
}

export function signalsOf(scene: Scene): string[] {
  const found = new Set<string>();
  for (const {points, force} of scene.items) {
    for (const value of [...points.flat(), force]) if (typeof value === 'string') found.add(value);
  }
  return [...found];
}
