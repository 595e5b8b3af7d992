import type {ComponentType} from 'preact';
import {useEffect} from 'preact/hooks';
import type {Panel, PanelElement} from '../../api/types.ts';
import {commandOrNotice} from '../../live/commands.ts';
import {GamepadFollower} from '../../live/gamepad.ts';
import {moveTo} from '../../live/levers.ts';
import {recordedCommands} from '../../live/recorded_commands.ts';
import {itemOf, log, run, system} from '../../live/session.ts';
import {animate} from '../../view/animate.ts';
import {download} from '../../view/download.ts';
import {ChartState, Field, Gauge, Lamp, PanelAlarms} from './indicators.tsx';
import {Lever} from './lever.tsx';
import {useValue} from './use_value.ts';

type Element = ComponentType<{element: PanelElement; disabled: boolean}>;

/** The parts of a panel, from above, and what they contain. */
const kParts: readonly {name: string; kinds: Record<string, Element>}[] = [
  {name: 'levers', kinds: {Joystick: Lever, Lever, Slider: Lever}},
  {name: 'buttons', kinds: {Button, Switch}},
  {name: 'lamps', kinds: {Lamp}},
  {name: 'gauges', kinds: {Gauge}},
  {name: 'fields', kinds: {Field}},
  {name: 'states', kinds: {ChartState}},
  {name: 'alarms', kinds: {AlarmList: PanelAlarms}},
];

/** The panels of the system. */
export function Panels() {
  return (
    <div class="operator-panels">
      {(system.value?.panels ?? []).map((panel) => (
        <OperatorPanel key={panel.path} panel={panel} />
      ))}
    </div>
  );
}

function OperatorPanel({panel}: {panel: Panel; key?: string}) {
  const disabled = run.value?.read_only ?? false;
  useEffect(() => (disabled ? undefined : followGamepad(panel)), [panel, disabled]);
  return (
    <section class="operator-panel" aria-label={panel.title}>
      <header>
        <h2>{panel.title}</h2>
        <button
          title="What was done, for davit run --commands"
          onClick={() => download(`${panel.path}.txt`, new Blob([recordedCommands(log.value)], {type: 'text/plain'}))}
        >
          Save commands
        </button>
      </header>
      {kParts.map(({name, kinds}) => {
        const mine = panel.elements.filter(({kind}) => kinds[kind]);
        if (!mine.length) return null;
        return (
          <div key={name} class={`part is-${name}`}>
            {mine.map((element) => {
              const Kind = kinds[element.kind]!;
              return <Kind key={element.name} element={element} disabled={disabled} />;
            })}
          </div>
        );
      })}
    </section>
  );
}

function Button({element, disabled}: {element: PanelElement; disabled: boolean}) {
  return (
    <button disabled={disabled} onClick={() => press(element)}>
      {element.label}
    </button>
  );
}

const press = (element: PanelElement): void => void commandOrNotice(element.command);

function Switch({element, disabled}: {element: PanelElement; disabled: boolean}) {
  const axis = element.axes[0];
  const isOn = useValue(axis?.item ?? '') === axis?.high;
  if (!axis) return null;
  const item = itemOf(axis.item);
  const textOf = (value: number): string =>
    item?.options?.length ? item.options[value]! : item?.value_kind === 'condition' ? String(value === 1) : String(value);
  return (
    <button
      class="switch"
      role="switch"
      aria-checked={isOn}
      disabled={disabled}
      onClick={() => commandOrNotice(`set ${axis.item} ${textOf(isOn ? axis.low : axis.high)}`)}
    >
      <i />
      {element.label}
    </button>
  );
}

/** Moves the elements of a panel as long as the page is in front; returns what ends it. */
function followGamepad({elements}: Panel): (() => void) | undefined {
  if (!elements.some(({gamepad}) => gamepad) || !navigator.getGamepads) return undefined;
  const follower = new GamepadFollower(elements, {moveTo, press});
  const stop = animate(() => follower.take(document.hasFocus() ? (navigator.getGamepads().find((one) => one) ?? null) : null));
  // Frames end when the page is hidden.
  const letGo = () => follower.take(null);
  document.addEventListener('visibilitychange', letGo);
  window.addEventListener('pagehide', letGo);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', letGo);
    window.removeEventListener('pagehide', letGo);
    letGo();
  };
}
