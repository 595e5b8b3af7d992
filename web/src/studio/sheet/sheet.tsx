import {useEffect, useRef} from 'preact/hooks';
import {signal} from '@preact/signals';
import {FitIcon} from '../../ui/icons.tsx';
import {Labels} from '../../ui/drawing/labels.ts';
import {keepPlace} from '../../ui/drawing/keep_place.ts';
import {PanZoom} from '../../ui/drawing/pan_zoom.ts';
import {download} from '../../view/download.ts';
import {printPicture} from '../../view/print.ts';
import {chosen, chosenLine} from '../state/choice.ts';
import {addFile, addModel, addNote} from '../state/edits.ts';
import {describeFault, faultOf, faultyPorts, isError} from '../state/fault_places.ts';
import {layout} from '../state/assistant.ts';
import {ofOthers} from '../state/sharing.ts';
import {current, info, project, system} from '../state/workspace.ts';
import {boxOf, overlaps, type Point, type Rect} from './geometry.ts';
import {drawingAsSvg, readPictures} from './export_drawing.ts';
import {describeEnd} from './joining.ts';
import {handlesOf, joining, joiningHint, refusal, type Handle} from './joining_state.ts';
import {Line} from './line.tsx';
import {Note} from './note.tsx';
import {Node} from './node.tsx';
import {orthogonal, pathOf} from './orthogonal.ts';
import {band, focusNote, hovered, Pointer} from './pointer.ts';
import {pressKey} from './keys.ts';
import {Marks} from '../version/marks.tsx';
import {dragged, movedLine, scene, type SceneLine} from './scene.ts';

const kEdge = 48; // around everything [units]
const kLeast = {width: 960, height: 600}; // [units]
const kSettled = 60; // ms after a change
const kMostDetailed = 400; // components seen, with those around, that are drawn with their symbols: 700 move at 21 frames a second

/** What is seen, and half as much around it. */
const seen = signal<Rect | null>(null);
/** All is drawn, with its symbols. */
const isExporting = signal(false);
let view: PanZoom | null = null;
let host: HTMLElement | null = null;
let labels: Labels | undefined;

/** The middle of what is seen, where new components go. */
export function middleOfSheet(): Point {
  const box = host?.getBoundingClientRect();
  if (!view || !box) return {x: 0, y: 0};
  const {x, y} = view.toDrawing(box.left + box.width / 2, box.top + box.height / 2);
  return {x, y};
}

/** A new text in the middle of what is seen, to be written. */
export function putNote(): void {
  if (addNote(middleOfSheet()) !== undefined) window.setTimeout(focusNote);
}

export const focusSheet = (): void => host?.focus({preventScroll: true});

export function revealComponent(name: string): void {
  const group = host?.querySelector<SVGGraphicsElement>(`[data-path="${CSS.escape(name)}"]`);
  if (group) view?.reveal(group);
}

function lookAround(): void {
  labels?.update();
  if (!view || !host) return;
  const {left, top, right, bottom} = host.getBoundingClientRect();
  const a = view.toDrawing(left, top);
  const b = view.toDrawing(right, bottom);
  const now = seen.peek();
  if (
    now &&
    a.x >= now.left &&
    a.y >= now.top &&
    b.x <= now.right &&
    b.y <= now.bottom &&
    b.x - a.x > (now.right - now.left) / 3
  )
    return;
  const [x, y] = [(b.x - a.x) / 2, (b.y - a.y) / 2];
  seen.value = {left: a.x - x, top: a.y - y, right: b.x + x, bottom: b.y + y};
}

/** All of the drawing, with an edge; a sheet with little on it is not shown larger than it is. */
function boxFor({left, top, right, bottom}: Rect) {
  const width = Math.max(right - left + 2 * kEdge, kLeast.width);
  const height = Math.max(bottom - top + 2 * kEdge, kLeast.height);
  return {x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height};
}

/** The program has been asked about an edit of it already. */
const isTouched = (path: string | null): boolean => project.undoSteps.some(({paths}) => path !== null && paths.includes(path));

/** Hands over the drawing of the whole file with a title block, and its name. */
async function exportDrawing(drawing: SVGSVGElement, take: (name: string, content: Blob) => unknown): Promise<void> {
  const path = current.peek();
  const now = system.peek();
  if (path === null || !now) return;
  const pictures = await readPictures(scene.peek().notes.flatMap(({picture}) => picture ?? []));
  isExporting.value = true;
  // When what is elsewhere is drawn, too.
  window.setTimeout(() => {
    const text = drawingAsSvg(drawing, boxFor(scene.peek().whole), {
      name: now.view.name,
      file: path,
      components: now.view.components.length,
      program: `davit ${info.peek()?.version ?? ''}`,
      date: new Date().toISOString().slice(0, 10),
      pictures,
    });
    isExporting.value = false;
    void take(path.replace(/^.*\//, '').replace(/\.xml$/, ''), new Blob([text], {type: 'image/svg+xml'}));
  }, kSettled);
}

/** The drawing of the system that is edited. */
export function Sheet() {
  const place = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const path = current.value;
  const isAnswered = layout.value?.path === path;

  useEffect(() => {
    const mine = place.current!;
    const pointer = new Pointer(() => view!);
    const panZoom = new PanZoom(svg.current!, mine, {
      hasKeys: false,
      pans: (event) => pointer.pans(event),
      changed: lookAround,
    });
    view = panZoom;
    host = mine;
    const endKeeping = keepPlace(panZoom, mine, lookAround);
    const end = pointer.listen(mine);
    lookAround();
    return () => {
      end();
      endKeeping();
      panZoom.dispose();
      view = host = null;
    };
  }, []);
  // Another file, and once more when the program has found its places: show all of it.
  useEffect(() => {
    view?.setWhole(boxFor(scene.peek().whole));
    view?.fit();
  }, [path, isAnswered && view !== null && !isTouched(path)]);
  useEffect(() => {
    view?.setWhole(boxFor(scene.value.whole));
  }, [scene.value.whole]);

  // Components and names may be others than before.
  useEffect(() => {
    const timer = window.setTimeout(() => {
      labels?.dispose();
      labels = svg.current ? new Labels(svg.current) : undefined;
    }, kSettled);
    return () => window.clearTimeout(timer);
  }, [scene.value, seen.value]);
  useEffect(() => () => labels?.dispose(), []);

  const isBroken = system.value !== null && system.value.fault !== null;
  return (
    <div
      class={`sheet ${joining.value ? 'is-joining' : ''} ${isBroken ? 'is-broken' : ''}`}
      ref={place}
      tabIndex={0}
      role="application"
      aria-label="Canvas"
      onKeyDown={pressKey}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.some((type) => type.startsWith('text/x-davit-'))) event.preventDefault();
      }}
      onDrop={(event) => drop(event)}
    >
      <svg ref={svg} class="davit" viewBox="-480 -300 960 600" role="group" aria-label="Drawing of the system">
        <Contents />
      </svg>
      {joiningHint.value && (
        <p class="joining-hint" role="status">
          {joiningHint.value}
        </p>
      )}
      {isBroken && (
        <p class="broken" role="status">
          Line {system.value!.fault!.line}: {system.value!.fault!.text}. The drawing shows the last text that was well-formed.
        </p>
      )}
      <div class="tools" role="group" aria-label="Zoom">
        <button onClick={() => view?.zoom(1.25)} aria-label="Zoom in" title="Zoom in (+)">
          +
        </button>
        <button onClick={() => view?.zoom(0.8)} aria-label="Zoom out" title="Zoom out (−)">
          −
        </button>
        <button onClick={() => view?.fit()} aria-label="Show all" title="Show all (0)">
          <FitIcon />
        </button>
        <button class="is-wide" onClick={putNote} aria-label="Add a note" title="Add a text to the drawing (n)">
          Note
        </button>
        <button
          class="is-wide"
          onClick={() => void exportDrawing(svg.current!, (name, content) => download(`${name}.svg`, content))}
          aria-label="Export as SVG"
          title="Save the drawing with a title block as SVG"
        >
          SVG
        </button>
        <button
          class="is-wide"
          onClick={() => void exportDrawing(svg.current!, printPicture)}
          title="Print the drawing with a title block on one page, or save it as PDF"
        >
          Print
        </button>
      </div>
    </div>
  );
}

export const zoomSheet = (factor: number | null): void => {
  if (factor === null) view?.fit();
  else view?.zoom(factor);
};
export const panSheet = (x: number, y: number): void => view?.pan(x, y);

function drop(event: DragEvent): void {
  const data = event.dataTransfer;
  if (!data || !view) return;
  event.preventDefault();
  const {x, y} = view.toDrawing(event.clientX, event.clientY);
  const model = data.getData('text/x-davit-model');
  if (model) addModel(model, {x, y}, true);
  const file = data.getData('text/x-davit-file');
  if (file) addFile(file, file.endsWith('.scxml') ? 'chart' : 'system', {x, y});
  focusSheet();
}

function Contents() {
  const {nodes, frames, notes, lines, dots} = scene.value;
  const drag = dragged.value;
  const around = isExporting.value ? null : seen.value;
  const shown = nodes.filter(({symbol, place}) => !around || overlaps(boxOf(symbol, place), around));
  const isFar = shown.length > kMostDetailed && !isExporting.value;
  const faults = faultOf.value;
  const line = chosenLine.value;
  const isSeen = (points: readonly Point[]) =>
    !around ||
    points.some(({x, y}) => x >= around.left && x <= around.right && y >= around.top && y <= around.bottom) ||
    points.length < 2;
  return (
    <>
      <g class="notes">
        {notes.map((note, index) => {
          const isMoved = drag?.names.has(note.key) ?? false;
          const fault = note.key === '' ? undefined : faults.get(note.key);
          return (
            <Note
              key={note.key || index}
              note={note}
              isChosen={note.key !== '' && chosen.value.has(note.key)}
              dx={isMoved ? drag!.dx : 0}
              dy={isMoved ? drag!.dy : 0}
              fault={fault ? describeFault(fault) : ''}
            />
          );
        })}
      </g>
      <Marks />
      <g class="frames">
        {frames.map((frame) => {
          const isMoved = drag?.names.has(frame.owner);
          const {left, top, right, bottom} = frame.box;
          const isChosen = frame.isOwn && chosen.value.has(frame.path);
          return (
            <g
              key={frame.path}
              class={`subsystem ${isChosen ? 'is-selected' : ''}`}
              data-path={frame.path}
              data-owner={frame.owner}
              tabindex={frame.isOwn ? 0 : undefined}
              role={frame.isOwn ? 'button' : undefined}
              aria-label={frame.isOwn ? `${frame.path} (sub-system)` : undefined}
              transform={isMoved ? `translate(${drag!.dx} ${drag!.dy})` : undefined}
            >
              <rect class="frame" x={left} y={top} width={right - left} height={bottom - top} rx={6} />
              <text class="frame-name" x={left + 8} y={top + 13}>
                {frame.path.slice(frame.path.lastIndexOf('.') + 1)}
              </text>
            </g>
          );
        })}
      </g>
      <g class="lines">
        {isFar ? (
          <FarLines lines={lines.map((one) => (drag ? movedLine(one, drag) : one))} />
        ) : (
          lines
            .filter(({points}) => isSeen(points))
            .map((one) => (
              <Line
                key={one.id}
                line={drag ? movedLine(one, drag) : one}
                isChosen={line !== null && one.isOwn && one.from === line.from && one.to === line.to}
              />
            ))
        )}
        {!drag && !isFar && dots.map(({x, y}) => <circle key={`${x} ${y}`} class="dot" cx={x} cy={y} r={3} />)}
      </g>
      <g class="components">
        {shown.map((node) => {
          const isMoved = drag?.names.has(node.owner) ?? false;
          const name = node.isOwn ? node.owner : node.pattern;
          const fault = name !== undefined ? faults.get(name) : undefined;
          return (
            <Node
              key={node.path}
              node={node}
              isChosen={name !== undefined && chosen.value.has(name)}
              others={name === undefined ? '' : (ofOthers.value.get(name) ?? '')}
              dx={isMoved ? drag!.dx : 0}
              dy={isMoved ? drag!.dy : 0}
              fault={fault ? describeFault(fault) : ''}
              isWarning={fault !== undefined && !isError(fault)}
              isFar={isFar}
            />
          );
        })}
      </g>
      {!isFar && !drag && <FaultyPorts />}
      <Overlay />
    </>
  );
}

/** All lines of a kind as one, where they are too many to be told apart. */
function FarLines({lines}: {lines: readonly SceneLine[]}) {
  const ways = new Map<string, string[]>();
  for (const {kind, domain, points} of lines) {
    const look = kind === 'route' ? 'route' : `line ${domain}`;
    const parts = ways.get(look);
    if (parts) parts.push(pathOf(points));
    else ways.set(look, [pathOf(points)]);
  }
  return (
    <>
      {[...ways].map(([look, parts]) => (
        <path key={look} class={look} d={parts.join('')} />
      ))}
    </>
  );
}

/** A ring around each port that a fault names. */
function FaultyPorts() {
  const named = faultyPorts.value;
  const owners = new Set([...named.values()].map(({owner}) => owner));
  return (
    <g class="faulty-ports">
      {[...owners]
        .flatMap((owner) => handlesOf(scene.value, owner))
        .map(({end, at}, index) => {
          const fault = end.kind === 'port' ? named.get(end.path) : undefined;
          return (
            fault && (
              <circle key={`${end.path} ${index}`} class="faulty" data-faulty={end.path} cx={at.x} cy={at.y} r={7}>
                <title>{describeFault(fault)}</title>
              </circle>
            )
          );
        })}
    </g>
  );
}

/** With the number of each among those of one end, so that they stay the same elements. */
function numbered(handles: readonly Handle[]): {handle: Handle; index: number}[] {
  const counts = new Map<string, number>();
  return handles.map((handle) => {
    const index = counts.get(handle.end.path) ?? 0;
    counts.set(handle.end.path, index + 1);
    return {handle, index};
  });
}

/** Ends that can be grabbed, the line that is being drawn, the band around what is being chosen. */
function Overlay() {
  const now = scene.value;
  const line = joining.value;
  const isMany = now.nodes.length > kMostDetailed;
  const owners = line && !isMany ? now.places.keys() : new Set([...chosen.value, ...(hovered.value ? [hovered.value] : [])]);
  if (dragged.value) return null;
  const handles = [...owners].flatMap((owner) => handlesOf(now, owner));
  const box = band.value;
  return (
    <g class="overlay">
      {numbered(handles).map(({handle, index}) => {
        const why = line ? refusal(line.handle, handle.end) : null;
        return (
          <circle
            key={`${handle.end.path} ${index}`}
            class={`handle is-${handle.end.kind} ${line ? (why === null ? 'is-open' : 'is-closed') : ''}`}
            cx={handle.at.x}
            cy={handle.at.y}
            r={line && why === null ? 6 : 4.5}
            data-end={handle.end.path}
            data-index={index}
          >
            <title>
              {describeEnd(handle.end)}
              {why ? `\n${why}` : ''}
            </title>
          </circle>
        );
      })}
      {!line &&
        [...owners].map((owner) => {
          const at = now.boxes.get(owner);
          const model = now.byPath.get(owner)?.model;
          return (
            at &&
            model && (
              <g
                key={owner}
                class="signal-handle"
                data-signals={owner}
                transform={`translate(${at.right + 2} ${at.bottom + 2})`}
              >
                <title>{`Draw a route of signals from ${owner}`}</title>
                <circle r={6} />
                <path d="M-3 0c1-3 2-3 3 0s2 3 3 0" />
              </g>
            )
          );
        })}
      {line && <path class="joining" d={pathOf(orthogonal(line.from, line.side, line.to, null))} />}
      {box && (
        <rect
          class="band"
          x={Math.min(box.left, box.right)}
          y={Math.min(box.top, box.bottom)}
          width={Math.abs(box.right - box.left)}
          height={Math.abs(box.bottom - box.top)}
        />
      )}
    </g>
  );
}
