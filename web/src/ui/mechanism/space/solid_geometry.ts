// Shapes of bodies, in the frame of the body.
import {BufferAttribute, type BufferGeometry, type Color, CylinderGeometry, ExtrudeGeometry, Shape, Vector3} from 'three';
import {ConvexGeometry} from 'three/addons/geometries/ConvexGeometry.js';
import {mergeGeometries, toCreasedNormals} from 'three/addons/utils/BufferGeometryUtils.js';
import type {Rigid} from './rigid.ts';

const kAround = 12; // points of a circle
const kCoarse = 8; // the same without a GPU, where each triangle costs time
const kCrease = 0.7; // [rad]: an edge that is sharper is seen
const kChamfer = 0.15; // of the width

/** What reaches around the points of a body: a plate where they are in a plane, else a round shape. */
export function hullGeometry({local, extent}: Rigid, width: number, depth: number, isCoarse = false): BufferGeometry {
  const cloud: Vector3[] = [];
  const around = isCoarse ? kCoarse : kAround;
  if (extent === 'plane') {
    const radius = width / 2;
    const chamfer = isCoarse ? 0 : Math.min(kChamfer * width, depth / 4);
    for (const point of local) {
      for (const side of [-1, 1]) {
        ring(cloud, point, radius - chamfer, (side * depth) / 2, around);
        if (chamfer > 0) ring(cloud, point, radius, side * (depth / 2 - chamfer), around);
      }
    }
  } else {
    const radius = width / 2;
    for (const point of local) {
      for (let i = 0; i <= around / 2; i++) {
        const angle = (2 * Math.PI * i) / around;
        ring(cloud, point, radius * Math.sin(angle), radius * Math.cos(angle), around);
      }
    }
  }
  return smooth(new ConvexGeometry(cloud));
}

/** A closed line as a plate. */
export function plateGeometry({local}: Rigid, depth: number): BufferGeometry {
  const geometry = new ExtrudeGeometry(new Shape(local.map(({x, y}) => ({x, y}) as never)), {depth, bevelEnabled: false});
  geometry.translate(0, 0, -depth / 2);
  geometry.deleteAttribute('uv');
  return smooth(geometry);
}

/** Through a plate, at one of its points. */
export function pinGeometry(at: Vector3, width: number, depth: number, isCoarse = false): BufferGeometry {
  const pin = new CylinderGeometry(0.24 * width, 0.24 * width, 1.12 * depth, isCoarse ? kCoarse : kAround).toNonIndexed();
  pin.rotateX(Math.PI / 2).translate(at.x, at.y, at.z);
  pin.deleteAttribute('uv');
  return pin;
}

/** One geometry of several, each in its colour. */
export function painted(parts: [BufferGeometry, Color][]): BufferGeometry {
  for (const [geometry, {r, g, b}] of parts) {
    const colors = new Float32Array(3 * geometry.getAttribute('position').count);
    for (let i = 0; i < colors.length; i += 3) colors.set([r, g, b], i);
    geometry.setAttribute('color', new BufferAttribute(colors, 3));
  }
  return mergeGeometries(parts.map(([geometry]) => geometry));
}

function ring(cloud: Vector3[], {x, y, z}: Vector3, radius: number, height: number, around: number): void {
  for (let i = 0; i < around; i++) {
    const angle = (2 * Math.PI * i) / around;
    cloud.push(new Vector3(x + radius * Math.cos(angle), y + radius * Math.sin(angle), z + height));
    if (radius < 1e-9) return;
  }
}

const smooth = (geometry: BufferGeometry): BufferGeometry => toCreasedNormals(geometry, kCrease);
