import {useRef, useState} from 'preact/hooks';
import {isError} from '../state/fault_places.ts';
import {PoseView} from './pose_view.tsx';
import {
  addPart,
  chosenPart,
  closeTree,
  faultsOfParts,
  kBase,
  kinds,
  mechanism,
  nameOf,
  parts,
  partHere,
  removePart,
  rows,
  setPart,
  type Row,
} from './tree_state.ts';

const kDragged = 'text/x-davit-part';

/** A mechanism as a tree of bodies, with its start beside it. */
export function TreePane() {
  const component = mechanism.value;
  if (!component) return null;
  return (
    <div class="tree-pane" role="region" aria-label="Mechanism">
      <div class="tree-side">
        <div class="buttons" role="group" aria-label="Add to the chosen body">
          {kinds.value.map((kind) => (
            <button key={kind.name} title={kind.text} onClick={() => addPart(kind)}>
              + {kind.name}
            </button>
          ))}
          <button onClick={closeTree}>Close</button>
        </div>
        <Tree />
      </div>
      <PoseView />
    </div>
  );
}

function Tree() {
  const tree = useRef<HTMLDivElement>(null);
  const [target, setTarget] = useState<string | null>(null);
  const all = rows.value;
  const at = Math.max(
    all.findIndex(({name}) => name === (chosenPart.value ?? kBase)),
    0,
  );
  const choose = (row: Row | undefined) => {
    if (!row) return;
    chosenPart.value = row.part ? row.name : null;
    tree.current?.querySelector<HTMLElement>(`[data-part="${CSS.escape(row.name)}"]`)?.focus();
  };
  const keys: Record<string, () => void> = {
    ArrowUp: () => choose(all[at - 1]),
    ArrowDown: () => choose(all[at + 1]),
    Home: () => choose(all[0]),
    End: () => choose(all.at(-1)),
    Delete: () => partHere.value && removePart(nameOf(partHere.value)),
    Backspace: () => partHere.value && removePart(nameOf(partHere.value)),
    F2: () => document.querySelector<HTMLInputElement>('.form [data-row="name"] input')?.select(),
  };
  const press = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    act();
  };
  return (
    <div ref={tree} class="part-tree" role="tree" aria-label={`Parts of ${mechanism.value?.name}`}>
      {all.map((row, index) => {
        const {name, kind, level, part} = row;
        const faults = faultsOfParts.value.get(part ? name : '') ?? [];
        const carries = !part || kind === 'Body';
        return (
          <div
            key={`${kind} ${name}`}
            role="treeitem"
            aria-level={level}
            aria-selected={index === at}
            tabIndex={index === at ? 0 : -1}
            data-part={name}
            class={`${target === name ? 'is-target' : ''} ${faults.some(isError) ? 'has-fault' : faults.length ? 'has-warning' : ''}`}
            style={{paddingLeft: `${8 + 16 * (level - 1)}px`}}
            title={faults.map(({text}) => text).join('\n')}
            draggable={part !== null}
            onClick={() => choose(row)}
            onKeyDown={press}
            onDragStart={(event) => event.dataTransfer!.setData(kDragged, name)}
            onDragOver={(event) => {
              if (!carries) return;
              event.preventDefault();
              setTarget(name);
            }}
            onDragLeave={() => setTarget(null)}
            onDrop={(event) => {
              setTarget(null);
              const dragged = event.dataTransfer?.getData(kDragged);
              if (!carries || !dragged || dragged === name) return;
              event.preventDefault();
              drop(dragged, name);
            }}
          >
            <span class="name">{name}</span> <span class="muted">{part ? kind.toLowerCase() : ''}</span>
          </div>
        );
      })}
    </div>
  );
}

/** Puts a part on a body; what lies between bodies gets it as its last end. */
function drop(dragged: string, body: string): void {
  const kind = parts.peek().find((part) => nameOf(part) === dragged)?.element;
  const attributes = kinds.peek().find(({name}) => name === kind)?.attributes ?? [];
  const end = ['on', 'b', 'of'].find((name) => attributes.some((one) => one.name === name));
  if (end) setPart(dragged, end, body === kBase && end === 'on' ? null : body);
}
