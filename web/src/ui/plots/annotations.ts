// What is drawn behind and over the lines: bands where a component had which level, marks where something happened.
import type uPlot from 'uplot';
import type {RunEvent} from '../../api/types.ts';
import type {Points} from './history_points.ts';

export interface Band {
  from: number;
  to: number;
  level: number;
}

/** Stretches of one level; the last one reaches to `end`. */
export function bandsOf({t, v}: Points, end: number): Band[] {
  const bands: Band[] = [];
  for (let i = 0; i < t.length; i++) {
    const last = bands.at(-1);
    if (last && last.level === v[i]) continue;
    if (last) last.to = t[i]!;
    bands.push({from: t[i]!, to: end, level: v[i]!});
  }
  return bands;
}

export interface LevelRow {
  component: string;
  names: string[];
  bands: Band[];
}

export interface Style {
  levels: Record<string, string>;
  marks: Record<string, string>;
  text: string;
}

const kRow = 5; // px

/** A strip of colours for each component, at the bottom; the whole height is tinted where there is only one. */
export function paintBands(plot: uPlot, rows: LevelRow[], style: Style): void {
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  rows.forEach(({bands, names}, row) => {
    for (const {from, to, level} of bands) {
      const left = Math.max(plot.valToPos(from, 'x', true), bbox.left);
      const width = Math.min(plot.valToPos(to, 'x', true), bbox.left + bbox.width) - left;
      if (width <= 0) continue;
      const name = names[Math.round(level)] ?? '';
      ctx.fillStyle = style.levels[name] ?? style.text;
      const top = bbox.top + bbox.height - (row + 1) * kRow * ratio;
      if (rows.length === 1 && bands.length > 1) {
        ctx.globalAlpha = 0.07;
        ctx.fillRect(left, bbox.top, width, bbox.height);
      }
      ctx.globalAlpha = 0.75;
      ctx.fillRect(left, top, width, (kRow - 1) * ratio);
    }
  });
  ctx.restore();
}

/** A thin line for each event, with a small head in the colour of its kind. */
export function paintMarks(plot: uPlot, events: RunEvent[], style: Style): void {
  const {ctx, bbox} = plot;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.lineWidth = ratio;
  for (const event of events) {
    const x = plot.valToPos(event.time, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    const color = style.marks[event.kind] ?? style.text;
    ctx.strokeStyle = ctx.fillStyle = color;
    ctx.globalAlpha = 0.45;
    ctx.setLineDash([3 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.beginPath();
    ctx.moveTo(x - 3.5 * ratio, bbox.top);
    ctx.lineTo(x + 3.5 * ratio, bbox.top);
    ctx.lineTo(x, bbox.top + 5 * ratio);
    ctx.fill();
  }
  ctx.restore();
}
