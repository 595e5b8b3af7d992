// Two versions of a system in the studio: with what is saved and with another file, as a list and on the canvas.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {openStudio} from './studio_page.mjs';

let opened, page, editor, folder, faults, picture;

const kSystem = `<System name="plant" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
  <hydraulic.Tank name="tank"/>
  <hydraulic.FixedDisplacementPump name="pump" displacement="10 cm3/rev"/>
  <hydraulic.Volume name="supply" volume="5 l"/>
  <hydraulic.ReliefValve name="relief" set_pressure="200 bar"/>
  <Connect from="pump.in" to="tank.port"/>
  <Connect from="pump.out" to="supply.port"/>
  <Connect from="relief.in" to="supply.port"/>
  <Connect from="relief.out" to="tank.port"/>
  <Layout>
    <Place name="pump" x="0" y="0"/>
    <Place name="relief" x="320" y="0"/>
    <Place name="supply" x="160" y="-120"/>
    <Place name="tank" x="160" y="160"/>
  </Layout>
</System>
`;
const kOther = kSystem
  .replace('10 cm3/rev', '12 cm3/rev')
  .replace('  <hydraulic.ReliefValve name="relief" set_pressure="200 bar"/>\n', '')
  .replace(/ {2}<Connect from="relief[^\n]*\n/g, '')
  .replace(/ {4}<Place name="relief"[^\n]*\n/, '');

before(async () => {
  opened = await openStudio('versions', null);
  ({page, editor, folder, faults, picture} = opened);
  writeFileSync(join(folder, 'plant.xml'), kSystem);
  writeFileSync(join(folder, 'other.xml'), kOther);
  await page.reload();
  await editor.open('plant.xml');
  await editor.component('pump').waitFor();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const sum = (text) => page.locator('.versions .sum', {hasText: text}).waitFor();
const rows = () =>
  page
    .locator('.versions tr')
    .evaluateAll((list) => list.map((row) => [row.dataset.kind, ...[...row.cells].slice(1).map((cell) => cell.textContent)]));
const mark = (name) => page.locator(`.version-marks [data-version="${name}"]`);
const colourOf = (locator) => locator.evaluate((one) => getComputedStyle(one).stroke);

test('what is edited differs from what is saved, and undo takes that back', async () => {
  await page.getByRole('button', {name: 'Versions'}).click();
  await sum('No differences');
  await editor.click('pump');
  const field = page.locator('.form [data-row="displacement"] input');
  await field.fill('15 cm3/rev');
  await field.press('Enter');
  await sum('1 of the system, 0 of the layout only');
  assert.deepEqual(await rows(), [['changed', 'component', 'pump', 'displacement', '10 cm3/rev', '15 cm3/rev']]);
  await mark('pump').waitFor();
  await page.locator('.sheet').focus();
  await page.keyboard.press('ArrowLeft');
  await sum('1 of the system, 1 of the layout only');
  assert.deepEqual((await rows())[1], ['changed', 'layout', 'pump', 'x', '0', '-8']);
  // Both tables have the same columns.
  const [ofSystem, ofLayout] = await page
    .locator('.versions table')
    .evaluateAll((all) =>
      all.map((table) => [...table.rows[0].cells].map((cell) => Math.round(cell.getBoundingClientRect().left))),
    );
  assert.deepEqual(ofSystem, ofLayout);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await sum('No differences');
  assert.equal(await page.locator('.version-marks [data-version]').count(), 0);
});

test('another file: what it has more, less and otherwise, in colours of both themes; a click shows it', async () => {
  // From the smaller to the larger one: the valve is added.
  await page.getByRole('combobox', {name: 'Compare with'}).selectOption('other.xml');
  await sum('4 of the system');
  assert.deepEqual(
    (await rows())
      .slice(0, 4)
      .map(([kind, part, path]) => `${kind} ${part} ${path}`)
      .sort(),
    [
      'added component relief',
      'added connection relief.in - supply.port',
      'added connection relief.out - tank.port',
      'changed component pump',
    ],
  );
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme: scheme});
    const colours = new Set([await colourOf(mark('relief')), await colourOf(mark('pump'))]);
    assert.equal(colours.size, 2, 'added and changed differ');
    await picture(`added_${scheme}`);
  }
  await page.emulateMedia({colorScheme: 'light'});
  await page.locator('.versions').getByRole('button', {name: 'relief', exact: true}).first().click();
  await page.locator('.form[data-component="relief"]').waitFor();
  await page.locator('.versions').getByRole('button', {name: 'relief.in - supply.port'}).click();
  await page.locator('.form h2', {hasText: 'Connection'}).waitFor();
  // And from the larger one: it is gone, and drawn where it was.
  await editor.open('other.xml'); // not compared with itself
  await page.getByRole('button', {name: 'Versions'}).click();
  await page.getByRole('combobox', {name: 'Compare with'}).selectOption('plant.xml');
  await sum('4 of the system');
  await page.locator('.version-marks .gone [data-path="relief"]').waitFor();
  assert.equal(await page.locator('.gone .version-line').count(), 2);
  assert.ok((await rows()).some(([kind, part, path]) => kind === 'removed' && part === 'component' && path === 'relief'));
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme: scheme});
    await picture(`removed_${scheme}`);
  }
  await page.emulateMedia({colorScheme: 'light'});
  await page.locator('.versions').getByRole('button', {name: 'Close'}).click();
  assert.equal(await page.locator('.version-marks').count(), 0);
  assert.deepEqual(faults, []);
});
