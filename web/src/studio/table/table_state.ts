// The table of parameters: all components of one model, a row each.
import {computed, signal} from '@preact/signals';
import type {ComponentView} from '../../document/index.ts';
import type {Model, ParameterInfo} from '../api/types.ts';
import {attemptEdit} from '../state/edits.ts';
import {modelOf} from '../state/models.ts';
import {view} from '../state/workspace.ts';

/** The model whose components are shown; null: the table is closed. */
export const tableModel = signal<string | null>(null);
/** Also parameters that no component has in the file. */
export const hasAllColumns = signal(false);

/** Models of the file by number of components, those with more first. */
export const modelsHere = computed<readonly {model: string; count: number}[]>(() => {
  const counts = new Map<string, number>();
  for (const {model, kind} of view.value?.components ?? []) {
    if (kind === 'model') counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  return [...counts]
    .map(([model, count]) => ({model, count}))
    .sort((a, b) => b.count - a.count || a.model.localeCompare(b.model));
});

export interface ParameterRows {
  rows: readonly ComponentView[];
  columns: readonly ParameterInfo[];
}

export const writtenIn = (component: ComponentView, name: string): string | null =>
  component.attributes.find((one) => one.name === name)?.value ?? null;

const kLevel: ParameterInfo = {name: 'level', unit: '', text: 'Level of detail'};

function columnsOf(model: Model | undefined, rows: readonly ComponentView[], all: boolean): ParameterInfo[] {
  const columns: ParameterInfo[] = [
    ...(model?.levels.length ? [{...kLevel, options: model.levels}] : []),
    ...(model?.aspects ?? []).map(({name, text = '', options}) => ({name, text, unit: '', options})),
    ...(model?.parameters ?? []),
  ];
  const isWritten = ({name}: ParameterInfo) => rows.some((row) => writtenIn(row, name) !== null);
  return columns.filter((column) => all || isWritten(column));
}

export const parameterRows = computed<ParameterRows>(() => {
  const rows = view.value?.components.filter(({model}) => model === tableModel.value) ?? [];
  return {rows, columns: columnsOf(rows[0] && modelOf(rows[0]), rows, hasAllColumns.value)};
});

/** Cells from one on, as rows of a spreadsheet; one step of the history. An empty cell removes the value. */
export function fillCells(row: number, column: number, cells: readonly (readonly string[])[]): void {
  const {rows, columns} = parameterRows.peek();
  const edits = cells.flatMap((line, down) =>
    line.flatMap((text, across) => {
      const component = rows[row + down];
      const info = columns[column + across];
      const value = text.trim() || null;
      return component && info && writtenIn(component, info.name) !== value
        ? [{component: component.name, name: info.name, value}]
        : [];
    }),
  );
  const [first] = edits;
  if (!first) return;
  const label = edits.length > 1 ? `Set ${edits.length} values` : `Set ${first.component}.${first.name}`;
  attemptEdit(label, (now) => {
    for (const {component, name, value} of edits) now.setParameter(component, name, value);
  });
}

/** What a spreadsheet puts on the clipboard. */
export const cellsOf = (text: string): string[][] =>
  text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((line) => line.split('\t'));
