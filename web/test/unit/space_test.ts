import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Euler, Matrix4, Quaternion, Vector3} from 'three';
import {hull} from '../../src/ui/mechanism/projection.ts';
import {flatten} from '../../src/ui/mechanism/space/ground.ts';
import {placesOf} from '../../src/ui/mechanism/space/past.ts';
import {Rigid} from '../../src/ui/mechanism/space/rigid.ts';
import {hullGeometry, plateGeometry} from '../../src/ui/mechanism/space/solid_geometry.ts';

const kRounding = 1e-12; // [m], of some ten operations on numbers below 10 m

const bodies: Record<string, Vector3[]> = {
  point: [new Vector3(1, 2, 3), new Vector3(1, 2, 3)],
  line: [new Vector3(0, 0, 0), new Vector3(4, 0, 3), new Vector3(2, 0, 1.5)],
  plane: [new Vector3(0.3, 0, 1.8), new Vector3(6, 0, 1.8), new Vector3(2.4, 0, 2.1)],
  space: [new Vector3(0, 0, 0), new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)],
};
const motions = [
  new Matrix4(),
  new Matrix4().compose(new Vector3(5, -2, 1), new Quaternion().setFromEuler(new Euler(0.4, -1.1, 2.9)), new Vector3(1, 1, 1)),
  new Matrix4().makeRotationY(Math.PI / 2),
  new Matrix4().makeRotationX(Math.PI),
];

for (const [extent, points] of Object.entries(bodies)) {
  test(`a body whose points are a ${extent} is where its points are, however it has moved`, () => {
    const rigid = new Rigid(points);
    assert.equal(rigid.extent, extent);
    for (const motion of motions) {
      const moved = points.map((point) => point.clone().applyMatrix4(motion));
      const pose = rigid.pose(moved, new Matrix4());
      rigid.local.forEach((local, i) => {
        const at = local.clone().applyMatrix4(pose);
        assert.ok(at.distanceTo(moved[i]!) < kRounding, `${extent} ${i}: ${at.distanceTo(moved[i]!)}`);
      });
      assert.ok(Math.abs(pose.determinant() - 1) < kRounding, 'a turn, no reflection');
      assert.ok(rigid.fits(moved, pose));
    }
  });
}

test('other points are another body', () => {
  const rigid = new Rigid(bodies.plane!);
  const bent = bodies.plane!.map((point) => point.clone());
  bent[2]!.z += 0.5;
  assert.ok(!rigid.fits(bent, rigid.pose(bent, new Matrix4())));
});

test('a plate reaches half its width around its points, and half its depth across their plane', () => {
  const geometry = hullGeometry(new Rigid(bodies.plane!), 0.2, 0.6);
  geometry.computeBoundingBox();
  const {min, max} = geometry.boundingBox!;
  const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`); // of 32 bit
  near(min.x, -0.1);
  near(max.x, 5.8);
  near(min.z, -0.3);
  near(max.z, 0.3);
});

test('a closed line becomes a plate of its area', () => {
  const corners = [new Vector3(0, 0, 2), new Vector3(4, 0, 2), new Vector3(4, 3, 2), new Vector3(0, 3, 2)];
  const geometry = plateGeometry(new Rigid(corners), 0.5);
  const at = geometry.getAttribute('position');
  let volume = 0;
  for (let i = 0; i < at.count; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(at, i + k));
    volume += a!.dot(b!.cross(c!)) / 6;
  }
  assert.ok(Math.abs(volume - 4 * 3 * 0.5) < 1e-5, `${volume}`); // of 32 bit
});

test('a shadow is on the ground, where the light through the point meets it', () => {
  const shadow = new Vector3(1, 2, 4).applyMatrix4(flatten(new Vector3(0.5, -1, 2)));
  assert.deepEqual(shadow.toArray(), [0, 4, 0]);
});

test('the past of a path has its places at the times of its first coordinate', () => {
  const bins = (t: number[], last: (number | null)[]) => ({t, last, min: last, max: last});
  assert.deepEqual(placesOf([bins([0, 1, 2], [5, 6, 7]), 0, bins([0, 1, 2], [8, null, 9])]), [
    [5, 0, 8],
    [7, 0, 9],
  ]);
  // The bins of another coordinate may be wider.
  assert.deepEqual(placesOf([bins([0, 1, 2, 3], [0, 1, 2, 3]), bins([1, 3], [10, 30]), 4]), [
    [0, 10, 4],
    [1, 10, 4],
    [2, 10, 4],
    [3, 30, 4],
  ]);
  assert.deepEqual(placesOf([bins([0], [1]), null, 0]), [], 'a coordinate without a history');
  assert.deepEqual(placesOf([1, 2, 3]), []);
});

test('a hull has the corners, and no point inside or on an edge', () => {
  const square: [number, number][] = [
    [0, 0],
    [2, 0],
    [1, 1],
    [2, 2],
    [0, 2],
    [1, 0],
  ];
  assert.deepEqual(
    hull(square).map(String).sort(),
    [
      [0, 0],
      [0, 2],
      [2, 0],
      [2, 2],
    ].map(String),
  );
  assert.deepEqual(
    hull([
      [1, 1],
      [0, 0],
    ]).length,
    2,
  );
});
