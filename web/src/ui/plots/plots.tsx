import {useRef, useState} from 'preact/hooks';
import {now, system} from '../../live/session.ts';
import {attempt} from '../../live/notices.ts';
import {download} from '../../view/download.ts';
import {levelStrip, plotSpan, separatePanels, siUnits} from '../../view/settings.ts';
import {cursors, isMeasuring, isSpectrum} from './cursors.ts';
import {Measurements} from './measurements.tsx';
import {SpectrumPanel} from './spectrum_panel.tsx';
import {PauseIcon, PlayIcon} from '../icons.tsx';
import {markColor} from './annotations.ts';
import {toCsv, toPng, type Picture} from './export.ts';
import {fileSignals, openFiles, plottedItem} from './files.ts';
import {held} from './history_points.ts';
import {levelRows} from './level_rows.ts';
import {LevelStrip} from './level_strip.tsx';
import {MarkNote} from './mark_note.tsx';
import {cut} from './measure.ts';
import {Panel} from './panel.tsx';
import {clearPlots, panels, plot, shownPanels} from './panels.ts';
import {levelStrips, registry} from './registry.ts';
import {SignalPicker} from './signal_picker.tsx';
import {toSvg, type SvgPanel} from './svg.ts';
import {prettyUnit, scaleOf} from '../../view/units.ts';
import {trigger} from './trigger.ts';
import {TriggerBar, endTrigger, startTrigger} from './trigger_bar.tsx';
import {xy} from './xy.ts';
import {XyPanel} from './xy_panel.tsx';
import {heldAt, shownRange, showAgain, togglePause, zoomed} from './time_range.ts';

const kSpans: [number, string][] = [
  [10, '10 s'],
  [30, '30 s'],
  [60, '1 min'],
  [300, '5 min'],
  [1800, '30 min'],
  [0, 'all'],
];

export function Plots() {
  const [isOver, setOver] = useState(false);
  const isTaken = (event: DragEvent) =>
    event.dataTransfer?.types.some((type) => type === 'text/x-davit-signal' || type === 'Files') ?? false;
  return (
    <section
      class={`plots ${isOver ? 'is-target' : ''}`}
      aria-label="Plots"
      onDragOver={(event) => {
        if (isTaken(event)) {
          event.preventDefault();
          setOver(true);
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!isTaken(event)) return;
        event.preventDefault();
        const path = event.dataTransfer?.getData('text/x-davit-signal');
        if (path) plot(path);
        void open(event.dataTransfer?.files ?? []);
      }}
    >
      <div class="plot-tools">
        <SignalPicker />
        <label class="field">
          span
          <select
            value={String(plotSpan.value)}
            onChange={(event) => {
              plotSpan.value = Number(event.currentTarget.value);
              showAgain();
            }}
          >
            {kSpans.map(([span, text]) => (
              <option key={span} value={String(span)}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <button aria-pressed={heldAt.value !== null} onClick={togglePause} title="Freeze the plots; the run continues">
          {heldAt.value === null ? (
            <>
              <PauseIcon />
              Hold
            </>
          ) : (
            <>
              <PlayIcon />
              Follow
            </>
          )}
        </button>
        {zoomed.value && <button onClick={showAgain}>Back to now</button>}
        {levelRows.value.length > 0 && (
          <button
            aria-pressed={levelStrip.value}
            onClick={() => {
              levelStrip.value = !levelStrip.value;
            }}
            title="Show which level each component had when"
          >
            Levels
          </button>
        )}
        <button
          aria-pressed={separatePanels.value}
          onClick={() => {
            separatePanels.value = !separatePanels.value;
          }}
          title="A panel for each signal"
        >
          Separate
        </button>
        <button
          aria-pressed={isMeasuring.value}
          onClick={() => {
            isMeasuring.value = !isMeasuring.value;
            if (!isMeasuring.value) cursors.value = [null, null];
          }}
          title="Two cursors and statistics: click into a plot for A, again for B"
        >
          Measure
        </button>
        <button
          aria-pressed={isSpectrum.value}
          onClick={() => {
            isSpectrum.value = !isSpectrum.value;
          }}
          title="Amplitudes over frequency of the visible span"
        >
          Spectrum
        </button>
        <button
          aria-pressed={xy.value !== null}
          disabled={!panels.value.length}
          onClick={() => {
            const [x, y] = panels.value.flat();
            xy.value = xy.value || !x ? null : {x, y: y ?? x};
          }}
          title="One signal over another"
        >
          XY
        </button>
        <button
          aria-pressed={trigger.value !== null}
          disabled={!panels.value.length}
          onClick={() => (trigger.value ? endTrigger() : startTrigger())}
          title="Show the time around the moment at which a signal crosses a level"
        >
          Trigger
        </button>
        <span class="spacer" />
        <OpenFiles />
        <select
          aria-label="Save the plots"
          value=""
          disabled={!panels.value.length}
          onChange={({currentTarget}) => {
            const save = {CSV: saveCsv, PNG: savePng, SVG: saveSvg}[currentTarget.value];
            currentTarget.value = '';
            if (save) void attempt(async () => save());
          }}
        >
          <option value="">Save …</option>
          <option>CSV</option>
          <option>PNG</option>
          <option>SVG</option>
        </select>
        <button onClick={clearPlots} disabled={!panels.value.length} title="Remove all signals">
          Clear
        </button>
      </div>
      <TriggerBar />
      <div class="panels" role="group" aria-label="Panels" tabIndex={0}>
        {shownPanels.value.map((paths, index, all) => (
          <Panel key={paths[0]!} paths={paths} isLast={index === all.length - 1} />
        ))}
        {xy.value && panels.value.length > 0 && <XyPanel />}
        {isSpectrum.value && panels.value.length > 0 && <SpectrumPanel paths={panels.value.flat()} />}
        {!panels.value.length && (
          <p class="empty">Drag a value of the inspector or a CSV file here, or press the small plot next to a value.</p>
        )}
      </div>
      {levelStrip.value && <LevelStrip />}
      {isMeasuring.value && panels.value.length > 0 && <Measurements />}
      <MarkNote />
    </section>
  );
}

const kFirstOfFile = 3;

/** Shows the first signals of files, over the time that they have. */
async function open(files: Iterable<File>): Promise<void> {
  const opened = await openFiles(files);
  if (!opened.length) return;
  opened.slice(0, kFirstOfFile).forEach(plot);
  const times = opened.map((path) => fileSignals.value.get(path)!.points.t);
  const [from, to] = [Math.min(...times.map((t) => t[0] ?? 0)), Math.max(...times.map((t) => t.at(-1) ?? 0))];
  if (to > from) zoomed.value = {from, to};
}

function OpenFiles() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button onClick={() => input.current?.click()} title="Show the columns of a CSV file; the file stays in the page">
        Open
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept=".csv,.txt,text/csv"
        aria-label="Open CSV files"
        onChange={({currentTarget}) => {
          void open([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

const fileName = (ending: string) => `${system.value?.name ?? 'plots'}.${ending}`;

function saveCsv(): void {
  const lines = registry
    .shown()
    .flatMap(({series}) => series.map(({path, points, detail}) => ({path, points: zoomed.value && detail ? detail : points})));
  download(fileName('csv'), new Blob([toCsv(lines, shownRange(), siUnits.value)], {type: 'text/csv'}));
}

function saveSvg(): void {
  const css = getComputedStyle(document.documentElement);
  const color = (name: string) => css.getPropertyValue(name).trim();
  const [from, to] = shownRange();
  const shown = registry.shown().map(({plot: drawn, paths, series, color: colorOf, marks}): SvgPanel => {
    const item = plottedItem(paths[0]!);
    const {min = 0, max = 1} = drawn.scales.y!;
    return {
      unit: item?.options?.length ? 'option' : prettyUnit(scaleOf(item, siUnits.value).unit) || '1',
      min: min ?? 0,
      max: max ?? 1,
      options: item?.options,
      lines: series.map(({path, points, detail, isLive}, index) => {
        const {factor, offset} = scaleOf(plottedItem(path), siUnits.value);
        const best = zoomed.value && detail ? detail : isLive ? held(points, Math.min(to, heldAt.value ?? now())) : points;
        const {t, v} = cut(best, from, to);
        return {
          name: path,
          color: colorOf(index),
          t,
          v: v.map((value) => value * factor + offset),
          isStepped: (item?.options?.length ?? 0) > 0,
        };
      }),
      marks: marks().map(({time, path, text, kind}) => ({time, text: `${path} ${text}`, color: markColor(kind, color)})),
    };
  });
  const text = toSvg(shown, [from, to], {
    background: color('--surface'),
    text: color('--text'),
    muted: color('--muted'),
    grid: color('--grid'),
  });
  download(fileName('svg'), new Blob([text], {type: 'image/svg+xml'}));
}

async function savePng(): Promise<void> {
  const css = getComputedStyle(document.documentElement);
  const plotted: Picture[] = registry.shown().map(({plot: shown, paths, color}) => ({
    canvas: shown.ctx.canvas,
    labels: paths.map((text, index) => ({text, color: color(index)})),
  }));
  const pictures = [...plotted, ...levelStrips.shown().map((canvas) => ({canvas, labels: []}))];
  const picture = await toPng(pictures, {
    background: css.getPropertyValue('--surface').trim(),
    text: css.getPropertyValue('--text').trim(),
  });
  if (!picture) throw new Error('the browser made no picture of the plots');
  download(fileName('png'), picture);
}
