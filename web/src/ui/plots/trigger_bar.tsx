import {useEffect} from 'preact/hooks';
import {now} from '../../live/session.ts';
import {siUnits} from '../../view/settings.ts';
import {formatTime, prettyUnit, scaleOf} from '../../view/units.ts';
import {plottedItem} from './files.ts';
import {panels} from './panels.ts';
import {registry} from './registry.ts';
import {heldAt, triggerSpan, zoomed} from './time_range.ts';
import {chooseCrossing, crossings, trigger, triggeredAt, type Edge} from './trigger.ts';

const kPeriod = 100; // ms

/** The signal, level and edge that the plots wait for. */
export function TriggerBar() {
  const chosen = trigger.value;
  useEffect(() => {
    const timer = window.setInterval(look, kPeriod);
    return () => window.clearInterval(timer);
  }, []);
  if (!chosen) return null;
  const item = plottedItem(chosen.path);
  const {factor, offset, unit} = scaleOf(item, siUnits.value);
  const set = (change: Partial<typeof chosen>) => {
    trigger.value = {...chosen, ...change};
    triggeredAt.value = null;
  };
  return (
    <div class="trigger-bar" role="group" aria-label="Trigger">
      <label class="field">
        signal
        <select value={chosen.path} onChange={({currentTarget}) => set({path: currentTarget.value})}>
          {panels.value.flat().map((path) => (
            <option key={path}>{path}</option>
          ))}
        </select>
      </label>
      <label class="field">
        edge
        <select value={chosen.edge} onChange={({currentTarget}) => set({edge: currentTarget.value as Edge})}>
          {['rising', 'falling', 'either'].map((edge) => (
            <option key={edge}>{edge}</option>
          ))}
        </select>
      </label>
      <label class="field">
        level
        <input
          type="number"
          step="any"
          aria-label={`Level in ${unit || '1'}`}
          value={String(Number((chosen.level * factor + offset).toPrecision(12)))}
          onChange={({currentTarget: {valueAsNumber}}) => {
            if (Number.isFinite(valueAsNumber)) set({level: (valueAsNumber - offset) / factor});
          }}
        />
        {prettyUnit(unit)}
      </label>
      <label class="field">
        <input type="checkbox" checked={chosen.isOnce} onChange={({currentTarget}) => set({isOnce: currentTarget.checked})} />
        once
      </label>
      <output class="muted">
        {triggeredAt.value === null ? 'waiting' : `triggered at ${formatTime(triggeredAt.value)} s`}
      </output>
    </div>
  );
}

/** Begins with the first signal, at its mean of now. */
export function startTrigger(): void {
  const [first] = registry.shown().flatMap(({series}) => series);
  if (!first) return;
  const {v} = first.points;
  const [low, high] = v.reduce(([a, b], one) => [Math.min(a, one), Math.max(b, one)], [Infinity, -Infinity]);
  trigger.value = {path: first.path, level: high > low ? (low + high) / 2 : (v[0] ?? 0), edge: 'rising', isOnce: false};
  triggeredAt.value = null;
  zoomed.value = null;
}

export function endTrigger(): void {
  trigger.value = null;
  triggeredAt.value = null;
}

/** Looks for a crossing. */
function look(): void {
  const chosen = trigger.peek();
  if (!chosen || heldAt.peek() !== null) return;
  const series = registry
    .shown()
    .flatMap((one) => one.series)
    .find(({path}) => path === chosen.path);
  if (!series) return; // its panel comes, or it was taken out
  triggeredAt.value = chooseCrossing(
    crossings(series.points, chosen.level, chosen.edge),
    triggeredAt.peek(),
    now(),
    triggerSpan(),
    chosen.isOnce,
  );
}
