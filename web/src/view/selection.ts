import {signal} from '@preact/signals';

/** Path of the component that the inspector shows. */
export const selected = signal<string | null>(null);

export function select(path: string | null): void {
  selected.value = path;
}
