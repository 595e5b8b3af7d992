import {alarms} from '../../live/alarms.ts';
import {acknowledge} from '../../live/commands.ts';
import {componentOf} from '../../live/session.ts';
import {askWhy} from '../../live/why.ts';
import {select} from '../../view/selection.ts';
import {formatTime} from '../../view/units.ts';

export function AlarmList() {
  const list = alarms.value;
  const open = list.filter((alarm) => !alarm.is_acknowledged);
  if (!list.length) return <p class="empty">No alarm is set.</p>;
  return (
    <div class="lines">
      {open.length > 1 && (
        <div class="line-tools">
          <button
            onClick={() => {
              for (const {path} of open) void acknowledge(path);
            }}
          >
            Acknowledge all {open.length}
          </button>
        </div>
      )}
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>State</th>
            <th>Alarm</th>
            <th>Text</th>
            <th>
              <span class="visually-hidden">Action</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.map((alarm) => (
            <tr key={alarm.path} class={`${alarm.is_set ? 'is-set' : 'is-gone'} is-${alarm.level.toLowerCase()}`}>
              <td class="time">{formatTime(alarm.time)} s</td>
              <td>
                {alarm.is_set ? 'set' : 'cleared'}
                {alarm.is_acknowledged ? ', acknowledged' : ''}
              </td>
              <td>
                <button class="plain link" onClick={() => select(componentOf(alarm.path)?.path ?? null)}>
                  {alarm.path}
                </button>
              </td>
              <td>{alarm.text}</td>
              <td>
                <button aria-label={`Why ${alarm.path}`} onClick={() => askWhy(alarm.path, alarm.time)}>
                  Why
                </button>{' '}
                {!alarm.is_acknowledged && <button onClick={() => acknowledge(alarm.path)}>Acknowledge</button>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
