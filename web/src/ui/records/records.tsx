import {alarms} from '../../live/alarms.ts';
import {log, runEvents} from '../../live/session.ts';
import {chain} from '../../live/why.ts';
import {recordsTab} from '../../view/settings.ts';
import {AlarmList} from './alarm_list.tsx';
import {EventList} from './event_list.tsx';
import {RunLog} from './run_log.tsx';
import {WhyList} from './why_list.tsx';

/** Alarms, events, the run log, and causes. */
export function Records() {
  const tab = recordsTab.value;
  const open = alarms.value.filter((alarm) => !alarm.is_acknowledged).length;
  const tabs = [
    ['alarms', 'Alarms', open ? `${open} new` : String(alarms.value.length)],
    ['events', 'Events', String(runEvents.value.length)],
    ['log', 'Log', String(log.value.length)],
    ['why', 'Why', chain.value ? String(chain.value.reasons.length) : ''],
  ] as const;
  return (
    <section class="records" aria-label="Alarms, events and log">
      <div class="tabs" role="tablist">
        {tabs.map(([id, text, count]) => (
          <button
            key={id}
            role="tab"
            aria-selected={tab === id}
            class={id === 'alarms' && open ? 'is-bad' : ''}
            onClick={() => {
              recordsTab.value = id;
            }}
          >
            {text}
            {count && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {tab === 'alarms' ? <AlarmList /> : tab === 'events' ? <EventList /> : tab === 'log' ? <RunLog /> : <WhyList />}
    </section>
  );
}
