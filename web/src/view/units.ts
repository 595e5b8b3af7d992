// Numbers as a person reads them.
import type {Item} from '../api/types.ts';
import type {Value} from '../live/values.ts';

export interface Scale {
  factor: number;
  offset: number;
  unit: string;
}

export function scaleOf(item: Item | undefined, si: boolean): Scale {
  if (!item) return {factor: 1, offset: 0, unit: ''};
  if (si || !item.display_unit) return {factor: 1, offset: 0, unit: item.unit};
  return {factor: item.display_factor, offset: item.display_offset, unit: item.display_unit};
}

/** Five significant digits, without the noise of long tails; large and small ones with an exponent. */
export function formatNumber(value: number, digits = 5): string {
  if (Number.isNaN(value)) return 'not a number';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  const text =
    size >= 1e7 || size < 1e-4
      ? value
          .toExponential(digits - 2)
          .replace(/\.?0+e/, 'e')
          .replace('e+', 'e')
      : String(Number(value.toPrecision(digits)));
  return text.replace('-', '−');
}

/** Smaller values that change all the time are rounding errors, in any display unit. */
const kNothing = 1e-12;

/** For numbers that change all the time: as many decimals as five digits need, always the same width. */
export function formatLive(value: number): string {
  const size = Math.abs(value);
  if (size < kNothing) return '0.0000';
  if (!Number.isFinite(value) || size >= 1e6 || (size > 0 && size < 1e-4)) return formatNumber(value, 4);
  const decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
  return value.toFixed(decimals).replace('-', '−');
}

/** The text of a value: an option by its name, a number in the unit that is shown. */
export function formatValue(value: Value | undefined, item: Item | undefined, si: boolean, format = formatLive): string {
  if (value === undefined) return '…';
  if (typeof value === 'string') return value;
  if (item?.options?.length) return item.options[Math.round(value)] ?? String(value);
  if (item?.value_kind === 'condition') return value ? 'true' : 'false';
  if (item?.value_kind === 'integer') return String(value);
  const {factor, offset} = scaleOf(item, si);
  return format(value * factor + offset);
}

/** A text of the run log with its numbers as a person reads them. */
export const withoutLongTails = (text: string): string =>
  text.replace(/-?\d+\.\d{5,}(e[-+]?\d+)?/g, (number) => formatNumber(Number(number)));

/** Units as they are printed: cm3 is written for machines. */
export function prettyUnit(unit: string): string {
  return unit
    .replace(/\^?2\b/g, '²')
    .replace(/\^?3\b/g, '³')
    .replace(/\bdeg\b/g, '°')
    .replace(/\./g, '·');
}

/** Simulated time [s]. */
export function formatTime(time: number): string {
  if (time < 3600) return time.toFixed(2);
  const hours = Math.floor(time / 3600);
  const minutes = Math.floor((time % 3600) / 60);
  return `${hours}:${String(minutes).padStart(2, '0')}:${(time % 60).toFixed(1).padStart(4, '0')}`;
}
