import {isDark, siUnits, theme} from '../view/settings.ts';
import {DarkIcon, LightIcon} from './icons.tsx';

/** How values are shown, and the page. */
export function DisplayButtons() {
  const otherTheme = isDark.value ? 'Light' : 'Dark';
  return (
    <>
      <button
        aria-pressed={siUnits.value}
        onClick={() => {
          siUnits.value = !siUnits.value;
        }}
        title="Values in SI units"
      >
        SI
      </button>
      <button
        onClick={() => {
          theme.value = isDark.value ? 'light' : 'dark';
        }}
        aria-label={otherTheme}
        title={otherTheme}
      >
        {isDark.value ? <LightIcon /> : <DarkIcon />}
      </button>
    </>
  );
}
