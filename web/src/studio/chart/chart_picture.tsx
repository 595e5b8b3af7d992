import {useEffect, useState} from 'preact/hooks';
import {openChart, type ChartView, type Project} from '../../document/index.ts';
import {ArrowMarker, InitialShape, StateShape, TransitionShape} from './chart_shapes.tsx';
import {layoutChart, type ChartLayout} from './layout.ts';

/** A small drawing of a chart, to be looked at. */
export function ChartPicture({project, path}: {project: Project; path: string}) {
  const [drawing, setDrawing] = useState<{view: ChartView; layout: ChartLayout} | null>(null);
  const view = project.has(path) ? openChart(project, path).view : null;
  useEffect(() => {
    let isGone = false;
    if (view)
      void layoutChart(view).then((layout) => {
        if (!isGone) setDrawing({view, layout});
      });
    return () => {
      isGone = true;
    };
  }, [view]);
  if (!view || !drawing) return null;
  const {box} = drawing.layout;
  const marker = `picture-arrow-${path.replace(/\W/g, '-')}`;
  return (
    <svg class="chart-picture" viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`} role="img" aria-label={`Chart ${path}`}>
      <defs>
        <ArrowMarker id={marker} />
      </defs>
      {drawing.view.states.map((state) => (
        <StateShape key={state.key} state={state} box={drawing.layout.boxes.get(state.key)!} />
      ))}
      {drawing.layout.initials.map((mark) => (
        <InitialShape key={mark.owner} at={mark.at} points={mark.points} marker={marker} />
      ))}
      {drawing.layout.transitions.map((one, index) => (
        <TransitionShape key={`${one.key} ${index}`} line={one} marker={marker} />
      ))}
    </svg>
  );
}
