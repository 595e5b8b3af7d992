import {useMemo, useRef, useState} from 'preact/hooks';
import {system} from '../../live/session.ts';
import {canPlot} from '../inspector/item_groups.ts';
import {fileSignals} from './files.ts';
import {allItems, plot} from './panels.ts';

const kMost = 12; // offered at once

/** Paths that have every word, those that begin with the first word first. */
export function matching(paths: string[], text: string): string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const found = paths.filter((path) => words.every((word) => path.toLowerCase().includes(word)));
  return found
    .sort((a, b) => Number(b.startsWith(words[0]!)) - Number(a.startsWith(words[0]!)) || a.length - b.length)
    .slice(0, kMost);
}

/** A field that finds a signal by parts of its path. */
export function SignalPicker() {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const signals = useMemo(
    () =>
      Object.entries(allItems())
        .filter(([, item]) => canPlot(item))
        .map(([path]) => path),
    [system.value, fileSignals.value],
  );
  const found = matching(signals, text);
  const take = (path: string | undefined) => {
    if (!path) return;
    plot(path);
    setText('');
    input.current?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setChosen(Math.min(chosen + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0));
    else if (event.key === 'Enter') take(found[chosen]);
    else if (event.key === 'Escape') setText('');
    else return;
    event.preventDefault();
  };
  return (
    <div class="picker">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="signals"
        aria-label="Add a signal"
        placeholder="Add a signal"
        value={text}
        onKeyDown={press}
        onBlur={() => window.setTimeout(() => setText(''), 150)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
      />
      {found.length > 0 && (
        <div id="signals" role="listbox">
          {found.map((path, index) => (
            <div key={path} role="option" tabIndex={-1} aria-selected={index === chosen} onPointerDown={() => take(path)}>
              {path}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
