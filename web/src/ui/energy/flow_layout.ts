// Places of the bands of a Sankey diagram [px].
import type {EnergyBand} from '../../api/types.ts';

export const kBar = 8;
const kHeight = 180; // of all energy
const kLeastRow = 19; // between two labels
const kLeastBand = 1;

export interface PlacedBand {
  band: EnergyBand;
  height: number;
  /** Its top at the side, and in the middle. */
  outer: number;
  inner: number;
}

/** The bands of a side from the top: close to each other in the middle, with room for their labels at the side. */
export function columnOf(bands: readonly EnergyBand[], largest: number): {bands: PlacedBand[]; height: number; sum: number} {
  let outer = 0;
  let inner = 0;
  const placed = bands.map((band) => {
    const height = largest > 0 ? Math.max(kLeastBand, (band.energy / largest) * kHeight) : 0;
    const row = Math.max(height + 3, kLeastRow);
    const one = {band, height, outer: outer + (row - height) / 2, inner};
    outer += row;
    inner += height;
    return one;
  });
  return {bands: placed, height: Math.max(outer, inner), sum: inner};
}
