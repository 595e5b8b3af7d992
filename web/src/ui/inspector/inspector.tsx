import type {Component} from '../../api/types.ts';
import {chartOf, isChart} from '../../live/charts.ts';
import {itemOf, run} from '../../live/session.ts';
import {Aspects} from './aspects.tsx';
import {ChartSection} from './chart.tsx';
import {ComponentAlarms} from './component_alarms.tsx';
import {Connections} from './connections.tsx';
import {Equations} from './equations.tsx';
import {ItemTable} from './item_table.tsx';
import {Levels} from './levels.tsx';
import {Messages} from './messages.tsx';
import {groupItems, parameterGroups} from './item_groups.ts';

/** All there is to say of one component. */
export function Inspector({component}: {component: Component; key?: string}) {
  const groups = groupItems(component);
  const chart = chartOf(component);
  const modes = component.modes.filter((path) => itemOf(path));
  const isLocked = run.value?.read_only ?? false;
  return (
    <div class="inspected">
      <header>
        <h2>{component.path}</h2>
        <p class="model">{component.model}</p>
        <p>{component.text}</p>
      </header>
      <ComponentAlarms component={component} />
      {component.levels.length > 0 && <Levels component={component} disabled={isLocked} />}
      <Aspects paths={component.aspects} title="Aspects" disabled={isLocked} />
      {isChart(component) && <ChartSection component={component} disabled={isLocked} />}
      {groups.values.length > 0 && <ItemTable title="Values" paths={groups.values} component={component} />}
      {groups.inputs.length > 0 && <ItemTable title="Inputs" paths={groups.inputs} component={component} />}
      {groups.parameters.length > 0 &&
        parameterGroups(groups.parameters).map(({title, paths}) => (
          <ItemTable
            key={title}
            title={title ? `Parameters: ${title}` : 'Parameters'}
            paths={paths}
            component={component}
            isClosed={title !== ''}
          />
        ))}
      {modes.length > 0 && <ItemTable title="Modes" paths={modes} component={component} />}
      {component.messages.length > 0 && <Messages component={component} disabled={isLocked} />}
      {chart && !isChart(component) && <ChartSection component={chart} disabled={isLocked} />}
      {component.equations && <Equations text={component.equations} />}
      <Connections component={component} />
      {groups.inner.length > 0 && (
        <ItemTable title="Ports and derivatives" paths={groups.inner} component={component} isClosed />
      )}
      {groups.settings.length > 0 && (
        <ItemTable title="Start values and settings" paths={groups.settings} component={component} isClosed />
      )}
    </div>
  );
}
