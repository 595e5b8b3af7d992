import type {Component} from '../../api/types.ts';
import {commandOrNotice} from '../../live/commands.ts';
import {levelOf} from '../../live/levels.ts';
import {askWhy} from '../../live/why.ts';

/** The level of detail, to be switched while it runs. */
export function Levels({component, disabled}: {component: Component; disabled: boolean}) {
  const now = levelOf(component.path);
  return (
    <div class="choice" role="group" aria-label="Level">
      <span class="label">Level</span>
      <span class="buttons">
        {component.levels.map((level) => (
          <button
            key={level}
            class={`is-${level.toLowerCase()}`}
            aria-pressed={now === level}
            disabled={disabled}
            onClick={() => commandOrNotice(`level ${component.path} ${level}`)}
          >
            {level}
          </button>
        ))}
        <button
          class="why"
          aria-label={`Why ${component.path}.level`}
          title="What has brought this level about"
          onClick={() => askWhy(`${component.path}.level`)}
        >
          Why
        </button>
      </span>
    </div>
  );
}
