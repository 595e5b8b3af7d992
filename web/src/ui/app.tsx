import type {ComponentChildren} from 'preact';
import {hasMechanism} from '../live/scene.ts';
import {components, connected, loginNeeded, run, system} from '../live/session.ts';
import {isWide} from '../view/is_wide.ts';
import {centerView, panes} from '../view/settings.ts';
import {selected} from '../view/selection.ts';
import {ComponentTree} from './component_tree.tsx';
import {Drawing} from './drawing/drawing.tsx';
import {Energy} from './energy/energy.tsx';
import {Failure} from './failure.tsx';
import {Inspector} from './inspector/inspector.tsx';
import {Login} from './login.tsx';
import {Mechanism} from './mechanism/mechanism.tsx';
import {Notices} from './notices.tsx';
import {PaneTabs, SkipLink, paneOf} from './pane_tabs.tsx';
import {Overview} from './overview/overview.tsx';
import {Panels} from './panel/panels.tsx';
import {Plots} from './plots/plots.tsx';
import {Records} from './records/records.tsx';
import {Splitter} from './splitter.tsx';
import {TopBar} from './top_bar.tsx';
import {TravelBar} from './travel/travel_bar.tsx';
import {ViewTabs} from './view_tabs.tsx';

export function App() {
  if (loginNeeded.value)
    return (
      <>
        <Login />
        <Notices />
      </>
    );
  return (
    <div class={`app ${connected.value ? '' : 'is-lost'}`}>
      <Live firstView={kMachineFirst} />
      <Notices />
    </div>
  );
}

/** What is shown before anybody chose: a machine as it moves, any other system as it is drawn. */
const kMachineFirst = () => {
  const found = hasMechanism();
  return found === undefined ? 'nothing' : found ? 'mechanism' : 'drawing';
};

interface LiveProps {
  firstView?: () => string;
  /** In place of the inspector. */
  aside?: ComponentChildren;
  /** Another run, with a balance of energy. */
  startWithEnergy?: () => void;
}

const kPanes = ['list', 'view', 'plots', 'values', 'records'] as const;

/** A run, as it goes: bar, drawing, plots, records. */
export function Live({aside, startWithEnergy, firstView = () => 'drawing'}: LiveProps) {
  if (!system.value) {
    return (
      <div class="waiting" role="status">
        {connected.value ? 'Reading the system …' : 'Waiting for the server …'}
      </div>
    );
  }
  const {left, right, plots, bottom} = panes.value;
  const hasPanels = system.value.panels.length > 0;
  const chosen = centerView.value ?? firstView();
  const view = chosen === 'panel' && !hasPanels ? 'drawing' : chosen;
  // Where it is alone it is the main part.
  const Below = !isWide.value && paneOf(kPanes) === 'records' ? 'main' : 'footer';
  return (
    <>
      <SkipLink />
      <TopBar />
      <TravelBar />
      <PaneTabs panes={kPanes} />
      {!connected.value && (
        <div class="banner is-error" role="alert">
          The connection to the server is lost. The values shown are old. Trying again …
        </div>
      )}
      {run.value?.status === 'failed' && <Failure lines={run.value.failure} />}
      <main
        class="panes"
        data-pane={paneOf(kPanes)}
        style={{gridTemplateColumns: `${left}px 5px minmax(0, 1fr) 5px ${right}px`}}
      >
        <ComponentTree />
        <Splitter pane="left" axis="x" sign={1} label="Width of the list of components" />
        <div class="center" style={{gridTemplateRows: `minmax(80px, 1fr) 5px ${plots}px`}}>
          <section class={`views is-${view}`} aria-label="Views">
            <ViewTabs view={view} hasPanels={hasPanels} />
            {view === 'panel' && <Panels />}
            {(view === 'drawing' || view === 'both') && <Drawing />}
            {view === 'energy' && <Energy startAgain={startWithEnergy} />}
            {(view === 'mechanism' || view === 'both' || view === 'panel') && <Mechanism />}
            {view === 'mechanism' && !isWide.value && selected.value === null && <Overview />}
          </section>
          <Splitter pane="plots" axis="y" sign={-1} label="Height of the plots" />
          <Plots />
        </div>
        <Splitter pane="right" axis="x" sign={-1} label="Width of the inspector" />
        {aside ?? (
          <aside class="inspector" id="inspector" tabIndex={-1} aria-label="Inspector">
            <Inspected />
          </aside>
        )}
      </main>
      <Below class="below">
        <Splitter pane="bottom" axis="y" sign={-1} label="Height of alarms, events and log" />
        <div class="bottom" data-pane={paneOf(kPanes)} style={{height: `${bottom}px`}}>
          <Records />
        </div>
      </Below>
    </>
  );
}

/** The component that is selected. */
export function Inspected() {
  const component = selected.value === null ? undefined : components.value.get(selected.value);
  return component ? <Inspector key={component.path} component={component} /> : <Overview />;
}
