// A rigid body: its shape is made once, then it is only moved.
import {type BufferGeometry, type Color, EdgesGeometry, Matrix4, type Vector3} from 'three';
import type {SceneItem} from '../../../api/types.ts';
import type {Palette} from './palette.ts';
import {Rigid} from './rigid.ts';
import {hullGeometry, painted, pinGeometry, plateGeometry} from './solid_geometry.ts';

const kEdge = 35; // [deg]: a sharper edge has a line
const kPlate = 1 / 60; // thickness of a plate that says none, of its size

export class Solid {
  /** From its own frame to that of the scene. */
  readonly pose = new Matrix4();
  /** Its values are all there. */
  isThere = false;
  isSelected = false;
  /** In its own frame, each part in its colour; none before it was shown. */
  geometry?: BufferGeometry;
  /** Lines along its sharp edges, in its own frame: pairs of places. */
  edges: Float32Array = new Float32Array();
  private rigid?: Rigid;

  constructor(
    readonly item: SceneItem,
    private readonly isCoarse: boolean,
  ) {}

  /** The points of its item in its own frame; none before it was shown. */
  get local(): readonly Vector3[] {
    return this.rigid?.local ?? [];
  }

  /** Moves it to its points. `isJoint`: whether something else has a point there. Returns whether it has another shape now. */
  move(points: readonly Vector3[], palette: Palette, isJoint: (point: Vector3) => boolean): boolean {
    this.rigid?.pose(points, this.pose);
    if (this.rigid?.fits(points, this.pose)) return false;
    this.rigid = new Rigid(points);
    this.rigid.pose(points, this.pose);
    this.shape(this.rigid, palette, points.map(isJoint));
    return true;
  }

  /** It is made anew, for example in other colours. */
  forget(): void {
    this.rigid = undefined;
  }

  private shape(rigid: Rigid, palette: Palette, isJoint: boolean[]): void {
    const {kind, width = 0, depth = width} = this.item;
    const plate =
      kind === 'hull' ? hullGeometry(rigid, width, depth, this.isCoarse) : plateGeometry(rigid, depth || kPlate * rigid.size);
    this.edges = new EdgesGeometry(plate, kEdge).getAttribute('position').array as Float32Array;
    const pins =
      kind === 'hull' && rigid.extent === 'plane'
        ? rigid.local.filter((_, i) => isJoint[i]).map((at) => pinGeometry(at, width, depth, this.isCoarse))
        : [];
    const colored: [BufferGeometry, Color][] = [[plate, palette.body]];
    for (const pin of pins) colored.push([pin, palette.dark]);
    this.geometry = painted(colored);
  }
}
