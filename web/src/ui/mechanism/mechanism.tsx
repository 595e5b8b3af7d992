import {useEffect, useRef, useState} from 'preact/hooks';
import {getScene} from '../../api/http.ts';
import type {Scene} from '../../api/types.ts';
import {generation, values} from '../../live/session.ts';
import {animate} from '../../view/animate.ts';
import {selected} from '../../view/selection.ts';
import {ViewPort, type Colors, type Placed} from './paint.ts';
import type {Point, View} from './projection.ts';

const kRate = 25; // samples a second
const kTitles: Record<string, string> = {side: 'Side', top: 'Top'};

/** The mechanism from the side and from above, to scale. */
export function Mechanism() {
  const [scene, setScene] = useState<Scene | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    getScene()
      .then(setScene)
      .catch((error: Error) => setFault(error.message));
  }, [generation.value]);
  if (fault)
    return (
      <div class="mechanism">
        <p class="fault" role="alert">
          {fault}
        </p>
      </div>
    );
  if (!scene) return <div class="mechanism" />;
  if (!scene.items.length)
    return (
      <div class="mechanism">
        <p class="empty">No component of this system has an animation.</p>
      </div>
    );
  return (
    <div class="mechanism">
      {scene.views.map((view) => (
        <SceneView key={view} view={view as View} scene={scene} />
      ))}
    </div>
  );
}

function SceneView({view, scene}: {view: View; scene: Scene; key?: string}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => paintAlways(canvas.current!, view, scene), [view, scene]);
  return (
    <figure>
      <canvas ref={canvas} role="img" aria-label={`Mechanism, ${view}`} />
      <figcaption>{kTitles[view] ?? view}</figcaption>
    </figure>
  );
}

function paintAlways(canvas: HTMLCanvasElement, view: View, scene: Scene): () => void {
  const now = new Map<string, number>();
  const ends = [...signalsOf(scene)].map((path) =>
    values.watch(
      path,
      (value) => {
        if (typeof value === 'number') now.set(path, value);
      },
      kRate,
    ),
  );
  const port = new ViewPort(view);
  const number = (value: number | string | undefined) => (typeof value === 'string' ? (now.get(value) ?? NaN) : (value ?? 0));
  const stop = animate(() => {
    const {clientWidth: width, clientHeight: height} = canvas;
    const ratio = window.devicePixelRatio;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const placed: Placed[] = scene.items
      .map((item) => ({
        item,
        points: item.points.map((point) => point.map(number) as Point),
        width: number(item.width),
        radius: number(item.radius),
      }))
      .filter(({points}) => points.every((point) => point.every(Number.isFinite)));
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    port.paint(context, width, height, placed, colors(canvas), selected.value);
  });
  return () => {
    stop();
    for (const end of ends) end();
  };
}

function signalsOf(scene: Scene): Set<string> {
  const found = new Set<string>();
  for (const {points, width, radius} of scene.items) {
    for (const value of [...points.flat(), width, radius]) if (typeof value === 'string') found.add(value);
  }
  return found;
}

function colors(canvas: HTMLCanvasElement): Colors {
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: color('--text'),
    muted: color('--muted'),
    grid: color('--grid'),
    accent: color('--accent'),
    fill: color('--body'),
    limit: color('--warning'),
    selected: color('--selected'),
  };
}
