import {ownName, people} from '../state/sharing.ts';
import {openFile, project} from '../state/workspace.ts';

/** Who has the folder open, if there are others. A click opens the file that is shown there. */
export function People() {
  if (!people.value.length) return null;
  return (
    <ul class="people" aria-label="People in this folder">
      <li class="muted" title="Under this name the others see you">
        {ownName.value}
      </li>
      {people.value.map(({client, user, path}) => (
        <li key={client}>
          <button
            class="tag"
            disabled={!path || !project.has(path)}
            onClick={() => openFile(path)}
            title={path ? `${user} has ${path} open` : `${user} has no file open`}
          >
            {user}
          </button>
        </li>
      ))}
    </ul>
  );
}
