// Colours of pressures: calm blue for none, over green and amber to red for the highest that was seen.

const kStops: [number, number, number][] = [
  [74, 129, 178],
  [61, 157, 157],
  [110, 168, 84],
  [214, 158, 46],
  [201, 64, 52],
];

export interface Range {
  low: number;
  high: number;
}

export function colorOf(value: number, {low, high}: Range): string {
  if (!Number.isFinite(value)) return 'var(--line)';
  const place = Math.min(Math.max((value - low) / (high - low || 1), 0), 1) * (kStops.length - 1);
  const index = Math.min(Math.floor(place), kStops.length - 2);
  const rest = place - index;
  const mixed = kStops[index]!.map((from, channel) => Math.round(from + (kStops[index + 1]![channel]! - from) * rest));
  return `rgb(${mixed.join(' ')})`;
}

/** The next of 1, 2, 2.5, 4, 5 times a power of ten that is at least the value. */
export function niceCeiling(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 2.5, 4, 5]) {
    if (step * power >= value * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

export const gradient = (): string =>
  `linear-gradient(to right, ${kStops.map(([r, g, b]) => `rgb(${r} ${g} ${b})`).join(', ')})`;
