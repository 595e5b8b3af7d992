import {breakable} from '../breakable.tsx';
import type {Component} from '../../api/types.ts';
import {itemOf, run} from '../../live/session.ts';
import {siUnits} from '../../view/settings.ts';
import {prettyUnit, scaleOf} from '../../view/units.ts';
import {PlotIcon} from '../icons.tsx';
import {LiveValue} from '../live_value.tsx';
import {isPlotted, togglePlot} from '../plots/panels.ts';
import {canPlot} from './item_groups.ts';
import {Section} from './section.tsx';
import {ValueEditor} from './value_editor.tsx';

interface Props {
  title: string;
  paths: string[];
  component: Component;
  isClosed?: boolean;
}

export function ItemTable({title, paths, component, isClosed}: Props) {
  return (
    <Section title={title} count={paths.length} isClosed={isClosed}>
      <div class="items">
        {paths.map((path) => (
          <ItemRow key={path} path={path} component={component} />
        ))}
      </div>
    </Section>
  );
}

/** Values may be set while the run goes on, unless something else gives them. */
const isEditable = (path: string): boolean => {
  const item = itemOf(path);
  return !!item?.is_writable && !item.is_structural && !run.value?.read_only;
};

function ItemRow({path, component}: {path: string; component: Component; key?: string}) {
  const item = itemOf(path);
  if (!item) return null;
  const unit = item.options?.length ? '' : prettyUnit(scaleOf(item, siUnits.value).unit);
  const isPlottable = canPlot(item);
  const plotted = isPlotted(path);
  return (
    <div
      class="item"
      data-item={path}
      draggable={isPlottable}
      title={item.text}
      onDragStart={(event) => event.dataTransfer?.setData('text/x-davit-signal', path)}
    >
      <span class="name">
        {breakable(path.startsWith(`${component.path}.`) ? path.slice(component.path.length + 1) : path)}
      </span>
      {isEditable(path) ? <ValueEditor path={path} item={item} isQuiet={item.kind === 'state'} /> : <LiveValue path={path} />}
      <span class="unit">{unit}</span>
      {isPlottable ? (
        <button
          class="plain plot"
          aria-pressed={plotted}
          aria-label={`Plot ${path}`}
          title={plotted ? 'Remove from the plots' : 'Plot'}
          onClick={() => togglePlot(path)}
        >
          <PlotIcon />
        </button>
      ) : (
        <span />
      )}
    </div>
  );
}
