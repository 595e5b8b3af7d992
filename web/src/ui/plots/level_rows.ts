import {computed} from '@preact/signals';
import {bandsOf, rowsOf, switchesOf, type LevelRow} from '../../live/level_history.ts';
import {isOfRun} from '../../live/recording.ts';
import {componentOf, components, events, system} from '../../live/session.ts';

/** The levels of all components over time, as rows of bands. */
export const levelRows = computed<LevelRow[]>(() => {
  const all = [...components.value.values()].filter(({levels}) => levels.length > 1);
  const switches = switchesOf(events.value.filter(isOfRun), (named) => componentOf(named)?.path);
  // The server keeps the newest events: what was before the oldest one is not known.
  const oldest = events.value[0];
  const begin = oldest && oldest.n > 0 ? oldest.time : (system.value?.start_time ?? 0);
  return rowsOf(new Map(all.map(({path, level}) => [path, bandsOf(switches.get(path) ?? [], level ?? '', begin, Infinity)])));
});
