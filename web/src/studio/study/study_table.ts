// The table that a study writes, as rows of text.

export interface StudyTable {
  columns: readonly {name: string; unit: string}[];
  rows: readonly (readonly string[])[];
}

/** A line of CSV; quotes are doubled inside quotes. */
export function splitLine(line: string): string[] {
  const cells: string[] = [];
  const cell = /"((?:[^"]|"")*)"|([^,]*)/y;
  for (let at = 0; at <= line.length; ) {
    cell.lastIndex = at;
    const found = cell.exec(line)!;
    cells.push(found[1] === undefined ? found[2]! : found[1].replaceAll('""', '"'));
    at = cell.lastIndex + 1;
  }
  return cells;
}

/** A last line without an end is being written. */
export function readTable(text: string, units: string): StudyTable {
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split(/\r?\n/)
    .slice(0, -1);
  const unitOf = new Map(
    units
      .split(/\r?\n/)
      .slice(1)
      .map(splitLine)
      .map(([path = '', unit = '']) => [path, unit]),
  );
  const names = splitLine(lines[0] ?? '');
  return {
    columns: names.map((name) => ({name, unit: unitOf.get(name) ?? ''})),
    rows: lines.slice(1).map(splitLine),
  };
}

/** Numbers by size, texts by the alphabet, numbers first. */
export function compareCells(a: string, b: string): number {
  const x = Number.parseFloat(a);
  const y = Number.parseFloat(b);
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a.localeCompare(b);
  return x - y;
}

export function sortedRows(table: StudyTable, column: number, isDown: boolean): (readonly string[])[] {
  const sign = isDown ? -1 : 1;
  return [...table.rows].sort((a, b) => sign * compareCells(a[column] ?? '', b[column] ?? ''));
}
