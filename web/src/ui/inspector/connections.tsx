import type {Component} from '../../api/types.ts';
import {chartLinks} from '../../live/chart_links.ts';
import {componentOf, system} from '../../live/session.ts';
import {select} from '../../view/selection.ts';
import {Section} from './section.tsx';

/** Where its ports and routed signals lead, to walk through the system. */
export function Connections({component}: {component: Component}) {
  const isMine = (path: string) => componentOf(path)?.path === component.path;
  const ends: {own: string; sign: string; other: string; domain: string}[] = [];
  for (const {c, q, domain} of system.value?.connections ?? []) {
    if (isMine(c)) ends.push({own: c, sign: '–', other: q, domain});
    else if (isMine(q)) ends.push({own: q, sign: '–', other: c, domain});
  }
  for (const {from, to} of system.value?.routes ?? []) {
    if (isMine(from)) ends.push({own: from, sign: '→', other: to, domain: 'signal'});
    else if (isMine(to)) ends.push({own: to, sign: '←', other: from, domain: 'signal'});
  }
  for (const {chart, component: other, kind} of chartLinks(
    system.value?.charts ?? [],
    component.path,
    (item) => componentOf(item)?.path,
  )) {
    const isOwn = chart === component.path;
    ends.push({
      own: isOwn ? kind : `${kind === 'reads' ? 'read' : 'set'} by`,
      sign: '',
      other: isOwn ? other : chart,
      domain: 'signal',
    });
  }
  if (!ends.length) return null;
  return (
    <Section title="Connections" count={ends.length} isClosed>
      <ul class="connections">
        {ends.map(({own, sign, other, domain}) => (
          <li key={`${own}${other}`} class={`is-${domain}`}>
            <span>{own.slice(component.path.length + 1) || own}</span> {sign}{' '}
            <button class="plain link" onClick={() => select(componentOf(other)?.path ?? null)}>
              {other}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
