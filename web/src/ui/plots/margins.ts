// What is beside the time axis [px], of all that is drawn over it.
import {computed} from '@preact/signals';
import {isWide} from '../../view/is_wide.ts';
import {levelStrip} from '../../view/settings.ts';
import {levelRows} from './level_rows.ts';

const kForNumbers = 62;
const kForNames = 118; // of components, beside their levels

export const kRightOfPlot = 24;
export const leftOfPlot = computed(() =>
  isWide.value && levelStrip.value && levelRows.value.length > 0 ? kForNames : kForNumbers,
);
