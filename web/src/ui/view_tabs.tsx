import {centerView} from '../view/settings.ts';

const kViews = [
  ['drawing', 'Drawing'],
  ['mechanism', 'Mechanism'],
  ['both', 'Both'],
  ['panel', 'Panel'],
  ['energy', 'Energy'],
] as const;

export function ViewTabs({view: shown, hasPanels}: {view: string; hasPanels: boolean}) {
  return (
    <div class="tabs view-tabs" role="group" aria-label="View">
      {kViews
        .filter(([view]) => view !== 'panel' || hasPanels)
        .map(([view, text]) => (
          <button
            key={view}
            aria-pressed={shown === view}
            onClick={() => {
              centerView.value = view;
            }}
          >
            {text}
          </button>
        ))}
    </div>
  );
}
