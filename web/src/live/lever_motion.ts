// How a hand moves a lever: from where it is to the value that it means, and back. No element of the page is needed for it.
import type {PanelAxis} from '../api/types.ts';

/** Where the lever rests, as a share of its way: 0 at low, 1 at high. */
export const restOf = ({low, high, neutral}: PanelAxis): number => (neutral - low) / (high - low);

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** Values are multiples of a thousandth of the way, so that logs are readable. */
const rounded = (axis: PanelAxis, share: number): number =>
  Number((axis.low + (Math.round(clamp(share) * 1000) / 1000) * (axis.high - axis.low)).toPrecision(12));

/** The value of a lever at a share of its way; inside the dead band it is neutral. */
export function valueAt(axis: PanelAxis, deadBand: number, share: number): number {
  const rest = restOf(axis);
  const way = share >= rest ? 1 - rest : rest;
  if (way === 0) return axis.neutral;
  const moved = Math.abs(clamp(share) - rest) / way;
  const effect = Math.max(0, (moved - deadBand) / (1 - deadBand)) * Math.sign(share - rest);
  return effect === 0 ? axis.neutral : rounded(axis, rest + effect * way);
}

/** Where a lever is that has a value. */
export function shareOf(axis: PanelAxis, deadBand: number, value: number): number {
  const rest = restOf(axis);
  const at = clamp((value - axis.low) / (axis.high - axis.low));
  const way = at >= rest ? 1 - rest : rest;
  const effect = way === 0 ? 0 : Math.abs(at - rest) / way;
  return effect < 1e-9 ? rest : clamp(rest + Math.sign(at - rest) * (deadBand + effect * (1 - deadBand)) * way);
}

/** The value some steps of the keyboard further: ten of them lead from neutral to an end. */
export function stepped(axis: PanelAxis, value: number, steps: number): number {
  const way =
    value > axis.neutral || (value === axis.neutral && steps > 0) ? axis.high - axis.neutral : axis.neutral - axis.low;
  const next = value + (steps * (way || axis.high - axis.low)) / 10;
  return rounded(axis, (next - axis.low) / (axis.high - axis.low));
}

/** Worn sticks rest this far from their middle. */
const kLeastBand = 0.08;

/** The value that a stick of a gamepad means, from -1 to 1. */
export function valueOfStick(axis: PanelAxis, deadBand: number, stick: number): number {
  const rest = restOf(axis);
  const share = rest + stick * (stick > 0 ? 1 - rest : rest);
  return valueAt(axis, Math.max(deadBand, kLeastBand), share);
}
