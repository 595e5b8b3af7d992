import {getEnergy} from '../../api/http.ts';
import type {EnergyAnswer, EnergyBalance, EnergyRow, EnergyTable, ShownUnit} from '../../api/types.ts';
import {usePolled} from '../../live/polled.ts';
import {components, epoch} from '../../live/session.ts';
import {select} from '../../view/selection.ts';
import {siUnits} from '../../view/settings.ts';
import {formatNumber, formatTime} from '../../view/units.ts';
import {Flow} from './flow.tsx';

const kPeriod = 1000; // ms
const kDigits = 4;

/** The balance of energy of the run up to now. `startAgain`: starts a run that has one. */
export function Energy({startAgain}: {startAgain?: (() => void) | undefined}) {
  const [answer, fault] = usePolled<EnergyAnswer>(getEnergy, kPeriod, [epoch.value]);
  return (
    <section class="energy" aria-label="Energy" tabIndex={0}>
      {fault && <p class="fault">{fault}</p>}
      {answer === null ? (
        !fault && <p class="muted">Reading the balance …</p>
      ) : answer.is_accounted ? (
        <Balance balance={answer} />
      ) : (
        <div class="empty">
          <p>This run does not account for its energy. {answer.remedy}.</p>
          {startAgain && (
            <p>
              <button onClick={startAgain}>Start it</button>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

export type Format = (value: number) => string;

/** Of energies or powers, in the unit of the balance or in SI: all with the decimals that show four digits of the largest. */
function formatOf(shown: ShownUnit, si: string, largest: number): Format {
  const {unit, factor} = siUnits.value ? {unit: si, factor: 1} : shown;
  const size = Math.abs(largest * factor);
  const decimals = size > 0 ? Math.min(6, Math.max(0, kDigits - 1 - Math.floor(Math.log10(size)))) : 0;
  return (value) => {
    const text = (value * factor).toFixed(decimals);
    return `${Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')} ${unit}`;
  };
}

function Balance({balance}: {balance: EnergyBalance}) {
  const {shown, efficiency, balance_error: error} = balance;
  const sums = [
    ['In', balance.in, balance.power_in],
    ['Out', balance.out, balance.power_out],
    ['Stored', balance.stored, balance.power_stored],
    ['Lost', balance.lost, balance.power_lost],
    ['Unaccounted', balance.unaccounted, balance.power_unaccounted],
  ] as const;
  const energyText = formatOf(shown.energy, 'J', Math.max(...sums.map(([, energy]) => Math.abs(energy))));
  const powerText = formatOf(shown.power, 'W', Math.max(...sums.map(([, , power]) => Math.abs(power))));
  return (
    <>
      <p class="muted">
        From {formatTime(balance.begin_s)} s to <span data-energy="end">{formatTime(balance.end_s)}</span> s
      </p>
      <dl class="sums">
        {sums
          .filter(([name, energy, power]) => name !== 'Unaccounted' || energy !== 0 || power !== 0)
          .map(([name, energy, power]) => (
            <div key={name} data-energy={name.toLowerCase()}>
              <dt>{name}</dt>
              <dd class="value" title={`${energy} J`}>
                {energyText(energy)}
              </dd>
              <dd class="muted">now {powerText(power)}</dd>
            </div>
          ))}
        <div data-energy="efficiency">
          <dt>Efficiency</dt>
          <dd class="value">{efficiency === undefined ? '–' : `${formatNumber(100 * efficiency, kDigits)} %`}</dd>
        </div>
        <div data-energy="closing" class={balance.closes ? 'is-closed' : 'is-open'}>
          <dt>Balance</dt>
          <dd class="value">{balance.closes ? 'closes' : 'does not close'}</dd>
          <dd class="muted">error {formatNumber(error, 3)}</dd>
        </div>
      </dl>
      <Flow balance={balance} format={energyText} />
      <div class="energy-tables">
        {balance.tables
          .filter(({rows}) => rows.length > 0)
          .map((table) => (
            <Table key={table.name} table={table} supplied={balance.supplied} energyText={energyText} powerText={powerText} />
          ))}
      </div>
    </>
  );
}

interface TableProps {
  table: EnergyTable;
  supplied: number;
  energyText: Format;
  powerText: Format;
  key?: string;
}

function Table({table: {name, title, rows}, supplied, energyText, powerText}: TableProps) {
  const hasPower = rows.some(({power}) => power !== 0);
  return (
    <table data-energy-table={name}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th>
            <span class="visually-hidden">Name</span>
          </th>
          <th>Energy</th>
          <th>Share</th>
          {hasPower && <th>Now</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const share = supplied > 0 ? row.energy / supplied : 0;
          return (
            <tr key={`${row.component}: ${row.name}`}>
              <td>
                <Name row={row} />
              </td>
              <td class="value" title={`${row.energy} J`}>
                {energyText(row.energy)}
              </td>
              <td class="share">
                <i style={{width: `${Math.min(100, 100 * Math.abs(share))}%`}} />
                <span>{supplied > 0 ? `${(100 * share).toFixed(1).replace('-', '−')} %` : '–'}</span>
              </td>
              {hasPower && <td class="value">{powerText(row.power)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Name({row: {component, name}}: {row: EnergyRow}) {
  if (!component) return <>{name}</>;
  return (
    <>
      <ComponentLink path={component} text={component} />
      {name && `: ${name}`}
    </>
  );
}

/** Selects the component, where it is one. */
export function ComponentLink({path, text}: {path: string; text: string}) {
  if (!components.value.has(path)) return <>{text}</>;
  return (
    <button class="plain link" onClick={() => select(path)}>
      {text}
    </button>
  );
}
