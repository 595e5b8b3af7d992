import {useEffect, useState} from 'preact/hooks';

interface Props {
  label: string;
  value: string;
  /** Writes the value; what is wrong with it, or null. */
  commit: (value: string) => string | null;
  placeholder?: string;
  title?: string;
  /** Lines of a larger field. */
  rows?: number;
  /** Written as one types; else by Enter or on leaving the field. */
  isLive?: boolean;
  isLocked?: boolean;
  key?: string;
}

/** A value of a chart as text. */
export function ChartField({
  label,
  value,
  commit,
  placeholder = '',
  title = '',
  rows,
  isLive = false,
  isLocked = false,
}: Props) {
  const [draft, setDraft] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (!isLive) setDraft(null);
  }, [value]);
  const write = (text: string): void => setFault(text === value ? null : commit(text));
  const shown = draft ?? value;
  const common = {
    'aria-label': label,
    'aria-invalid': fault !== null,
    value: shown,
    placeholder,
    title,
    disabled: isLocked,
    spellcheck: false,
    onInput: (event: {currentTarget: HTMLInputElement | HTMLTextAreaElement}) => {
      setDraft(event.currentTarget.value);
      if (isLive) write(event.currentTarget.value);
    },
    onBlur: (event: {currentTarget: HTMLInputElement | HTMLTextAreaElement}) => {
      if (draft !== null) write(event.currentTarget.value);
      if (fault === null || !isLive) setDraft(null);
      if (!isLive) setFault(null);
    },
    onKeyDown: (event: KeyboardEvent & {currentTarget: HTMLInputElement | HTMLTextAreaElement}) => {
      if (event.key === 'Enter' && rows === undefined) {
        write(event.currentTarget.value);
        if (!isLive) setDraft(null);
      }
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      setDraft(null);
      setFault(null);
    },
  };
  return (
    <label class="chart-field">
      <span class="name">{label}</span>
      {rows === undefined ? (
        <input autocomplete="off" class={draft !== null && !isLive ? 'is-draft' : ''} {...common} />
      ) : (
        <textarea rows={Math.max(rows, shown.split('\n').length)} {...common} />
      )}
      {fault !== null && (
        <span class="fault" role="alert">
          {fault}
        </span>
      )}
    </label>
  );
}
