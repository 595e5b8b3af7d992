// Comma separated values that somebody measured or another program wrote.

export interface Column {
  name: string;
  /** As the file has it; empty if it does not say. */
  unit: string;
  v: number[];
}

export interface Table {
  /** [s] */
  t: number[];
  columns: Column[];
}

const kSeconds: Record<string, number> = {s: 1, sec: 1, ms: 1e-3, us: 1e-6, min: 60, h: 3600};

/** `pressure [bar]`, `pressure (bar)` or `pressure`. */
function readHeader(text: string): {name: string; unit: string} {
  const [, name = text, unit = ''] = /^(.*?)\s*[[(]([^\])]*)[\])]$/.exec(text) ?? [];
  return {name: name.trim(), unit: unit.trim()};
}

/** One line as cells; quotes may surround a cell, and are doubled inside. */
function cells(line: string, separator: string): string[] {
  const found: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < line.length; i++) {
    const letter = line[i]!;
    if (letter === '"') {
      if (isQuoted && line[i + 1] === '"') cell += line[++i];
      else isQuoted = !isQuoted;
    } else if (letter === separator && !isQuoted) {
      found.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  return [...found, cell.trim()];
}

/**
 * The first column is the time, in the unit of its heading, else in seconds. Separators are comma, semicolon or tab; with a semicolon
 * or tab numbers may have a decimal comma. Lines that begin with # are skipped. A cell without a number is a gap of its column.
 */
export function readCsv(text: string): Table {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() && !line.startsWith('#'));
  if (lines.length < 3) throw new Error('needs a line of names and two lines of numbers');
  const count = (separator: string) => cells(lines[0]!, separator).length;
  const separator = [',', ';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best));
  const headers = cells(lines[0]!, separator).map(readHeader);
  if (headers.length < 2) throw new Error('needs two columns, the first of which is the time');
  if (headers.every(({name}) => name !== '' && Number.isFinite(Number(name))))
    throw new Error('the first line must have the names');
  const number = (cell: string | undefined): number =>
    cell === undefined || cell === '' ? Number.NaN : Number(separator === ',' ? cell : cell.replace(',', '.'));
  const factor = kSeconds[headers[0]!.unit || 's'];
  if (factor === undefined) throw new Error(`the unit of the time is '${headers[0]!.unit}'; use s, ms, us, min or h`);
  const t: number[] = [];
  const columns = headers.slice(1).map(({name, unit}): Column => ({name, unit, v: []}));
  lines.slice(1).forEach((line, index) => {
    const row = cells(line, separator);
    const time = number(row[0]) * factor;
    if (!Number.isFinite(time)) {
      if (index === 0) return; // a line of units below the names
      throw new Error(`line ${index + 2}: '${row[0]}' is not a time`);
    }
    if (t.length && time < t.at(-1)!) throw new Error(`line ${index + 2}: the time goes back from ${t.at(-1)} s to ${time} s`);
    t.push(time);
    columns.forEach(({v}, i) => {
      v.push(number(row[i + 1]));
    });
  });
  const used = columns.filter(({name, v}) => name && v.some(Number.isFinite));
  if (!used.length) throw new Error('no column has numbers');
  return {t, columns: used};
}
