import {useState} from 'preact/hooks';
import {isInPast, recording} from '../../live/recording.ts';
import {connected, now, run} from '../../live/session.ts';
import {backUntil, branchHere, goTo, lastTime, moving, runUntil, stepBack, stepOn, switchTo} from '../../live/travel.ts';
import {formatTime} from '../../view/units.ts';
import {BackIcon, StepIcon} from '../icons.tsx';
import {comparable, compared, toggleCompared} from '../plots/branch_lines.ts';

const kPage = 0.1; // of the recorded time, of the keys for pages

/** Moves a recorded run to any time that it has passed; nothing where the run is not recorded. */
export function TravelBar() {
  if (!recording.value) return null;
  const isLocked = !connected.value || (run.value?.read_only ?? false);
  return (
    <section class={`travel ${isInPast.value ? 'is-past' : ''}`} aria-label="Recorded time">
      <Slider disabled={isLocked} />
      <GoTo disabled={isLocked} />
      <Until disabled={isLocked} />
      <Branches disabled={isLocked} />
      <p class="travel-note" role="status">
        {moving.value
          ? 'Computing …'
          : isInPast.value
            ? 'In the past: Start repeats the run. A change, or Branch here, begins a branch.'
            : `Recorded up to ${formatTime(lastTime())} s`}
      </p>
    </section>
  );
}

function Slider({disabled}: {disabled: boolean}) {
  const [dragged, setDragged] = useState<number | null>(null);
  const begin = recording.value?.begin ?? 0;
  const end = Math.max(lastTime(), begin);
  const shown = dragged ?? now();
  const page = kPage * (end - begin);
  const keys: Record<string, () => unknown> = {
    ArrowLeft: stepBack,
    ArrowDown: stepBack,
    ArrowRight: stepOn,
    ArrowUp: stepOn,
    PageDown: () => goTo(now() - page),
    PageUp: () => goTo(now() + page),
    Home: () => goTo(begin),
    End: () => goTo(end),
  };
  const move = async (time: number) => {
    setDragged(time);
    await goTo(time);
    setDragged(null);
  };
  return (
    <div class="travel-time">
      <span class="group" role="group" aria-label="Steps in time">
        <button onClick={stepBack} disabled={disabled} title="One communication step back; the run pauses">
          <BackIcon />
          Step back
        </button>
        <button onClick={stepOn} disabled={disabled} aria-label="Step on" title="One communication step on">
          <StepIcon />
        </button>
      </span>
      <span class="travel-track">
        <Lanes begin={begin} end={end} />
        <input
          type="range"
          min={begin}
          max={end}
          step="any"
          value={shown}
          disabled={disabled}
          aria-label="Time of the run"
          aria-valuetext={`${formatTime(shown)} s of ${formatTime(end)} s`}
          title="Arrows: one step; Page Up, Page Down: a tenth; Home: begin; End: end of the recording"
          onInput={(event) => void move(Number(event.currentTarget.value))}
          onKeyDown={(event) => {
            const act = keys[event.key];
            if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
            event.preventDefault();
            void act();
          }}
        />
      </span>
      <output>
        {formatTime(shown)} <span class="unit">of {formatTime(end)} s</span>
      </output>
    </div>
  );
}

/** A line for each branch, from its fork to its end. */
function Lanes({begin, end}: {begin: number; end: number}) {
  const {branches = [], branch} = recording.value!;
  if (branches.length < 2) return null;
  const share = (time: number) => `${(100 * (Math.min(time, end) - begin)) / Math.max(end - begin, 1e-9)}%`;
  return (
    <span class="travel-lanes" aria-hidden="true">
      {branches.map((one) => (
        <i
          key={one.name}
          class={one.name === branch ? 'is-here' : ''}
          title={one.name}
          style={{left: share(one.begin), right: `calc(100% - ${share(one.end)})`}}
        />
      ))}
    </span>
  );
}

function GoTo({disabled}: {disabled: boolean}) {
  const [text, setText] = useState('');
  const time = Number(text.replace(',', '.').replace(/\s*s$/, ''));
  const isTime = text.trim() !== '' && Number.isFinite(time);
  return (
    <form
      class="travel-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isTime) void goTo(time);
      }}
    >
      <label class="field">
        at
        <input
          class="is-short"
          inputMode="decimal"
          value={text}
          disabled={disabled}
          placeholder="12.5"
          aria-label="Time to go to, in seconds"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        s
      </label>
      <button type="submit" disabled={disabled || !isTime} title="Computes the run at this time, and pauses it there">
        Go
      </button>
    </form>
  );
}

function Until({disabled}: {disabled: boolean}) {
  const [text, setText] = useState('');
  const isOff = disabled || !text.trim();
  return (
    <form
      class="travel-form is-wide"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) void runUntil(text.trim());
      }}
    >
      <label class="field">
        until
        <input
          value={text}
          disabled={disabled}
          placeholder="load.x gt 1.2 m"
          aria-label="Condition to stop at"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <span class="group" role="group" aria-label="Direction">
        <button
          type="button"
          disabled={isOff}
          title="The last earlier point at which the condition became true"
          onClick={() => backUntil(text.trim())}
        >
          Back
        </button>
        <button type="submit" disabled={isOff} title="Starts the run, and pauses it where the condition becomes true">
          On
        </button>
      </span>
    </form>
  );
}

function Branches({disabled}: {disabled: boolean}) {
  return (
    <div class="travel-form">
      <button
        disabled={disabled || !isInPast.value}
        title={
          isInPast.value
            ? 'Begins a branch at this time; the recorded run remains as it is'
            : 'Go back in time first: nothing is recorded after this time'
        }
        onClick={branchHere}
      >
        Branch here
      </button>
      <BranchChoice disabled={disabled} />
    </div>
  );
}

/** Nothing if there is only the trunk. */
function BranchChoice({disabled}: {disabled: boolean}) {
  const {branches = [], branch = ''} = recording.value!;
  if (branches.length < 2) return null;
  return (
    <>
      <label class="field">
        branch
        <select
          value={branch}
          disabled={disabled}
          title="The same time of another branch"
          onChange={(event) => void switchTo(event.currentTarget.value)}
        >
          {branches.map(({name, begin, end}) => (
            <option key={name} value={name}>
              {name}, {formatTime(begin)} to {formatTime(end)} s
            </option>
          ))}
        </select>
      </label>
      <span class="group" role="group" aria-label="Compare in the plots">
        {comparable.value.map((name) => (
          <button
            key={name}
            aria-pressed={compared.value.includes(name)}
            title="Draw the plotted signals of this branch next to those of the run"
            onClick={() => toggleCompared(name)}
          >
            Compare {name}
          </button>
        ))}
      </span>
    </>
  );
}
