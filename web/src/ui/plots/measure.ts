// What is measured in a line: values at a time, statistics and spectrum of a span. Between two points a line is straight.
import FFT from 'fft.js';
import type {Points} from './history_points.ts';

/** The value at a time; nothing outside of the line. */
export function valueAt({t, v}: Points, time: number): number | undefined {
  const after = t.findIndex((one) => one >= time);
  if (after < 0) return undefined;
  if (t[after] === time) return v[after];
  if (after === 0) return undefined;
  const share = (time - t[after - 1]!) / (t[after]! - t[after - 1]!);
  return v[after - 1]! + share * (v[after]! - v[after - 1]!);
}

/** The part of a line from `from` to `to`, or of it what there is. */
export function cut(points: Points, from: number, to: number): Points {
  const {t, v} = points;
  const [begin, end] = [Math.max(from, t[0] ?? Infinity), Math.min(to, t.at(-1) ?? -Infinity)];
  if (!(begin < end)) return {t: [], v: []};
  const part: Points = {t: [begin], v: [valueAt(points, begin)!]};
  t.forEach((time, i) => {
    if (time > begin && time < end) {
      part.t.push(time);
      part.v.push(v[i]!);
    }
  });
  part.t.push(end);
  part.v.push(valueAt(points, end)!);
  return part;
}

export interface Statistics {
  mean: number;
  rms: number;
  min: number;
  max: number;
  std: number;
}

/** Over time, not over samples: integrals of the straight pieces. */
export function statistics(points: Points, from: number, to: number): Statistics | undefined {
  const {t, v} = cut(points, from, to);
  if (!t.length) return undefined;
  const span = t.at(-1)! - t[0]!;
  const mean = sumOfPieces(t, v, (a, b) => (a + b) / 2) / span;
  const square = sumOfPieces(t, v, (a, b) => (a * a + a * b + b * b) / 3) / span;
  // About the mean: the difference of two large numbers would lose a small deviation.
  const variance = sumOfPieces(t, v, (a, b) => ((a - mean) ** 2 + (a - mean) * (b - mean) + (b - mean) ** 2) / 3) / span;
  return {
    mean,
    rms: Math.sqrt(square),
    min: v.reduce((a, b) => Math.min(a, b)),
    max: v.reduce((a, b) => Math.max(a, b)),
    std: Math.sqrt(variance),
  };
}

function sumOfPieces(t: number[], v: number[], of: (a: number, b: number) => number): number {
  let sum = 0;
  for (let i = 1; i < t.length; i++) sum += of(v[i - 1]!, v[i]!) * (t[i]! - t[i - 1]!);
  return sum;
}

export interface Spectrum {
  frequency: number[]; // Hz
  amplitude: number[]; // of a sine, in the unit of the signal; at 0 Hz the mean
}

const kLeastSamples = 64;
const kMostSamples = 8192;

/** Amplitudes with a Hann window: a sine with a whole number of periods shows its amplitude, and half of it at both neighbours. */
export function spectrum(points: Points, from: number, to: number): Spectrum | undefined {
  const part = cut(points, from, to);
  if (part.t.length < 3) return undefined;
  const size = 2 ** Math.min(Math.log2(kMostSamples), Math.max(Math.log2(kLeastSamples), Math.ceil(Math.log2(part.t.length))));
  const begin = part.t[0]!;
  const span = part.t.at(-1)! - begin;
  const samples = new Array<number>(size);
  let piece = 1;
  for (let i = 0; i < size; i++) {
    const time = begin + (i * span) / size;
    while (piece < part.t.length - 1 && part.t[piece]! < time) piece++;
    const [t0, t1, v0, v1] = [part.t[piece - 1]!, part.t[piece]!, part.v[piece - 1]!, part.v[piece]!];
    samples[i] = v0 + ((v1 - v0) * (time - t0)) / (t1 - t0);
  }
  const mean = samples.reduce((a, b) => a + b) / size;
  const fft = new FFT(size);
  const out = fft.createComplexArray() as number[];
  fft.realTransform(
    out,
    samples.map((value, i) => (value - mean) * (1 - Math.cos((2 * Math.PI * i) / size))),
  );
  const found: Spectrum = {frequency: [0], amplitude: [mean]};
  for (let k = 1; k < size / 2; k++) {
    found.frequency.push(k / span);
    found.amplitude.push((2 * Math.hypot(out[2 * k]!, out[2 * k + 1]!)) / size);
  }
  return found;
}
