// The first system of docs/studio.md, as the guide says it, click by click: pump, valve, cylinder, mass and a controller from an empty
// folder to curves. With PAUSES=1 it waits as long as a person needs, and the time that it tells is that of the clock.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {getJson} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {DAVIT, PAUSES} = process.env;
const kAction = 1500; // ms: a click, pressing or releasing the button in a drag, a key with a meaning
const kLetter = 150; // ms

let opened;
let folder, page, editor, picture;
let actions = 0,
  letters = 0;

before(async () => {
  opened = await openStudio('guide');
  ({folder, page, editor, picture} = opened);
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const act = async (count = 1) => {
  actions += count;
  if (PAUSES) await page.waitForTimeout(count * kAction);
};
const click = async (locator) => {
  await act();
  await locator.click();
};
const press = async (key) => {
  await act();
  await page.keyboard.press(key);
};
const type = async (text) => {
  letters += text.length;
  await page.keyboard.type(text, {delay: PAUSES ? kLetter : 0});
};
const middleOf = async (locator) => {
  const {x, y, width, height} = await editor.boxOf(locator);
  return [x + width / 2, y + height / 2];
};

// Where a person would put them: name by name as the guide has them, in shares of the sheet.
const kParts = [
  ['tank', 'hydraulic.Tank', 'tank', 0.1, 0.8],
  ['FixedDisplacementPump', 'hydraulic.FixedDisplacementPump', 'fixed_displacement_pump', 0.12, 0.62],
  ['ReliefValve', 'hydraulic.ReliefValve', 'relief_valve', 0.4, 0.84],
  ['DirectionalControlValve', 'hydraulic.DirectionalControlValve', 'directional_control_valve', 0.56, 0.5],
  ['Cylinder', 'hydraulic.Cylinder', 'cylinder', 0.62, 0.12],
  ['Mass', 'mechanical.Mass', 'mass', 0.88, 0.12],
  ['Volume', 'hydraulic.Volume', 'volume', 0.28, 0.62],
  ['Volume', 'hydraulic.Volume', 'volume2', 0.48, 0.28],
  ['Volume', 'hydraulic.Volume', 'volume3', 0.72, 0.28],
];
const kController = [
  ['Step', 'signal.Step', 'step', 0.06, 0.1],
  ['Sum', 'signal.Sum', 'sum', 0.18, 0.1],
  ['Gain', 'signal.Gain', 'gain', 0.28, 0.26],
  ['Limiter', 'signal.Limiter', 'limiter', 0.4, 0.4],
];
const [kPump, kRelief, kValve] = ['fixed_displacement_pump', 'relief_valve', 'directional_control_valve'];
const kLines = [
  [`${kPump}.in`, 'tank.port'],
  [`${kRelief}.out`, 'tank.port'],
  [`${kValve}.t`, 'tank.port'],
  [`${kPump}.out`, 'volume.port'],
  [`${kRelief}.in`, 'volume.port'],
  [`${kValve}.p`, 'volume.port'],
  [`${kValve}.a`, 'volume2.port'],
  ['cylinder.a', 'volume2.port'],
  [`${kValve}.b`, 'volume3.port'],
  ['cylinder.b', 'volume3.port'],
  ['cylinder.rod', 'mass.a'],
];
const kRoutes = [
  ['step.y', 'sum.u'],
  ['mass.x', 'sum.u'],
  ['sum.y', 'gain.u'],
  ['gain.y', 'limiter.u'],
  ['limiter.y', `${kValve}.spool`],
];
const kValues = [
  ['cylinder', {bore: '80 mm', rod: '40 mm', level: 'Standard'}],
  ['mass', {mass: '1 t'}],
  [kRelief, {set_pressure: '200 bar'}],
  ['step', {before: '0.2', after: '0.8', start_time: '1 s'}],
  ['sum', {signs: '+-'}],
  ['gain', {gain: '10'}],
  ['limiter', {low: '-1', high: '1'}],
  [kValve, {level: 'Standard'}],
];

async function put([words, model, name, x, y]) {
  const search = page.getByRole('searchbox', {name: 'Search models'});
  await click(search);
  await press('Control+a');
  await type(words);
  const sheet = page.locator('.sheet');
  const {width, height} = await sheet.boundingBox();
  await act(2);
  await page.locator(`.palette [data-model="${model}"]`).dragTo(sheet, {targetPosition: {x: x * width, y: y * height}});
  await page.locator(`.form[data-component="${name}"]`).waitFor();
}

/** Where a port is once the sheet has its size: for one frame it may have that of before a message. */
async function settled(port) {
  for (;;) {
    const before = await middleOf(editor.handle(port).first());
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const after = await middleOf(editor.handle(port).first());
    if (Math.hypot(after[0] - before[0], after[1] - before[1]) < 1) return after;
  }
}

async function draw([from, to]) {
  await page.mouse.move(...(await middleOf(editor.component(from.split('.')[0]).locator('.hit'))));
  await page.mouse.move(...(await middleOf(editor.handle(from).first())));
  const at = await settled(from);
  await act();
  const now = await settled(from);
  // The page knows the size of the sheet in whole pixels.
  assert.ok(
    Math.hypot(now[0] - at[0], now[1] - at[1]) < 1,
    `the port stays where the pointer is, whatever is said meanwhile: ${at}, then ${now}`,
  );
  await page.mouse.down();
  await page.mouse.move(...(await middleOf(editor.component(to.split('.')[0]).locator('.hit'))), {steps: 3});
  await page.mouse.move(...(await middleOf(editor.handle(to).first())), {steps: 3});
  await act();
  await page.mouse.up();
  await editor.line(from, to).waitFor({state: 'attached'});
}

async function choose(name) {
  const [x, y] = await middleOf(editor.component(name).locator('.hit').first());
  await act();
  await page.mouse.click(x, y);
  await page.locator(`.form[data-component="${name}"]`).waitFor();
}

async function lead([from, to]) {
  const [name] = from.split('.');
  await choose(name);
  await press('c');
  const dialog = page.getByRole('dialog', {name: `Connect ${name}`});
  const own = dialog
    .locator('label.end', {has: page.locator(`.name:text-is("${from.slice(name.length + 1)}")`)})
    .locator('input');
  await click(own);
  await click(dialog.locator(`[data-open-end="${to}"]`));
  await editor.line(from, to).waitFor({state: 'attached'});
  if (await dialog.count()) await press('Escape');
}

async function set(name, value) {
  if (name === 'level')
    return click(page.locator('.form').getByRole('group', {name: 'level'}).getByRole('button', {name: value}));
  const input = page.locator(`.form [data-row="${name}"] input`).first();
  await click(input);
  await press('Control+a');
  await type(value);
  await press('Enter');
}

test('the first system in ten minutes', async () => {
  const begin = Date.now();
  const files = page.locator('.left-pane details', {hasText: 'Files'}).first();
  if (!(await files.evaluate((details) => details.open))) await click(files.locator('summary'));
  await click(page.getByRole('button', {name: 'New …'}));
  const dialog = page.getByRole('dialog', {name: 'New system'});
  await click(dialog.getByRole('textbox', {name: 'File'}));
  await press('Control+a');
  await type('first.xml');
  await click(dialog.getByRole('button', {name: 'Make'}));
  await page.locator('.trail h1', {hasText: 'first.xml'}).waitFor();
  for (const part of kParts) await put(part);
  for (const line of kLines) await draw(line);
  for (const part of kController) await put(part);
  for (const route of kRoutes) await lead(route);
  for (const [name, values] of kValues) {
    await choose(name);
    for (const [key, value] of Object.entries(values)) await set(key, value);
  }
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
  await picture('drawn');
  await press('Control+s');
  await editor.until('everything saved', () => page.getByRole('button', {name: /^Save( \d+)?$/}).isDisabled());
  await click(page.getByRole('button', {name: 'Run', exact: true}));
  await page.locator('.status.is-running, .status.is-finished').first().waitFor();
  await click(page.locator('.tree .row:has(.name:text-is("mass"))'));
  await click(page.getByRole('button', {name: 'Plot mass.x', exact: true}));
  await page.locator('.plots canvas, .plot canvas').first().waitFor();
  const needed = actions * kAction + letters * kLetter;
  console.log(
    `# ${actions} actions, ${letters} letters: ${(needed / 60_000).toFixed(1)} min${PAUSES ? `, by the clock ${((Date.now() - begin) / 60_000).toFixed(1)} min` : ''}`,
  );
  assert.ok(needed < 600_000, 'ten minutes');
});

test('its curves are those of davit run', async () => {
  await page.locator('.top-bar').getByLabel('speed').selectOption('free');
  await editor.until(
    'the end of the run',
    async () => (await page.locator('.top-bar .status.is-finished').count()) > 0,
    60_000,
  );
  // What the guide promises to be seen, beside the curve.
  const row = page.locator('.item', {has: page.getByRole('button', {name: 'Plot mass.x', exact: true})});
  await editor.until('the place of the mass on the page', async () =>
    /0\.79/.test(await row.evaluate((one) => `${one.textContent} ${one.querySelector('input')?.value}`)),
  );
  await picture('run');
  const {runs} = await getJson(opened.server.address, 'api/runs');
  const live = await (await fetch(`${opened.server.address}run/${runs.at(-1).run}/api/result.csv`)).text();
  const file = join(folder, 'result.csv');
  execFileSync(DAVIT, ['run', join(folder, 'first.xml'), '-o', file]);
  assert.equal(live, opened.onDisk('result.csv'));
  const [head, ...rows] = live
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const at = (time) => Number(rows.find(([t]) => Number(t) >= time - 1e-9)[head.indexOf('mass.x')]);
  console.log(`# mass.x: ${at(1)} m, at the end ${rows.at(-1)[head.indexOf('mass.x')]} m`);
  // The step asks for 0.2 m, and from 1 s on for 0.8 m; what the dead band of the valve leaves is below a hundredth.
  assert.ok(Math.abs(at(1) - 0.2) < 0.01, `${at(1)}`);
  assert.ok(Math.abs(Number(rows.at(-1)[head.indexOf('mass.x')]) - 0.8) < 0.01, `${rows.at(-1)}`);
});

test('no error was in the console', () => assert.deepEqual(opened.faults, []));
