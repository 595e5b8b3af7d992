import {useState} from 'preact/hooks';
import {system} from '../../live/session.ts';
import {attempt} from '../../live/notices.ts';
import {download} from '../../view/download.ts';
import {levelStrip, plotSpan, separatePanels, siUnits} from '../../view/settings.ts';
import {cursors, isMeasuring, isSpectrum} from './cursors.ts';
import {Measurements} from './measurements.tsx';
import {SpectrumPanel} from './spectrum_panel.tsx';
import {PauseIcon, PlayIcon} from '../icons.tsx';
import {toCsv, toPng, type Picture} from './export.ts';
import {levelRows} from './level_rows.ts';
import {LevelStrip} from './level_strip.tsx';
import {Panel} from './panel.tsx';
import {clearPlots, panels, plot, shownPanels} from './panels.ts';
import {levelStrips, registry} from './registry.ts';
import {SignalPicker} from './signal_picker.tsx';
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
  const isSignal = (event: DragEvent) => event.dataTransfer?.types.includes('text/x-davit-signal') ?? false;
  return (
    <section
      class={`plots ${isOver ? 'is-target' : ''}`}
      aria-label="Plots"
      onDragOver={(event) => {
        if (isSignal(event)) {
          event.preventDefault();
          setOver(true);
        }
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const path = event.dataTransfer?.getData('text/x-davit-signal');
        if (path) plot(path);
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
        <span class="spacer" />
        <button onClick={() => saveCsv()} disabled={!panels.value.length}>
          CSV
        </button>
        <button onClick={() => attempt(savePng)} disabled={!panels.value.length}>
          PNG
        </button>
        <button onClick={clearPlots} disabled={!panels.value.length} title="Remove all signals">
          Clear
        </button>
      </div>
      <div class="panels" role="group" aria-label="Panels" tabIndex={0}>
        {shownPanels.value.map((paths, index, all) => (
          <Panel key={paths[0]!} paths={paths} isLast={index === all.length - 1} />
        ))}
        {isSpectrum.value && panels.value.length > 0 && <SpectrumPanel paths={panels.value.flat()} />}
        {!panels.value.length && <p class="empty">Drag a value of the inspector here, or press the small plot next to it.</p>}
      </div>
      {levelStrip.value && <LevelStrip />}
      {isMeasuring.value && panels.value.length > 0 && <Measurements />}
    </section>
  );
}

const fileName = (ending: string) => `${system.value?.name ?? 'plots'}.${ending}`;

function saveCsv(): void {
  const lines = registry
    .shown()
    .flatMap(({series}) => series.map(({path, points, detail}) => ({path, points: zoomed.value && detail ? detail : points})));
  download(fileName('csv'), new Blob([toCsv(lines, shownRange(), siUnits.value)], {type: 'text/csv'}));
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
