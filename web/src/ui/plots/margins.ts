// What is beside the time axis [px], of all that is drawn over it.
import {computed, signal} from '@preact/signals';
import {levelStrip} from '../../view/settings.ts';
import {levelRows} from './level_rows.ts';

const kForNumbers = 62;
const kForNames = 118; // of components, beside their levels

const wide = window.matchMedia('(min-width: 900px)');
const isWide = signal(wide.matches);
wide.addEventListener('change', () => {
  isWide.value = wide.matches;
});

export const kRightOfPlot = 24;
export const leftOfPlot = computed(() =>
  isWide.value && levelStrip.value && levelRows.value.length > 0 ? kForNames : kForNumbers,
);
