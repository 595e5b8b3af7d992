// The level of each component, as it is now.
import {effect, signal} from '@preact/signals';
import {components, itemOf, values} from './session.ts';

const kUsual = ['Ideal', 'Standard', 'Advanced'];
const kRate = 5; // samples a second

const now = signal<Map<string, string>>(new Map());

/** Its name, or nothing where the component has no levels. */
export const levelOf = (component: string): string | undefined => now.value.get(component);

/** Name of the level with a number. */
export const levelName = (component: string, level: number): string =>
  (itemOf(`${component}.level`)?.options ?? kUsual)[Math.round(level)] ?? '';

let ends: (() => void)[] = [];
effect(() => {
  const all = components.value;
  for (const end of ends) end();
  now.value = new Map([...all.values()].flatMap(({path, level}) => (level === null ? [] : [[path, level] as const])));
  ends = [...all.values()]
    .filter(({levels}) => levels.length)
    .map(({path}) =>
      values.watch(
        `${path}.level`,
        (value) => {
          const name = typeof value === 'number' ? levelName(path, value) : value;
          if (now.peek().get(path) !== name) now.value = new Map(now.peek()).set(path, name);
        },
        kRate,
      ),
    );
});
