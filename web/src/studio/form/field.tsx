import {useEffect, useRef, useState} from 'preact/hooks';
import {breakable} from '../../ui/breakable.tsx';
import type {PlacedFault} from '../state/fault_places.ts';
import {describeFault, isError} from '../state/fault_places.ts';

interface Props {
  name: string;
  /** As written in the file; null where it is not. */
  value: string | null;
  /** What holds where nothing is written. */
  placeholder?: string;
  /** In which a number alone is read: SI. */
  unit?: string;
  title?: string;
  options?: readonly string[];
  faults?: readonly PlacedFault[];
  isUnused?: boolean;
  isDisabled?: boolean;
  /** Restart is needed while a run is on. */
  mark?: string;
  commit: (value: string | null) => void;
}

/** One value as text. Enter or leaving the field writes it, Esc takes it back; an empty field writes nothing into the file. */
export function Field({
  name,
  value,
  placeholder = '',
  unit = '',
  title = '',
  options,
  faults = [],
  isUnused = false,
  isDisabled = false,
  mark = '',
  commit,
}: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setDraft(null), [value]);
  const take = (text: string) => {
    setDraft(null);
    const next = text.trim() === '' ? null : text.trim();
    if (next !== value) commit(next);
  };
  const fault = faults[0];
  const isWritten = value !== null;
  const isBare = Number.isFinite(Number(draft ?? value ?? placeholder));
  return (
    <div
      class={`row ${isUnused ? 'is-unused' : ''} ${isWritten ? 'is-written' : ''} ${fault ? (isError(fault) ? 'has-fault' : 'has-warning') : ''}`}
      title={isUnused ? `${title}\nNot used with the present level and aspects.` : title}
      data-row={name}
    >
      <span class="name">
        {breakable(name)}
        {mark && (
          <span class="mark" title={mark}>
            ⟳
          </span>
        )}
      </span>
      {options?.length ? (
        <select
          aria-label={name}
          value={value ?? ''}
          disabled={isDisabled}
          onChange={(event) => take(event.currentTarget.value)}
        >
          <option value="">{placeholder || '–'}</option>
          {value !== null && !options.includes(value) && <option value={value}>{value}</option>}
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        <input
          ref={input}
          aria-label={name}
          aria-invalid={fault !== undefined && isError(fault)}
          spellcheck={false}
          autocomplete="off"
          disabled={isDisabled}
          value={draft ?? value ?? ''}
          placeholder={placeholder}
          class={draft === null ? '' : 'is-draft'}
          onInput={(event) => setDraft(event.currentTarget.value)}
          onBlur={(event) => {
            if (draft !== null) take(event.currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take(event.currentTarget.value);
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            setDraft(null);
          }}
        />
      )}
      <span class="unit">{isBare ? unit : ''}</span>
      {faults.map((one, index) => (
        <span key={index} class={isError(one) ? 'fault' : 'warning'} role="alert">
          {describeFault(one)}
        </span>
      ))}
    </div>
  );
}
