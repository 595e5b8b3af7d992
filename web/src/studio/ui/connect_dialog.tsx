import {useMemo, useState} from 'preact/hooks';
import {connectEnds} from '../state/edits.ts';
import {modelOf} from '../state/models.ts';
import {project, view} from '../state/workspace.ts';
import {allEnds, endsAt} from '../sheet/ends.ts';
import {whyNot, type End} from '../sheet/joining.ts';
import {connectDialog} from '../sheet/joining_state.ts';
import {Dialog} from './dialog.tsx';

/** Two lists of ends: what can be joined to the one that is chosen; what cannot, and why, below it. */
export function ConnectDialog() {
  const asked = connectDialog.value;
  return asked ? <Lists key={`${asked.from} ${asked.end} ${asked.to}`} {...asked} /> : null;
}

function Lists({from, end, to}: {from: string; end?: string; to?: string; key?: string}) {
  const now = view.value;
  const component = now?.find(from);
  const own = useMemo(() => (now && component ? endsAt(project, now, component, modelOf) : []), [now, from]);
  const others = useMemo(
    () =>
      (now ? allEnds(project, now, modelOf) : []).filter(({path}) =>
        to ? path.startsWith(`${to}.`) : !path.startsWith(`${from}.`),
      ),
    [now, from, to],
  );
  const [first, setFirst] = useState(
    end ?? own.find((one) => others.some((other) => now && whyNot(now, one, other) === null))?.path ?? own[0]?.path ?? '',
  );
  const [filter, setFilter] = useState('');
  const close = () => {
    connectDialog.value = null;
  };
  if (!now || !component) return null;
  const chosen = own.find(({path}) => path === first);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = others.filter(({path, text}) => words.every((word) => `${path} ${text}`.toLowerCase().includes(word)));
  const judged = chosen ? matching.map((other) => ({other, why: whyNot(now, chosen, other)})) : [];
  const open = judged.filter(({why}) => why === null);
  // Of what cannot be joined, the ports of the same domain are worth a word; all where one component was asked for.
  const closed = judged
    .filter(
      ({other, why}) =>
        why !== null &&
        (to !== undefined || (other.kind === chosen!.kind && other.domain === chosen!.domain && other.kind === 'port')),
    )
    .slice(0, 50);
  const join = (other: End) => {
    if (!chosen) return;
    const done =
      chosen.kind === 'port'
        ? connectEnds(chosen.path, other.path, 'port')
        : chosen.kind === 'output'
          ? connectEnds(chosen.path, other.path, 'signal')
          : connectEnds(other.path, chosen.path, 'signal');
    if (done) close();
  };
  return (
    <Dialog title={`Connect ${from}`} close={close} isWide>
      <form
        class="connect"
        onSubmit={(event) => {
          event.preventDefault();
          if (open[0]) join(open[0].other);
        }}
      >
        <fieldset class="ends">
          <legend>From</legend>
          {own.map((one) => (
            <label key={one.path} class={`end is-${one.kind}`} title={one.text}>
              <input type="radio" name="from" checked={one.path === first} onChange={() => setFirst(one.path)} />
              <span class="name">{one.path.slice(from.length + 1)}</span>
              <span class="muted">
                {one.kind === 'port' ? `${one.domain} ${one.role}` : `${one.kind}${one.unit ? ` [${one.unit}]` : ''}`}
              </span>
            </label>
          ))}
        </fieldset>
        <div class="ends">
          <input
            type="search"
            autofocus
            aria-label="Search ends"
            placeholder="To: type a part of the name, Enter takes the first"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <ul class="open-ends" aria-label="Possible connections">
            {open.map(({other}) => (
              <li key={other.path}>
                <button type="button" class="end" data-open-end={other.path} onClick={() => join(other)} title={other.text}>
                  <span class="name">{other.path}</span>
                  <span class="muted">{other.text}</span>
                </button>
              </li>
            ))}
            {!open.length && <li class="muted">There is no possible connection to {first || from}.</li>}
          </ul>
          {closed.length > 0 && (
            <details open={!open.length}>
              <summary>
                Impossible connections<span class="count">{closed.length}</span>
              </summary>
              <ul aria-label="Impossible connections">
                {closed.map(({other, why}) => (
                  <li key={other.path}>
                    <span class="name">{other.path}</span> <span class="muted">{why}</span>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      </form>
    </Dialog>
  );
}
