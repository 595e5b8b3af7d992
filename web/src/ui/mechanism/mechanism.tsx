import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import type {Scene} from '../../api/types.ts';
import {scene, sceneFault} from '../../live/scene.ts';
import {animate} from '../../view/animate.ts';
import {selected} from '../../view/selection.ts';
import {mechanismView} from '../../view/settings.ts';
import {ViewPort, type Colors, type Placed} from './paint.ts';
import type {Point, View} from './projection.ts';
import {SceneValues} from './scene_values.ts';
import {isSoftwareGl} from './space/software_gl.ts';
import {SpaceView} from './space/space_view.tsx';
import {Timeline} from './timeline.tsx';

const kRate = 30; // samples a second
const kTitles: Record<string, string> = {side: 'Side', top: 'Top'};

/** The mechanism to scale: from the side and from above, or in three dimensions. */
export function Mechanism() {
  const shown = scene.value;
  const fault = sceneFault.value;
  if (fault)
    return (
      <div class="mechanism">
        <p class="fault" role="alert">
          {fault}
        </p>
      </div>
    );
  if (!shown) return <div class="mechanism" />;
  if (!shown.items.length)
    return (
      <div class="mechanism">
        <p class="empty">No component of this system has an animation.</p>
      </div>
    );
  return <Shown scene={shown} />;
}

let first: 'flat' | 'space' | undefined;

/** Three dimensions where a GPU draws them; without one they would take the processor from the run. */
function firstDimensions(): 'flat' | 'space' {
  first ??= isSoftwareGl() ? 'flat' : 'space';
  return first;
}

function Shown({scene}: {scene: Scene}) {
  const values = useMemo(() => new SceneValues(scene, kRate), [scene]);
  const [noSpace, setNoSpace] = useState('');
  useEffect(() => () => values.dispose(), [values]);
  const isSpace = (mechanismView.value ?? firstDimensions()) === 'space' && !noSpace;
  return (
    <div class={`mechanism ${isSpace ? 'is-space' : ''}`}>
      <Dimensions
        onChoose={(view) => {
          setNoSpace('');
          mechanismView.value = view;
        }}
        isSpace={isSpace}
      />
      {noSpace && (
        <p class="notice-line" role="status">
          {noSpace} The mechanism is shown from the side and from above.
        </p>
      )}
      {isSpace ? (
        <SpaceView scene={scene} values={values} onFault={setNoSpace} />
      ) : (
        scene.views.map((view) => <SceneView key={view} view={view as View} scene={scene} values={values} />)
      )}
      <Timeline scene={scene} values={values} />
    </div>
  );
}

function Dimensions({isSpace, onChoose}: {isSpace: boolean; onChoose: (view: 'flat' | 'space') => void}) {
  return (
    <div class="tabs dimensions" role="group" aria-label="Dimensions">
      <button aria-pressed={!isSpace} onClick={() => onChoose('flat')} title="From the side and from above">
        2-D
      </button>
      <button aria-pressed={isSpace} onClick={() => onChoose('space')} title="Drag to turn, wheel to zoom">
        3-D
      </button>
    </div>
  );
}

interface SceneViewProps {
  view: View;
  scene: Scene;
  values: SceneValues;
  key?: string;
}

function SceneView({view, scene, values}: SceneViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => paintAlways(canvas.current!, view, scene, values), [view, scene, values]);
  return (
    <figure>
      <canvas ref={canvas} role="img" aria-label={`Mechanism, ${view}`} />
      <figcaption>{kTitles[view] ?? view}</figcaption>
    </figure>
  );
}

function paintAlways(canvas: HTMLCanvasElement, view: View, scene: Scene, values: SceneValues): () => void {
  const port = new ViewPort(view);
  return animate(() => {
    const {clientWidth: width, clientHeight: height} = canvas;
    const ratio = window.devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const placed: Placed[] = scene.items
      .map((item) => ({
        item,
        points: item.points.map((point) => point.map((one) => values.of(one)) as Point),
        width: item.width ?? 0,
        radius: item.radius ?? 0,
      }))
      .filter(({points}) => points.every((point) => point.every(Number.isFinite)));
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    port.paint(context, width, height, placed, colors(canvas), selected.value, values.time());
  });
}

function colors(canvas: HTMLCanvasElement): Colors {
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: color('--text'),
    muted: color('--muted'),
    grid: color('--grid'),
    accent: color('--accent'),
    water: color('--water'),
    fill: color('--body'),
    limit: color('--warning'),
    selected: color('--selected'),
  };
}
