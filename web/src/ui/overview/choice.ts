// What is watched while nothing is selected: what the system declares.
import type {AlarmState} from '../../live/alarms.ts';
import type {PanelElement, System} from '../../api/types.ts';

const kMostReadings = 12;

/** The elements of a kind of all panels; of those that show the same item, the first. */
export function declared({panels}: Pick<System, 'panels'>, kind: string): PanelElement[] {
  const seen = new Set<string>();
  return panels
    .flatMap(({elements}) => elements)
    .filter((element) => {
      const shown = element.axes[0]?.item ?? element.chart;
      if (element.kind !== kind || seen.has(shown)) return false;
      seen.add(shown);
      return true;
    });
}

/** Numbers to read where no panel has a gauge: what is recorded, else outputs and states. */
export function readings({recorded, items}: Pick<System, 'recorded' | 'items'>): string[] {
  const isNumber = (path: string) => items[path]?.is_signal && items[path]!.value_kind === 'number';
  const chosen = recorded.filter(isNumber);
  const others = () =>
    Object.keys(items).filter((path) => isNumber(path) && ['output', 'state'].includes(items[path]!.causality));
  return (chosen.length ? chosen : others()).slice(0, kMostReadings);
}

const kRanks = ['notify', 'warning', 'error', 'emergency'];

/** What is set before what was; then the most severe; then the newest, which come first. */
export function worstAlarm(alarms: readonly AlarmState[]): AlarmState | undefined {
  const weight = ({is_set, level}: AlarmState) => (is_set ? kRanks.length : 0) + kRanks.indexOf(level.toLowerCase());
  return alarms.reduce<AlarmState | undefined>(
    (worst, one) => (worst && weight(worst) >= weight(one) ? worst : one),
    undefined,
  );
}
