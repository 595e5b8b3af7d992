import {panes} from '../view/settings.ts';

interface Props {
  pane: keyof typeof panes.value;
  axis: 'x' | 'y';
  sign: 1 | -1; // of the size over the coordinate
  label: string;
}

const kLeast = 90; // px
const kStep = 16;

/** The bar between two panes: by pointer, or by the arrow keys. */
export function Splitter({pane, axis, sign, label}: Props) {
  const resize = (size: number) => {
    const room = (axis === 'x' ? window.innerWidth : window.innerHeight) * 0.7;
    panes.value = {...panes.value, [pane]: Math.round(Math.min(Math.max(size, kLeast), room))};
  };
  const drag = (down: PointerEvent) => {
    const bar = down.currentTarget as HTMLElement;
    const begin = axis === 'x' ? down.clientX : down.clientY;
    const size = panes.value[pane];
    bar.setPointerCapture(down.pointerId);
    bar.onpointermove = (move) => resize(size + sign * ((axis === 'x' ? move.clientX : move.clientY) - begin));
    bar.onpointerup = bar.onpointercancel = () => {
      bar.onpointermove = null;
    };
  };
  const press = (event: KeyboardEvent) => {
    const [less, more] = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
    if (event.key !== less && event.key !== more) return;
    event.preventDefault();
    resize(panes.value[pane] + sign * (event.key === more ? kStep : -kStep));
  };
  return (
    <div
      class={`splitter is-${axis}`}
      role="separator"
      aria-label={label}
      aria-valuenow={panes.value[pane]}
      tabIndex={0}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      onPointerDown={drag}
      onKeyDown={press}
    />
  );
}
