import {run, system} from '../live/session.ts';
import {formatTime} from '../view/units.ts';

/** Simulated time, and how much of the run is done. */
export function Clock() {
  const time = run.value?.time ?? 0;
  const start = system.value?.start_time ?? 0;
  const stop = system.value?.stop_time ?? null;
  const share = stop === null || stop <= start ? 0 : Math.min(1, (time - start) / (stop - start));
  return (
    <div class="clock" title={stop === null ? 'Simulated time' : `Simulated time; StopTime is ${formatTime(stop)} s`}>
      <span class="time" data-testid="time">
        {formatTime(time)}
      </span>
      <span class="unit">s</span>
      {stop !== null && <progress max={1} value={share} aria-label="Completed fraction of the run" />}
    </div>
  );
}
