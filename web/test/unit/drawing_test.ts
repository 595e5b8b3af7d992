import assert from 'node:assert/strict';
import {test} from 'node:test';
import {enlarged, shiftInto, withoutOverlap, type Rect} from '../../src/ui/drawing/labels.ts';
import {placeOf} from '../../src/ui/drawing/moving_parts.ts';
import {separateStyles} from '../../src/ui/drawing/parse_svg.ts';
import {kept, zoomed} from '../../src/ui/drawing/pan_zoom.ts';
import {colorOf, niceCeiling} from '../../src/ui/drawing/pressure_scale.ts';

test('a window of another height shows the same at the same place of the screen', () => {
  const box = {x: -480, y: -300, width: 960, height: 600};
  const [before, now] = [
    {width: 800, height: 700},
    {width: 800, height: 590},
  ];
  // Both axes have one scale, and what is shown lies in the middle.
  const onScreen = (shown: typeof box, size: typeof before, x: number, y: number) => {
    const scale = Math.min(size.width / shown.width, size.height / shown.height);
    return [
      size.width / 2 + scale * (x - shown.x - shown.width / 2),
      size.height / 2 + scale * (y - shown.y - shown.height / 2),
    ];
  };
  const after = kept(box, before, now);
  for (const [x, y] of [
    [0, 0],
    [-480, -300],
    [333, 222],
  ] as const) {
    for (const [axis, value] of onScreen(after, now, x, y).entries())
      assert.ok(Math.abs(value - onScreen(box, before, x, y)[axis]!) < 1e-9);
  }
  assert.deepEqual(kept(after, now, now), after);
});

test('a zoom leaves the point under the pointer where it is', () => {
  const box = {x: 10, y: 20, width: 400, height: 200};
  const after = zoomed(box, 2, 110, 70);
  assert.equal((110 - box.x) / box.width, (110 - after.x) / after.width);
  assert.equal((70 - box.y) / box.height, (70 - after.y) / after.height);
  assert.equal(after.width, 200);
});

test('zoom in and out again is where it began', () => {
  const box = {x: 10, y: 20, width: 400, height: 200};
  assert.deepEqual(zoomed(zoomed(box, 2, 33, 44), 0.5, 33, 44), box);
});

test('a part is at its first place at the low end, at its second at the high end, and never beyond', () => {
  const move = [0, 5, 40, 25];
  assert.deepEqual(placeOf(0, move, [0, 2]), [0, 5]);
  assert.deepEqual(placeOf(2, move, [0, 2]), [40, 25]);
  assert.deepEqual(placeOf(1, move, [0, 2]), [20, 15]);
  assert.deepEqual(placeOf(9, move, [0, 2]), [40, 25]);
  assert.deepEqual(placeOf(-9, move, [0, 2]), [0, 5]);
});

test('the legend reaches to the next round number', () => {
  for (const value of [1, 1.1, 19, 21, 26, 41, 99, 1.7e7, 3.21e7]) {
    const ceiling = niceCeiling(value);
    assert.ok(ceiling >= value * (1 - 1e-9) && ceiling <= value * 2, `${value}: ${ceiling}`);
    assert.equal(niceCeiling(ceiling), ceiling);
  }
});

test('colours end at the ends of the range', () => {
  const range = {low: 0, high: 100};
  assert.equal(colorOf(-5, range), colorOf(0, range));
  assert.equal(colorOf(500, range), colorOf(100, range));
  assert.notEqual(colorOf(50, range), colorOf(0, range));
});

test('styles are taken out of the text of the drawing, and nothing else', () => {
  const {text, css} = separateStyles(
    '<svg style="a"><style><![CDATA[.x{fill:red}]]></style><g style=\'b\' data-x="c"/>style="d"</svg>',
  );
  assert.equal(text, '<svg data-style="a"><g data-style=\'b\' data-x="c"/>style="d"</svg>');
  assert.equal(css, '.x{fill:red}');
});

test('labels: those that are shown cover no other, and what is left out would cover one', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const boxes = Array.from({length: 200}, () => {
    const [left, top] = [random() * 800, random() * 500];
    return {left, top, right: left + 20 + random() * 60, bottom: top + 10};
  });
  const covers = (a: Rect, b: Rect) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const shown = withoutOverlap(boxes);
  boxes.forEach((box, i) => {
    const others = boxes.filter((_, j) => j < i && shown[j]);
    assert.equal(shown[i], !others.some((other) => covers(box, other)));
  });
});

test('labels: an enlarged text keeps its anchor', () => {
  const box = {left: 10, top: 0, right: 30, bottom: 10};
  assert.deepEqual(enlarged(box, 2, 'middle'), {left: 0, top: -10, right: 40, bottom: 10});
  assert.deepEqual(enlarged(box, 2, 'start'), {left: 10, top: -10, right: 50, bottom: 10});
  assert.deepEqual(enlarged(box, 2, 'end'), {left: -10, top: -10, right: 30, bottom: 10});
});

test('a name at the edge is moved into the window, one outside of it or too long is not', () => {
  const seen = {left: 0, top: 0, right: 100, bottom: 50};
  const shift = (left: number, right: number) => shiftInto({left, right, top: 10, bottom: 20}, seen);
  assert.equal(shift(10, 30), 0);
  assert.equal(shift(-8, 12), 8);
  assert.equal(shift(90, 115), -15);
  assert.equal(shift(-30, -10), 0);
  assert.equal(shift(110, 130), 0);
  assert.equal(shift(-5, 104), 0);
});
