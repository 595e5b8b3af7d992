import {useEffect, useLayoutEffect, useRef} from 'preact/hooks';
import {FitIcon} from '../../ui/icons.tsx';
import {Labels} from '../../ui/drawing/labels.ts';
import {keepPlace} from '../../ui/drawing/keep_place.ts';
import {PanZoom} from '../../ui/drawing/pan_zoom.ts';
import {pressOnChart} from './chart_keys.ts';
import {ChartPointer, connectingFrom, dragged, drawn, selectionBand} from './chart_pointer.ts';
import {ArrowMarker, InitialShape, StateShape, TransitionShape} from './chart_shapes.tsx';
import {
  chart,
  chartFaults,
  chartLayout,
  chartView,
  chosenStates,
  chosenTransition,
  faultOfChart,
  singleState,
} from './chart_state.ts';
import {leaving, pathOf} from './geometry.ts';
import {trial} from './trial_state.ts';

const kMarker = 'chart-arrow';
const kSettled = 50; // after which the texts of a new drawing are measured [ms]
const kClosest = 1.2; // px a unit, where all is shown

/** The drawing of the chart that is open, to be edited; while it runs alone its active states are marked. */
export function ChartSheet() {
  const host = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const view = useRef<PanZoom | null>(null);
  const labels = useRef<Labels>();
  const isFitted = useRef('');
  const now = chartLayout.value;
  const path = chart.value?.path ?? '';
  const broken = chart.value?.fault ?? null;

  useLayoutEffect(() => {
    const pointer = new ChartPointer(() => view.current!);
    view.current = new PanZoom(svg.current!, host.current!, {
      pans: (event) => pointer.pans(event),
      hasKeys: false,
      changed: () => labels.current?.update(),
    });
    const end = pointer.listen(host.current!);
    const endKeeping = keepPlace(view.current, host.current!);
    const resized = new ResizeObserver(() => labels.current?.update());
    resized.observe(host.current!);
    return () => {
      resized.disconnect();
      end();
      endKeeping();
      view.current?.dispose();
    };
  }, []);
  const isEmpty = broken === null && chartView.value?.states.length === 0;

  // An empty chart needs no layout: what is drawn first must not move what is seen.
  useLayoutEffect(() => {
    if (!isEmpty || !view.current || isFitted.current === path) return;
    isFitted.current = path;
    view.current.setWhole(withMargin({x: 0, y: 0, width: 0, height: 0}, host.current!));
    view.current.fit();
  }, [isEmpty, path]);
  useEffect(() => {
    if (!now || !view.current) return;
    view.current.setWhole(withMargin(now.layout.box, host.current!));
    if (isFitted.current === path) return;
    isFitted.current = path;
    view.current.fit();
  }, [now, path]);

  useEffect(() => {
    const timer = window.setTimeout(() => {
      labels.current?.dispose();
      labels.current = svg.current ? new Labels(svg.current) : undefined;
    }, kSettled);
    return () => window.clearTimeout(timer);
  }, [now, path]);
  useEffect(() => () => labels.current?.dispose(), []);

  const waiting = connectingFrom.value;
  return (
    <div
      class={`sheet chart-sheet ${broken ? 'is-broken' : ''}`}
      ref={host}
      tabIndex={0}
      role="application"
      aria-label="Drawing of the chart"
      onKeyDown={(event) => {
        if (!view.current || !pressOnChart(event, view.current)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <svg ref={svg} viewBox="0 0 400 300" role="group" aria-label="Chart">
        <defs>
          <ArrowMarker id={kMarker} />
        </defs>
        {now && <Content />}
      </svg>
      <div class="tools" role="group" aria-label="Zoom">
        <button onClick={() => view.current?.zoom(1.25)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button onClick={() => view.current?.zoom(0.8)} aria-label="Zoom out" title="Zoom out (−)">
          −
        </button>
        <button onClick={() => view.current?.fit()} aria-label="Show all" title="Show all (0)">
          <FitIcon />
        </button>
      </div>
      {broken && (
        <p class="broken" role="alert">
          line {broken.line}: {broken.text}. The drawing shows the text as it was before.
        </p>
      )}
      {waiting !== null && (
        <p class="joining-hint" role="status">
          Transition from {waiting}: choose its target, or Esc.
        </p>
      )}
      {dragged.value && (
        <p class="joining-hint" role="status">
          {dragged.value.into === undefined ? 'With Shift: into the state below' : `into ${dragged.value.into ?? 'the chart'}`}
        </p>
      )}
    </div>
  );
}

/** Small charts are not blown up over the whole pane. */
function withMargin(box: {x: number; y: number; width: number; height: number}, host: HTMLElement) {
  const [width, height] = [
    Math.max(box.width, host.clientWidth / kClosest),
    Math.max(box.height, host.clientHeight / kClosest),
  ];
  return {x: box.x - (width - box.width) / 2, y: box.y - (height - box.height) / 2, width, height};
}

function Content() {
  const {view, layout} = chartLayout.value!;
  const chosen = chosenStates.value;
  const transition = chosenTransition.value;
  const faults = faultOfChart.value;
  const run = trial.value;
  const active = new Set(run?.active.map(({id}) => id));
  const line = drawn.value;
  const move = dragged.value;
  const band = selectionBand.value;
  const single = singleState.value;
  const handle = single && single.kind !== 'final' && single.kind !== 'include' ? layout.boxes.get(single.key) : undefined;
  return (
    <>
      {view.states.map((state) => (
        <StateShape
          key={state.key}
          state={state}
          box={layout.boxes.get(state.key)!}
          isChosen={chosen.has(state.key)}
          isActive={active.has(state.id)}
          isLive
          isTarget={line?.target === state.key || (move?.into !== undefined && move.into === state.key)}
          fault={faults.get(state.key)}
        />
      ))}
      {layout.initials.map((mark) => (
        <InitialShape key={mark.owner} at={mark.at} points={mark.points} marker={kMarker} />
      ))}
      {layout.transitions.map((one, index) => (
        <TransitionShape
          key={`${one.key} ${index}`}
          line={one}
          isChosen={transition?.key === one.key}
          isLive
          fault={faults.get(one.key)}
          marker={kMarker}
        />
      ))}
      {move &&
        [...chosen].map((key) => {
          const box = layout.boxes.get(key);
          return (
            box && (
              <rect
                key={key}
                class="moving"
                x={box.x + move.dx}
                y={box.y + move.dy}
                width={box.width}
                height={box.height}
                rx={9}
              />
            )
          );
        })}
      {handle && !line && !move && (
        <circle class="handle" data-handle={single!.key} cx={handle.x + handle.width} cy={handle.y + handle.height / 2} r={5}>
          <title>Draw a transition</title>
        </circle>
      )}
      {transition &&
        !line &&
        layout.transitions
          .filter(({key}) => key === transition.key)
          .slice(0, 1)
          .map(
            ({points}) =>
              transition.targets.length > 0 && (
                <circle key="end" class="handle" data-end={transition.key} cx={points.at(-1)!.x} cy={points.at(-1)!.y} r={5}>
                  <title>Move the end</title>
                </circle>
              ),
          )}
      {line && (
        <path
          class="joining"
          d={pathOf([leaving(layout.boxes.get(line.from)!, line.to), line.to])}
          marker-end={`url(#${kMarker})`}
        />
      )}
      {band && <rect class="band" x={band.x} y={band.y} width={band.width} height={band.height} />}
      {layout.boxes.size === 0 && (
        <text class="hint" x={0} y={0} text-anchor="middle">
          {chartFaults.value.length ? '' : 'A double click makes a state'}
        </text>
      )}
    </>
  );
}
