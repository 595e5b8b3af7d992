// The table of parameters: all components of one model below each other, edited as in a spreadsheet.
import assert from 'node:assert/strict';
import {after, afterEach, before, test} from 'node:test';
import {expectAccessible} from './accessibility.mjs';
import {openStudio} from './studio_page.mjs';

let opened, page, editor, onDisk, picture, faults;

before(async () => {
  opened = await openStudio('table', 'systems');
  ({page, editor, onDisk, picture, faults} = opened);
  await editor.open('position_servo.xml');
  await editor.choose('valve_pa');
  await page.locator('.form').getByRole('button', {name: 'Table', exact: true}).click();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const table = () => page.getByRole('region', {name: 'Table of parameters'});
const cell = (name) => table().getByRole('textbox', {name, exact: true});
/** An attribute of a component in the file on disk. */
const saved = (component, name) =>
  new RegExp(`name="${component}"[^>]* ${name}="([^"]*)"`).exec(onDisk('position_servo.xml'))?.[1] ?? null;

test('the valves have a row each, and a column for each value of the file', async () => {
  assert.deepEqual(await table().locator('tbody th').allTextContents(), ['valve_pa', 'valve_pb', 'valve_at', 'valve_bt']);
  assert.deepEqual(await table().locator('thead th').allTextContents(), ['component', 'nominal_flow', 'nominal_pressure_drop']);
  // Of a cylinder, also those that the file leaves at their defaults.
  await table().getByRole('combobox', {name: 'Model'}).selectOption('hydraulic.CylinderC');
  const columns = () => table().locator('thead th').count();
  await table().locator('tbody th', {hasText: 'cylinder'}).waitFor();
  const written = await columns();
  await table().getByRole('checkbox', {name: 'All parameters'}).check();
  await editor.until('more columns', async () => (await columns()) > written);
  await table().getByRole('checkbox', {name: 'All parameters'}).uncheck();
  await table().getByRole('combobox', {name: 'Model'}).selectOption('hydraulic.DirectionalValve22');
});

test('a cell is edited by the keyboard, and Enter leads to the one below', async () => {
  await cell('valve_pa nominal_flow').fill('50 l/min');
  await cell('valve_pa nominal_flow').press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'valve_pb nominal_flow');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.evaluate(() => document.activeElement.ariaLabel), 'valve_at nominal_flow');
  await editor.save();
  assert.equal(saved('valve_pa', 'nominal_flow'), '50 l/min');
  assert.equal(saved('valve_pb', 'nominal_flow'), '40 l/min');
});

test('cells of a spreadsheet are pasted in one step', async () => {
  const before = onDisk('position_servo.xml');
  await cell('valve_pb nominal_flow').evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', '41 l/min\t30 bar\n42 l/min\t31 bar\n');
    input.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true, cancelable: true}));
  });
  await editor.save();
  assert.deepEqual(
    ['valve_pa', 'valve_pb', 'valve_at', 'valve_bt'].map((name) => [
      saved(name, 'nominal_flow'),
      saved(name, 'nominal_pressure_drop'),
    ]),
    [
      ['50 l/min', '35 bar'],
      ['41 l/min', '30 bar'],
      ['42 l/min', '31 bar'],
      ['40 l/min', '35 bar'],
    ],
  );
  await page.getByRole('button', {name: 'Undo', exact: true}).click();
  await editor.save();
  assert.equal(onDisk('position_servo.xml'), before);
});

test('a wrong value is marked in its cell; a click on a name selects the component', async () => {
  await cell('valve_bt nominal_flow').fill('3 kg');
  await cell('valve_bt nominal_flow').press('Enter');
  await table().locator('td.has-fault').waitFor();
  assert.equal(await table().locator('td.has-fault input').getAttribute('aria-label'), 'valve_bt nominal_flow');
  await table().getByRole('button', {name: 'valve_at', exact: true}).click();
  await page.locator('.form[data-component="valve_at"]').waitFor();
});

test('no rule of axe-core is broken', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme});
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewportSize({width, height});
      await page.waitForTimeout(300);
      await picture(`${colorScheme}_${width}`);
      await expectAccessible(page, `${colorScheme} ${width}`);
    }
  }
  assert.deepEqual(faults, []);
});
