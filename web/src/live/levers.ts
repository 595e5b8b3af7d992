// Writes of levers. They go through the connection of StudioAPI: when it ends, the server returns the levers to neutral.
import {values} from './session.ts';

/** Between two writes of one item [ms]: hands are no faster. */
const kPeriod = 40;

interface Writing {
  sent: number;
  wanted: number;
}

const writing = new Map<string, Writing>();

/** Writes a number, the newest of those that come faster than they are sent. */
export function moveTo(path: string, number: number): void {
  const now = writing.get(path);
  if (now) {
    now.wanted = number;
    return;
  }
  values.write(path, number);
  writing.set(path, {sent: number, wanted: number});
  window.setTimeout(() => goOn(path), kPeriod);
}

function goOn(path: string): void {
  const {sent, wanted} = writing.get(path)!;
  writing.delete(path);
  if (wanted !== sent) moveTo(path, wanted);
}
