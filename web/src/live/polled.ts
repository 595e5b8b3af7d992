import {useEffect, useState} from 'preact/hooks';
import {Unreachable} from '../api/http.ts';
import {connected} from './session.ts';

/** What the server answers, read again every `period` [ms] while it is there, and anew for other `inputs`; and why it is refused. */
export function usePolled<T>(ask: () => Promise<T>, period: number, inputs: unknown[]): [T | null, string] {
  const [answer, setAnswer] = useState<T | null>(null);
  const [fault, setFault] = useState('');
  useEffect(() => {
    let isGone = false;
    let timer = 0;
    const read = async () => {
      try {
        const found = await ask();
        if (isGone) return;
        setAnswer(() => found);
        setFault('');
      } catch (error) {
        if (isGone) return;
        if (!(error instanceof Unreachable)) setFault(error instanceof Error ? error.message : String(error));
      }
      timer = window.setTimeout(() => void read(), period);
    };
    if (connected.value) void read();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [connected.value, ...inputs]);
  return [answer, fault];
}
