// Rigid bodies: their shape is made once, then they are only moved.
import {
  type BufferGeometry,
  type Color,
  EdgesGeometry,
  type LineBasicMaterial,
  LineSegments,
  Mesh,
  type MeshLambertMaterial,
  type MeshStandardMaterial,
  type Vector3,
} from 'three';
import type {SceneItem} from '../../../api/types.ts';
import {kThinLayer, type Palette} from './palette.ts';
import {Rigid} from './rigid.ts';
import {hullGeometry, painted, pinGeometry, plateGeometry} from './solid_geometry.ts';

/** The one without shine is for pictures without a GPU. */
export type SolidMaterial = MeshStandardMaterial | MeshLambertMaterial;

const kEdge = 35; // [deg]: a sharper edge has a line
const kPlate = 1 / 60; // thickness of a plate that says none, of its size

export class Solid {
  readonly mesh: Mesh;
  private rigid?: Rigid;
  private readonly edges: LineSegments;

  constructor(
    readonly item: SceneItem,
    material: SolidMaterial,
    edgeMaterial: LineBasicMaterial,
    private readonly isCoarse: boolean,
  ) {
    this.mesh = new Mesh(undefined, material);
    this.mesh.name = `${item.component}.${item.name}`;
    this.mesh.matrixAutoUpdate = false;
    this.edges = new LineSegments(undefined, edgeMaterial);
    this.edges.layers.set(kThinLayer);
    this.mesh.add(this.edges);
  }

  /** The points of its item in its own frame; none before it was shown. */
  get local(): readonly Vector3[] {
    return this.rigid?.local ?? [];
  }

  /** Moves it to its points. `isJoint`: whether something else has a point there. */
  move(points: readonly Vector3[], palette: Palette, isJoint: (point: Vector3) => boolean): void {
    this.rigid?.pose(points, this.mesh.matrix);
    if (!this.rigid?.fits(points, this.mesh.matrix)) {
      this.rigid = new Rigid(points);
      this.rigid.pose(points, this.mesh.matrix);
      this.shape(this.rigid, palette, points.map(isJoint));
    }
    this.mesh.matrixWorldNeedsUpdate = true;
  }

  wear(material: SolidMaterial, edgeMaterial: LineBasicMaterial): void {
    this.mesh.material = material;
    this.edges.material = edgeMaterial;
  }

  /** It is made anew, for example in other colours. */
  forget(): void {
    this.rigid = undefined;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.edges.geometry.dispose();
  }

  private shape(rigid: Rigid, palette: Palette, isJoint: boolean[]): void {
    this.dispose();
    const {kind, width = 0, depth = width} = this.item;
    const plate =
      kind === 'hull' ? hullGeometry(rigid, width, depth, this.isCoarse) : plateGeometry(rigid, depth || kPlate * rigid.size);
    this.edges.geometry = new EdgesGeometry(plate, kEdge);
    const pins =
      kind === 'hull' && rigid.extent === 'plane'
        ? rigid.local.filter((_, i) => isJoint[i]).map((at) => pinGeometry(at, width, depth, this.isCoarse))
        : [];
    const colored: [BufferGeometry, Color][] = [[plate, palette.body]];
    for (const pin of pins) colored.push([pin, palette.dark]);
    this.mesh.geometry = painted(colored);
    plate.dispose();
    for (const pin of pins) pin.dispose();
  }
}
