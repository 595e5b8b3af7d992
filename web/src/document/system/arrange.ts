// Moving, turning and aligning components: from places to places.
import {EditRefused} from '../project_types.ts';
import type {Alignment, ComponentView, Place} from '../system_types.ts';
import {turned} from './places.ts';

const kGrid = 8; // units of the drawing

export type Places = Map<string, Place>;
type Find = (name: string) => ComponentView | undefined;

/** Places of these components: those of the file, else as drawn. */
export function placesOf(
  names: readonly string[],
  written: ReadonlyMap<string, Place>,
  drawn: ReadonlyMap<string, Place> | undefined,
): Places {
  const places: Places = new Map();
  for (const name of names) {
    const place = written.get(name) ?? drawn?.get(name);
    if (!place) throw new EditRefused(`${name} has no place yet`);
    places.set(name, place);
  }
  return places;
}

export function moved(places: Places, dx: number, dy: number): Places {
  return new Map([...places].map(([name, place]) => [name, {...place, x: place.x + dx, y: place.y + dy}]));
}

/** The middle of all, on the grid, so that what is on the grid stays there. */
function middle(places: Places): {x: number; y: number} {
  const on = (values: number[]): number => Math.round((Math.min(...values) + Math.max(...values)) / 2 / kGrid) * kGrid;
  const list = [...places.values()];
  if (list.length === 1) return list[0]!;
  return {x: on(list.map(({x}) => x)), y: on(list.map(({y}) => y))};
}

/** Sub-systems are moved, not turned: their symbols are frames. */
const isTurned = (name: string, find: Find): boolean => find(name)?.kind !== 'subsystem';

export function rotated(places: Places, degrees: number, find: Find): Places {
  const angle = turned(degrees);
  const center = middle(places);
  const [cos, sin] = ({0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1]} as const)[angle as 0 | 90 | 180 | 270];
  return new Map(
    [...places].map(([name, place]) => {
      const [dx, dy] = [place.x - center.x, place.y - center.y];
      const at = {x: center.x + cos * dx - sin * dy, y: center.y + sin * dx + cos * dy};
      return [name, isTurned(name, find) ? {...place, ...at, rotation: turned(place.rotation + angle)} : {...place, ...at}];
    }),
  );
}

/** Left and right change sides: what was turned clockwise before is then turned counter-clockwise. */
export function mirrored(places: Places, find: Find): Places {
  const center = middle(places);
  return new Map(
    [...places].map(([name, place]) => {
      const x = 2 * center.x - place.x;
      return [
        name,
        isTurned(name, find) ? {...place, x, rotation: turned(-place.rotation), mirror: !place.mirror} : {...place, x},
      ];
    }),
  );
}

export function aligned(places: Places, how: Alignment, sizes?: ReadonlyMap<string, {width: number; height: number}>): Places {
  const entries = [...places];
  if (entries.length < 2) return places;
  if (how === 'across' || how === 'down') return spread(entries, how === 'across' ? 'x' : 'y');
  const axis = how === 'left' || how === 'center' || how === 'right' ? 'x' : 'y';
  const half = (name: string): number => (sizes?.get(name)?.[axis === 'x' ? 'width' : 'height'] ?? 0) / 2;
  const sign = how === 'left' || how === 'top' ? -1 : how === 'right' || how === 'bottom' ? 1 : 0;
  const edges = entries.map(([name, place]) => place[axis] + sign * half(name));
  const edge = sign < 0 ? Math.min(...edges) : sign > 0 ? Math.max(...edges) : (Math.min(...edges) + Math.max(...edges)) / 2;
  return new Map(entries.map(([name, place]) => [name, {...place, [axis]: edge - sign * half(name)}]));
}

function spread(entries: [string, Place][], axis: 'x' | 'y'): Places {
  const sorted = [...entries].sort(([, a], [, b]) => a[axis] - b[axis]);
  const first = sorted[0]![1][axis];
  const step = (sorted.at(-1)![1][axis] - first) / (sorted.length - 1);
  return new Map(sorted.map(([name, place], index) => [name, {...place, [axis]: first + index * step}]));
}
