import {smallPane} from '../view/settings.ts';

const kTitles = {list: 'List', view: 'View', plots: 'Plots', values: 'Values', records: 'Alarms'};
export type Pane = keyof typeof kTitles;

/** The pane that is shown where there is room for one, of those that there are. */
export const paneOf = (panes: readonly Pane[]): Pane => panes.find((one) => one === smallPane.value) ?? 'view';

/** Below 900 px: one pane at a time; see layout.css. */
export function PaneTabs({panes}: {panes: readonly Pane[]}) {
  const shown = paneOf(panes);
  return (
    <nav class="pane-tabs" aria-label="Panes">
      {panes.map((pane) => (
        <button
          key={pane}
          aria-pressed={pane === shown}
          onClick={() => {
            smallPane.value = pane;
          }}
        >
          {kTitles[pane]}
        </button>
      ))}
    </nav>
  );
}

/** The first stop of the keyboard. */
export const SkipLink = () => (
  <a class="skip-link" href="#inspector">
    Skip to the values
  </a>
);
