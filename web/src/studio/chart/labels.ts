// What stands in the boxes of states and at the lines of transitions.
import type {ChartStateView, ChartTransitionView} from '../../document/index.ts';

const kLongest = 52; // characters of a line
export const kLine = 14; // height of a line [units]

export const shortened = (text: string): string => (text.length > kLongest ? `${text.slice(0, kLongest - 1)}…` : text);

/** Width of text of 11 px; narrow letters are narrower in most fonts, so it is rather too wide. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (/[iljtf.,:;'|!() ]/.test(letter) ? 3.8 : /[mwMW@%—→]/.test(letter) ? 9.6 : 6.5), 0);

/** The lines in the box of a state: what is done on entry, exit, throughout. */
export function linesOfState({onentry, onexit, during, kind, expr, src}: ChartStateView): string[] {
  const lines = [
    ...onentry.map((line) => `entry / ${line}`),
    ...during.map((line) => `during / ${line}`),
    ...onexit.map((line) => `exit / ${line}`),
  ];
  if (kind === 'include') lines.unshift(`include ${src}`);
  if (kind === 'select' && expr) lines.unshift(expr);
  return lines.map(shortened);
}

/** `event [condition]`, times, and the actions after a slash. */
export function linesOfTransition({event, cond, after, holds, is, actions}: ChartTransitionView): string[] {
  const first = [event, after && `after ${after}`, is && `is ${is}`, cond && `[${cond}]`, holds && `for ${holds}`]
    .filter((part) => part)
    .join(' ');
  const lines = first ? [first] : [];
  return [...lines, ...actions.map((line) => `/ ${line}`)].map(shortened);
}

export const titleOf = ({id, kind, key}: ChartStateView): string => id || (kind === 'include' ? 'file' : key);
