import {useMemo, useState} from 'preact/hooks';
import {chartOf, isPartOfAnother} from '../live/charts.ts';
import {system} from '../live/session.ts';
import {alarmOf} from '../live/alarms.ts';
import {levelOf} from '../live/levels.ts';
import type {Component} from '../api/types.ts';
import {selected, select} from '../view/selection.ts';

interface Row {
  component: Component;
  depth: number;
}

/** Parents before their parts; with a filter, those that match and what they stand in. */
export function rowsOf(all: Component[], filter: string): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (c: Component) => words.every((word) => `${c.path} ${c.model} ${c.text}`.toLowerCase().includes(word));
  const shown = new Set<string>();
  for (const component of all) {
    if (!matches(component)) continue;
    for (let path = component.path; path; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) shown.add(path);
  }
  return all
    .filter((component) => shown.has(component.path))
    .map((component) => ({component, depth: component.path.split('.').length - 1}));
}

export function ComponentTree() {
  const [filter, setFilter] = useState('');
  const all = (system.value?.components ?? []).filter((component) => !isPartOfAnother(component));
  const rows = useMemo(() => rowsOf(all, filter), [system.value, filter]);
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLButtonElement>('button.row')];
    buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus();
  };
  return (
    <nav class="tree" aria-label="Components">
      <input
        type="search"
        placeholder="Filter components"
        aria-label="Filter components"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <div class="rows" onKeyDown={move}>
        {rows.map(({component, depth}) => (
          <TreeRow key={component.path} component={component} depth={depth} />
        ))}
        {!rows.length && <p class="empty">No component matches.</p>}
      </div>
    </nav>
  );
}

function TreeRow({component, depth}: Row & {key: string}) {
  const alarm = alarmOf(component.path);
  const level = levelOf(component.path);
  const isSelected = selected.value === component.path;
  return (
    <button
      class={`row ${alarm ? `has-alarm is-${alarm}` : ''}`}
      aria-current={isSelected}
      title={`${component.model}: ${component.text}`}
      style={{paddingLeft: `${8 + depth * 12}px`}}
      onClick={() => select(component.path)}
    >
      <span class="name">{component.name}</span>
      {chartOf(component) && (
        <span class="hint" title="has a chart">
          ⌥
        </span>
      )}
      {level && <LevelLetter level={level} />}
    </button>
  );
}

export function LevelLetter({level}: {level: string}) {
  return (
    <span class={`level is-${level.toLowerCase()}`} title={level}>
      {level[0]}
    </span>
  );
}
