// Everything round: bars and balls, all bars in one call to the GPU and all balls in another.
import {
  type BufferGeometry,
  type Color,
  CylinderGeometry,
  InstancedMesh,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three';
import type {SceneItem} from '../../../api/types.ts';
import type {SolidMaterial} from './solids.ts';

const kUp = new Vector3(0, 1, 0);
const [along, middle, scale] = [new Vector3(), new Vector3(), new Vector3()]; // of one call
const turn = new Quaternion();
const matrix = new Matrix4();

export class RoundParts {
  readonly mesh: InstancedMesh<BufferGeometry, SolidMaterial>;
  private readonly items: SceneItem[] = [];
  private used = 0;

  constructor(geometry: BufferGeometry, material: SolidMaterial, most: number) {
    this.mesh = new InstancedMesh(geometry, material, most);
    this.mesh.frustumCulled = false;
  }

  static bars(material: SolidMaterial, most: number): RoundParts {
    return new RoundParts(new CylinderGeometry(1, 1, 1, 16), material, most);
  }

  static balls(material: SolidMaterial, most: number): RoundParts {
    return new RoundParts(new SphereGeometry(1, 24, 16), material, most);
  }

  begin(): void {
    this.used = 0;
  }

  bar(item: SceneItem, from: Vector3, to: Vector3, radius: number, color: Color): void {
    const length = along.subVectors(to, from).length();
    if (!(length > 0)) return;
    turn.setFromUnitVectors(kUp, along.divideScalar(length));
    this.put(item, middle.addVectors(from, to).divideScalar(2), scale.set(radius, length, radius), color);
  }

  ball(item: SceneItem, at: Vector3, radius: number, color: Color): void {
    turn.identity();
    this.put(item, at, scale.set(radius, radius, radius), color);
  }

  end(): void {
    this.mesh.count = this.used;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    this.mesh.boundingSphere = null; // for picking
  }

  itemAt(instance: number): SceneItem | undefined {
    return this.items[instance];
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.dispose();
  }

  private put(item: SceneItem, at: Vector3, size: Vector3, color: Color): void {
    this.items[this.used] = item;
    this.mesh.setMatrixAt(this.used, matrix.compose(at, turn, size));
    this.mesh.setColorAt(this.used++, color);
  }
}
