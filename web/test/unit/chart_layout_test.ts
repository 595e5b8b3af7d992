import assert from 'node:assert/strict';
import {test} from 'node:test';
import {makeProject, openChart, type ChartView} from '../../src/document/index.ts';
import type {Box} from '../../src/studio/chart/geometry.ts';
import {layoutChart} from '../../src/studio/chart/layout.ts';
import {filesIn} from './files.ts';

const files = [...filesIn('systems', '.scxml'), ...filesIn('statecharts/charts', '.scxml')];

function viewOf(text: string): ChartView {
  const project = makeProject();
  project.open('c', text);
  return openChart(project, 'c').view;
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;
/** On the border or inside, with the rounding of ELK. */
const touches = (box: Box, x: number, y: number): boolean =>
  x >= box.x - 1 && y >= box.y - 1 && x <= box.x + box.width + 1 && y <= box.y + box.height + 1;

test('every chart is laid out: states inside of theirs, none over another, every transition from its state to its target', async () => {
  for (const [path, text] of files) {
    const view = viewOf(text);
    const {boxes, transitions, initials, box} = await layoutChart(view);
    assert.equal(boxes.size, view.states.length, path);
    for (const {key, parent} of view.states) {
      const own = boxes.get(key)!;
      assert.ok(isWithin(own, box), `${path}: ${key}`);
      if (parent !== null) assert.ok(isWithin(own, boxes.get(parent)!), `${path}: ${key} in ${parent}`);
      for (const other of view.states)
        if (other.key !== key && other.parent === parent)
          assert.ok(!overlap(own, boxes.get(other.key)!), `${path}: ${key} over ${other.key}`);
    }
    assert.equal(
      transitions.length,
      view.transitions.reduce((sum, {targets}) => sum + Math.max(1, targets.length), 0),
    );
    for (const transition of view.transitions) {
      const lines = transitions.filter(({key}) => key === transition.key);
      lines.forEach(({points}, index) => {
        const from = boxes.get(transition.from)!;
        const to = boxes.get(view.states.find(({id}) => id === transition.targets[index])?.key ?? transition.from)!;
        assert.ok(touches(from, points[0]!.x, points[0]!.y), `${path}: ${transition.key} begins beside ${transition.from}`);
        assert.ok(touches(to, points.at(-1)!.x, points.at(-1)!.y), `${path}: ${transition.key} ends beside its target`);
      });
    }
    assert.ok(initials.length > 0);
  }
});

test('a place of the file holds, and the others stay where they are', async () => {
  const text = files.find(([path]) => path.endsWith('lift_operator.scxml'))![1];
  const before = await layoutChart(viewOf(text));
  const project = makeProject();
  project.open('c', text);
  const chart = openChart(project, 'c');
  chart.place(new Map([['halted', {x: 5, y: 400}]]));
  const after = await layoutChart(chart.view);
  const [lever, halted] = [after.boxes.get('lever')!, after.boxes.get('halted')!];
  assert.ok(halted.y - lever.y >= 400 && isWithin(halted, lever));
  assert.equal(after.boxes.get('waiting')!.x - lever.x, before.boxes.get('waiting')!.x - before.boxes.get('lever')!.x);
  chart.unplace(['halted']);
  assert.deepEqual(await layoutChart(chart.view), before);
});

test('a chart without states, and one with targets that are not there, are drawn as far as they go', async () => {
  assert.equal((await layoutChart(viewOf('<scxml/>'))).boxes.size, 0);
  const broken = await layoutChart(
    viewOf('<scxml initial="x"><state id="a" initial="y"><transition target="z"/><state/></state></scxml>'),
  );
  assert.equal(broken.boxes.size, 2);
  assert.equal(broken.transitions.length, 0);
});
