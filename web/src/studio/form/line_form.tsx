import {lineView} from '../state/choice.ts';
import {attemptEdit, removeChosen} from '../state/edits.ts';
import {Field} from './field.tsx';

/** A connection or route that is chosen. */
export function LineForm() {
  const found = lineView.value;
  if (!found) return null;
  const {kind, line} = found;
  return (
    <div class="form" data-component="">
      <header>
        <h2>{kind === 'route' ? 'Route' : 'Connection'}</h2>
        <p>
          {line.from} {kind === 'route' ? '→' : '–'} {line.to}
        </p>
      </header>
      <div class="fields">
        {kind === 'route' && (
          <Field
            name="hold"
            value={'hold' in line ? (line.hold ?? null) : null}
            options={['none', 'step']}
            placeholder="where islands meet"
            title="none: merges both islands; step: the value of the last communication point is held"
            commit={(value) => attemptEdit('Set hold', (now) => now.setReference(line.key, 'hold', value))}
          />
        )}
      </div>
      <p class="buttons">
        <button onClick={removeChosen}>Remove the line</button>
      </p>
    </div>
  );
}
