import {useEffect, useState} from 'preact/hooks';
import {commandOrNotice} from '../../live/commands.ts';
import {itemOf, values} from '../../live/session.ts';
import type {Value} from '../../live/values.ts';
import {formatValue} from '../../view/units.ts';

/** Choices between formulas, such as that of the friction: buttons. */
export function Aspects({paths, title, disabled}: {paths: string[]; title: string; disabled: boolean}) {
  if (!paths.length) return null;
  return (
    <div class="aspects" role="group" aria-label={title}>
      {paths.map((path) => (
        <Aspect key={path} path={path} disabled={disabled} />
      ))}
    </div>
  );
}

function Aspect({path, disabled}: {path: string; disabled: boolean; key?: string}) {
  const item = itemOf(path);
  const [value, setValue] = useState<Value | undefined>(values.latest(path));
  useEffect(() => values.watch(path, setValue, 4), [path]);
  const shown = formatValue(value, item, false);
  return (
    <div class="choice" role="group" aria-label={path} title={item?.text}>
      <span class="label">{path.slice(path.lastIndexOf('.') + 1)}</span>
      <span class="buttons">
        {(item?.options ?? []).map((option) => (
          <button
            key={option}
            aria-pressed={shown === option}
            disabled={disabled}
            onClick={() => commandOrNotice(`set ${path} ${option}`)}
          >
            {option}
          </button>
        ))}
      </span>
    </div>
  );
}
