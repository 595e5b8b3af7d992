import type {Component} from '../../api/types.ts';
import {commandOrNotice} from '../../live/commands.ts';
import {readSystem} from '../../live/session.ts';

/** The level of detail, to be switched while it runs. */
export function Levels({component, disabled}: {component: Component; disabled: boolean}) {
  const choose = async (level: string) => {
    if (await commandOrNotice(`level ${component.path} ${level}`)) window.setTimeout(() => void readSystem().catch(() => undefined), 150);
  };
  return (
    <div class="choice" role="group" aria-label="Level">
      <span class="label">Level</span>
      <span class="buttons">
        {component.levels.map((level) => (
          <button key={level} class={`is-${level.toLowerCase()}`} aria-pressed={component.level === level} disabled={disabled}
            onClick={() => choose(level)}>{level}</button>
        ))}
      </span>
    </div>
  );
}
