// What a scene shows, as objects of three.js that follow the values of the run.
import {
  Box3,
  BufferGeometry,
  Color,
  Group,
  Line,
  LineDashedMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
  type Object3D,
  type Raycaster,
  Vector3,
} from 'three';
import type {Scene, SceneItem} from '../../../api/types.ts';
import type {SceneNumbers} from '../scene_values.ts';
import {kThinLayer, type Palette} from './palette.ts';
import {RoundParts} from './round_parts.ts';
import {Solid} from './solid.ts';
import {Solids, type SolidMaterial} from './solids.ts';
import {type Trail, Trails} from './trails.ts';

const kThin = 1 / 400; // width of what says none, of the size of all
const kStep = 1 / 1000; // between two points of a trail, the same
const kNear = 1e-4; // between two places that are one, the same

interface Shown {
  item: SceneItem;
  points: Vector3[];
  isThere: boolean;
  solid?: Solid;
  trail?: Trail;
  limit?: Line<BufferGeometry, LineDashedMaterial>;
}

export class Parts {
  readonly group = new Group();
  /** Of all points that move or are moved about, up to now. */
  readonly bounds = new Box3();
  /** The largest force so far [N]. */
  mostForce = 0;
  readonly solids: readonly Solid[];
  readonly shown: readonly Shown[];
  private readonly material: SolidMaterial;
  private readonly solidMaterial: SolidMaterial;
  private readonly batch: Solids;
  private readonly paths = new Trails();
  private readonly bars: RoundParts;
  private readonly balls: RoundParts;
  private isSelected: (item: SceneItem) => boolean = () => false;
  private readonly end = new Vector3();
  private readonly mixed = new Color();

  constructor(
    scene: Scene,
    private readonly values: SceneNumbers,
    private palette: Palette,
    private readonly isCoarse: boolean,
  ) {
    // Without a GPU the shine of metal costs a tenth of a frame.
    this.material = isCoarse ? new MeshLambertMaterial() : new MeshStandardMaterial({roughness: 0.55, metalness: 0.1});
    this.solidMaterial = isCoarse
      ? new MeshLambertMaterial({vertexColors: true})
      : new MeshStandardMaterial({roughness: 0.62, metalness: 0.05, vertexColors: true});
    // A figure in the plane of the view from the side has no place in space.
    const items = scene.items.filter(({kind, view}) => view !== 'side' && kind !== 'surface');
    this.shown = items.map((item) => this.make(item));
    this.solids = this.shown.flatMap(({solid}) => solid ?? []);
    this.batch = new Solids(this.solids, this.solidMaterial);
    const bars = items.reduce(
      (sum, {kind, points}) => sum + (kind === 'segment' ? 2 : kind === 'polyline' ? points.length : 0),
      0,
    );
    const balls = items.reduce((sum, {kind}) => sum + (kind === 'segment' ? 2 : kind === 'circle' ? 1 : 0), 0);
    this.bars = RoundParts.bars(this.material, Math.max(bars, 1));
    this.balls = RoundParts.balls(this.material, Math.max(balls, 1));
    this.group.add(this.bars.mesh, this.balls.mesh, this.batch.group, this.paths.lines);
    this.paint(palette);
  }

  /** Moves everything to where the values are now; what has no values yet is not seen. */
  update(): void {
    for (const shown of this.shown) {
      const {item, points} = shown;
      item.points.forEach(([x, y, z], i) => {
        points[i]!.set(this.values.of(x), this.values.of(y), this.values.of(z));
      });
      shown.isThere = points.every((point) => Number.isFinite(point.x + point.y + point.z));
      if (!shown.isThere || item.kind === 'limit') continue;
      const reach = Math.max(item.radius ?? 0, (item.width ?? 0) / 2);
      for (const point of points) {
        this.bounds.expandByPoint(this.end.copy(point).addScalar(reach));
        this.bounds.expandByPoint(this.end.copy(point).addScalar(-reach));
      }
    }
    const size = this.size;
    this.bars.begin();
    this.balls.begin();
    let isReshaped = false;
    for (const shown of this.shown) isReshaped = this.move(shown, size) || isReshaped;
    this.bars.end();
    this.balls.end();
    if (isReshaped) this.batch.rebuild();
    else this.batch.move();
  }

  get size(): number {
    return this.bounds.isEmpty() ? 0 : this.bounds.getSize(this.end).length();
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.batch.paint(palette);
    this.paths.paint(palette.trace);
    for (const {limit} of this.shown) if (limit) limit.material.color = palette.limit;
    this.update();
  }

  /** Marks items. */
  select(isSelected: (item: SceneItem) => boolean): void {
    this.isSelected = isSelected;
    for (const solid of this.solids) solid.isSelected = isSelected(solid.item);
    this.batch.rebuild();
    this.update();
  }

  /** The paths that are shown, with the coordinates of their points. */
  get trails(): {item: SceneItem; trail: Trail}[] {
    return this.shown.flatMap(({item, trail}) => (trail ? [{item, trail}] : []));
  }

  /** Begins a path anew with where its point has been, which is seen, too. */
  remember(trail: Trail, places: Iterable<[number, number, number]>): void {
    trail.clear();
    for (const place of places) {
      trail.add(...place, 0);
      this.bounds.expandByPoint(this.end.set(...place));
    }
  }

  /** Adds the present places to the paths; in the past they reach up to there. */
  trace(): void {
    const isLive = this.values.isLive.peek();
    for (const {item, trail, points, isThere} of this.shown) {
      if (!trail) continue;
      if (!isLive) {
        trail.clear();
        for (const place of this.values.pathOf(item)) trail.add(...place, 0);
      } else if (isThere) trail.add(points[0]!.x, points[0]!.y, points[0]!.z, kStep * this.size);
    }
  }

  /** Before it is drawn. */
  prepare(): void {
    this.paths.update();
  }

  pick(ray: Raycaster): SceneItem | null {
    const targets: Object3D[] = [this.bars.mesh, this.balls.mesh, ...this.batch.targets];
    const hit = ray.intersectObjects(targets, false)[0];
    if (!hit) return null;
    const round = [this.bars, this.balls].find(({mesh}) => mesh === hit.object);
    return (round ? round.itemAt(hit.instanceId!) : this.batch.find(hit.object, hit.batchId)?.item) ?? null;
  }

  dispose(): void {
    for (const {limit} of this.shown) {
      limit?.geometry.dispose();
      limit?.material.dispose();
    }
    this.batch.dispose();
    this.paths.dispose();
    this.bars.dispose();
    this.balls.dispose();
    this.material.dispose();
    this.solidMaterial.dispose();
  }

  private make(item: SceneItem): Shown {
    const shown: Shown = {item, points: item.points.map(() => new Vector3()), isThere: false};
    if (item.kind === 'hull' || item.kind === 'body') {
      shown.solid = new Solid(item, this.isCoarse);
    } else if (item.kind === 'trace') {
      shown.trail = this.paths.make();
    } else if (item.kind === 'limit') {
      shown.limit = new Line(new BufferGeometry(), new LineDashedMaterial());
      shown.limit.visible = false;
      shown.limit.layers.set(kThinLayer);
      this.group.add(shown.limit);
    }
    return shown;
  }

  /** Returns whether a body has another shape now. */
  private move(shown: Shown, size: number): boolean {
    const {item, points, isThere, solid, limit} = shown;
    if (solid) solid.isThere = isThere;
    if (!isThere) return false;
    if (solid) return solid.move(points, this.palette, (point) => this.isShared(point, shown));
    const {kind, width = 0, radius = 0} = item;
    const isSelected = this.isSelected(item);
    const color = (usual: Color) => (isSelected ? this.palette.selected : usual);
    const half = Math.max(width, kThin * size) / 2;
    const first = points[0]!;
    if (kind === 'segment') {
      this.moveSegment(item, first, points[1]!, half, color);
    } else if (kind === 'polyline') {
      points.slice(1).forEach((point, i) => {
        this.bars.bar(item, points[i]!, point, half, color(this.palette.text));
      });
    } else if (kind === 'circle') {
      this.balls.ball(item, first, Math.max(radius, half), color(this.palette.body));
    } else if (limit && !limit.visible) {
      // Its points are numbers.
      limit.visible = true;
      limit.geometry.setFromPoints(points);
      limit.computeLineDistances();
      limit.material.dashSize = limit.material.gapSize = size / 100;
    }
    return false;
  }

  private moveSegment(item: SceneItem, from: Vector3, to: Vector3, half: number, color: (usual: Color) => Color): void {
    const {barrel = 0, force} = item;
    const {body, dark, rod, push, pull} = this.palette;
    if (!barrel) {
      const bar = force === undefined ? color(body) : this.loaded(force, rod, push, pull);
      this.bars.bar(item, from, to, half, bar);
      for (const end of [from, to]) this.balls.ball(item, end, half, bar);
      return;
    }
    this.end
      .subVectors(to, from)
      .setLength(Math.min(barrel, from.distanceTo(to)))
      .add(from);
    const outer = force === undefined ? color(dark) : this.loaded(force, dark, push, pull);
    this.bars.bar(item, from, this.end, half, outer);
    this.balls.ball(item, from, 1.15 * half, outer);
    this.bars.bar(item, this.end, to, 0.6 * half, color(rod));
    this.balls.ball(item, to, 0.9 * half, color(rod));
  }

  /** The colour of what a force loads. */
  private loaded(force: string, none: Color, push: Color, pull: Color): Color {
    const now = this.values.of(force);
    if (!Number.isFinite(now) || now === 0) return none;
    this.mostForce = Math.max(this.mostForce, Math.abs(now));
    return this.mixed.lerpColors(none, now > 0 ? push : pull, Math.abs(now) / this.mostForce);
  }

  private isShared(point: Vector3, own: Shown): boolean {
    const near = kNear * this.size;
    return this.shown.some(
      (other) =>
        other !== own &&
        other.isThere &&
        other.item.kind !== 'trace' &&
        other.item.kind !== 'limit' &&
        other.points.some((one) => one.distanceTo(point) <= near),
    );
  }
}
