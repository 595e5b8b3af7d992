// Plots as files.
import {scaleOf} from '../../view/units.ts';
import {plottedItem} from './files.ts';
import {aligned, type Points} from './history_points.ts';

export interface Line {
  path: string;
  points: Points;
}

/** Comma separated: time, then a column for each signal in the unit that is shown; empty where a signal has no sample. */
export function toCsv(lines: Line[], [from, to]: [number, number], si: boolean): string {
  const scales = lines.map(({path}) => scaleOf(plottedItem(path), si));
  const header = ['time [s]', ...lines.map(({path}, i) => (scales[i]!.unit ? `${path} [${scales[i]!.unit}]` : path))];
  const [times, ...columns] = aligned(lines.map(({points}) => points));
  const rows = times.flatMap((time, row) => {
    if (time < from || time > to) return [];
    const cells = columns.map((column, i) => {
      const value = column[row];
      return value == null ? '' : String(Number((value * scales[i]!.factor + scales[i]!.offset).toPrecision(12)));
    });
    return [[String(Number(time.toPrecision(12))), ...cells].join(',')];
  });
  return [header.map((text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(','), ...rows, ''].join(
    '\n',
  );
}

export interface Picture {
  canvas: HTMLCanvasElement;
  labels: {text: string; color: string}[];
}

const kTitle = 22; // px

const titleOf = ({labels}: Picture): number => (labels.length ? kTitle : 0);

/** All pictures below each other, each with its labels above it. */
export function toPng(pictures: Picture[], colors: {background: string; text: string}): Promise<Blob | null> {
  const ratio = devicePixelRatio;
  const sheet = document.createElement('canvas');
  sheet.width = Math.max(...pictures.map(({canvas}) => canvas.width));
  sheet.height = pictures.reduce((sum, one) => sum + one.canvas.height + titleOf(one) * ratio, 0);
  const context = sheet.getContext('2d')!;
  context.fillStyle = colors.background;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  let y = 0;
  for (const picture of pictures) {
    const {canvas, labels} = picture;
    let x = 8 * ratio;
    for (const {text, color} of labels) {
      context.fillStyle = color;
      context.fillRect(x, y + 9 * ratio, 12 * ratio, 3 * ratio);
      context.fillStyle = colors.text;
      context.fillText(text, x + 16 * ratio, y + 15 * ratio);
      x += context.measureText(text).width + 34 * ratio;
    }
    context.drawImage(canvas, 0, y + titleOf(picture) * ratio);
    y += canvas.height + titleOf(picture) * ratio;
  }
  return new Promise((resolve) => sheet.toBlob(resolve, 'image/png'));
}
