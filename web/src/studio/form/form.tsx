import {chosen, chosenLine, single} from '../state/choice.ts';
import {alignChosen, mirrorChosen, removeChosen, rotateBy} from '../state/edits.ts';
import {view} from '../state/workspace.ts';
import {groupDialog} from '../ui/dialogs_state.ts';
import {ComponentForm} from './component_form.tsx';
import {LineForm} from './line_form.tsx';
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
  if (component) return <ComponentForm key={component.name} component={component} />;
  if (chosenLine.value) return <LineForm />;
  if (chosen.value.size > 1) return <Many />;
  return <SystemForm view={now} />;
}

function Many() {
  return (
    <div class="form" data-component="">
      <header>
        <h2>{chosen.value.size} components</h2>
        <p class="hint">{[...chosen.value].join(', ')}</p>
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
