import {useEffect, useState} from 'preact/hooks';
import {conflict, settle} from '../state/saving.ts';
import {project} from '../state/workspace.ts';
import {Dialog} from './dialog.tsx';
import {sideBySide} from './side_by_side.ts';

/** The file has changed on disk: both texts, and what to do. Nothing is written before somebody chooses. */
export function ConflictDialog() {
  const now = conflict.value;
  const [mine, setMine] = useState('');
  useEffect(() => {
    if (now && project.has(now.path)) setMine(project.text(now.path));
  }, [now]);
  if (!now) return null;
  const rows = sideBySide(mine, now.text ?? '');
  return (
    <Dialog
      title={`${now.path} has changed on disk`}
      close={() => {
        conflict.value = null;
      }}
      isWide
    >
      <p>
        Another user has {now.text === null ? 'removed' : 'written'} the file since it was opened here. Nothing is written
        before you choose.
      </p>
      <div class="both-texts">
        <div>
          <h3>Here</h3>
          <textarea
            aria-label="Version in this page"
            spellcheck={false}
            value={mine}
            onInput={(event) => setMine(event.currentTarget.value)}
          />
        </div>
        <div>
          <h3>On disk</h3>
          <textarea aria-label="Version on disk" readOnly spellcheck={false} value={now.text ?? ''} />
        </div>
      </div>
      <h3>Different lines</h3>
      <table class="differences" aria-label="Different lines">
        <tbody>
          {rows.slice(0, 200).map(({left, right, line}, index) => (
            <tr key={index}>
              <td class="muted">{line}</td>
              <td class="is-mine">{left}</td>
              <td class="is-disk">{right}</td>
            </tr>
          ))}
          {!rows.length && (
            <tr>
              <td>The texts are equal.</td>
            </tr>
          )}
        </tbody>
      </table>
      <footer>
        <button
          onClick={() => {
            conflict.value = null;
          }}
        >
          Decide later
        </button>
        <button disabled={now.text === null} onClick={() => settle('disk')}>
          Use the version on disk
        </button>
        <button class="is-main" onClick={() => settle('mine', mine)}>
          Save the version in this page
        </button>
      </footer>
    </Dialog>
  );
}
