// The pose of a rigid body from some of its points.
import {Matrix4, Vector3} from 'three';

const kFlat = 1e-3; // of the size of a body: what is less is no extent
const kMisfit = 0.01; // of its size: what is more is another body

const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()]; // of one call

/** How many directions the points of a body take. */
export type Extent = 'point' | 'line' | 'plane' | 'space';

/** Points in the frame of their body: x from the first to the farthest of them, z normal to the plane of three. */
export class Rigid {
  readonly local: Vector3[];
  readonly extent: Extent;
  readonly size: number;
  private readonly second: number;
  private readonly third: number;

  constructor(points: readonly Vector3[]) {
    const first = points[0]!;
    this.second = largest(points.map((point) => point.distanceTo(first)));
    this.size = points[this.second]!.distanceTo(first);
    const along = new Vector3().subVectors(points[this.second]!, first).normalize();
    const across = points.map((point) => new Vector3().subVectors(point, first).cross(along).length());
    this.third = largest(across);
    const isPoint = !(this.size > 0);
    const isLine = isPoint || across[this.third]! < kFlat * this.size;
    if (isPoint) this.second = -1;
    if (isLine) this.third = -1;
    const back = this.pose(points, new Matrix4()).invert();
    this.local = points.map((point) => point.clone().applyMatrix4(back));
    const isPlane = this.local.every(({z}) => Math.abs(z) < kFlat * this.size);
    this.extent = isPoint ? 'point' : isLine ? 'line' : isPlane ? 'plane' : 'space';
  }

  /** Where the body is, from its points in the order of the constructor. */
  pose(points: readonly Vector3[], pose: Matrix4): Matrix4 {
    const first = points[0]!;
    if (this.second < 0) return pose.makeTranslation(first);
    x.subVectors(points[this.second]!, first).normalize();
    // A body along a line is round: any direction across it does.
    if (this.third >= 0) y.subVectors(points[this.third]!, first);
    else if (Math.abs(x.y) < 0.9) y.set(0, 1, 0);
    else y.set(0, 0, 1);
    z.crossVectors(x, y).normalize();
    y.crossVectors(z, x);
    return pose.makeBasis(x, y, z).setPosition(first);
  }

  /** Whether the points are still those of the same body. */
  fits(points: readonly Vector3[], pose: Matrix4): boolean {
    const most = kMisfit * this.size;
    return points.every((point, i) => x.copy(this.local[i]!).applyMatrix4(pose).distanceTo(point) <= most);
  }
}

const largest = (numbers: number[]): number => numbers.reduce((best, one, i) => (one > numbers[best]! ? i : best), 0);
