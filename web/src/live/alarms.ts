// The alarms as the events left them.
import {computed} from '@preact/signals';
import type {RunEvent} from '../api/types.ts';
import {components, events} from './session.ts';

export interface AlarmState {
  path: string;
  text: string;
  level: string;
  time: number;
  is_set: boolean;
  is_acknowledged: boolean;
}

/** Alarms that are set, or were and nobody acknowledged it; the newest first. */
export function standingAlarms(found: RunEvent[], levelOf: (path: string) => string): AlarmState[] {
  const states = new Map<string, AlarmState>();
  for (const event of found) {
    if (event.kind !== 'alarm') continue;
    states.delete(event.path);
    const is_set = event.is_set ?? true;
    const is_acknowledged = event.is_acknowledged ?? false;
    if (is_set || !is_acknowledged) {
      states.set(event.path, {
        path: event.path,
        text: event.text,
        level: levelOf(event.path),
        time: event.time,
        is_set,
        is_acknowledged,
      });
    }
  }
  return [...states.values()].reverse();
}

const levels = computed(() => {
  const all = new Map<string, string>();
  for (const component of components.value.values()) {
    for (const alarm of component.alarms) all.set(`${component.path}.${alarm.name}`, alarm.level);
  }
  return all;
});

export const alarms = computed(() => standingAlarms(events.value, (path) => levels.value.get(path) ?? 'Warning'));

const byComponent = computed(() => {
  const found = new Map<string, 'set' | 'unacknowledged'>();
  for (const alarm of alarms.value) {
    const component = alarm.path.slice(0, Math.max(0, alarm.path.lastIndexOf('.')));
    if (alarm.is_set || !found.has(component)) found.set(component, alarm.is_set ? 'set' : 'unacknowledged');
  }
  return found;
});

export const alarmOf = (component: string): 'set' | 'unacknowledged' | undefined => byComponent.value.get(component);
