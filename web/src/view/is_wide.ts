// Whether the window has room for all panes; else there is one at a time.
import {signal} from '@preact/signals';

const wide = window.matchMedia('(min-width: 900px)');
export const isWide = signal(wide.matches);
wide.addEventListener('change', () => {
  isWide.value = wide.matches;
});
