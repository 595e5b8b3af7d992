import {useState} from 'preact/hooks';
import {Inspected, Live} from '../../ui/app.tsx';
import {selected} from '../../view/selection.ts';
import {ComponentForm} from '../form/component_form.tsx';
import {enter, leaveTo, trail, view} from '../state/workspace.ts';
import {pendingChanges} from './changes.ts';
import {startRun} from './runs.ts';

/** The run on the sheet: the live view, with the file's form beside its inspector. */
export function RunView() {
  const [tab, setTab] = useState<'run' | 'file'>('run');
  const path = selected.value;
  const within = trail.value.at(-1)?.within ?? [];
  const name = path !== null && path.split('.').slice(0, -1).join('.') === within.join('.') ? path.split('.').at(-1)! : null;
  const component = name === null ? undefined : view.value?.find(name);
  return (
    <>
      {pendingChanges.value.length > 0 && (
        <div class="banner is-warning" role="status">
          {pendingChanges.value.join(', ')} {pendingChanges.value.length === 1 ? 'takes' : 'take'} effect with the next start.{' '}
          <button onClick={() => startRun()}>Restart</button>
        </div>
      )}
      <Live
        startWithEnergy={() => startRun({energy: true})}
        aside={
          <aside class="inspector" id="inspector" tabIndex={-1} aria-label="Inspector">
            <div class="tabs" role="tablist" aria-label="Values of the run or of the file">
              <button role="tab" aria-selected={tab === 'run'} onClick={() => setTab('run')}>
                Run
              </button>
              <button role="tab" aria-selected={tab === 'file'} onClick={() => setTab('file')}>
                File
              </button>
            </div>
            {tab === 'run' ? (
              <Inspected />
            ) : component ? (
              <ComponentForm key={component.name} component={component} />
            ) : (
              <div class="empty">{path === null ? 'Select a component.' : <Elsewhere path={path} />}</div>
            )}
          </aside>
        }
      />
    </>
  );
}

/** The component stands in the file of a sub-system. */
function Elsewhere({path}: {path: string}) {
  const names = path.split('.').slice(0, -1);
  const go = async () => {
    leaveTo(0);
    for (const name of names) await enter(name);
  };
  return (
    <>
      {path} is edited in the file of its sub-system.{' '}
      <button class="plain link" onClick={go}>
        Open it
      </button>
    </>
  );
}
