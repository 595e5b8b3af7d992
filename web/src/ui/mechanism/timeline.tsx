import {effect} from '@preact/signals';
import {useEffect, useMemo} from 'preact/hooks';
import type {Scene} from '../../api/types.ts';
import {epoch, now, run, system} from '../../live/session.ts';
import {formatTime} from '../../view/units.ts';
import {PauseIcon, PlayIcon} from '../icons.tsx';
import {Replay} from './replay.ts';
import type {SceneValues} from './scene_values.ts';

const kSpeeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const kPage = 0.1; // of the run, of the keys for pages

/** Moves the mechanism through what was recorded, to any time up to now. */
export function Timeline({scene, values}: {scene: Scene; values: SceneValues}) {
  const replay = useMemo(() => new Replay(scene, values), [scene, values]);
  useEffect(() => {
    const end = effect(() => {
      epoch.value;
      replay.clear();
    });
    return () => {
      end();
      replay.live();
    };
  }, [replay]);
  run.value;
  const begin = replay.begin ?? system.value?.start_time ?? 0;
  const end = Math.max(now(), begin);
  const shown = replay.time.value;
  const isPlaying = replay.isPlaying.value;
  const toggle = () => (isPlaying ? replay.pause() : void replay.play());
  const page = kPage * (end - begin);
  const keys: Record<string, () => unknown> = {
    ArrowLeft: () => replay.step(-1),
    ArrowDown: () => replay.step(-1),
    ArrowRight: () => replay.step(1),
    ArrowUp: () => replay.step(1),
    PageDown: () => replay.seek((shown ?? end) - page),
    PageUp: () => replay.seek((shown ?? end) + page),
    Home: () => replay.seek(begin),
    End: () => replay.live(),
    ' ': toggle,
  };
  return (
    <div class={`timeline ${shown === null ? '' : 'is-past'}`} role="group" aria-label="Recorded motion">
      <button onClick={toggle} aria-label={isPlaying ? 'Pause playback' : 'Play back'} title="Plays what was recorded">
        {isPlaying ? <PauseIcon /> : <PlayIcon />}
      </button>
      <input
        type="range"
        min={begin}
        max={end}
        step="any"
        value={shown ?? end}
        aria-label="Time"
        aria-valuetext={`${formatTime(shown ?? end)} s`}
        title="Arrows: one recorded time; Home: begin; End: present; space: play or pause"
        onInput={(event) => {
          const input = event.currentTarget;
          void replay.seek(Number(input.value)).then(() => {
            input.value = String(replay.time.peek() ?? end); // that of a row
          });
        }}
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
          event.preventDefault();
          void act();
        }}
      />
      <output>{formatTime(shown ?? end)} s</output>
      <select
        aria-label="Playback speed"
        value={String(replay.speed.value)}
        onChange={(event) => {
          replay.speed.value = Number(event.currentTarget.value);
        }}
      >
        {kSpeeds.map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed} ×
          </option>
        ))}
      </select>
      <button aria-pressed={shown === null} onClick={() => replay.live()} title="Shows the run as it is now">
        Live
      </button>
    </div>
  );
}
