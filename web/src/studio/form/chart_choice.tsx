import type {ComponentView} from '../../document/index.ts';
import {Section} from '../../ui/inspector/section.tsx';
import {ChartPicture} from '../chart/chart_picture.tsx';
import {attemptEdit} from '../state/edits.ts';
import {current, enter, files, openFile, project, revision} from '../state/workspace.ts';
import {Field} from './field.tsx';
import {relativePath} from './relative_path.ts';

/** A statechart of the component's own, chosen from the folder. */
export function ChartChoice({component, isLocked}: {component: ComponentView; isLocked: boolean}) {
  revision.value;
  const value = component.attributes.find(({name}) => name === 'chart')?.value ?? null;
  const charts = files.value.filter(({kind}) => kind === 'chart').map(({path}) => relativePath(current.value ?? '', path));
  if (!charts.length && value === null) return null;
  return (
    <Section title="Statechart" isClosed={value === null}>
      <div class="fields">
        <Field
          name="chart"
          value={value}
          placeholder="that of the model"
          options={charts}
          isDisabled={isLocked}
          title="A separate statechart for the component instead of that of its model"
          commit={(next) => attemptEdit('Choose a chart', (now) => now.setParameter(component.name, 'chart', next))}
        />
        {value !== null && component.source !== undefined && (
          <button
            class="link plain"
            onClick={() => (component.kind === 'model' ? openFile(component.source!) : enter(component.name))}
          >
            Show as a drawing
          </button>
        )}
        {component.source !== undefined && <ChartPicture project={project} path={component.source} />}
      </div>
    </Section>
  );
}
