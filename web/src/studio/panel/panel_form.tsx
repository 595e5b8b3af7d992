import {useState} from 'preact/hooks';
import {prettyUnit} from '../../view/units.ts';
import {attemptEdit} from '../state/edits.ts';
import {faultsHere} from '../state/fault_places.ts';
import {attributesOf, elements, modelOf} from '../state/models.ts';
import {project, view} from '../state/workspace.ts';
import {FaultLines} from '../form/fault_lines.tsx';
import {Field} from '../form/field.tsx';
import {findItems, itemsOf, wantedBy} from './items.ts';
import {elementHere, nameOf, panel, removeElement, setElement, valueIn} from './panel_state.ts';

const kMostItems = 200; // that are shown

/** The pane beside a panel: of the chosen element, or of the panel itself. */
export function PanelForm() {
  const now = panel.value;
  if (!now) return <p class="empty">The file has no panel.</p>;
  const faults = faultsHere.value.filter(({owner}) => owner === now.name);
  const element = elementHere.value;
  if (!element)
    return (
      <div class="form" data-component={now.name}>
        <header>
          <h2>{now.name}</h2>
          <p class="model">Panel</p>
          <p class="hint">Choose an element to bind it to an item.</p>
        </header>
        <FaultLines faults={faults} />
        <div class="fields">
          {attributesOf('Panel')
            .filter(({name}) => name !== 'name')
            .map(({name, text, options}) => (
              <Field
                key={name}
                name={name}
                value={now.attributes.find((one) => one.name === name)?.value ?? null}
                title={text}
                options={options}
                commit={(value) => attemptEdit(`Set ${name}`, (document) => document.setParameter(now.name, name, value))}
              />
            ))}
        </div>
      </div>
    );
  const own = nameOf(element);
  const kind = elements.value.find(({name}) => name === element.element);
  return (
    <div key={own} class="form" data-component={now.name} data-element={own}>
      <header>
        <h2>{own}</h2>
        <p class="model">{element.element}</p>
        <p>{kind?.text}</p>
      </header>
      <FaultLines faults={faults} />
      <div class="fields">
        {(kind?.attributes ?? []).map(({name, text, options, is_path}) => (
          <div key={name}>
            <Field
              name={name}
              value={valueIn(element, name)}
              title={text}
              options={options}
              commit={(value) => setElement(own, name, value)}
            />
            {is_path && (
              <Chooser attribute={name} value={valueIn(element, name)} take={(path) => setElement(own, name, path)} />
            )}
          </div>
        ))}
      </div>
      <div class="buttons">
        <button onClick={() => removeElement(own)}>Remove</button>
      </div>
    </div>
  );
}

/** The items that an attribute may name, to choose one of them. */
function Chooser({attribute, value, take}: {attribute: string; value: string | null; take: (path: string) => void}) {
  const [isOpen, setOpen] = useState(false);
  const [filter, setFilter] = useState('');
  const now = view.value;
  if (!isOpen || !now)
    return (
      <button class="plain link" onClick={() => setOpen(true)}>
        Choose {attribute} …
      </button>
    );
  const found = findItems(itemsOf(project, now, modelOf, wantedBy(attribute)), filter);
  return (
    <div class="chooser" role="group" aria-label={`Items for ${attribute}`}>
      <input
        type="search"
        aria-label="Search items"
        placeholder="Search items"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setOpen(false);
        }}
      />
      <ul>
        {found.slice(0, kMostItems).map(({path, text, unit}) => (
          <li key={path}>
            <button
              class={`plain ${path === value ? 'is-chosen' : ''}`}
              data-item={path}
              title={text}
              onClick={() => {
                take(path);
                setOpen(false);
              }}
            >
              {path} <span class="muted">{prettyUnit(unit)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > kMostItems && <p class="hint">{found.length - kMostItems} more: search for one.</p>}
      {!found.length && <p class="empty">No item matches.</p>}
    </div>
  );
}
