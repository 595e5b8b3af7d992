import {useEffect, useState} from 'preact/hooks';
import {kPictureEnding, type NoteView} from '../../document/index.ts';
import {attemptEdit, removeChosen} from '../state/edits.ts';
import {faultsHere} from '../state/fault_places.ts';
import {current, files} from '../state/workspace.ts';
import {FaultLines} from './fault_lines.tsx';
import {Field} from './field.tsx';
import {relativePath} from './relative_path.ts';

/** A note that is chosen. */
export function NoteForm({note}: {note: NoteView; key?: string}) {
  const {key} = note;
  const written = (name: string): string | null => note.attributes.find((one) => one.name === name)?.value ?? null;
  const set = (name: string) => (value: string | null) =>
    void attemptEdit(`Note: ${name}`, (now) => now.setNote(key, name, value));
  const pictures = files.value
    .filter(({path}) => kPictureEnding.test(path))
    .map(({path}) => relativePath(current.value ?? '', path))
    .filter((path) => !path.startsWith('../'));
  const isPicture = written('picture') !== null;
  return (
    <div class="form" data-component={key}>
      <header>
        <h2>Note</h2>
      </header>
      <FaultLines faults={faultsHere.value.filter(({owner}) => owner === key)} />
      <div class="fields">
        <NoteText text={note.text} commit={set('text')} />
        <Field
          name="picture"
          value={written('picture')}
          options={pictures}
          placeholder="none"
          title="A .png or .svg file in the folder of this file or below it"
          commit={set('picture')}
        />
        <Field name="x" value={written('x')} title="Left edge, in units of the drawing" commit={set('x')} />
        <Field name="y" value={written('y')} title="Upper edge, in units of the drawing" commit={set('y')} />
        <Field
          name="width"
          value={written('width')}
          placeholder={isPicture ? '160' : 'as written'}
          title="Lines are broken to fit; a picture is shrunk to fit"
          commit={set('width')}
        />
        {isPicture && (
          <Field
            name="height"
            value={written('height')}
            placeholder="120"
            title="Height of the picture, which is shrunk to fit"
            commit={set('height')}
          />
        )}
      </div>
      <p class="buttons">
        <button onClick={removeChosen}>Remove the note</button>
      </p>
    </div>
  );
}

/** Several lines; leaving the field or Ctrl+Enter writes them, Esc takes them back. */
function NoteText({text, commit}: {text: string; commit: (value: string | null) => void}) {
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => setDraft(null), [text]);
  const take = () => {
    if (draft === null) return;
    setDraft(null);
    const next = draft.trimEnd();
    if (next !== text) commit(next === '' ? null : next);
  };
  return (
    <textarea
      class={`note-text ${draft === null ? '' : 'is-draft'}`}
      aria-label="text"
      rows={4}
      value={draft ?? text}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.stopPropagation(); // outside of this field it starts a run
          take();
        }
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        setDraft(null);
      }}
    />
  );
}
