import {centerView} from '../view/settings.ts';

const kViews = [
  ['drawing', 'Drawing'],
  ['mechanism', 'Mechanism'],
  ['both', 'Both'],
] as const;

export function ViewTabs() {
  return (
    <div class="tabs view-tabs" role="group" aria-label="View">
      {kViews.map(([view, text]) => (
        <button
          key={view}
          aria-pressed={centerView.value === view}
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
