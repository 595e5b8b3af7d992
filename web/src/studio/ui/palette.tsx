import {useRef, useState} from 'preact/hooks';
import type {FileEntry, Model} from '../api/types.ts';
import {addFile, addModel} from '../state/edits.ts';
import {findModels, models} from '../state/models.ts';
import {current, files} from '../state/workspace.ts';
import {focusSheet, middleOfSheet, revealComponent} from '../sheet/sheet.tsx';

/** All models by domain, and the files of the folder that can be sub-systems or charts of this one. */
export function Palette() {
  const [filter, setFilter] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const found = findModels(models.value.values(), filter);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const own = files.value.filter(
    ({path, kind}) =>
      (kind === 'system' || kind === 'chart') &&
      path !== current.value &&
      words.every((word) => path.toLowerCase().includes(word)),
  );
  const isSearching = filter.trim() !== '';
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.currentTarget === event.target) {
      const first = [...found.values()][0]?.[0];
      if (first) add(first);
    }
    if (event.key === 'Escape') {
      setFilter('');
      focusSheet();
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const entries = [...(list.current?.querySelectorAll<HTMLElement>('button.entry') ?? [])].filter((entry) =>
      entry.checkVisibility(),
    );
    entries[entries.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <nav class="palette" aria-label="Palette">
      <input
        type="search"
        class="palette-search"
        placeholder="Search models  /"
        aria-label="Search models"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div class="entries" ref={list} onKeyDown={press}>
        {[...found].map(([domain, ones]) => (
          <details key={domain} open={isSearching || domain === 'hydraulic'} data-domain={domain}>
            <summary>
              {domain}
              <span class="count">{ones.length}</span>
            </summary>
            {ones.map((model) => (
              <Entry key={model.name} model={model} />
            ))}
          </details>
        ))}
        {own.length > 0 && (
          <details open={isSearching} data-domain="files">
            <summary>
              files<span class="count">{own.length}</span>
            </summary>
            {own.map((file) => (
              <OwnFile key={file.path} file={file} />
            ))}
          </details>
        )}
        {!found.size && !own.length && <p class="empty">{models.value.size ? 'No model matches.' : 'Reading the models …'}</p>}
      </div>
    </nav>
  );
}

function add(model: Model): void {
  const name = addModel(model.name, middleOfSheet());
  if (name === undefined) return;
  focusSheet();
  window.setTimeout(() => revealComponent(name));
}

function Entry({model}: {model: Model; key?: string}) {
  const {symbol} = model;
  const size = Math.max(symbol.width, symbol.height) + 12;
  return (
    <button
      class="entry"
      draggable
      title={`${model.name}: ${model.text}\nDrag it onto the canvas, or press Enter.`}
      data-model={model.name}
      onDragStart={(event) => {
        event.dataTransfer!.setData('text/x-davit-model', model.name);
        event.dataTransfer!.effectAllowed = 'copy';
      }}
      onDblClick={() => add(model)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          event.stopPropagation();
          add(model);
        }
      }}
    >
      <svg class="davit thumbnail" viewBox={`${-size / 2} ${-size / 2} ${size} ${size}`} aria-hidden="true">
        <g dangerouslySetInnerHTML={{__html: symbol.shapes}} />
        {symbol.texts.map((word, index) => (
          <text key={index} class="inner" font-size={word.size} x={word.x} y={word.y}>
            {word.text}
          </text>
        ))}
      </svg>
      <span class="words">
        <span class="name">{model.name.slice(model.name.indexOf('.') + 1)}</span>
        <span class="text">{model.text}</span>
      </span>
    </button>
  );
}

function OwnFile({file}: {file: FileEntry; key?: string}) {
  const kind = file.kind === 'chart' ? 'chart' : 'system';
  const put = () => {
    if (addFile(file.path, kind, middleOfSheet()) !== undefined) focusSheet();
  };
  return (
    <button
      class="entry is-file"
      draggable
      title={`Add ${file.path} as ${kind === 'chart' ? 'a chart' : 'a sub-system'}`}
      onDragStart={(event) => event.dataTransfer!.setData('text/x-davit-file', file.path)}
      onDblClick={put}
      onKeyDown={(event) => {
        if (event.key === 'Enter') {
          event.preventDefault();
          event.stopPropagation();
          put();
        }
      }}
    >
      <span class="words">
        <span class="name">{file.path}</span>
        <span class="text">{kind === 'chart' ? 'statechart' : 'sub-system'}</span>
      </span>
    </button>
  );
}
