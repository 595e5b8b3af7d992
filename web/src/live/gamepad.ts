// Gamepads move the elements of panels that name one of their sticks, axes or buttons.
import type {PanelAxis, PanelElement} from '../api/types.ts';
import {valueOfStick} from './lever_motion.ts';

/** Of the standard mapping; forward and right are positive. */
const kAxes: Record<string, {index: number; sign: number}> = {
  left_x: {index: 0, sign: 1},
  left_y: {index: 1, sign: -1},
  right_x: {index: 2, sign: 1},
  right_y: {index: 3, sign: -1},
};
const kButtons = ['a', 'b', 'x', 'y', 'left_bumper', 'right_bumper', '', '', 'back', 'start'];

/** What a gamepad has now. */
export interface GamepadState {
  axes: readonly number[];
  buttons: readonly {pressed: boolean}[];
}

export interface GamepadTarget {
  moveTo(path: string, number: number): void;
  press(element: PanelElement): void;
}

/** The names of the axes that move an element, one for each of its axes. */
const axesOf = ({kind, gamepad}: PanelElement): string[] =>
  kind === 'Joystick' ? [`${gamepad}_x`, `${gamepad}_y`] : [gamepad];

/** Follows a gamepad: `take` gets its state now and then, or nothing when there is none or nobody looks. */
export class GamepadFollower {
  /** By item: what the stick has written last. */
  private readonly moved = new Map<string, number>();
  private pressed = new Set<string>();

  constructor(
    private readonly elements: readonly PanelElement[],
    private readonly target: GamepadTarget,
  ) {}

  take(state: GamepadState | null): void {
    const pressed = new Set(kButtons.filter((name, index) => name && state?.buttons[index]?.pressed));
    for (const element of this.elements) {
      if (!element.gamepad) continue;
      if (element.kind === 'Button') {
        if (pressed.has(element.gamepad) && !this.pressed.has(element.gamepad)) this.target.press(element);
        continue;
      }
      axesOf(element).forEach((name, index) => {
        const axis = element.axes[index];
        if (axis) this.move(axis, element.dead_band, stickOf(state, name));
      });
    }
    this.pressed = pressed;
  }

  private move(axis: PanelAxis, deadBand: number, stick: number): void {
    const value = valueOfStick(axis, deadBand, stick);
    const last = this.moved.get(axis.item) ?? axis.neutral;
    // The noise of a stick is no motion, but it always comes back to neutral.
    if (value === last || (value !== axis.neutral && Math.abs(value - last) < 0.005 * (axis.high - axis.low))) return;
    this.moved.set(axis.item, value);
    this.target.moveTo(axis.item, value);
  }
}

function stickOf(state: GamepadState | null, name: string): number {
  const isInverted = name.startsWith('-');
  const axis = kAxes[isInverted ? name.slice(1) : name];
  const position = (axis && state?.axes[axis.index]) || 0;
  return position * (axis?.sign ?? 1) * (isInverted ? -1 : 1);
}
