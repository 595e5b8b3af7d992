// Paths of points from the history that the server keeps.
import {getHistory} from '../../../api/http.ts';
import type {Bins, SceneItem} from '../../../api/types.ts';

export type Place = [x: number, y: number, z: number];

const kBins = 1200;

/** Where the point of an item has been, oldest first. */
export async function readPast({points}: SceneItem): Promise<Place[]> {
  const [first] = points;
  const paths = first?.filter((one) => typeof one === 'string') ?? [];
  if (!paths.length) return [];
  const {signals} = await getHistory(paths, undefined, undefined, kBins);
  return placesOf(first!.map((one) => (typeof one === 'string' ? (signals[one] ?? null) : one)));
}

/** Of the history of each coordinate, or its number: the places at the times of the first that has a history. */
export function placesOf(coordinates: (Bins | number | null)[]): Place[] {
  const clock = coordinates.find((one): one is Bins => typeof one === 'object' && one !== null);
  if (!clock || coordinates.includes(null)) return [];
  const next = coordinates.map(() => 0);
  const places = clock.t.map(
    (time) =>
      coordinates.map((one, axis) => {
        if (one === null || typeof one === 'number') return one ?? NaN;
        while (next[axis]! + 1 < one.t.length && one.t[next[axis]! + 1]! <= time) next[axis]!++;
        return one.last[next[axis]!] ?? NaN;
      }) as Place,
  );
  return places.filter((place) => place.every(Number.isFinite));
}
