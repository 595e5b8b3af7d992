import {useEffect, useRef} from 'preact/hooks';
import type {Band, LevelRow} from '../../live/level_history.ts';
import {lastTime} from '../../live/travel.ts';
import {select} from '../../view/selection.ts';
import {isDark} from '../../view/settings.ts';
import {formatNumber} from '../../view/units.ts';
import {lineColor} from './colors.ts';
import {levelRows} from './level_rows.ts';
import {kRightOfPlot, leftOfPlot} from './margins.ts';
import {levelStrips} from './registry.ts';
import {shownRange} from './time_range.ts';

const kPeriod = 100; // between two drawings [ms]
const kUsual = ['Ideal', 'Standard', 'Advanced'];

/** Which component had which level when, below the plots and over their time axis. */
export function LevelStrip() {
  return (
    <div class="level-strip" role="group" aria-label="Levels">
      {levelRows.value.map((row) => (
        <Row key={row.components[0]!} row={row} dark={isDark.value} />
      ))}
    </div>
  );
}

const nameOf = ({components: [first, ...others]}: LevelRow): string =>
  others.length ? `${first} + ${others.length}` : (first ?? '');

const textOf = ({level, isModified}: Band): string => (isModified ? `${level}, modified` : level);

function Row({row, dark}: {row: LevelRow; dark: boolean; key?: string}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => paintAlways(canvas.current!, row, dark), [row, dark]);
  const spans = row.bands.map((band) => `${textOf(band)} from ${formatNumber(band.from)} s`).join(', ');
  return (
    <button
      class="plain level-row"
      title={row.components.join(', ')}
      aria-label={`${row.components.join(', ')}: ${spans}`}
      onClick={() => select(row.components[0]!)}
    >
      <canvas ref={canvas} />
    </button>
  );
}

function paintAlways(canvas: HTMLCanvasElement, row: LevelRow, dark: boolean): () => void {
  let drawn = '';
  const draw = () => {
    const {clientWidth: width, clientHeight: height} = canvas;
    const ratio = window.devicePixelRatio;
    const [from, to] = shownRange();
    const left = leftOfPlot.value;
    const state = [width, height, ratio, left, from, to, lastTime()].join();
    if (state === drawn || !width) return;
    drawn = state;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, row, [left, width - kRightOfPlot], height, [from, to], readStyle(canvas, dark));
  };
  draw();
  const timer = window.setInterval(draw, kPeriod);
  const forget = levelStrips.add(canvas);
  return () => {
    window.clearInterval(timer);
    forget();
  };
}

interface Style {
  colorOf: (level: string) => string;
  text: string;
  muted: string;
}

function readStyle(host: HTMLElement, dark: boolean): Style {
  const css = getComputedStyle(host);
  const color = (name: string) => css.getPropertyValue(name).trim();
  const custom: string[] = [];
  const colorOf = (level: string) => {
    if (kUsual.includes(level)) return color(`--${level.toLowerCase()}`);
    if (!custom.includes(level)) custom.push(level);
    return lineColor(custom.indexOf(level) + 1, dark);
  };
  return {colorOf, text: color('--text'), muted: color('--muted')};
}

/** The name of the row beside it; each band has the name of its level where there is room. */
function paint(
  context: CanvasRenderingContext2D,
  row: LevelRow,
  [left, right]: [number, number],
  height: number,
  [from, to]: [number, number],
  {colorOf, text, muted}: Style,
): void {
  const end = Math.min(to, lastTime());
  const toX = (time: number) => left + ((time - from) / (to - from)) * (right - left);
  const middle = height / 2 - 0.5;
  context.clearRect(0, 0, right, height);
  context.textBaseline = 'middle';
  context.font = '11px system-ui, sans-serif';
  for (const band of row.bands) {
    const [begin, stop] = [toX(Math.max(band.from, from)), toX(Math.min(band.to, end))];
    if (stop <= begin) continue;
    const color = colorOf(band.level);
    context.fillStyle = color;
    context.globalAlpha = 0.3;
    context.fillRect(begin, 1, stop - begin, height - 2);
    context.globalAlpha = 1;
    context.fillRect(begin, height - 3, stop - begin, 2);
    if (band.from > from) context.fillRect(begin, 1, 1, height - 2);
    context.fillStyle = text;
    const label = textOf(band);
    if (context.measureText(label).width + 8 < stop - begin) context.fillText(label, begin + 5, middle);
  }
  context.fillStyle = muted;
  context.textAlign = 'right';
  context.fillText(shortened(context, nameOf(row), left - 12), left - 6, middle);
  context.textAlign = 'left';
}

/** As much of the text as there is room for. */
function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  let shown = text;
  while (shown.length > 1 && context.measureText(shown).width > width) shown = `${shown.replace(/…$/, '').slice(0, -1)}…`;
  return shown;
}
