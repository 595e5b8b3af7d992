import {useEffect, useState} from 'preact/hooks';
import {now} from '../../live/session.ts';
import {siUnits} from '../../view/settings.ts';
import {formatNumber, prettyUnit, scaleOf} from '../../view/units.ts';
import {cursors, setCursor} from './cursors.ts';
import {plottedItem} from './files.ts';
import {held} from './history_points.ts';
import {statistics, valueAt} from './measure.ts';
import {registry} from './registry.ts';
import {heldAt, shownRange} from './time_range.ts';

const kPeriod = 400; // ms
const kDigits = 4;

/** Values at the cursors, their difference, and statistics of what is seen. */
export function Measurements() {
  const [, again] = useState(0);
  useEffect(() => {
    const timer = window.setInterval(() => again((count) => count + 1), kPeriod);
    return () => window.clearInterval(timer);
  }, []);
  const [from, to] = shownRange();
  const [a, b] = cursors.value;
  const lines = registry.shown().flatMap(({series}) =>
    series.map(({path, points, detail, isLive}) => ({
      path,
      points: isLive ? held(detail ?? points, heldAt.value ?? now()) : points,
    })),
  );
  return (
    <div class="measurements" role="region" aria-label="Measurements" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th>Signal</th>
            {[a, b].map((time, index) => (
              <th key={'AB'[index]}>
                <label>
                  {'AB'[index]}{' '}
                  <input
                    type="number"
                    step="any"
                    aria-label={`Time of cursor ${'AB'[index]} in s`}
                    value={time === null ? '' : String(time)}
                    onChange={(event) => {
                      const {valueAsNumber} = event.currentTarget;
                      setCursor(index, Number.isFinite(valueAsNumber) ? valueAsNumber : null);
                    }}
                  />{' '}
                  s
                </label>
              </th>
            ))}
            <th>B − A</th>
            <th>Mean</th>
            <th>RMS</th>
            <th>Min</th>
            <th>Max</th>
            <th>Std</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({path, points}) => {
            const {factor, offset, unit} = scaleOf(plottedItem(path), siUnits.value);
            const shown = {t: points.t, v: points.v.map((value) => value * factor + offset)};
            const [at, then] = [a, b].map((time) => (time === null ? undefined : valueAt(shown, time)));
            const all = statistics(shown, from, to);
            const cells = [
              ['A', at],
              ['B', then],
              ['difference', at === undefined || then === undefined ? undefined : then - at],
              ['mean', all?.mean],
              ['rms', all?.rms],
              ['min', all?.min],
              ['max', all?.max],
              ['std', all?.std],
            ] as const;
            return (
              <tr key={path} data-measured={path}>
                <td>
                  {path} <span class="unit">{prettyUnit(unit)}</span>
                </td>
                {cells.map(([name, value]) => (
                  <td key={name} class="value" data-cell={name} title={value === undefined ? '' : String(value)}>
                    {value === undefined ? '–' : formatNumber(value, kDigits)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
