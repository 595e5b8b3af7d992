// All rigid bodies of a scene, in as many calls to the GPU for a hundred of them as for one: those that are selected, the others, and the edges of both.
import {
  BatchedMesh,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  Group,
  LineBasicMaterial,
  LineSegments,
  type MeshLambertMaterial,
  type MeshStandardMaterial,
  type Object3D,
} from 'three';
import {kThinLayer, type Palette} from './palette.ts';
import type {Solid} from './solid.ts';

/** The one without shine is for pictures without a GPU. */
export type SolidMaterial = MeshStandardMaterial | MeshLambertMaterial;

const kEdgeOpacity = 0.55;
const kGlow = 0.1; // of what is selected

/** Bodies of one material; the place of a body among `members` is its number in the mesh. */
interface Batch {
  mesh: BatchedMesh;
  members: Solid[];
}

export class Solids {
  readonly group = new Group();
  private readonly edges = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({vertexColors: true, transparent: true}),
  );
  private readonly selectedMaterial: SolidMaterial;
  private batches: Batch[] = [];
  private palette?: Palette;

  constructor(
    readonly all: readonly Solid[],
    private readonly material: SolidMaterial,
  ) {
    this.selectedMaterial = material.clone();
    this.edges.frustumCulled = this.edges.visible = false;
    this.edges.layers.set(kThinLayer);
    this.edges.renderOrder = 1; // over the grid
    this.group.add(this.edges);
  }

  paint(palette: Palette): void {
    this.palette = palette;
    this.selectedMaterial.emissive = palette.selected.clone().multiplyScalar(kGlow);
    for (const solid of this.all) solid.forget();
  }

  /** After a body has another shape, or another one is selected. */
  rebuild(): void {
    this.clear();
    const shaped = this.all.filter(({geometry}) => geometry);
    for (const isSelected of [false, true]) {
      const members = shaped.filter((solid) => solid.isSelected === isSelected);
      if (members.length) this.batches.push(this.batch(members, isSelected ? this.selectedMaterial : this.material));
    }
    this.dressEdges();
    this.move();
  }

  /** Everything to where the bodies are; only matrices and the places of lines change. */
  move(): void {
    for (const {mesh, members} of this.batches) {
      members.forEach(({pose, isThere}, i) => {
        mesh.setMatrixAt(i, pose);
        mesh.setVisibleAt(i, isThere);
      });
    }
    const places = this.edges.geometry.getAttribute('position') as BufferAttribute | undefined;
    if (!places) return;
    let at = 0;
    for (const solid of this.members()) at = placeEdges(solid, places.array as Float32Array, at);
    places.needsUpdate = true;
  }

  get targets(): Object3D[] {
    return this.batches.map(({mesh}) => mesh);
  }

  /** The body of what a ray has met. */
  find(object: Object3D, number: number | undefined): Solid | undefined {
    return this.batches.find(({mesh}) => mesh === object)?.members[number ?? -1];
  }

  dispose(): void {
    this.clear();
    this.edges.geometry.dispose();
    this.edges.material.dispose();
    this.selectedMaterial.dispose();
  }

  private members(): Solid[] {
    return this.batches.flatMap(({members}) => members);
  }

  private clear(): void {
    for (const {mesh} of this.batches) {
      this.group.remove(mesh);
      mesh.dispose();
    }
    this.batches = [];
  }

  private batch(members: Solid[], material: SolidMaterial): Batch {
    const vertices = members.reduce((sum, {geometry}) => sum + geometry!.getAttribute('position').count, 0);
    const mesh = new BatchedMesh(members.length, vertices, 0, material);
    // To look at each of them costs more than to draw those out of the picture.
    mesh.frustumCulled = mesh.perObjectFrustumCulled = mesh.sortObjects = false;
    for (const {geometry} of members) mesh.addInstance(mesh.addGeometry(geometry!));
    this.group.add(mesh);
    return {mesh, members};
  }

  /** Memory and colours for the edges of all bodies. */
  private dressEdges(): void {
    const members = this.members();
    const count = members.reduce((sum, {edges}) => sum + edges.length / 3, 0);
    const colors = new Float32Array(4 * count);
    let at = 0;
    for (const {edges, isSelected} of members) {
      const {r, g, b} = isSelected ? this.palette!.selected : this.palette!.edge;
      const opacity = isSelected ? 1 : kEdgeOpacity;
      for (const end = at + (4 * edges.length) / 3; at < end; at += 4) colors.set([r, g, b, opacity], at);
    }
    const {geometry} = this.edges;
    geometry.dispose(); // of the GPU
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage));
    geometry.setAttribute('color', new BufferAttribute(colors, 4));
    this.edges.visible = count > 0;
  }
}

/** Writes the edges of a body from `at` on; of one that is not there, lines without length. Returns the end. */
function placeEdges({edges, pose: {elements: m}, isThere}: Solid, places: Float32Array, at: number): number {
  const end = at + edges.length;
  if (!isThere) {
    places.fill(0, at, end);
    return end;
  }
  for (let i = 0; at < end; i += 3, at += 3) {
    const [x, y, z] = [edges[i]!, edges[i + 1]!, edges[i + 2]!];
    places[at] = m[0]! * x + m[4]! * y + m[8]! * z + m[12]!;
    places[at + 1] = m[1]! * x + m[5]! * y + m[9]! * z + m[13]!;
    places[at + 2] = m[2]! * x + m[6]! * y + m[10]! * z + m[14]!;
  }
  return end;
}
