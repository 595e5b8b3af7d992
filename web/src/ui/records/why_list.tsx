import {useEffect, useRef} from 'preact/hooks';
import type {Reason} from '../../api/types.ts';
import {recording} from '../../live/recording.ts';
import {componentOf, run, system} from '../../live/session.ts';
import {goTo} from '../../live/travel.ts';
import {chain, chainRequested, itemIn} from '../../live/why.ts';
import {select} from '../../view/selection.ts';
import {smallPane} from '../../view/settings.ts';
import {formatTime, withoutLongTails} from '../../view/units.ts';
import {showItem} from '../inspector/show_item.ts';

/** The chain of causes that was asked for last. */
export function WhyList() {
  const now = chain.value;
  const head = useRef<HTMLHeadingElement>(null);
  const requested = chainRequested.value;
  useEffect(() => {
    if (requested) head.current?.focus();
  }, [requested]);
  if (!now)
    return (
      <p class="empty">Click a mark of the plots, a level badge of the drawing, or a button Why. The causes are listed here.</p>
    );
  return (
    <div class="lines why" tabIndex={0} role="region" aria-label="Causes">
      <h2 ref={head} tabIndex={-1}>
        Why {now.path}
        {now.until !== undefined && <span class="muted"> at {formatTime(now.until)} s</span>}
      </h2>
      {now.fault && (
        <p class="fault" role="alert">
          {now.fault}
        </p>
      )}
      {now.isAsking && <p class="empty">Looking for the causes …</p>}
      {!now.isAsking && !now.fault && !now.reasons.length && (
        <p class="empty">
          {recording.value
            ? 'Nothing has changed it so far.'
            : 'Nothing is known of a change. A run with --record remembers all of them.'}
        </p>
      )}
      {now.reasons.length > 0 && (
        <ol>
          {now.reasons.map((reason, index) => (
            <Link key={index} reason={reason} />
          ))}
        </ol>
      )}
    </div>
  );
}

function Link({reason: {depth, time, path, text}}: {reason: Reason; key?: number}) {
  const component = componentOf(path);
  const item = itemIn(text, system.value?.items ?? {});
  const owner = (item && componentOf(item)) ?? component;
  const isLocked = !recording.value || (run.value?.read_only ?? false);
  return (
    <li style={{'--depth': Math.min(depth, 8)}}>
      {time === undefined ? (
        <span class="time">always</span>
      ) : isLocked ? (
        <span class="time">{formatTime(time)} s</span>
      ) : (
        <button class="plain link time" title="Go to this time" onClick={() => goTo(time)}>
          {formatTime(time)} s
        </button>
      )}
      {owner ? (
        <button
          class="plain link"
          title={`Show ${item ?? owner.path}`}
          onClick={() => {
            select(owner.path);
            smallPane.value = 'values';
            if (item) showItem(item);
          }}
        >
          {item ?? owner.path}
        </button>
      ) : (
        path && <span class="muted">{path}</span>
      )}
      <span>{withoutLongTails(text)}</span>
    </li>
  );
}
