import {useRef, useState} from 'preact/hooks';
import type {InnerView} from '../../document/index.ts';
import {
  addElement,
  choosePanel,
  chosenElement,
  elementKinds,
  isPanelOpen,
  moveElement,
  nameOf,
  newPanel,
  panel,
  panelsHere,
  removeElement,
  valueIn,
} from './panel_state.ts';

const kKind = 'text/x-davit-panel-kind';
const kPlaced = 'text/x-davit-panel-element';

/** As on the page of a run: parts from above, and what they have. */
const kParts: readonly {name: string; kinds: readonly string[]}[] = [
  {name: 'levers', kinds: ['Joystick', 'Lever', 'Slider']},
  {name: 'buttons', kinds: ['Button', 'Switch']},
  {name: 'lamps', kinds: ['Lamp']},
  {name: 'gauges', kinds: ['Gauge']},
  {name: 'fields', kinds: ['Field']},
  {name: 'states', kinds: ['ChartState']},
  {name: 'alarms', kinds: ['AlarmList']},
];

/** The kinds of elements, to be dragged onto the panel or clicked. */
export function PanelPalette() {
  return (
    <nav class="palette" aria-label="Elements of a panel">
      <div class="entries">
        {elementKinds.value.map(({name, text}) => (
          <button
            key={name}
            class="entry"
            draggable
            data-kind={name}
            title={`${text}\nDrag it onto the panel, or click it.`}
            onClick={() => addElement(name)}
            onDragStart={(event) => {
              event.dataTransfer!.setData(kKind, name);
              event.dataTransfer!.effectAllowed = 'copy';
            }}
          >
            <span class="words">
              <span class="name">{name}</span>
              <span class="text">{text}</span>
            </span>
          </button>
        ))}
      </div>
    </nav>
  );
}

/** A panel as it will look, to place and choose its elements. */
export function PanelPane() {
  const now = panel.value;
  const [target, setTarget] = useState<string | null>(null);
  const pane = useRef<HTMLDivElement>(null);
  const drop = (event: DragEvent, before: string | null) => {
    event.preventDefault();
    event.stopPropagation();
    setTarget(null);
    const kind = event.dataTransfer?.getData(kKind);
    const placed = event.dataTransfer?.getData(kPlaced);
    if (kind) addElement(kind, before);
    else if (placed) moveElement(placed, before);
    pane.current?.focus();
  };
  const over = (event: DragEvent, before: string | null) => {
    event.preventDefault();
    event.stopPropagation();
    if (target !== before) setTarget(before);
  };
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget && !(event.target as Element).matches('.placed')) return;
    if ((event.key === 'Delete' || event.key === 'Backspace') && chosenElement.value !== null)
      removeElement(chosenElement.value);
    else if (event.key === 'Escape') chosenElement.value = null;
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={pane}
      class="panel-pane"
      role="region"
      aria-label="Panel"
      tabIndex={0}
      onKeyDown={press}
      onDragOver={(event) => over(event, null)}
      onDrop={(event) => drop(event, null)}
      onClick={(event) => {
        if (event.target === event.currentTarget) chosenElement.value = null;
      }}
    >
      <div class="buttons" role="group" aria-label="Panels">
        {panelsHere.value.map(({name}) => (
          <button key={name} aria-pressed={name === now?.name} onClick={() => choosePanel(name)}>
            {name}
          </button>
        ))}
        <button onClick={newPanel}>New panel</button>
        <button
          onClick={() => {
            isPanelOpen.value = false;
          }}
        >
          Close
        </button>
      </div>
      {now && (
        <section class="operator-panel is-drawn" aria-label={now.name}>
          <header>
            <h2>{now.attributes.find(({name}) => name === 'title')?.value ?? now.name}</h2>
          </header>
          {!now.inside.length && <p class="empty">Drag elements from the left onto this panel.</p>}
          {kParts.map(({name, kinds}) => {
            const mine = now.inside.filter(({element}) => kinds.includes(element));
            if (!mine.length) return null;
            return (
              <div key={name} class={`part is-${name}`}>
                {mine.map((element) => {
                  const own = nameOf(element);
                  return (
                    <div
                      key={own}
                      class={`placed ${chosenElement.value === own ? 'is-chosen' : ''} ${target === own ? 'is-target' : ''}`}
                      role="button"
                      tabIndex={0}
                      draggable
                      data-element={own}
                      aria-label={`${element.element} ${own}`}
                      aria-pressed={chosenElement.value === own}
                      onClick={() => {
                        chosenElement.value = own;
                      }}
                      onKeyDown={(event) => {
                        if (event.key !== 'Enter' && event.key !== ' ') return;
                        event.preventDefault();
                        chosenElement.value = own;
                      }}
                      onDragStart={(event) => event.dataTransfer!.setData(kPlaced, own)}
                      onDragOver={(event) => over(event, own)}
                      onDragLeave={() => setTarget(null)}
                      onDrop={(event) => drop(event, own)}
                    >
                      <Preview element={element} />
                    </div>
                  );
                })}
              </div>
            );
          })}
        </section>
      )}
    </div>
  );
}

/** What an element looks like when nobody touches it. */
function Preview({element}: {element: InnerView}) {
  const label = valueIn(element, 'label') ?? nameOf(element);
  const bound = ['set', 'show', 'x', 'chart', 'event', 'message'].map((name) => valueIn(element, name)).find(Boolean);
  const value = <span class="value">{bound ?? '–'}</span>;
  switch (element.element) {
    case 'Joystick':
    case 'Lever':
    case 'Slider':
      return (
        <div class={`lever-element is-${element.element.toLowerCase()}`}>
          <span class="label">{label}</span>
          <div class="lever">
            <div class="way">
              <span class="knob" style={{bottom: '50%', left: '50%'}} />
            </div>
          </div>
          {value}
        </div>
      );
    case 'Lamp':
      return (
        <div class={`lamp is-lit is-${valueIn(element, 'color') ?? 'green'}`}>
          <i />
          <span>{label}</span>
        </div>
      );
    case 'Switch':
      return (
        <span class="switch like-button">
          <i />
          {label}
        </span>
      );
    case 'Button':
      return <span class="like-button">{label}</span>;
    case 'Gauge':
      return (
        <figure class="gauge">
          <svg viewBox="0 0 100 78" aria-hidden="true">
            <path class="scale" d="M15.4 66 A40 40 0 1 1 84.6 66" />
            <path class="pointer" d="M50 46 L50 13" />
            <circle class="hub" cx="50" cy="46" r="3" />
          </svg>
          <figcaption>
            <span class="label">{label}</span>
            {value}
          </figcaption>
        </figure>
      );
    default:
      return (
        <div class="item">
          <span class="name">{label}</span>
          {value}
        </div>
      );
  }
}
