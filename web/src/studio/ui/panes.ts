// Sizes of the panes, and which are shown; the browser keeps them.
import {kept} from '../../view/settings.ts';

export const showText = kept('studio.text', false);
