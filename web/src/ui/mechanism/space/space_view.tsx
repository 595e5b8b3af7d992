import {effect} from '@preact/signals';
import {useEffect, useRef, useState} from 'preact/hooks';
import type {Scene, SceneItem} from '../../../api/types.ts';
import {epoch, itemOf} from '../../../live/session.ts';
import {select, selected} from '../../../view/selection.ts';
import {isDark, siUnits} from '../../../view/settings.ts';
import {formatNumber, formatValue, scaleOf} from '../../../view/units.ts';
import type {SceneValues} from '../scene_values.ts';
import {readPast} from './past.ts';
import type {Direction, Stage} from './stage.ts';
import {Triad, turnTriad} from './triad.tsx';

const kDirections: [Direction, string][] = [
  ['free', 'All'],
  ['side', 'Side'],
  ['front', 'Front'],
  ['top', 'Top'],
];

/** The canvas has its stage, for tests and for the console of the browser. */
export type StageCanvas = HTMLCanvasElement & {stage?: Stage};

interface Props {
  scene: Scene;
  values: SceneValues;
  /** It cannot be shown here; `why` is for the user. */
  onFault: (why: string) => void;
}

/** The mechanism in three dimensions; three.js is loaded with the first of them. */
export function SpaceView({scene, values, onFault}: Props) {
  const canvas = useRef<StageCanvas>(null);
  const triad = useRef<SVGSVGElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const [step, setStep] = useState(0);
  const [force, setForce] = useState(0);
  useEffect(() => {
    const host = canvas.current!;
    const ends: (() => void)[] = [];
    let isGone = false;
    const open = async () => {
      const {NoWebGl, Stage} = await import('./stage.ts');
      if (isGone) return;
      try {
        const stage = new Stage(host, scene, values, {
          lost: () => onFault('The browser has lost its connection to the GPU.'),
          turned: (camera) => turnTriad(triad.current!, camera),
          pointed: (item, x, y) => showTip(tip.current!, item, x, y, values),
          clicked: (item) => select(item?.component ?? null),
          drawn: () => {
            setStep(stage.sea ? 0 : stage.ground.step);
            setForce(stage.parts.mostForce);
          },
        });
        host.stage = stage;
        ends.push(() => {
          stage.dispose();
          host.stage = undefined;
        });
        ends.push(...follow(stage, values));
      } catch (error) {
        if (!(error instanceof NoWebGl)) throw error;
        onFault('This browser has no WebGL, which the view in three dimensions needs.');
      }
    };
    open().catch((error: Error) => {
      if (!isGone) onFault(`The view in three dimensions could not be opened: ${error.message}.`);
    });
    return () => {
      isGone = true;
      for (const end of ends.reverse()) end();
    };
  }, [scene, values]);
  return (
    <figure class="space">
      <canvas ref={canvas} tabIndex={0} role="img" aria-label="Mechanism in three dimensions" />
      <CameraButtons fit={(direction) => canvas.current?.stage?.fit(direction)} />
      <div class="space-notes">
        <Triad svg={triad} />
        {step > 0 && <span>Grid {formatNumber(step)} m</span>}
        {force > 0 && (
          <span class="forces">
            pulls <i /> pushes, up to {formatNumber(force / 1000, 3)} kN
          </span>
        )}
      </div>
      <div class="space-tip" ref={tip} hidden />
    </figure>
  );
}

/** From where the mechanism is seen. */
export function CameraButtons({fit}: {fit: (direction: Direction) => void}) {
  return (
    <div class="space-tools group" role="group" aria-label="Camera">
      {kDirections.map(([direction, text]) => (
        <button key={direction} onClick={() => fit(direction)}>
          {text}
        </button>
      ))}
    </div>
  );
}

/** Selection, theme, and the paths from the start of the run on. */
function follow(stage: Stage, values: SceneValues): (() => void)[] {
  return [
    effect(() => {
      const component = selected.value;
      stage.select((item) => item.component === component);
    }),
    effect(() => {
      isDark.value;
      stage.paint();
    }),
    effect(() => {
      epoch.value;
      if (!values.isLive.value) return;
      for (const {item, trail} of stage.parts.trails) {
        trail.clear();
        readPast(item)
          .then((places) => {
            stage.parts.remember(trail, places);
            stage.invalidate();
          })
          .catch(() => undefined); // without a past it begins now
      }
    }),
  ];
}

function showTip(tip: HTMLElement, item: SceneItem | null, x: number, y: number, values: SceneValues): void {
  tip.hidden = item === null;
  if (!item) return;
  const {force} = item;
  const load =
    force && `, ${formatValue(values.of(force), itemOf(force), siUnits.value)} ${scaleOf(itemOf(force), siUnits.value).unit}`;
  tip.textContent = `${item.component}: ${item.text}${load ?? ''}`;
  tip.style.transform = `translate(${x + 12}px, ${y + 12}px)`;
}
