// The plane z = 0: a grid that fades out, and what lays shadows on it.
import {
  BufferAttribute,
  BufferGeometry,
  type Color,
  EqualStencilFunc,
  IncrementStencilOp,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshBasicMaterial,
  type Vector3,
} from 'three';
import {gridStep} from '../projection.ts';
import {kThinLayer} from './palette.ts';

const kCells = 32; // along each side
const kMain = 5; // every how many lines one is stronger

export class Ground {
  readonly grid = new LineSegments(new BufferGeometry(), new LineBasicMaterial({vertexColors: true, transparent: true}));
  /** Of what lies flat on the ground: darkens each place once. */
  readonly shadow = new MeshBasicMaterial({
    color: 'black',
    transparent: true,
    depthWrite: false,
    stencilWrite: true,
    stencilFunc: EqualStencilFunc,
    stencilZPass: IncrementStencilOp,
  });
  /** Between two lines [m]. */
  step = 0;
  private middle: [number, number] = [0, 0]; // in steps
  private colors?: {line: Color; main: Color};

  constructor() {
    this.grid.material.depthWrite = false;
    this.grid.layers.set(kThinLayer);
  }

  /** About a place, for something as large as `size` [m]. */
  place(x: number, y: number, size: number): void {
    this.step = gridStep(size, 10);
    this.middle = [Math.round(x / this.step), Math.round(y / this.step)];
    this.draw();
  }

  paint(line: Color, main: Color, shadow: number): void {
    this.colors = {line, main};
    this.shadow.opacity = shadow;
    this.draw();
  }

  dispose(): void {
    this.grid.geometry.dispose();
    this.grid.material.dispose();
    this.shadow.dispose();
  }

  private draw(): void {
    if (!this.step || !this.colors) return;
    const places: number[] = [];
    const colors: number[] = [];
    const half = kCells / 2;
    const [middleX, middleY] = this.middle;
    const put = (i: number, k: number, isMain: boolean) => {
      const {r, g, b} = isMain ? this.colors!.main : this.colors!.line;
      const faded = Math.max(0, 1 - Math.hypot(i, k) / half);
      places.push((middleX + i) * this.step, (middleY + k) * this.step, 0);
      colors.push(r, g, b, faded * (isMain ? 0.9 : 0.75));
    };
    for (let i = -half; i <= half; i++) {
      for (let k = -half; k < half; k++) {
        const alongY = (middleX + i) % kMain === 0;
        put(i, k, alongY);
        put(i, k + 1, alongY);
        const alongX = (middleY + i) % kMain === 0;
        put(k, i, alongX);
        put(k + 1, i, alongX);
      }
    }
    this.grid.geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
    this.grid.geometry.setAttribute('color', new BufferAttribute(new Float32Array(colors), 4));
    this.grid.geometry.computeBoundingSphere();
  }
}

/** Lays everything flat on the plane z = 0, away from the light that comes from `sun`. */
export const flatten = ({x, y, z}: Vector3): Matrix4 =>
  new Matrix4().set(1, 0, -x / z, 0, 0, 1, -y / z, 0, 0, 0, 0, 0, 0, 0, 0, 1);
