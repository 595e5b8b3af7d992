// Parts of symbols that follow a signal: pistons, spools, pointers. Their transform is where the signal was when the drawing was
// made; it is replaced.
import {values} from '../../live/session.ts';

const kRate = 20; // samples a second

/** Where a part is for a value: on the way from the first to the second place as the value goes from low to high. */
export function placeOf(value: number, move: number[], range: number[]): [number, number] {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = move;
  const [low = 0, high = 1] = range;
  const share = high === low ? 0 : Math.min(Math.max((value - low) / (high - low), 0), 1);
  return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
}

const numbers = (text: string | undefined): number[] =>
  (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);

/** Returns what ends it. */
export function followSignals(svg: SVGSVGElement): () => void {
  const ends: (() => void)[] = [];
  for (const element of svg.querySelectorAll<SVGElement>('[data-signal]')) {
    const {signal, move, box, range, turn} = element.dataset;
    const way = move ?? box;
    let apply: ((value: number) => string) | undefined;
    if (way) {
      const places = numbers(way);
      const limits = numbers(range);
      apply = (value) =>
        `translate(${placeOf(value, places, limits)
          .map((x) => x.toFixed(2))
          .join(' ')})`;
    } else if (turn) {
      apply = (value) => `rotate(${(value * Number(turn)).toFixed(2)})`;
    }
    if (!apply) continue;
    ends.push(
      values.watch(
        signal!,
        (value) => {
          if (typeof value === 'number' && Number.isFinite(value)) element.setAttribute('transform', apply!(value));
        },
        kRate,
      ),
    );
  }
  return () => {
    for (const end of ends) end();
  };
}
