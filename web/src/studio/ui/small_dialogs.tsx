import {useEffect, useState} from 'preact/hooks';
import {EditRefused} from '../../document/index.ts';
import {notify} from '../../live/notices.ts';
import {getTemplates} from '../api/requests.ts';
import type {Template} from '../api/types.ts';
import {chosen} from '../state/choice.ts';
import {groupChosen} from '../state/edits.ts';
import {asking, files, openFile, project, system} from '../state/workspace.ts';
import {Dialog} from './dialog.tsx';
import {groupDialog, helpDialog, newDialog} from './dialogs_state.ts';

/** Asks for the name of a new sub-system. */
export function GroupDialog() {
  const [name, setName] = useState('');
  useEffect(() => {
    if (groupDialog.value) setName(system.peek()?.freeName('group') ?? 'group');
  }, [groupDialog.value]);
  if (!groupDialog.value) return null;
  const close = () => {
    groupDialog.value = false;
  };
  return (
    <Dialog title="Group into a sub-system" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          close();
          groupChosen(name.trim());
        }}
      >
        <p>
          {chosen.value.size} components move into a file of their own. Lines across the border become ports of the sub-system.
        </p>
        <label class="field-row">
          Name{' '}
          <input
            name="name"
            autofocus
            required
            pattern="[A-Za-z_][A-Za-z0-9_]*"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <footer>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="is-main">Group</button>
        </footer>
      </form>
    </Dialog>
  );
}

const kEmpty = (name: string) => `<?xml version="1.0" encoding="UTF-8"?>
<System name="${name}" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="10 s"/>
</System>
`;

const kEmptyChart = (name: string) => `<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="${name}">
</scxml>
`;

/** A new file from a template; it is on disk when it is saved. */
export function NewDialog() {
  const [templates, setTemplates] = useState<readonly Template[]>([]);
  const [template, setTemplate] = useState('');
  const [path, setPath] = useState('');
  useEffect(() => {
    if (!newDialog.value) return;
    let n = 1;
    while (project.has(`system${n}.xml`) || files.peek().some((file) => file.path === `system${n}.xml`)) n++;
    setPath(`system${n}.xml`);
    void asking(getTemplates).then((found) => {
      if (found) setTemplates(found);
    });
  }, [newDialog.value]);
  if (!newDialog.value) return null;
  const close = () => {
    newDialog.value = false;
  };
  const make = (event: SubmitEvent) => {
    event.preventDefault();
    const file = /\.(xml|scxml)$/.test(path) ? path : `${path}.xml`;
    const name = file
      .replace(/^.*\//, '')
      .replace(/\.[^.]*$/, '')
      .replace(/[^A-Za-z0-9_]/g, '_')
      .replace(/^(\d)/, '_$1');
    const chosenText = templates.find(
      (one) => one.name === template && /<scxml/.test(one.content) === file.endsWith('.scxml'),
    )?.content;
    const text = (chosenText ?? (file.endsWith('.scxml') ? kEmptyChart : kEmpty)(name)).replace(
      /(<System\b[^>]*?\bname=)(["'])[^"']*\2/,
      `$1$2${name}$2`,
    );
    if (files.peek().some((one) => one.path === file)) {
      notify('error', `${file} is in the folder already.`);
      return;
    }
    try {
      project.step(`New ${file}`, () => project.create(file, text));
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      notify('error', error.message);
      return;
    }
    close();
    void openFile(file);
  };
  return (
    <Dialog title="New system" close={close}>
      <form onSubmit={make}>
        <label class="field-row">
          File <input name="path" required autofocus value={path} onInput={(event) => setPath(event.currentTarget.value)} />
        </label>
        <fieldset class="templates">
          <legend>Begin with</legend>
          <label>
            <input type="radio" name="template" checked={template === ''} onChange={() => setTemplate('')} />{' '}
            <span>
              <b>Empty</b>{' '}
              <span class="muted">a system with a SimulatorManager; a statechart where the name ends in .scxml</span>
            </span>
          </label>
          {templates.map((one) => (
            <label key={one.name}>
              <input type="radio" name="template" checked={template === one.name} onChange={() => setTemplate(one.name)} />{' '}
              <span>
                <b>{one.name}</b> <span class="muted">{one.text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <footer>
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="is-main">Make</button>
        </footer>
      </form>
    </Dialog>
  );
}

const kKeys: [string, string][] = [
  ['Arrows', 'move the selection by one step of the grid, with Shift by eight; without a selection, the view'],
  [
    'Tab, Space, Enter',
    'to the next component or line; Space selects it, with Shift in addition to others; Enter opens a sub-system or chart, or goes to the form',
  ],
  ['R, Shift-R, M', 'rotate clockwise, counter-clockwise, mirror'],
  ['N', 'add a note: a text on the drawing'],
  ['C', 'connect the selected component: two lists of possible ports'],
  ['Delete', 'remove components with their lines, or one line'],
  ['Ctrl-C, X, V, D, A', 'copy, cut, paste, duplicate, select all'],
  ['Ctrl-G, Ctrl-Shift-G', 'group into a sub-system, ungroup'],
  ['Ctrl-Z, Ctrl-Shift-Z', 'undo, redo'],
  ['Ctrl-S', 'save'],
  ['Ctrl-Shift-F', 'find and replace in all files of the folder'],
  ['Ctrl-Enter', 'run, or back to drawing'],
  ['/', 'search the palette; Enter adds the model'],
  ['F2', 'rename'],
  ['+, -, 0', 'zoom in, out, show all; the wheel and two fingers do so, too'],
  ['Alt or Space and drag', 'move the view; the middle button does so, too'],
];

export function HelpDialog() {
  if (!helpDialog.value) return null;
  return (
    <Dialog
      title="Keyboard"
      close={() => {
        helpDialog.value = false;
      }}
    >
      <dl class="keys">
        {kKeys.map(([key, text]) => (
          <>
            <dt key={key}>{key}</dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
    </Dialog>
  );
}
