// Moves through the recording of a scene.
import {computed, signal} from '@preact/signals';
import {getHistory} from '../../api/http.ts';
import type {Scene} from '../../api/types.ts';
import {attempt} from '../../live/notices.ts';
import {now} from '../../live/session.ts';
import {animate} from '../../view/animate.ts';
import {Recording} from './recording.ts';
import {signalsOf, type SceneValues} from './scene_values.ts';

const kBins = 1200; // all that the server keeps

export class Replay {
  readonly speed = signal(1);
  readonly isPlaying = signal(false);
  private readonly row = signal<number | null>(null);
  private readonly recording = new Recording();
  private readonly paths: string[];
  private reading: Promise<unknown> | null = null;
  private stop?: () => void;

  constructor(
    scene: Scene,
    private readonly values: SceneValues,
  ) {
    this.paths = signalsOf(scene);
  }

  /** The time that is shown [s]; null: the present. */
  readonly time = computed(() => (this.row.value === null ? null : (this.recording.t[this.row.value] ?? null)));

  /** The first time that can be shown, as far as it is known [s]. */
  get begin(): number | undefined {
    return this.recording.t[0];
  }

  /** Shows the row at a time. */
  async seek(time: number): Promise<void> {
    if (this.recording.end < time) await this.read();
    this.show(this.recording.indexAt(time));
  }

  /** Shows the row some rows on. */
  async step(by: number): Promise<void> {
    if (this.row.peek() === null) await this.seek(now());
    if (by > 0 && this.row.peek() === this.recording.t.length - 1) await this.read();
    this.show((this.row.peek() ?? 0) + by);
  }

  live(): void {
    this.pause();
    this.row.value = null;
    this.values.show(null);
  }

  pause(): void {
    this.stop?.();
    this.stop = undefined;
    this.isPlaying.value = false;
  }

  /** Plays from the time that is shown; from the begin where the end or the present is. */
  async play(): Promise<void> {
    if (this.isPlaying.peek()) return;
    this.isPlaying.value = true;
    const shown = this.time.peek();
    await this.seek(shown === null || shown >= this.recording.end ? -Infinity : shown);
    if (this.row.peek() === null) await this.read();
    if (!this.isPlaying.peek()) return;
    if (!this.recording.t.length) return this.pause();
    let at = this.time.peek() ?? this.recording.t[0]!;
    this.stop = animate((dt) => {
      // Where the user has moved it meanwhile, it goes on from there.
      const before = this.time.peek() ?? at;
      if (this.recording.indexAt(at) !== this.row.peek()) at = before;
      at += dt * this.speed.peek();
      const {end} = this.recording;
      this.show(this.recording.indexAt(at));
      if (at < end) return;
      at = end;
      if (now() > end) void this.read();
      else this.pause();
    });
  }

  /** The run has begun again. */
  clear(): void {
    this.live();
    this.recording.clear();
  }

  private show(row: number): void {
    const last = this.recording.t.length - 1;
    if (last < 0) return;
    const shown = Math.min(Math.max(row, 0), last);
    if (this.row.peek() === shown) return;
    this.row.value = shown;
    this.values.show({recording: this.recording, row: shown});
  }

  /** Fetches what has been recorded since the last row. */
  private read(): Promise<unknown> {
    const from = Number.isFinite(this.recording.end) ? this.recording.end : undefined;
    this.reading ??= attempt(async () =>
      this.recording.add((await getHistory(this.paths, from, undefined, kBins)).signals),
    ).finally(() => {
      this.reading = null;
    });
    return this.reading;
  }
}
