import {useEffect} from 'preact/hooks';
import type {RunEvent} from '../../api/types.ts';
import {causeOf, mergedEvents, readTransition, type Merged} from '../../live/causes.ts';
import {componentOf, runEvents, system} from '../../live/session.ts';
import {askWhyOf, subjectOf} from '../../live/why.ts';
import {select} from '../../view/selection.ts';
import {formatTime, withoutLongTails} from '../../view/units.ts';
import {shownMark} from './marks.ts';

const kMost = 8;
const kWidth = 380; // px

/** What happened at a mark, and its cause. */
export function MarkNote() {
  const mark = shownMark.value;
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key === 'Escape') shownMark.value = null;
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, []);
  if (!mark?.events.length) return null;
  const told = mergedEvents(mark.events);
  const left = Math.max(8, Math.min(mark.x, window.innerWidth - kWidth - 8));
  return (
    <div
      class="mark-note"
      role="dialog"
      aria-label="Cause of a mark"
      style={{left: `${left}px`, bottom: `${window.innerHeight - mark.y + 14}px`, maxWidth: `${kWidth}px`}}
    >
      {mark.isPinned && (
        <button
          class="plain close"
          aria-label="Close"
          onClick={() => {
            shownMark.value = null;
          }}
        >
          ×
        </button>
      )}
      {told.slice(0, kMost).map((one) => (
        <Told key={one.last.n} merged={one} isPinned={mark.isPinned} />
      ))}
      {told.length > kMost && <p class="muted">{told.length - kMost} more: zoom in, or see the events.</p>}
    </div>
  );
}

const kBy = {guard: 'guard', event: 'event', time: 'time', command: 'command', chart: 'chart', alarm: 'alarm'};

function Told({merged: {last: event, count}, isPinned}: {merged: Merged; isPinned: boolean; key?: number}) {
  const cause = causeOf(event, runEvents.value, system.value?.charts ?? [], system.value?.time_step ?? 0);
  return (
    <div class="told" data-kind={event.kind}>
      <p>
        <time>{formatTime(event.time)} s</time>{' '}
        <button class="plain link" onClick={() => select(componentOf(event.path)?.path ?? null)}>
          {event.path}
        </button>{' '}
        <b>{whatOf(event)}</b>
        {count > 1 && <span class="count">{count}×</span>}
      </p>
      {cause && event.kind !== 'message' && (
        <p class="cause">
          {kBy[cause.kind]}: <code>{withoutLongTails(cause.text)}</code>
        </p>
      )}
      {cause?.values && <p class="cause">with {withoutLongTails(cause.values)}</p>}
      {cause?.because && cause.kind === 'event' && (
        <p class="cause">
          sent at {formatTime(cause.because.time)} s by <code>{cause.because.text}</code>
        </p>
      )}
      {cause?.because && cause.kind === 'chart' && <p class="cause">of {cause.because.path}</p>}
      {isPinned && subjectOf(event) && (
        <button
          aria-label={`Why ${event.path}`}
          onClick={() => {
            shownMark.value = null;
            void askWhyOf(event);
          }}
        >
          Why
        </button>
      )}
    </div>
  );
}

function whatOf(event: RunEvent): string {
  if (event.kind === 'transition') {
    const {from, to} = readTransition(event.text);
    if (to) return `${from} → ${to}`;
  }
  const text = withoutLongTails(event.text);
  return event.kind === 'alarm' ? `${event.is_set ? 'set' : 'cleared'}: ${text}` : text;
}
