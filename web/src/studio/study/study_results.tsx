import {useState} from 'preact/hooks';
import {formatNumber, prettyUnit} from '../../view/units.ts';
import {info} from '../state/workspace.ts';
import {CaseChart} from './case_chart.tsx';
import {
  end,
  hasTable,
  isRunning,
  isStarting,
  job,
  kind,
  pictures,
  runCase,
  start,
  study,
  table,
  tables,
} from './study_state.ts';
import {sortedRows, type StudyTable} from './study_table.ts';

const kMostRows = 500; // that are shown

/** The values that a case varies, by path: those behind its number. */
export function valuesOf(now: StudyTable, row: readonly string[], varied: number): Map<string, string> {
  return new Map(now.columns.slice(1, 1 + varied).map(({name}, index) => [name, row[index + 1] ?? '']));
}

const cell = (text: string): string =>
  /^[-+\d.]/.test(text) && Number.isFinite(Number(text)) ? formatNumber(Number(text)) : text;

/** Progress, table and pictures of the study. */
export function StudyResults() {
  const now = study.value;
  const [tab, setTab] = useState('');
  if (!now) return null;
  const hasCases = table.value?.columns[0]?.name === 'case';
  const varied = now.view.rows.filter(({element}) => element === 'Vary').length;
  const titleOf = (option: string) => option[0]!.toUpperCase() + option.slice(1).replaceAll('_', ' ');
  const tabs = [
    ...tables.value.map(({option}, index) => ({key: `table ${option}`, title: index === 0 ? 'Table' : titleOf(option)})),
    ...(hasCases ? [{key: 'chart', title: 'Chart'}] : []),
    ...pictures.value.map(({option}) => ({
      key: `picture ${option}`,
      title: option === 'plot' ? 'Picture' : titleOf(option),
    })),
  ];
  const shown = tabs.find(({key}) => key === tab)?.key ?? tabs[0]?.key;
  const shownPicture = pictures.value.find(({option}) => shown === `picture ${option}`);
  const shownTable = tables.value.find(({option}) => shown === `table ${option}`)?.table;
  return (
    <section class="study-results" aria-label="Study">
      <div class="plot-tools">
        <Controls rows={table.value?.rows.length ?? 0} />
        <span class="spacer" />
        <div class="tabs" role="group" aria-label="View of the results">
          {tabs.map(({key, title}) => (
            <button key={key} aria-pressed={shown === key} onClick={() => setTab(key)}>
              {title}
            </button>
          ))}
        </div>
      </div>
      <Found />
      {shownPicture ? (
        <img
          class="study-picture"
          alt={`Results of ${now.path}`}
          src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(shownPicture.text)}`}
        />
      ) : shown === 'chart' && table.value ? (
        <CaseChart table={table.value} varied={varied} open={(row) => runCase(valuesOf(table.value!, row, varied))} />
      ) : shownTable ? (
        <Table key={shown} now={shownTable} varied={hasCases ? varied : null} />
      ) : (
        <p class="empty">No table yet. Choose what to vary and what to measure, then press Start.</p>
      )}
    </section>
  );
}

function Controls({rows}: {rows: number}) {
  const now = job.value;
  const isBusy = isRunning.value;
  const isLocked = (info.value?.read_only ?? false) || isStarting.value;
  return (
    <>
      {isBusy ? (
        <button onClick={end} title="Give up the cases that run; the table keeps those that have ended">
          Cancel
        </button>
      ) : (
        <button class="is-main" disabled={isLocked} onClick={() => start(false)} title="Save the study, and run all cases">
          Start
        </button>
      )}
      {!isBusy && rows > 0 && hasTable.value && kind.value?.is_resumed && (
        <button disabled={isLocked} onClick={() => start(true)} title="Keep the rows of the table, and run the other cases">
          Resume
        </button>
      )}
      {now && isBusy && (
        <progress aria-label="Cases that have ended" max={Math.max(now.all, 1)} value={now.all ? now.done : undefined} />
      )}
      {now && (
        <span class={`status is-${now.status === 'done' ? 'finished' : now.status}`} role="status" data-status={now.status}>
          {now.status}
          {isBusy && now.all > 0 && ` ${now.what || `${now.done} of ${now.all} cases`}`}
        </span>
      )}
      <span class="muted">{rows > 0 && `${rows} ${rows === 1 ? 'row' : 'rows'}`}</span>
    </>
  );
}

const kMostListed = 12; // values of a list; more are in the table

const textOf = (fact: unknown): string => {
  if (Array.isArray(fact))
    return fact.flat().length > kMostListed ? `${fact.flat().length} values` : fact.map(textOf).join(', ');
  if (typeof fact === 'number') return formatNumber(fact);
  if (fact !== null && typeof fact === 'object')
    return Object.entries(fact)
      .map(([name, value]) => `${name} ${textOf(value)}`)
      .join(', ');
  return String(fact ?? '–');
};

/** Values with the paths that they belong to. */
function factsOf({paths, values, ...others}: Record<string, unknown>): [string, unknown][] {
  const isPaired = Array.isArray(paths) && Array.isArray(values) && paths.length === values.length;
  const pairs = isPaired
    ? paths.map((path, index): [string, unknown] => [path, values[index]])
    : Object.entries({paths, values});
  return [...pairs.filter(([, fact]) => fact !== undefined), ...Object.entries(others)];
}

/** What the study has found, and what went wrong. */
function Found() {
  const now = job.value;
  if (!now || isRunning.value) return null;
  const facts = factsOf(now.found ?? {}).filter(([, fact]) => textOf(fact) !== '');
  return (
    <div class="study-found">
      {now.failure && (
        <p class="fault" role="alert">
          {now.failure}
        </p>
      )}
      {now.warnings.map((text) => (
        <p key={text} class="warning">
          {text}
        </p>
      ))}
      {facts.length > 0 && (
        <dl>
          {facts.map(([name, fact]) => (
            <div key={name}>
              <dt>{name.includes('.') ? name : name.replaceAll('_', ' ')}</dt>
              <dd>{textOf(fact)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** A click on a head sorts; a click on a case runs it. `varied`: how many columns behind its number it varies; null: rows are not cases. */
function Table({now, varied}: {now: StudyTable; varied: number | null; key?: string}) {
  const [{column, isDown}, setOrder] = useState({column: 0, isDown: false});
  const rows = sortedRows(now, column, isDown);
  const best = new Set((job.value?.found?.['front'] as number[] | undefined)?.map(String));
  return (
    <div class="study-table" tabIndex={0} role="region" aria-label="Table of the study">
      <table>
        <thead>
          <tr>
            {now.columns.map(({name, unit}, index) => (
              <th key={name} scope="col" aria-sort={index === column ? (isDown ? 'descending' : 'ascending') : 'none'}>
                <button class="plain" onClick={() => setOrder({column: index, isDown: index === column && !isDown})}>
                  {name}
                  {index === column && (isDown ? ' ▾' : ' ▴')}
                </button>
                {unit && <span class="muted"> {prettyUnit(unit)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, kMostRows).map((row) => (
            <tr
              key={row.join(',')}
              class={`${best.has(row[0]!) ? 'is-best' : ''} ${row.includes('failed') ? 'is-failed' : ''}`}
            >
              {row.map((text, index) => (
                <td key={index} title={text}>
                  {index === 0 && varied !== null ? (
                    <button
                      class="plain link"
                      aria-label={`Run case ${text}`}
                      title="Run the system with the values of this case"
                      onClick={() => runCase(valuesOf(now, row, varied))}
                    >
                      {text}
                    </button>
                  ) : (
                    cell(text)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > kMostRows && <p class="muted">{rows.length - kMostRows} further rows are in the file.</p>}
    </div>
  );
}
