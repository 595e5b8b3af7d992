import type {RunEvent} from '../../api/types.ts';
import {mergedEvents} from '../../live/causes.ts';
import {componentOf, runEvents} from '../../live/session.ts';
import {askWhyOf, subjectOf} from '../../live/why.ts';
import {select} from '../../view/selection.ts';
import {formatTime, withoutLongTails} from '../../view/units.ts';

const kMost = 400; // rows, the newest

const alarmChange = ({is_set, is_acknowledged}: RunEvent): string =>
  `${is_set ? 'set' : 'cleared'}${is_acknowledged ? ', acknowledged' : ''}:`;

/** How many lines in a row are one. */
export const Count = ({count, since}: {count: number; since: number}) => (
  <span class="times" title={`since ${formatTime(since)} s`}>
    {count}×
  </span>
);

export function EventList() {
  const list = mergedEvents(runEvents.value).slice(-kMost).reverse();
  if (!list.length) return <p class="empty">No events yet.</p>;
  return (
    <div class="lines">
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>Kind</th>
            <th>Where</th>
            <th>What</th>
          </tr>
        </thead>
        <tbody>
          {list.map(({last: event, count, since}) => (
            <tr key={event.n} class={`is-${event.kind}`}>
              <td class="time">{formatTime(event.time)} s</td>
              <td>
                <span class={`kind is-${event.kind}`}>{event.kind}</span>
              </td>
              <td>
                <button class="plain link" onClick={() => select(componentOf(event.path)?.path ?? null)}>
                  {event.path}
                </button>
              </td>
              <td>
                {event.kind === 'alarm' && <b>{alarmChange(event)} </b>}
                <span title={event.text}>{withoutLongTails(event.text)}</span>
                {count > 1 && <Count count={count} since={since} />}{' '}
                {subjectOf(event) && (
                  <button
                    class="plain link"
                    aria-label={`Why ${event.path} at ${formatTime(event.time)} s`}
                    onClick={() => askWhyOf(event)}
                  >
                    why
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
