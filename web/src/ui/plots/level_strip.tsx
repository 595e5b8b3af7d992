import {computed} from '@preact/signals';
import {useEffect, useRef} from 'preact/hooks';
import {bandsOf, rowsOf, switchesOf, type Band, type LevelRow} from '../../live/level_history.ts';
import {componentOf, components, events, now, system} from '../../live/session.ts';
import {select} from '../../view/selection.ts';
import {isDark} from '../../view/settings.ts';
import {formatNumber} from '../../view/units.ts';
import {lineColor} from './colors.ts';
import {kLeftOfPlot, kRightOfPlot} from './panel.tsx';
import {levelStrips} from './registry.ts';
import {shownRange} from './time_range.ts';

const kPeriod = 100; // between two drawings [ms]
const kUsual = ['Ideal', 'Standard', 'Advanced'];

const rows = computed<LevelRow[]>(() => {
  const all = [...components.value.values()].filter(({levels}) => levels.length > 1);
  const switches = switchesOf(events.value, (named) => componentOf(named)?.path);
  // The server keeps the newest events: what was before the oldest one is not known.
  const oldest = events.value[0];
  const begin = oldest && oldest.n > 0 ? oldest.time : (system.value?.start_time ?? 0);
  return rowsOf(new Map(all.map(({path, level}) => [path, bandsOf(switches.get(path) ?? [], level ?? '', begin, Infinity)])));
});

/** Which component had which level when, below the plots and over their time axis. */
export function LevelStrip() {
  return (
    <div class="level-strip" role="group" aria-label="Levels">
      {rows.value.map((row) => (
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
    const state = [width, height, ratio, from, to, now()].join();
    if (state === drawn || !width) return;
    drawn = state;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(context, row, [kLeftOfPlot, width - kRightOfPlot], height, [from, to], readStyle(canvas, dark));
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
  surface: string;
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
  return {colorOf, text: color('--text'), muted: color('--muted'), surface: color('--surface')};
}

/** The name of the row at its left end; each band has the name of its level where there is room. */
function paint(
  context: CanvasRenderingContext2D,
  row: LevelRow,
  [left, right]: [number, number],
  height: number,
  [from, to]: [number, number],
  {colorOf, text, muted, surface}: Style,
): void {
  const end = Math.min(to, now());
  const toX = (time: number) => left + ((time - from) / (to - from)) * (right - left);
  const middle = height / 2 + 0.5;
  context.clearRect(0, 0, right, height);
  context.textBaseline = 'middle';
  context.font = '600 11px system-ui, sans-serif';
  const name = nameOf(row);
  // Names begin in the margin of the axis of values, so that short ones leave the bands free.
  const nameEnd = 6 + context.measureText(name).width + 6;
  for (const band of row.bands) {
    const [begin, stop] = [toX(Math.max(band.from, from)), toX(Math.min(band.to, end))];
    if (stop <= begin) continue;
    const color = colorOf(band.level);
    context.fillStyle = color;
    context.globalAlpha = 0.3;
    context.fillRect(begin, 1, stop - begin, height - 2);
    context.globalAlpha = 1;
    context.fillRect(begin, height - 3, stop - begin, 2);
    if (begin > left) context.fillRect(begin, 1, 1, height - 2);
    context.font = '11px system-ui, sans-serif';
    const label = textOf(band);
    const at = Math.max(begin + 5, nameEnd);
    if (at + context.measureText(label).width + 3 > stop) continue;
    context.fillStyle = text;
    context.fillText(label, at, middle - 1);
  }
  context.font = '600 11px system-ui, sans-serif';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = surface;
  context.strokeText(name, 6, middle - 1);
  context.fillStyle = muted;
  context.fillText(name, 6, middle - 1);
}
