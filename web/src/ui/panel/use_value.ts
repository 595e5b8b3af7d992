import {useEffect, useState} from 'preact/hooks';
import {values} from '../../live/session.ts';
import type {Value} from '../../live/values.ts';

const kRate = 20; // samples a second

/** The value of an item, as it goes; nothing until it is known. An empty path has none. */
export function useValue(path: string): Value | undefined {
  const [value, setValue] = useState<Value | undefined>(path ? values.latest(path) : undefined);
  useEffect(() => (path ? values.watch(path, setValue, kRate) : undefined), [path]);
  return value;
}
