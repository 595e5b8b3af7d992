// What must be said at once: refused values, failed requests. Shown for a while, errors longer.
import {signal} from '@preact/signals';

export interface Notice {
  id: number;
  kind: 'info' | 'error';
  text: string;
}

export const notices = signal<Notice[]>([]);

const kStay = {info: 4000, error: 12000}; // ms
let count = 0;

export function notify(kind: Notice['kind'], text: string): void {
  const id = count++;
  notices.value = [...notices.value.filter((notice) => notice.text !== text), {id, kind, text}].slice(-5);
  window.setTimeout(() => dismiss(id), kStay[kind]);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

/** What a notice says no longer holds. */
export function withdraw(text: string): void {
  if (notices.peek().some((notice) => notice.text === text))
    notices.value = notices.peek().filter((notice) => notice.text !== text);
}

/** Does it, and says what went wrong; true when nothing did. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    notify('error', error instanceof Error ? error.message : String(error));
    return false;
  }
}
