import {useState} from 'preact/hooks';
import {Section} from '../../ui/inspector/section.tsx';
import {openStudyFile} from '../study/study_state.ts';
import {current, files, kindOf, openChartPath, openFile, project, revision, unsaved} from '../state/workspace.ts';
import {newDialog} from './dialogs_state.ts';

/** The systems and charts of the folder. */
export function FileList() {
  const [filter, setFilter] = useState('');
  revision.value;
  const all = [
    ...new Set([...files.value.filter(({kind}) => kind !== 'other').map(({path}) => path), ...project.paths]),
  ].sort();
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter((path) => words.every((word) => path.toLowerCase().includes(word)));
  const open = openChartPath.value ?? current.value;
  return (
    <Section title="Files" count={all.length} isClosed={current.value !== null}>
      <div class="files">
        <div class="file-tools">
          <input
            type="search"
            aria-label="Filter files"
            placeholder="Filter files"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
          <button
            onClick={() => {
              newDialog.value = true;
            }}
          >
            New …
          </button>
        </div>
        <ul aria-label="Files">
          {shown.map((path) => (
            <li key={path}>
              <button
                class="plain link"
                aria-current={path === open}
                onClick={() => (['study', 'bench'].includes(kindOf(path)) ? openStudyFile(path) : openFile(path))}
              >
                {path}
                {unsaved.value.includes(path) ? ' •' : ''}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}
