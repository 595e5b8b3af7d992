// Paths of points: all of them are one object of the GPU, which gets a piece for each place that is added.
import {BufferAttribute, BufferGeometry, type Color, DynamicDrawUsage, LineBasicMaterial, LineSegments} from 'three';
import {kThinLayer} from './palette.ts';

const kMost = 4000; // points of a path; of more the older half goes
const kFirst = 1024; // pieces that there is memory for at first
const kPiece = 6; // numbers of a piece: from, to

/** Where a point has been, oldest first. */
export class Trail {
  private readonly places = new Float32Array(3 * kMost);
  private used = 0;

  constructor(private readonly trails: Trails) {}

  get count(): number {
    return this.used;
  }

  clear(): void {
    this.used = 0;
    this.trails.forget();
  }

  /** Adds a place, unless it is nearer to the last one than `step`. */
  add(x: number, y: number, z: number, step: number): void {
    const {places} = this;
    const last = 3 * (this.used - 1);
    if (last >= 0 && Math.hypot(x - places[last]!, y - places[last + 1]!, z - places[last + 2]!) < step) return;
    if (this.used === kMost) {
      this.used = kMost / 2;
      places.copyWithin(0, 3 * this.used);
      this.trails.forget();
    }
    places.set([x, y, z], 3 * this.used++);
    if (this.used > 1) this.trails.add(places, 3 * (this.used - 2));
  }

  /** Adds all of its pieces anew. */
  redraw(): void {
    for (let i = 1; i < this.used; i++) this.trails.add(this.places, 3 * (i - 1));
  }
}

export class Trails {
  readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
  private readonly all: Trail[] = [];
  private pieces = place(kFirst);
  private used = 0;
  private sent = 0; // pieces that the GPU has
  private isStale = false; // some of the pieces are of no path any more

  constructor() {
    this.lines.geometry.setAttribute('position', this.pieces);
    this.lines.frustumCulled = false;
    this.lines.layers.set(kThinLayer);
    this.lines.geometry.setDrawRange(0, 0);
  }

  make(): Trail {
    const trail = new Trail(this);
    this.all.push(trail);
    return trail;
  }

  paint(color: Color): void {
    this.lines.material.color = color;
  }

  /** Before it is drawn. */
  update(): void {
    if (this.isStale) {
      this.isStale = false;
      this.used = this.sent = 0;
      for (const trail of this.all) trail.redraw();
    }
    this.lines.geometry.setDrawRange(0, 2 * this.used);
    if (this.used === this.sent) return;
    this.pieces.addUpdateRange(kPiece * this.sent, kPiece * (this.used - this.sent));
    this.pieces.needsUpdate = true;
    this.sent = this.used;
  }

  dispose(): void {
    this.lines.geometry.dispose();
    this.lines.material.dispose();
  }

  /** All pieces are added anew with the next update. */
  forget(): void {
    this.isStale = true;
  }

  /** A piece from the place at `at` to the one behind it. */
  add(places: Float32Array, at: number): void {
    if (this.isStale) return; // with all others
    if (kPiece * this.used === this.pieces.array.length) this.grow();
    const to = kPiece * this.used++;
    for (let i = 0; i < kPiece; i++) this.pieces.array[to + i] = places[at + i]!;
  }

  private grow(): void {
    const {geometry} = this.lines;
    const larger = place(2 * this.used);
    larger.array.set(this.pieces.array);
    geometry.dispose(); // of the GPU
    geometry.setAttribute('position', larger);
    this.pieces = larger;
  }
}

const place = (pieces: number): BufferAttribute =>
  new BufferAttribute(new Float32Array(kPiece * pieces), 3).setUsage(DynamicDrawUsage);
