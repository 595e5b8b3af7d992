import {useEffect, useState} from 'preact/hooks';
import {prettyUnit} from '../../view/units.ts';
import type {ParameterInfo} from '../api/types.ts';
import {defaultOf} from '../form/component_form.tsx';
import {choose, chosen} from '../state/choice.ts';
import {describeFault, faultsHere, isError} from '../state/fault_places.ts';
import {system} from '../state/workspace.ts';
import {cellsOf, fillCells, hasAllColumns, modelsHere, parameterRows, tableModel, writtenIn} from './table_state.ts';

/** The parameters of all components of one model below each other, edited as in a spreadsheet. */
export function ParameterTable() {
  const {rows, columns} = parameterRows.value;
  return (
    <section class="study-results parameter-table" aria-label="Table of parameters">
      <div class="plot-tools">
        <select
          aria-label="Model"
          value={tableModel.value ?? ''}
          onChange={(event) => {
            tableModel.value = event.currentTarget.value;
          }}
        >
          {modelsHere.value.map(({model, count}) => (
            <option key={model} value={model}>
              {model} ({count})
            </option>
          ))}
        </select>
        <label class="field">
          <input
            type="checkbox"
            checked={hasAllColumns.value}
            onChange={(event) => {
              hasAllColumns.value = event.currentTarget.checked;
            }}
          />
          All parameters
        </label>
        <span class="spacer" />
        <button
          onClick={() => {
            tableModel.value = null;
          }}
        >
          Close
        </button>
      </div>
      <div class="study-table">
        <table>
          <thead>
            <tr>
              <th scope="col">component</th>
              {columns.map((info) => (
                <th key={info.name} scope="col" title={info.text}>
                  {info.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((component, row) => (
              <tr key={component.name} class={chosen.value.has(component.name) ? 'is-chosen' : ''}>
                <th scope="row">
                  <button class="plain link" onClick={() => choose([component.name])}>
                    {component.name}
                  </button>
                </th>
                {columns.map((info, column) => (
                  <Cell
                    key={info.name}
                    at={[row, column]}
                    owner={component.name}
                    info={info}
                    value={writtenIn(component, info.name)}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {!columns.length && <p class="empty">No component has a value in the file. Tick All parameters.</p>}
      </div>
    </section>
  );
}

/** Moves the focus to the cell above or below. */
function moveFrom(input: HTMLInputElement, by: number): void {
  const cell = input.closest('td')!;
  const row = by < 0 ? cell.parentElement!.previousElementSibling : cell.parentElement!.nextElementSibling;
  const next = row?.children[[...cell.parentElement!.children].indexOf(cell)]?.querySelector('input');
  next?.focus();
  next?.select();
}

interface CellProps {
  at: readonly [number, number];
  owner: string;
  info: ParameterInfo;
  value: string | null;
  key?: string;
}

function Cell({at: [row, column], owner, info, value}: CellProps) {
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => setDraft(null), [value]);
  const fault = faultsHere.value.find((one) => one.owner === owner && one.part === info.name && !one.isPort);
  const take = () => {
    if (draft !== null) fillCells(row, column, [[draft]]);
    setDraft(null);
  };
  return (
    <td
      class={fault && isError(fault) ? 'has-fault' : ''}
      title={fault ? describeFault(fault) : `${info.text} ${prettyUnit(info.unit)}`}
    >
      <input
        aria-label={`${owner} ${info.name}`}
        aria-invalid={fault !== undefined && isError(fault)}
        spellcheck={false}
        autocomplete="off"
        list={info.options?.length ? `options_${info.name}` : undefined}
        disabled={system.value?.fault !== null}
        value={draft ?? value ?? ''}
        placeholder={defaultOf(info)}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onBlur={take}
        onPaste={(event) => {
          const cells = cellsOf(event.clipboardData?.getData('text/plain') ?? '');
          if (cells.length === 1 && cells[0]!.length === 1) return;
          event.preventDefault();
          setDraft(null);
          fillCells(row, column, cells);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null);
          if (event.key === 'Enter' || event.key === 'ArrowDown') moveFrom(event.currentTarget, 1);
          if (event.key === 'ArrowUp') moveFrom(event.currentTarget, -1);
          if (event.key === 'Enter') take();
        }}
      />
      {row === 0 && (info.options?.length ?? 0) > 0 && (
        <datalist id={`options_${info.name}`}>
          {info.options!.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
    </td>
  );
}
