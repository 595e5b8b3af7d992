// Charts on the page of `davit studio`: drawn by mouse and keyboard, checked, run alone, and at work in a system.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {getJson} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {DAVIT} = process.env;

let opened;
let folder, onDisk, picture, page, editor, faults;

before(async () => {
  opened = await openStudio('chart', 'systems');
  ({folder, onDisk, picture, page, editor, faults} = opened);
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const sheet = () => page.locator('.chart-sheet');
const state = (id) => sheet().locator(`[data-state="${id}"]`);
const field = (name) => page.locator('.chart-form').getByLabel(name, {exact: true});
const choose = async (id) => {
  await state(id).locator('.title').first().click({force: true});
  await page.locator('.chart-form h2', {hasText: id}).waitFor();
};
const rename = async (id) => {
  await sheet().focus();
  await page.keyboard.press('F2');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(id);
  await page.keyboard.press('Enter');
  await state(id).waitFor();
};
const chartFaults = () => page.getByRole('list', {name: 'Errors of the chart'});

test('a chart of two states is drawn from an empty sheet', async () => {
  await editor.make('charts/detail.scxml');
  await sheet().waitFor();
  await chartFaults().getByText('the chart has no state').waitFor();
  const {width, height} = await sheet().boundingBox();
  await sheet().dblclick({position: {x: width * 0.25, y: height * 0.4}});
  await state('state').waitFor();
  await rename('plain');
  await sheet().dblclick({position: {x: width * 0.7, y: height * 0.4}});
  await state('state').waitFor();
  await rename('fine');
  await field('onentry').fill("cylinder.level = 'Standard'");
  await choose('plain');
  const from = await sheet().locator('.handle').boundingBox();
  const to = await state('fine').boundingBox();
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, {steps: 6});
  await page.mouse.up();
  await page.locator('.chart-form h2', {hasText: 'plain → fine'}).waitFor();
  await field('after').fill('2s');
  // Back by the keyboard alone.
  await state('fine').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('t');
  await state('plain').focus();
  await page.keyboard.press('Enter');
  await page.locator('.chart-form h2', {hasText: 'fine → plain'}).waitFor();
  await field('event').fill('back');
  await field('actions').fill("cylinder.level = 'Ideal'");
  await editor.until('no faults', async () => (await chartFaults().count()) === 0);
  await picture('drawn');
  await editor.save();
  const text = onDisk('charts/detail.scxml');
  assert.equal(
    text.replace(/ (x|y)="-?\d+"/g, ''),
    `<?xml version="1.0" encoding="UTF-8"?>
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:davit="urn:davit:chart:1" version="1.0" name="detail">
  <state id="plain">
    <transition davit:after="2s" target="fine"/>
  </state>
  <state id="fine">
    <onentry><assign location="cylinder.level" expr="'Standard'"/></onentry>
    <transition event="back" target="plain">
      <assign location="cylinder.level" expr="'Ideal'"/>
    </transition>
  </state>

  <Layout xmlns="urn:davit:drawing:1">
    <Place state="fine"/>
    <Place state="plain"/>
  </Layout>
</scxml>
`,
  );
  assert.match(execFileSync(DAVIT, ['chart', 'check', join(folder, 'charts/detail.scxml')], {encoding: 'utf8'}), /no errors/);
});

test('a mistake stands at its transition while it is typed, and goes with it', async () => {
  await choose('plain');
  await page
    .locator('.chart-transitions')
    .getByRole('button', {name: /after 2s/})
    .click();
  await field('cond').fill('level + ');
  await chartFaults().locator('li.fault').first().waitFor();
  await sheet().locator('.chart-transition.has-fault').first().waitFor();
  await field('cond').fill('');
  await editor.until('no faults', async () => (await chartFaults().count()) === 0);
});

test('it runs alone, by events and by time', async () => {
  const form = page.locator('.chart-form');
  await form.locator('summary', {hasText: 'Run alone'}).click();
  await form.getByRole('button', {name: 'Run alone'}).click();
  await sheet().locator('.is-active[data-state="plain"]').waitFor();
  await form.getByRole('button', {name: '+1 s', exact: true}).click();
  await form.locator('.trial-time', {hasText: 't = 1 s'}).waitFor();
  assert.equal(await sheet().locator('.is-active[data-state="fine"]').count(), 0);
  await form.getByRole('button', {name: '+10 s', exact: true}).click();
  await sheet().locator('.is-active[data-state="fine"]').waitFor();
  await picture('alone');
  await form.getByRole('group', {name: 'Events'}).getByRole('button', {name: 'back'}).click();
  await sheet().locator('.is-active[data-state="plain"]').waitFor();
  await form.getByRole('button', {name: 'End', exact: true}).click();
  await editor.until('it has ended', async () => (await sheet().locator('.is-active').count()) === 0);
});

test('in a system it switches the level of a component', async () => {
  await editor.open('lifting_cylinder.xml');
  await editor.component('cylinder').waitFor();
  await page.getByRole('searchbox', {name: 'Search models'}).fill('charts/detail.scxml');
  const target = page.locator('.sheet');
  const {width, height} = await target.boundingBox();
  await page
    .locator('.palette .entry', {hasText: 'charts/detail.scxml'})
    .first()
    .dragTo(target, {targetPosition: {x: 0.9 * width, y: 0.9 * height}});
  await page.locator('.form[data-component="detail"]').waitFor();
  await editor.chooseNothing();
  await editor.openSection('Recorded');
  for (const signal of ['cylinder.level', 'detail.state.fine']) {
    await page.getByLabel('Signal to record').fill(signal);
    await page.getByLabel('Signal to record').press('Enter');
    await page.getByRole('button', {name: `Do not record ${signal}`}).waitFor();
  }
  await editor.set('StopTime', '4 s', 'Run');
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.locator('.status.is-running, .status.is-finished').first().waitFor();
  await page.getByLabel('speed').selectOption('free');
  await editor.until(
    'the end of the run',
    async () => (await page.locator('.top-bar .status.is-finished').count()) > 0,
    60_000,
  );
  const {runs} = await getJson(opened.server.address, 'api/runs');
  const [head, ...rows] = (await (await fetch(`${opened.server.address}run/${runs.at(-1).run}/api/result.csv`)).text())
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const of = (name) => rows.map((row) => Number(row[head.indexOf(name)]));
  const [time, level, fine] = [of('time'), of('cylinder.level'), of('detail.state.fine')];
  // Two seconds after the start, at the next step point of 10 ms, and the write before the step behind it.
  time.forEach((t, row) => {
    if (t < 2 - 1e-9) assert.deepEqual([fine[row], level[row]], [0, 0], `t = ${t}`);
    if (t > 2.02 + 1e-9) assert.deepEqual([fine[row], level[row]], [1, 1], `t = ${t}`);
  });
  await picture('in_a_system');
});

test('every chart of the folder is drawn, and a chart that is only looked at stays as it is', async () => {
  await page.getByRole('button', {name: 'Draw', exact: true}).click();
  for (const path of ['charts/crane_safety.scxml', 'charts/crane_operator.scxml', 'charts/lift_operator.scxml']) {
    const before = onDisk(path);
    await editor.open(path);
    const states = [...before.matchAll(/<(state|parallel|final|history) /g)].length;
    await editor.until(`${states} states`, async () => (await sheet().locator('.chart-state').count()) === states);
    await picture(path.replace(/\W/g, '_'));
    assert.equal(onDisk(path), before);
  }
});

test('after a tool the keys act on the new state, and all states stay in view', async () => {
  await editor.make('charts/tools.scxml');
  await sheet().waitFor();
  const tool = page.getByRole('toolbar', {name: 'Parts of the chart'}).getByRole('button', {name: 'State', exact: true});
  await tool.click();
  await state('state').waitFor();
  await page.keyboard.press('t');
  await page.locator('.joining-hint', {hasText: 'Transition from state'}).waitFor();
  await page.keyboard.press('Escape');
  for (let count = 2; count <= 9; count++) {
    await tool.click();
    await editor.until(`${count} states`, async () => (await sheet().locator('[data-state]').count()) >= count);
  }
  const all = await sheet().boundingBox();
  await editor.until('all in view', async () => {
    for (const one of await sheet().locator('[data-state]').all()) {
      const {x, y, width, height} = await one.boundingBox();
      if (x < all.x || y < all.y || x + width > all.x + all.width || y + height > all.y + all.height) return false;
    }
    return true;
  });
  await editor.save();
});

test('nothing went wrong in the page', () => assert.deepEqual(faults, []));
