// The past and present of one signal: history of the server, then samples as they come.
import {getHistory} from '../../api/http.ts';
import {notify} from '../../live/notices.ts';
import {recording} from '../../live/recording.ts';
import {system, values} from '../../live/session.ts';
import {fileSignals, isOfFile} from './files.ts';
import {append, pointsOf, type Points} from './history_points.ts';

const kFs = 10; // packets a second
const kMostSamples = 200; // a second; of a faster system they are fewer, evenly
const kBins = 1500;
const kLate = 1; // [s]: the history may be ahead of the samples by as much
/** Points of a signal; with more the past is read again, in bins. */
const kMost = 12_000;

/** What a panel draws. */
export interface PlottedSeries {
  readonly path: string;
  /** It grows with the run, and its last value holds until now. */
  readonly isLive: boolean;
  points: Points;
  /** A closer look at a part of the past, while it is zoomed. */
  detail: Points | null;
  dispose(): void;
  clear(): void;
  readPast(): Promise<void>;
  readDetail(from: number, to: number): Promise<void>;
}

/** Of a file: all of it is there. */
class FileSeries implements PlottedSeries {
  readonly isLive = false;
  readonly points: Points;
  readonly detail: Points;

  constructor(readonly path: string) {
    this.points = this.detail = fileSignals.peek().get(path)!.points;
  }

  dispose(): void {}
  clear(): void {}
  async readPast(): Promise<void> {}
  async readDetail(): Promise<void> {}
}

export const makeSeries = (path: string, changed: () => void): PlottedSeries =>
  isOfFile(path) ? new FileSeries(path) : new Series(path, changed);

export class Series implements PlottedSeries {
  readonly isLive = true;
  points: Points = {t: [], v: []};
  /** A closer look at a part of the past, while it is zoomed. */
  detail: Points | null = null;
  private readonly end: () => void;
  private readonly shortestHold: number; // [s]
  private isReading = false;
  private isVoid = false; // what is being read
  private isGone = false;

  constructor(
    readonly path: string,
    private readonly changed: () => void,
  ) {
    const fs = system.value?.fs ?? kMostSamples;
    const isEach = fs <= kMostSamples;
    // A decimated signal misses samples though its value has changed.
    this.shortestHold = isEach ? 0 : 10 / kMostSamples;
    this.end = values.watch(path, (value, time, before) => this.take(value, time, before), kFs, isEach ? 0 : kMostSamples);
    void this.readPast();
  }

  dispose(): void {
    this.isGone = true;
    this.end();
  }

  /** Reads the whole past again; samples that are newer stay. */
  async readPast(): Promise<void> {
    if (this.isReading) {
      this.isVoid = true;
      return;
    }
    this.isReading = true;
    this.isVoid = false;
    try {
      const past = await this.read(undefined, undefined, kBins);
      const end = past.t.at(-1) ?? -Infinity;
      const from = this.points.t.findIndex((time) => time > end);
      const live = from < 0 ? {t: [], v: []} : {t: this.points.t.slice(from), v: this.points.v.slice(from)};
      this.points = {t: [...past.t, ...live.t], v: [...past.v, ...live.v]};
      this.changed();
    } catch (error) {
      notify('error', `${this.path}: ${error instanceof Error ? error.message : error}`);
    } finally {
      this.isReading = false;
    }
    if (!this.isVoid || this.isGone) return;
    this.clear();
    await this.readPast();
  }

  async readDetail(from: number, to: number): Promise<void> {
    const width = to - from;
    try {
      this.detail = await this.read(from - width / 2, to + width / 2, kBins);
      this.changed();
    } catch {
      this.detail = null; // the coarse one stays
    }
  }

  clear(): void {
    this.points = {t: [], v: []};
    this.detail = null;
  }

  private async read(from: number | undefined, to: number | undefined, bins: number): Promise<Points> {
    const {signals} = await getHistory([this.path], from, to, bins);
    const found = signals[this.path];
    return found ? pointsOf(found) : {t: [], v: []};
  }

  private take(value: number | string, time: number, before: number): void {
    if (this.isGone || typeof value !== 'number' || !Number.isFinite(value)) return;
    const ahead = (this.points.t.at(-1) ?? -Infinity) - time;
    if (ahead > kLate && recording.peek() === null)
      this.clear(); // the run began anew
    else if (ahead > 0) return; // the history has it already
    const hasHeld = time - (this.points.t.at(-1) ?? time) > this.shortestHold;
    append(this.points, time, value, hasHeld ? before : time);
    if (this.points.t.length > kMost) void this.readPast();
    this.changed();
  }
}
