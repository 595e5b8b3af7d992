import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Item} from '../../src/api/types.ts';
import {formatLive, formatNumber, formatTime, formatValue, scaleOf, withoutLongTails} from '../../src/view/units.ts';

const item = (fields: Partial<Item>): Item => ({
  node_id: 1,
  kind: 'output',
  unit: 'Pa',
  display_unit: 'bar',
  display_factor: 1e-5,
  display_offset: 0,
  text: '',
  value_kind: 'number',
  name: 'x',
  causality: 'local',
  is_writable: false,
  is_structural: false,
  is_signal: true,
  ...fields,
});

test('values are shown in the display unit, or in SI on request', () => {
  assert.equal(formatValue(250e5, item({}), false, formatNumber), '250');
  assert.equal(formatValue(250e5, item({}), true, formatNumber), '2.5e7');
  assert.equal(scaleOf(item({}), false).unit, 'bar');
  assert.equal(scaleOf(item({}), true).unit, 'Pa');
});

test('numbers in texts of the run log lose their long tails only', () => {
  assert.equal(
    withoutLongTails('up: [x ge 0.87] for 0.5 s with x = 0.8700005962924149, y = -1.8001055714560399e-12'),
    'up: [x ge 0.87] for 0.5 s with x = 0.87, y = −1.8e-12',
  );
});

test('an offset counts: 293.15 K is 20 degC', () => {
  const kelvin = item({unit: 'K', display_unit: 'degC', display_factor: 1, display_offset: -273.15});
  assert.equal(formatValue(293.15, kelvin, false, formatNumber), '20');
});

test('an option is shown by its name', () => {
  assert.equal(formatValue(2, item({options: ['Ideal', 'Standard', 'Advanced']}), false), 'Advanced');
});

test('five digits are kept for every size', () => {
  for (let power = -12; power <= 12; power++) {
    const value = 1.2346 * 10 ** power;
    const read = Number(formatNumber(value).replace('−', '-'));
    assert.ok(Math.abs(read - value) <= 5.1e-4 * Math.abs(value), `${value} was shown as ${formatNumber(value)}`);
  }
});

test('a number is shown as the negative of its negative', () => {
  for (const value of [0.5, 1, 12.25, 123.5, 1234.5, 1e8]) {
    assert.equal(formatLive(-value), `−${formatLive(value)}`);
    assert.equal(formatNumber(-value), `−${formatNumber(value)}`);
  }
});

test('what is no number is said', () => {
  assert.equal(formatNumber(NaN), 'not a number');
  assert.equal(formatNumber(-Infinity), '−∞');
});

test('times over an hour have hours', () => {
  assert.equal(formatTime(12.345), '12.35');
  assert.equal(formatTime(3725.5), '1:02:05.5');
});
