import {useEffect, useRef, useState} from 'preact/hooks';
import type {Item} from '../../api/types.ts';
import {command} from '../../live/commands.ts';
import {values} from '../../live/session.ts';
import type {Value} from '../../live/values.ts';
import {siUnits} from '../../view/settings.ts';
import {formatNumber, formatValue, scaleOf} from '../../view/units.ts';

/** A value that can be set: text with a unit, such as "250 bar"; a number alone is in the unit that is shown beside it. */
export function ValueEditor({path, item, isQuiet = false}: {path: string; item: Item; isQuiet?: boolean}) {
  const input = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState<Value | undefined>(values.latest(path));
  const [draft, setDraft] = useState<string | null>(null);
  const [refusal, setRefusal] = useState('');
  useEffect(() => values.watch(path, setValue, 4), [path]);
  const shown = formatValue(value, item, siUnits.value, formatNumber).replace('−', '-');

  const send = async (text: string) => {
    const refused = await command(`set ${path} ${withUnit(text, item, siUnits.value)}`);
    setRefusal(refused ?? '');
    if (refused === undefined) setDraft(null);
  };
  if (item.options?.length || item.value_kind === 'condition') {
    const options = item.options?.length ? item.options : ['false', 'true'];
    return (
      <span class="editor">
        <select value={shown} aria-label={path} onChange={(event) => send(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
        {refusal && (
          <span class="fault" role="alert">
            {refusal}
          </span>
        )}
      </span>
    );
  }
  return (
    <span class="editor">
      <input
        ref={input}
        aria-label={path}
        aria-invalid={refusal !== ''}
        spellcheck={false}
        value={draft ?? shown}
        title={rangeText(item)}
        class={`${isQuiet ? 'is-quiet' : ''} ${draft === null ? '' : 'is-draft'}`}
        onInput={(event) => {
          setDraft(event.currentTarget.value);
          setRefusal('');
        }}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => {
          if (draft === shown) setDraft(null);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void send(event.currentTarget.value);
          if (event.key !== 'Escape') return;
          setDraft(null);
          setRefusal('');
        }}
      />
      {draft !== null && !refusal && <span class="hint">Enter to apply, Esc to cancel</span>}
      {refusal && (
        <span class="fault" role="alert">
          {refusal}
        </span>
      )}
    </span>
  );
}

/** What is sent: a number alone gets the unit that stands beside the field. */
export function withUnit(text: string, item: Item, si: boolean): string {
  const trimmed = text.trim();
  const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(trimmed);
  const {unit} = scaleOf(item, si);
  return isNumber && unit && unit !== '1' ? `${trimmed} ${unit}` : trimmed;
}

function rangeText({min, max, text}: Item): string {
  const range = min === undefined && max === undefined ? '' : ` (SI: ${min ?? '−∞'} to ${max ?? '∞'})`;
  return `${text}${range}`;
}
