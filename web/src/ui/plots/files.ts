// Files that were opened in the page: their columns are signals like those of the run. They stay in the page; nothing is sent.
import {signal} from '@preact/signals';
import type {Item} from '../../api/types.ts';
import {notify} from '../../live/notices.ts';
import {itemOf, system} from '../../live/session.ts';
import {readCsv, type Column} from './csv.ts';
import type {Points} from './history_points.ts';

export interface FileSignal {
  item: Item;
  points: Points;
}

/** By `file: column`. */
export const fileSignals = signal<ReadonlyMap<string, FileSignal>>(new Map());

/** Of a signal of the run or of a file. */
export const plottedItem = (path: string): Item | undefined => fileSignals.value.get(path)?.item ?? itemOf(path);

export const isOfFile = (path: string): boolean => fileSignals.value.has(path);

/**
 * The item of a column, in SI if the run knows its unit. A column without a unit that is named like an item of the run has the SI
 * unit of that: so davit writes results.
 */
export function itemOfColumn({name, unit}: Pick<Column, 'name' | 'unit'>, items: Record<string, Item>): Item {
  const all = Object.values(items);
  const like =
    unit === '' ? items[name] : (all.find((one) => one.display_unit === unit) ?? all.find((one) => one.unit === unit));
  return {
    name,
    kind: 'output',
    causality: 'output',
    value_kind: 'number',
    text: '',
    is_structural: false,
    is_writable: false,
    is_signal: true,
    node_id: -1,
    unit: like?.unit ?? unit,
    display_unit: like?.display_unit ?? '',
    display_factor: like?.display_factor ?? 1,
    display_offset: like?.display_offset ?? 0,
  };
}

/** The signals of a text; the numbers are in SI where the unit is known. */
export function signalsOf(file: string, text: string, items: Record<string, Item>): Map<string, FileSignal> {
  const {t, columns} = readCsv(text);
  return new Map(
    columns.map((column): [string, FileSignal] => {
      const item = itemOfColumn(column, items);
      const isShown = column.unit !== '' && column.unit === item.display_unit;
      const points: Points = {t: [], v: []};
      column.v.forEach((value, i) => {
        if (!Number.isFinite(value)) return;
        points.t.push(t[i]!);
        points.v.push(isShown ? (value - item.display_offset) / item.display_factor : value);
      });
      return [`${file}: ${column.name}`, {item, points}];
    }),
  );
}

/** Opens files; returns the signals that they brought. */
export async function openFiles(files: Iterable<File>): Promise<string[]> {
  const opened: string[] = [];
  for (const file of files) {
    try {
      if (/\.mat$/i.test(file.name)) throw new Error('is not a CSV file; write one with `davit run … -o result.csv`');
      const found = signalsOf(file.name, await file.text(), system.value?.items ?? {});
      fileSignals.value = new Map([...fileSignals.value, ...found]);
      opened.push(...found.keys());
      notify('info', `${file.name}: ${found.size} ${found.size === 1 ? 'signal' : 'signals'}; find more of them by name`);
    } catch (error) {
      notify('error', `${file.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return opened;
}
