import {isNote} from '../../document/index.ts';
import {chosen, chosenLine, single} from '../state/choice.ts';
import {alignChosen, mirrorChosen, removeChosen, rotateBy} from '../state/edits.ts';
import {view} from '../state/workspace.ts';
import {groupDialog} from '../ui/dialogs_state.ts';
import {ComponentForm} from './component_form.tsx';
import {LineForm} from './line_form.tsx';
import {NoteForm} from './note_form.tsx';
import {SystemForm} from './system_form.tsx';

const kAlignments = [
  ['left', 'Left'],
  ['center', 'Centre'],
  ['right', 'Right'],
  ['top', 'Top'],
  ['middle', 'Middle'],
  ['bottom', 'Bottom'],
  ['across', 'Spread across'],
  ['down', 'Spread down'],
] as const;

/** The pane beside the sheet: of a component, of several, of a line, or of the system. */
export function Form() {
  const now = view.value;
  if (!now) return <p class="empty">Open a file, or make a new one.</p>;
  const name = single.value;
  const component = name === null ? undefined : now.find(name);
  const note = name === null ? undefined : now.notes.get(name);
  if (note) return <NoteForm key={note.key} note={note} />;
  if (component) return <ComponentForm key={component.name} component={component} />;
  if (chosenLine.value) return <LineForm />;
  if (chosen.value.size > 1) return <Many />;
  return <SystemForm view={now} />;
}

/** `3 components, 1 note` */
function describe(names: readonly string[]): string {
  const notes = names.filter(isNote).length;
  const count = (number: number, noun: string) => (number === 0 ? [] : [`${number} ${noun}${number === 1 ? '' : 's'}`]);
  return [...count(names.length - notes, 'component'), ...count(notes, 'note')].join(', ');
}

function Many() {
  return (
    <div class="form" data-component="">
      <header>
        <h2>{describe([...chosen.value])}</h2>
        <p class="hint">{[...chosen.value].filter((name) => !isNote(name)).join(', ')}</p>
      </header>
      <div class="buttons" role="group" aria-label="Align">
        {kAlignments.map(([how, text]) => (
          <button key={how} onClick={() => alignChosen(how)}>
            {text}
          </button>
        ))}
      </div>
      <div class="buttons">
        <button
          onClick={() => {
            groupDialog.value = true;
          }}
        >
          Group …
        </button>
        <button onClick={() => rotateBy(90)}>Rotate</button>
        <button onClick={mirrorChosen}>Mirror</button>
        <button onClick={removeChosen}>Remove</button>
      </div>
    </div>
  );
}
