// A panel is drawn from nothing on the page of `davit studio`, by mouse: placed, bound to items of the list, saved, and used in a run.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {openStudio} from './studio_page.mjs';

const {DAVIT} = process.env;
const kFile = 'lifting_cylinder.xml';
const kKinds = ['Joystick', 'Lever', 'Slider', 'Switch', 'Button', 'Lamp', 'Gauge', 'Field', 'ChartState', 'AlarmList'];

let opened;
let folder, onDisk, picture, page, editor, faults;
let original;

before(async () => {
  opened = await openStudio('panel_drawing', 'systems');
  ({folder, onDisk, picture, page, editor, faults} = opened);
  original = onDisk(kFile);
  await editor.open(kFile);
  await page.getByRole('button', {name: 'Panel', exact: true}).click();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const pane = () => page.getByRole('region', {name: 'Panel', exact: true});
const placed = (name) => pane().locator(`[data-element="${name}"]`);
const entry = (kind) => page.locator(`.palette [data-kind="${kind}"]`);
const form = (name) => page.locator(`.form[data-element="${name}"]`);

/** By mouse alone: the list of the attribute, a part of the path, the item. */
async function bind(attribute, item) {
  await page
    .locator('.form')
    .getByRole('button', {name: `Choose ${attribute} …`})
    .click();
  const list = page.getByRole('group', {name: `Items for ${attribute}`});
  await list.getByRole('searchbox').fill(item.split('.').join(' '));
  await list.locator(`[data-item="${item}"]`).click();
  await page.locator(`.form [data-row="${attribute}"] input`).waitFor();
  assert.equal(await page.locator(`.form [data-row="${attribute}"] input`).inputValue(), item);
}

async function choose(name) {
  await placed(name).click();
  await form(name).waitFor();
}

test('each kind of element is dragged onto the panel', async () => {
  assert.deepEqual(
    await page.locator('.palette [data-kind]').evaluateAll((list) => list.map(({dataset}) => dataset.kind)),
    kKinds,
  );
  for (const kind of kKinds) {
    await entry(kind).dragTo(pane());
    const name = kind.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
    await form(name).waitFor();
    await placed(name).waitFor();
  }
  await picture('placed');
});

test('elements are bound to items of the list, with range, dead band and spring', async () => {
  await choose('lever');
  await bind('set', 'pump.speed');
  await editor.set('label', 'Speed');
  await editor.set('low', '0 rpm');
  await editor.set('high', '1800 rpm');
  await editor.set('neutral', '1776 rpm');
  await editor.set('dead_band', '5 %');
  await editor.set('spring', 'false');
  await choose('joystick');
  await bind('x', 'load.weight');
  await bind('y', 'operator.offset');
  await editor.set('low', '-1');
  await editor.set('high', '1');
  await choose('slider');
  await bind('set', 'relief.set_pressure');
  await editor.set('low', '100 bar');
  await editor.set('high', '400 bar');
  await choose('switch');
  await bind('set', 'cylinder.level');
  await editor.set('on', 'Advanced');
  await editor.set('off', 'Ideal');
  await choose('button');
  await editor.set('event', 'lift');
  await choose('lamp');
  await bind('show', 'cylinder.p_a');
  await editor.set('above', '10 bar');
  await editor.set('color', 'red');
  await choose('gauge');
  await bind('show', 'cylinder.p_a');
  await editor.set('low', '0 bar');
  await editor.set('high', '300 bar');
  await choose('field');
  await bind('show', 'load.x');
  await choose('chart_state');
  await bind('chart', 'cylinder');
});

test('elements change places by dragging, go with Delete, and come back with Undo', async () => {
  const order = () =>
    pane()
      .locator('.is-levers [data-element]')
      .evaluateAll((list) => list.map(({dataset}) => dataset.element));
  assert.deepEqual(await order(), ['joystick', 'lever', 'slider']);
  await placed('slider').dragTo(placed('joystick'));
  await editor.until('the slider is the first', async () => (await order())[0] === 'slider');
  assert.deepEqual(await order(), ['slider', 'joystick', 'lever']);
  await choose('joystick');
  await placed('joystick').press('Delete');
  await placed('joystick').waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'Undo', exact: true}).click();
  await placed('joystick').waitFor();
  await choose('joystick');
  await page.locator('.form').getByRole('button', {name: 'Remove', exact: true}).click();
  await placed('joystick').waitFor({state: 'detached'});
});

test('the file has the panel as a person would write it, and nothing else has changed', async () => {
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
  await editor.save();
  const panel = `
  <Panel name="panel">
    <Slider name="slider" set="relief.set_pressure" low="100 bar" high="400 bar"/>
    <Lever name="lever" set="pump.speed" label="Speed" low="0 rpm" high="1800 rpm" neutral="1776 rpm" dead_band="5 %"
        spring="false"/>
    <Switch name="switch" set="cylinder.level" on="Advanced" off="Ideal"/>
    <Button name="button" event="lift"/>
    <Lamp name="lamp" show="cylinder.p_a" above="10 bar" color="red"/>
    <Gauge name="gauge" show="cylinder.p_a" low="0 bar" high="300 bar"/>
    <Field name="field" show="load.x"/>
    <ChartState name="chart_state" chart="cylinder"/>
    <AlarmList name="alarm_list"/>
  </Panel>
`;
  const text = onDisk(kFile);
  assert.ok(text.includes(panel), text.slice(text.indexOf('<Panel')));
  assert.equal(text.replace(panel, ''), original);
  execFileSync(DAVIT, ['check', join(folder, kFile)]);
});

test('the run has the panel', async () => {
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.getByRole('button', {name: 'Draw', exact: true}).waitFor();
  await page.getByRole('button', {name: 'Panel', exact: true}).click();
  const lever = page.getByRole('slider', {name: 'Speed', exact: true});
  await lever.waitFor();
  await lever.focus();
  await page.keyboard.press('ArrowDown');
  await editor.until(
    'the pump is slower',
    async () => Number(await lever.getAttribute('aria-valuenow')) < (1776 / 60) * 2 * Math.PI - 1e-6,
  );
  await picture('run');
  assert.deepEqual(faults, []);
});
