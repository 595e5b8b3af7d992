import type {Difference} from '../api/types.ts';
import {choose, chooseLine} from '../state/choice.ts';
import {current, files, view} from '../state/workspace.ts';
import {revealComponent} from '../sheet/sheet.tsx';
import {before, closeVersions, compared, endsOf, ownerOf} from './version_state.ts';

const kSigns = {added: '+', removed: '\u2212', changed: '~'} as const;

/** What the open file and another version of it differ in. */
export function VersionList() {
  const now = compared.value;
  const others = files.value.filter(({kind, path}) => kind === 'system' && path !== current.value);
  const ofSystem = now?.differences.filter(({part}) => part !== 'layout') ?? [];
  const ofLayout = now?.differences.filter(({part}) => part === 'layout') ?? [];
  return (
    <section class="versions" aria-label="Differences">
      <header>
        <label>
          Changes since{' '}
          <select
            aria-label="Compare with"
            value={before.value ?? ''}
            onChange={(event) => {
              before.value = event.currentTarget.value || null;
            }}
          >
            <option value="">the saved file</option>
            {others.map(({path}) => (
              <option key={path} value={path}>
                {path}
              </option>
            ))}
          </select>
        </label>
        <span class="sum" role="status">
          {now ? summary(ofSystem.length, ofLayout.length) : 'Comparing …'}
        </span>
        <button onClick={closeVersions}>Close</button>
      </header>
      {now?.fault && <p class="fault">{now.fault}</p>}
      <div class="scrolled">
        <Differences title="System" differences={ofSystem} />
        <Differences title="Layout only" differences={ofLayout} />
      </div>
    </section>
  );
}

const summary = (system: number, layout: number): string =>
  system + layout === 0 ? 'No differences' : `${system} of the system, ${layout} of the layout only`;

function Differences({title, differences}: {title: string; differences: readonly Difference[]}) {
  if (!differences.length) return null;
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {differences.map((one, index) => (
          <tr key={index} class={`is-${one.kind}`} data-kind={one.kind}>
            <td class="sign" title={one.kind}>
              {kSigns[one.kind]}
            </td>
            <td>{one.part}</td>
            <th scope="row">
              <button class="plain link" onClick={() => show(one)}>
                {one.path}
              </button>
            </th>
            <td>{one.name}</td>
            <td class="value">{one.before}</td>
            <td class="value">{one.after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Selects it on the sheet and moves the view there. */
function show(one: Difference): void {
  const ends = endsOf(one);
  const owner = ends ? ends.from.split('.', 1)[0]! : ownerOf(one);
  if (ends && one.kind !== 'removed') {
    const now = view.peek();
    const isIt = ({from, to}: {from: string; to: string}) =>
      (from === ends.from && to === ends.to) || (from === ends.to && to === ends.from);
    const line = [...(now?.connects ?? []), ...(now?.routes ?? [])].find(isIt);
    if (line) chooseLine({from: line.from, to: line.to});
  } else choose(view.peek()?.find(owner) ? [owner] : []);
  if (owner !== '') revealComponent(owner);
}
