import {BufferAttribute, BufferGeometry, DynamicDrawUsage, Line, LineBasicMaterial} from 'three';
import {kThinLayer} from './palette.ts';

const kMost = 4000; // points; of more the older half goes

/** The path of a point, in memory that is allocated once. */
export class Trail {
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
  private readonly places = new BufferAttribute(new Float32Array(3 * kMost), 3).setUsage(DynamicDrawUsage);
  private count = 0;

  constructor() {
    const geometry = new BufferGeometry().setAttribute('position', this.places);
    this.line = new Line(geometry, new LineBasicMaterial());
    this.line.frustumCulled = false;
    this.line.layers.set(kThinLayer);
    this.clear();
  }

  clear(): void {
    this.count = 0;
    this.line.geometry.setDrawRange(0, 0);
  }

  /** Adds a place, unless it is nearer to the last one than `step`. */
  add(x: number, y: number, z: number, step: number): void {
    const {array} = this.places;
    const last = 3 * (this.count - 1);
    if (last >= 0 && Math.hypot(x - array[last]!, y - array[last + 1]!, z - array[last + 2]!) < step) return;
    if (this.count === kMost) {
      this.count = kMost / 2;
      array.copyWithin(0, 3 * this.count);
      this.places.clearUpdateRanges();
    } else {
      this.places.addUpdateRange(3 * this.count, 3);
    }
    array.set([x, y, z], 3 * this.count++);
    this.places.needsUpdate = true;
    this.line.geometry.setDrawRange(0, this.count);
  }

  dispose(): void {
    this.line.geometry.dispose();
    this.line.material.dispose();
  }
}
