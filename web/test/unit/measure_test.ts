import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toCsv} from '../../src/ui/plots/export.ts';
import {cut, spectrum, statistics, valueAt} from '../../src/ui/plots/measure.ts';

const kAmplitude = 3;
const kMean = 5;
const kPeriods = 8;
const kSpan = 2; // s
const kPi2 = 2 * Math.PI;

/** A sine with a whole number of periods in kSpan. */
function sine(count: number) {
  const t = Array.from({length: count + 1}, (_, i) => (i * kSpan) / count);
  return {t, v: t.map((time) => kMean + kAmplitude * Math.sin((kPi2 * kPeriods * time) / kSpan))};
}

test('statistics of a sine: mean, rms and deviation of the closed form, with order 2', () => {
  const exact = {mean: kMean, rms: Math.sqrt(kMean ** 2 + kAmplitude ** 2 / 2), std: kAmplitude / Math.SQRT2};
  const error = (count: number) => {
    const found = statistics(sine(count), 0, kSpan)!;
    return Math.max(...(['mean', 'rms', 'std'] as const).map((name) => Math.abs(found[name] - exact[name])));
  };
  assert.ok(error(8000) < 1e-5);
  const order = Math.log2(error(2000) / error(4000));
  assert.ok(Math.abs(order - 2) < 0.02, `${order}`);
  const {min, max} = statistics(sine(32 * kPeriods), 0, kSpan)!;
  assert.ok(Math.abs(min - (kMean - kAmplitude)) < 1e-12 && Math.abs(max - (kMean + kAmplitude)) < 1e-12);
});

test('statistics weigh by time: where the samples are does not matter', () => {
  // A ramp from 0 to 1 with nearly all of its samples in its first tenth.
  const t = [...Array.from({length: 1000}, (_, i) => i / 10_000), 1];
  const found = statistics({t, v: t}, 0, 1)!;
  assert.ok(Math.abs(found.mean - 1 / 2) < 1e-12);
  assert.ok(Math.abs(found.rms - Math.sqrt(1 / 3)) < 1e-12);
  assert.ok(Math.abs(found.std - Math.sqrt(1 / 12)) < 1e-12);
  const part = statistics({t, v: t}, 0.05, 0.55)!;
  assert.ok(Math.abs(part.mean - 0.3) < 1e-12 && part.min === 0.05 && Math.abs(part.max - 0.55) < 1e-12);
});

test('a small ripple on a large value has its own deviation', () => {
  const {t, v} = sine(4000);
  const found = statistics({t, v: v.map((value) => 1e7 + (value - kMean) * 1e-3)}, 0, kSpan)!;
  assert.ok(Math.abs(found.std / ((kAmplitude * 1e-3) / Math.SQRT2) - 1) < 1e-4, `${found.std}`);
});

test('spectrum of a sine: its amplitude at its frequency, half of it beside, nothing elsewhere, the mean at 0 Hz', () => {
  const {frequency, amplitude} = spectrum(sine(8192), 0, kSpan)!;
  const at = frequency.indexOf(kPeriods / kSpan);
  assert.ok(at > 0);
  assert.ok(Math.abs(amplitude[at]! - kAmplitude) < 1e-3 * kAmplitude);
  for (const beside of [at - 1, at + 1]) assert.ok(Math.abs(amplitude[beside]! - kAmplitude / 2) < 1e-3 * kAmplitude);
  assert.ok(Math.abs(amplitude[0]! - kMean) < 1e-9);
  amplitude.forEach((one, k) => {
    if (k > 0 && Math.abs(k - at) > 1) assert.ok(one < 1e-4 * kAmplitude, `${frequency[k]} Hz: ${one}`);
  });
});

test('the spectrum keeps the energy of what it shows (Parseval, with the window)', () => {
  // Two sines that are far from each other: the mean square is the sum of theirs; a Hann window spreads each over 1 + 2/4 of its power.
  const {t} = sine(8192);
  const v = t.map((time) => 2 * Math.sin(kPi2 * 10 * time) + 0.5 * Math.cos(kPi2 * 60 * time));
  const {amplitude} = spectrum({t, v}, 0, kSpan)!;
  const power = amplitude.slice(1).reduce((sum, one) => sum + one ** 2 / 2, 0) / 1.5;
  assert.ok(Math.abs(power / ((4 + 0.25) / 2) - 1) < 1e-3, `${power}`);
});

test('a cursor reads the samples, and straight lines between them; outside there is nothing', () => {
  const points = {t: [0, 1, 3], v: [2, 4, -2]};
  assert.deepEqual(
    points.t.map((time) => valueAt(points, time)),
    points.v,
  );
  assert.equal(valueAt(points, 2), 1);
  assert.equal(valueAt(points, -0.1), undefined);
  assert.equal(valueAt(points, 3.1), undefined);
  assert.deepEqual(cut(points, 0.5, 2), {t: [0.5, 1, 2], v: [3, 4, 1]});
  assert.equal(statistics(points, 4, 5), undefined);
  assert.equal(spectrum({t: [], v: []}, 0, 1), undefined);
});

test('a CSV file reads back to the same numbers', () => {
  const a = {t: [0, 0.1, 0.25], v: [1e5, -2.5e-7, 123456.789]};
  const b = {t: [0.1, 0.3], v: [0, 7]};
  const rows = toCsv(
    [
      {path: 'a', points: a},
      {path: 'b', points: b},
    ],
    [0, 1],
    true,
  )
    .trim()
    .split('\n');
  assert.equal(rows[0], 'time [s],a,b');
  const read = rows.slice(1).map((row) => row.split(',').map((cell) => (cell === '' ? null : Number(cell))));
  for (const [column, {t, v}] of [a, b].entries()) {
    const own = read.filter((row) => row[column + 1] !== null);
    assert.deepEqual(
      own.map(([time]) => time),
      t,
    );
    assert.deepEqual(
      own.map((row) => row[column + 1]),
      v,
    );
  }
});
