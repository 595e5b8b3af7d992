// The surface of the sea about a mechanism, which lets what is below it shine through and fades out.
import {BufferAttribute, BufferGeometry, type Color, DoubleSide, DynamicDrawUsage, Mesh, MeshLambertMaterial} from 'three';
import {fillHeights, type Grid, type Wave} from '../waves.ts';
import {kThinLayer} from './palette.ts';

const kCount = 65; // places along each side
const kReach = 3; // side of the surface, of the size of the mechanism
const kOpacity = 0.6;
const kRelief = 3; // times as steep as it is, for the light

export class Sea {
  readonly mesh = new Mesh(
    new BufferGeometry(),
    new MeshLambertMaterial({vertexColors: true, transparent: true, side: DoubleSide, depthWrite: false}),
  );
  /** Of the waves that are shown [s]. */
  time = NaN;
  private readonly normals = new BufferAttribute(new Float32Array(3 * kCount * kCount), 3).setUsage(DynamicDrawUsage);
  private readonly places = new BufferAttribute(new Float32Array(3 * kCount * kCount), 3).setUsage(DynamicDrawUsage);
  private readonly heights = new Float32Array(kCount * kCount);
  private grid?: Grid;
  private color?: Color;

  constructor(private readonly waves: readonly Wave[]) {
    const corners: number[] = [];
    for (let row = 0; row + 1 < kCount; row++) {
      for (let i = 0; i + 1 < kCount; i++) {
        const at = row * kCount + i;
        corners.push(at, at + 1, at + kCount, at + 1, at + kCount + 1, at + kCount);
      }
    }
    const {geometry} = this.mesh;
    geometry.setIndex(corners);
    geometry.setAttribute('position', this.places);
    geometry.setAttribute('normal', this.normals);
    this.mesh.frustumCulled = this.mesh.visible = false;
    this.mesh.layers.set(kThinLayer);
    this.mesh.renderOrder = 2; // over what is below it
  }

  /** About a place, for a mechanism as large as `size` [m]. */
  place(x: number, y: number, size: number): void {
    const side = kReach * size;
    this.grid = {x: x - side / 2, y: y - side / 2, step: side / (kCount - 1), count: kCount};
    this.time = NaN;
    this.fade();
  }

  paint(color: Color): void {
    this.color = color;
    this.fade();
  }

  /** Moves the waves to a time. */
  move(time: number): void {
    if (!this.grid || this.time === time) return;
    this.time = time;
    fillHeights(this.waves, time, this.grid, this.heights);
    const {x, y, step} = this.grid;
    const {heights, places, normals} = this;
    const last = kCount - 1;
    for (let row = 0, at = 0; row < kCount; row++) {
      for (let i = 0; i < kCount; i++, at++) {
        places.setXYZ(at, x + i * step, y + row * step, heights[at]!);
        const alongX = heights[at + (i < last ? 1 : 0)]! - heights[at - (i > 0 ? 1 : 0)]!;
        const alongY = heights[at + (row < last ? kCount : 0)]! - heights[at - (row > 0 ? kCount : 0)]!;
        normals.setXYZ(at, -kRelief * alongX, -kRelief * alongY, 2 * step); // the shader takes its direction
      }
    }
    places.needsUpdate = normals.needsUpdate = true;
    this.mesh.visible = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }

  private fade(): void {
    if (!this.color) return;
    const {r, g, b} = this.color;
    const colors = new Float32Array(4 * kCount * kCount);
    const half = (kCount - 1) / 2;
    for (let at = 0; at < kCount * kCount; at++) {
      const away = Math.hypot((at % kCount) - half, Math.floor(at / kCount) - half) / half;
      colors.set([r, g, b, kOpacity * Math.min(1, Math.max(0, 3 * (1 - away)))], 4 * at);
    }
    this.mesh.geometry.setAttribute('color', new BufferAttribute(colors, 4));
  }
}
