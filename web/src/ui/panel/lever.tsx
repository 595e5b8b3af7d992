import type {TargetedPointerEvent} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import type {PanelAxis, PanelElement} from '../../api/types.ts';
import {restOf, shareOf, stepped, valueAt} from '../../live/lever_motion.ts';
import {moveTo} from '../../live/levers.ts';
import {itemOf} from '../../live/session.ts';
import {siUnits} from '../../view/settings.ts';
import {formatNumber, prettyUnit, scaleOf} from '../../view/units.ts';
import {useValue} from './use_value.ts';

interface Props {
  element: PanelElement;
  disabled: boolean;
  key?: string;
}

/** Where the hand is, as a share of the way of each axis. */
type Place = number[];

interface Grip {
  pointer: number;
  x: number;
  y: number;
  from: Place;
}

/** A lever, a slider or a joystick, for mouse, touch and keyboard. The first axis of a joystick points to the right, its second up. */
export function Lever({element, disabled}: Props) {
  const {axes, dead_band, has_spring, label} = element;
  const shown = [useValue(axes[0]?.item ?? ''), useValue(axes[1]?.item ?? '')];
  const now = axes.map((axis, index) => (typeof shown[index] === 'number' ? shown[index] : axis.neutral));
  const [held, setHeld] = useState<Place | null>(null);
  const grip = useRef<Grip | null>(null);
  const isMoved = useRef(false); // from neutral, by this lever
  const isStick = axes.length === 2;

  const write = (index: number, value: number) => {
    isMoved.current = true;
    moveTo(axes[index]!.item, value);
  };
  const release = () => {
    grip.current = null;
    setHeld(null);
    if (!has_spring || !isMoved.current) return;
    isMoved.current = false;
    for (const {item, neutral} of axes) moveTo(item, neutral);
  };
  // Nobody holds a lever that cannot be seen.
  const latest = useRef(release);
  latest.current = release;
  useEffect(() => {
    const letGo = () => latest.current();
    window.addEventListener('blur', letGo);
    window.addEventListener('pagehide', letGo);
    document.addEventListener('visibilitychange', letGo);
    return () => {
      window.removeEventListener('blur', letGo);
      window.removeEventListener('pagehide', letGo);
      document.removeEventListener('visibilitychange', letGo);
      letGo();
    };
  }, []);

  const places: Place = held ?? axes.map((axis, index) => shareOf(axis, dead_band, now[index]!));
  const onPointerDown = (event: TargetedPointerEvent<HTMLDivElement>) => {
    if (disabled || event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.focus();
    event.currentTarget.setPointerCapture(event.pointerId);
    grip.current = {pointer: event.pointerId, x: event.clientX, y: event.clientY, from: places};
    setHeld(places);
  };
  const onPointerMove = (event: TargetedPointerEvent<HTMLDivElement>) => {
    const {current} = grip;
    if (!current || current.pointer !== event.pointerId) return;
    const {clientWidth, clientHeight} = event.currentTarget.querySelector('.way')!;
    const right = (event.clientX - current.x) / clientWidth;
    const up = (current.y - event.clientY) / clientHeight;
    const moved = isStick ? [right, up] : [up];
    const at = current.from.map((share, index) => Math.min(1, Math.max(0, share + moved[index]!)));
    setHeld(at);
    for (const [index, share] of at.entries()) write(index, valueAt(axes[index]!, dead_band, share));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (disabled) return;
    const step = (index: number, steps: number) => write(index, stepped(axes[index]!, now[index]!, steps));
    const vertical = isStick ? 1 : 0;
    if (event.key === 'ArrowUp') step(vertical, 1);
    else if (event.key === 'ArrowDown') step(vertical, -1);
    else if (event.key === 'ArrowRight') step(0, 1);
    else if (event.key === 'ArrowLeft') step(0, -1);
    else if (event.key === ' ' || event.key === 'Escape' || event.key === 'Home') {
      if (has_spring) release();
      else for (const [index, {neutral}] of axes.entries()) write(index, neutral);
    } else return;
    event.preventDefault();
  };

  if (!axes.length) return null;
  const text = axes.map((axis, index) => textOf(axis, now[index]!)).join(', ');
  const {low, high} = axes[0]!;
  const semantics = isStick
    ? {role: 'group' as const, 'aria-label': `${label}: ${text}`}
    : {
        role: 'slider' as const,
        'aria-label': label,
        'aria-orientation': 'vertical' as const,
        'aria-valuemin': low,
        'aria-valuemax': high,
        'aria-valuenow': now[0],
        'aria-valuetext': text,
      };
  return (
    <div class={`lever-element is-${element.kind.toLowerCase()}`}>
      <span class="label">{label}</span>
      <div
        class={`lever ${held ? 'is-held' : ''}`}
        {...semantics}
        aria-disabled={disabled}
        tabIndex={0}
        data-lever={element.name}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={release}
        onPointerCancel={release}
        onKeyDown={onKeyDown}
        onBlur={release}
      >
        <div class="way">
          <Marks axes={axes} isStick={isStick} />
          <span class="knob" style={styleOf(places, isStick)} />
        </div>
      </div>
      <output class="value">{text}</output>
    </div>
  );
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

const styleOf = (places: Place, isStick: boolean) =>
  isStick ? {left: percent(places[0]!), bottom: percent(places[1]!)} : {bottom: percent(places[0]!)};

/** Where it rests. */
function Marks({axes, isStick}: {axes: readonly PanelAxis[]; isStick: boolean}) {
  const rest = axes.map(restOf);
  return (
    <>
      <i class="mark" style={{bottom: percent(rest[isStick ? 1 : 0]!)}} />
      {isStick && <i class="mark is-upright" style={{left: percent(rest[0]!)}} />}
    </>
  );
}

function textOf({item: path}: PanelAxis, value: number): string {
  const {factor, offset, unit} = scaleOf(itemOf(path), siUnits.value);
  const number = formatNumber(value * factor + offset, 3);
  return /^[-–1]?$/.test(unit) ? number : `${number} ${prettyUnit(unit)}`;
}
