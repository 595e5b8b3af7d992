import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {LogLine, PanelAxis, PanelElement} from '../../src/api/types.ts';
import {GamepadFollower} from '../../src/live/gamepad.ts';
import {shareOf, stepped, valueAt, valueOfStick} from '../../src/live/lever_motion.ts';
import {recordedCommands} from '../../src/live/recorded_commands.ts';
import {matchesGlob} from '../../src/ui/panel/indicators.tsx';

const axis = (low: number, high: number, neutral = 0): PanelAxis => ({item: 'a.value', low, high, neutral});
const near = (a: number, b: number, tolerance = 1e-9) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b}`);

test('a lever has its ends, its neutral value, and rises between them', () => {
  for (const one of [axis(-1, 1), axis(0, 250e5), axis(-0.2, 1), axis(2, 6, 3)]) {
    for (const band of [0, 0.05, 0.5]) {
      assert.equal(valueAt(one, band, 0), one.low);
      assert.equal(valueAt(one, band, 1), one.high);
      assert.equal(valueAt(one, band, 7), one.high);
      assert.equal(valueAt(one, band, (one.neutral - one.low) / (one.high - one.low)), one.neutral);
      let last = one.low;
      for (let share = 0; share <= 1; share += 0.01) {
        const value = valueAt(one, band, share);
        assert.ok(value >= last);
        last = value;
      }
    }
  }
});

test('inside the dead band a lever is neutral, and its value begins there without a jump', () => {
  const one = axis(-1, 1);
  assert.equal(valueAt(one, 0.1, 0.5 + 0.049), 0);
  assert.equal(valueAt(one, 0.1, 0.5 - 0.049), 0);
  near(valueAt(one, 0.1, 0.5 + 0.0505), 0.002, 0.0021);
  near(valueAt(one, 0.1, 0.775), 0.5, 1e-3);
});

test('a lever is shown where it must be to have its value', () => {
  for (const one of [axis(-1, 1), axis(0, 4), axis(-0.2, 1), axis(2, 6, 3)]) {
    for (const band of [0, 0.05]) {
      for (let value = one.low; value <= one.high; value += (one.high - one.low) / 40)
        near(valueAt(one, band, shareOf(one, band, value)), value, 1.01e-3 * (one.high - one.low));
    }
  }
});

test('four keys lead to 40 %, ten to the end, and back', () => {
  let value = 0;
  for (let i = 0; i < 4; i++) value = stepped(axis(-1, 1), value, 1);
  assert.equal(value, 0.4);
  for (let i = 0; i < 20; i++) value = stepped(axis(-1, 1), value, 1);
  assert.equal(value, 1);
  for (let i = 0; i < 10; i++) value = stepped(axis(-1, 1), value, -1);
  assert.equal(value, 0);
});

test('a stick moves both sides of a lever, and its noise none', () => {
  assert.equal(valueOfStick(axis(-1, 1), 0, 0.07), 0);
  assert.equal(valueOfStick(axis(-1, 1), 0, 1), 1);
  assert.equal(valueOfStick(axis(-0.5, 1), 0, -1), -0.5);
});

const element = (fields: Partial<PanelElement>): PanelElement =>
  ({kind: 'Lever', name: 'a', axes: [axis(-1, 1)], dead_band: 0, gamepad: '', command: '', ...fields}) as PanelElement;

test('a gamepad moves levers, presses buttons once, and lets go', () => {
  const done: string[] = [];
  const follower = new GamepadFollower(
    [
      element({gamepad: 'left_y'}),
      element({axes: [{...axis(-1, 1), item: 'b.value'}], gamepad: '-left_x'}),
      element({kind: 'Button', axes: [], command: 'event go', gamepad: 'b'}),
    ],
    {moveTo: (path, number) => done.push(`${path} ${number}`), press: ({command}) => done.push(command)},
  );
  const state = (axes: number[], ...pressed: number[]) => ({
    axes,
    buttons: Array.from({length: 16}, (_, index) => ({pressed: pressed.includes(index)})),
  });
  follower.take(state([0.02, -0.03, 0, 0]));
  assert.deepEqual(done, []);
  follower.take(state([0, -1, 0, 0]));
  follower.take(state([-1, -0.999, 0, 0], 1));
  follower.take(state([-1, -1, 0, 0], 1));
  assert.deepEqual(done, ['a.value 1', 'b.value 1', 'event go']);
  follower.take(null);
  follower.take(null);
  assert.deepEqual(done.slice(3), ['a.value 0', 'b.value 0']);
});

test('the log gives the commands of clients, not those of charts', () => {
  const lines = [
    'by 127.0.0.1:5: <At time="1.5 s" set="a.value" value="0.4"/>',
    'by /safety: <At time="2 s" set="b.opening" value="0"/>',
    'by 127.0.0.1:5: <At time="2.5 s" event="stop"/>',
    'by 127.0.0.1:5: <At time="3 s" message="Reset" to="pump"/>',
    'by 127.0.0.1:5: pause',
    '<At time="4 s" event="lift" to="operator"/>',
  ].map((text) => ({text}) as LogLine);
  assert.equal(recordedCommands(lines), '1.5 s set a.value 0.4\n2.5 s event stop\n3 s message pump Reset\n');
});

test('globs of alarms', () => {
  assert.ok(matchesGlob('pump.cavitation', '*'));
  assert.ok(matchesGlob('pump.cavitation', 'pump.*'));
  assert.ok(!matchesGlob('pumpX.cavitation', 'pump.*'));
  assert.ok(matchesGlob('line1.hot', 'line?.hot'));
});
