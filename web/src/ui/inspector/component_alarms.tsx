import type {Component} from '../../api/types.ts';
import {alarms} from '../../live/alarms.ts';
import {acknowledge} from '../../live/commands.ts';

export function ComponentAlarms({component}: {component: Component}) {
  const mine = alarms.value.filter((alarm) => alarm.path.slice(0, alarm.path.lastIndexOf('.')) === component.path);
  return (
    <>
      {mine.map((alarm) => (
        <div key={alarm.path} class={`alarm ${alarm.is_set ? 'is-set' : ''}`} role="status">
          <span>{alarm.text}</span>
          {!alarm.is_acknowledged && <button onClick={() => acknowledge(alarm.path)}>Acknowledge</button>}
        </div>
      ))}
    </>
  );
}
