// Who wants to see which value: watchers share one subscription a path, and all of them come back with the connection.
import type {StudioClient} from '../api/studio_client.ts';
import type {ValueRequest, VariantValue} from '../api/messages.ts';
import type {Item} from '../api/types.ts';
import {SampleClock, type RowTime} from './sample_clock.ts';

export type Value = number | string;
/** Simulated time of the sample, and of the row of samples before it [s]: then the value was that of the sample before. */
export type Watcher = (value: Value, time: number, before: number) => void;

const kTimeFs = 1000; // packets a second: in each packet that has samples of others, too

interface Rate {
  fs: number;
  sample_rate: number; // 0: every sample
}

interface Watched {
  watchers: Map<Watcher, Rate>;
  asked?: Rate;
  value?: Value;
  row: RowTime;
}

/** The rate that serves all of them. */
export function commonRate(rates: Iterable<Rate>): Rate {
  const common = {fs: 0, sample_rate: 0};
  let all = false;
  for (const rate of rates) {
    common.fs = Math.max(common.fs, rate.fs);
    common.sample_rate = Math.max(common.sample_rate, rate.sample_rate);
    all ||= rate.sample_rate === 0;
  }
  if (all) common.sample_rate = 0;
  return common;
}

/** Options as their numbers, as in the history; conditions as 0 or 1. */
export function plainValue(sample: VariantValue, {value_kind, options}: Item): Value {
  if (value_kind === 'text') return sample.str_value;
  if (value_kind === 'condition') return Number(sample.b_value);
  if (!options?.length || !sample.str_value) return sample.d_value;
  const number = options.indexOf(sample.str_value);
  return number < 0 ? sample.str_value : number;
}

export class Values {
  private readonly watched = new Map<string, Watched>();
  private readonly changed = new Set<string>();
  private items: Record<string, Item> = {};
  private paths = new Map<number, string>();
  private timeNode: number | undefined;
  private readonly clock = new SampleClock();
  private client?: StudioClient;
  private scheduled = false;

  attach(client: StudioClient): void {
    this.client = client;
  }

  /** After each reading of the system: node ids may be others than before. */
  setItems(items: Record<string, Item>, timeNode: number | undefined): void {
    this.items = items;
    this.timeNode = timeNode;
    this.paths = new Map(Object.entries(items).map(([path, item]) => [item.node_id, path]));
  }

  /** The connection is (again) there: asks for everything that is watched. */
  resubscribe(): void {
    // The rows of the feed have one stamp for all their values, so the samples of the time give it to all others.
    if (this.timeNode !== undefined) this.client?.request([{node_id: this.timeNode, fs: kTimeFs, sample_rate: 0}]);
    for (const [path, watched] of this.watched) {
      watched.asked = undefined;
      this.change(path);
    }
  }

  latest(path: string): Value | undefined {
    return this.watched.get(path)?.value;
  }

  /** Calls the watcher with each sample, at once with the last one; returns what ends it. */
  watch(path: string, watcher: Watcher, fs = 10, sampleRate = fs): () => void {
    const watched: Watched = this.watched.get(path) ?? {watchers: new Map(), row: {time: 0, before: 0}};
    this.watched.set(path, watched);
    watched.watchers.set(watcher, {fs, sample_rate: sampleRate});
    if (watched.value !== undefined) watcher(watched.value, watched.row.time, watched.row.before);
    this.change(path);
    return () => {
      watched.watchers.delete(watcher);
      this.change(path);
    };
  }

  /** Writes a number in SI; without a connection nothing happens. */
  write(path: string, number: number): void {
    const item = this.items[path];
    if (item) this.client?.set(item.node_id, number);
  }

  take(samples: VariantValue[]): void {
    for (const sample of samples) {
      if (sample.node_id === this.timeNode) this.clock.set(sample.timestamp, sample.d_value);
    }
    for (const sample of samples) {
      const path = this.paths.get(sample.node_id);
      const watched = path && this.watched.get(path);
      if (!watched) continue;
      watched.value = plainValue(sample, this.items[path]!);
      watched.row = this.clock.rowOf(sample.timestamp);
      for (const watcher of watched.watchers.keys()) watcher(watched.value, watched.row.time, watched.row.before);
    }
  }

  private change(path: string): void {
    this.changed.add(path);
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      this.send();
    });
  }

  private send(): void {
    if (!this.client?.isConnected) return; // resubscribe() follows
    const requests: ValueRequest[] = [];
    for (const path of this.changed) {
      const watched = this.watched.get(path);
      const id = this.items[path]?.node_id;
      if (!watched || id === undefined) continue;
      if (!watched.watchers.size) {
        if (watched.asked) requests.push({node_id: id, stop: true});
        this.watched.delete(path);
        continue;
      }
      const rate = commonRate(watched.watchers.values());
      if (watched.asked?.fs === rate.fs && watched.asked.sample_rate === rate.sample_rate) continue;
      watched.asked = rate;
      requests.push({node_id: id, ...rate});
    }
    this.changed.clear();
    this.client.request(requests);
  }
}
