import type {ComponentChildren} from 'preact';
import {useEffect, useRef} from 'preact/hooks';
import {focusSheet} from '../sheet/sheet.tsx';

interface Props {
  title: string;
  close: () => void;
  isWide?: boolean;
  children: ComponentChildren;
}

/** A dialog of the browser: Esc closes it, the focus stays inside. */
export function Dialog({title, close, isWide = false, children}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current!.showModal();
    return () => focusSheet();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`dialog ${isWide ? 'is-wide' : ''}`}
      aria-label={title}
      onClose={close}
      onPointerDown={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="dialog-content">
        <header>
          <h2>{title}</h2>
          <button class="plain" aria-label="Close" onClick={close}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
