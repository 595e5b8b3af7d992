import {signal} from '@preact/signals';
import {useEffect, useState} from 'preact/hooks';
import {notify} from '../../live/notices.ts';
import {openStudyFile} from '../study/study_state.ts';
import {files, info, kindOf, load, openFile, project, revision} from '../state/workspace.ts';
import {Dialog} from '../ui/dialog.tsx';
import {showText} from '../ui/panes.ts';
import {matchesIn, replacedIn} from './matches.ts';

export const findDialog = signal(false);

const kMostShown = 300;

/** Searches the texts of the folder, and replaces what is found as one step that can be undone. */
export function FindDialog() {
  const [wanted, setWanted] = useState('');
  const [by, setBy] = useState('');
  const [hasCase, setCase] = useState(true);
  const [isWhole, setWhole] = useState(false);
  const [isRead, setRead] = useState(false);
  useEffect(() => {
    if (!findDialog.value) return;
    setRead(false);
    const texts = files.peek().filter(({kind}) => kind !== 'other');
    void Promise.all(texts.map(({path}) => load(path))).then(() => setRead(true));
  }, [findDialog.value]);
  if (!findDialog.value) return null;
  revision.value;
  const close = () => {
    findDialog.value = false;
  };
  const options = {hasCase, isWhole};
  const found = [...project.paths]
    .sort()
    .map((path) => ({path, matches: matchesIn(project.text(path), wanted, options)}))
    .filter(({matches}) => matches.length > 0);
  const count = found.reduce((sum, {matches}) => sum + matches.length, 0);
  const replace = () => {
    if (info.peek()?.read_only) return notify('error', 'The folder is open for reading only.');
    project.step(`Replace ${wanted}`, () => {
      for (const {path} of found) project.setText(path, replacedIn(project.text(path), wanted, by, options));
    });
    notify('info', `Replaced in ${placesOf(count)} of ${filesOf(found.length)}. Undo takes it back.`);
  };
  const show = async (path: string) => {
    close();
    showText.value = true;
    await (['study', 'bench'].includes(kindOf(path)) ? openStudyFile(path) : openFile(path));
  };
  const shown = found.flatMap(({path, matches}) => matches.map((match) => ({path, match}))).slice(0, kMostShown);
  return (
    <Dialog title="Find in all files" close={close} isWide>
      <form
        class="find"
        onSubmit={(event) => {
          event.preventDefault();
          if (count > 0) replace();
        }}
      >
        <label class="field-row">
          Find{' '}
          <input type="search" name="find" autofocus value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
        </label>
        <label class="field-row">
          Replace by <input name="replace" value={by} onInput={(event) => setBy(event.currentTarget.value)} />
        </label>
        <p class="find-options">
          <label>
            <input type="checkbox" checked={hasCase} onChange={(event) => setCase(event.currentTarget.checked)} /> Match case
          </label>{' '}
          <label>
            <input type="checkbox" checked={isWhole} onChange={(event) => setWhole(event.currentTarget.checked)} /> Whole words
          </label>{' '}
          <span class="muted" role="status">
            {!isRead ? 'Reading the folder …' : wanted && `${placesOf(count)} in ${filesOf(found.length)}`}
          </span>
        </p>
        <ul class="find-list" aria-label="Found" tabIndex={0}>
          {shown.map(({path, match}) => (
            <li key={`${path} ${match.start}`}>
              <button type="button" class="plain link" onClick={() => show(path)}>
                {path}:{match.line}
              </button>{' '}
              <code>
                {match.parts[0]}
                <mark>{match.parts[1]}</mark>
                {match.parts[2]}
              </code>
            </li>
          ))}
          {count > kMostShown && <li class="muted">{count - kMostShown} more</li>}
        </ul>
        <footer>
          <button type="button" onClick={close}>
            Close
          </button>
          <button class="is-main" disabled={count === 0 || !isRead}>
            {count > 0 ? `Replace in ${placesOf(count)}` : 'Replace'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const placesOf = (count: number): string => `${count} ${count === 1 ? 'place' : 'places'}`;
const filesOf = (count: number): string => `${count} ${count === 1 ? 'file' : 'files'}`;
