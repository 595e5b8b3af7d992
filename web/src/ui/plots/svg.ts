// Plots as SVG: text stays text, lines stay lines.
import {formatNumber} from '../../view/units.ts';

export interface SvgLine {
  name: string;
  color: string;
  t: readonly number[];
  /** In the unit of the panel. */
  v: readonly number[];
  /** It holds each value until the next. */
  isStepped: boolean;
}

export interface SvgPanel {
  unit: string;
  lines: readonly SvgLine[];
  /** Ends of the axis of values. */
  min: number;
  max: number;
  marks: readonly {time: number; text: string; color: string}[];
  /** Names of whole numbers on the axis. */
  options?: readonly string[] | undefined;
}

export interface SvgColors {
  background: string;
  text: string;
  muted: string;
  grid: string;
}

const kWidth = 900;
const kHeight = 180; // of a panel
const kLeft = 70;
const kRight = 20;
const kTop = 26;
const kGap = 14;
const kBelow = 30;

/** Round numbers from `min` to `max`, about `count`. */
export function ticks(min: number, max: number, count: number): number[] {
  if (!(max > min)) return [min];
  const rough = (max - min) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough)!;
  const first = Math.ceil(min / step - 1e-9);
  const last = Math.floor(max / step + 1e-9);
  return Array.from({length: last - first + 1}, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const at = (value: number): string => String(Number(value.toFixed(2)));

/** All panels below each other, over one axis of times. */
export function toSvg(panels: readonly SvgPanel[], [from, to]: [number, number], colors: SvgColors): string {
  const height = panels.length * (kTop + kHeight + kGap) + kBelow;
  const xOf = (time: number) => kLeft + ((time - from) / (to - from)) * (kWidth - kLeft - kRight);
  const parts: string[] = [];
  const text = (x: number, y: number, what: string, color: string, anchor = 'start') =>
    parts.push(`<text x="${at(x)}" y="${at(y)}" fill="${color}" text-anchor="${anchor}">${escaped(what)}</text>`);
  const rule = (x1: number, y1: number, x2: number, y2: number, color: string, more = '') =>
    parts.push(`<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" stroke="${color}"${more}/>`);
  panels.forEach((panel, index) => {
    const top = index * (kTop + kHeight + kGap) + kTop;
    const bottom = top + kHeight;
    const yOf = (value: number) => bottom - ((value - panel.min) / (panel.max - panel.min || 1)) * kHeight;
    for (const time of ticks(from, to, 10)) {
      rule(xOf(time), top, xOf(time), bottom, colors.grid);
      if (index === panels.length - 1) text(xOf(time), bottom + 18, `${formatNumber(time)} s`, colors.muted, 'middle');
    }
    for (const value of ticks(panel.min, panel.max, 5)) {
      rule(kLeft, yOf(value), kWidth - kRight, yOf(value), colors.grid);
      const name = panel.options ? (panel.options[value] ?? '') : formatNumber(value);
      text(kLeft - 6, yOf(value) + 4, name, colors.muted, 'end');
    }
    text(kLeft - 6, top - 9, panel.unit, colors.muted, 'end');
    for (const mark of panel.marks) {
      if (mark.time < from || mark.time > to) continue;
      parts.push(`<g><title>${escaped(mark.text)}</title>`);
      rule(xOf(mark.time), top, xOf(mark.time), bottom, mark.color, ' stroke-dasharray="3 3" opacity="0.6"');
      parts.push('</g>');
    }
    let x = kLeft;
    parts.push(
      `<clipPath id="panel${index}"><rect x="${kLeft}" y="${top}" width="${kWidth - kLeft - kRight}" height="${kHeight}"/></clipPath>`,
    );
    for (const line of panel.lines) {
      parts.push(
        `<path d="${pathOf(line, xOf, yOf)}" fill="none" stroke="${line.color}" stroke-width="1.4" clip-path="url(#panel${index})"/>`,
      );
      parts.push(`<rect x="${at(x)}" y="${top - 14}" width="12" height="3" fill="${line.color}"/>`);
      text(x + 17, top - 9, line.name, colors.text);
      x += 34 + line.name.length * 7;
    }
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${height}" width="${kWidth}" height="${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<rect width="${kWidth}" height="${height}" fill="${colors.background}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

function pathOf({t, v, isStepped}: SvgLine, xOf: (time: number) => number, yOf: (value: number) => number): string {
  return t
    .map((time, i) => {
      const [x, y] = [at(xOf(time)), at(yOf(v[i]!))];
      if (i === 0) return `M${x} ${y}`;
      return isStepped ? `H${x}V${y}` : `L${x} ${y}`;
    })
    .join('');
}
