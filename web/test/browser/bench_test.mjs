// Benches of the studio, by mouse: a bench is made, its cases are edited in a form, run, and a failed expectation shows its picture. The
// form has what the server declares, and the command line has the same verdicts.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {expectAccessible} from './accessibility.mjs';
import {getJson} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {DAVIT, WEB_FOLDER} = process.env;

let opened, page, editor, folder, onDisk, picture, faults;

before(async () => {
  opened = await openStudio('bench');
  ({page, editor, folder, onDisk, picture, faults} = opened);
  copyFileSync(join(WEB_FOLDER, 'systems/lifting_cylinder.xml'), join(folder, 'lift.xml'));
  writeFileSync(
    join(folder, 'other.xml'),
    '<Bench system="lift.xml" stop="1 s">\n  <Case name="runs">\n    <Always expr="load.x ge 0 m"/>\n  </Case>\n</Bench>\n',
  );
  await page.reload();
  await editor.open('lift.xml');
  await editor.component('load').waitFor();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const results = () => page.getByRole('region', {name: 'Bench', exact: true});
const button = (name) => page.getByRole('button', {name, exact: true});
const form = () => page.locator('.form');
const cases = () => page.getByRole('list', {name: 'Cases'});
const rows = (name) => form().getByRole('group', {name: new RegExp(`^${name}`)});
/** A case in the results. */
const result = (name) => results().locator(`[data-case="${name}"]`);

async function fill(scope, name, value) {
  const field = scope.getByRole('textbox', {name, exact: true});
  await field.fill(value);
  await field.press('Enter');
}

async function add(element) {
  const section = form().locator('details', {has: page.locator('summary', {hasText: new RegExp(`^${element}\\d*$`)})});
  if (!(await section.evaluate((details) => details.open))) await section.locator('summary').click();
  await section.getByRole('button', {name: `Add ${element}`, exact: true}).click();
}

/** Starts and waits for the result of this very start. */
async function run(name = 'Start') {
  const before = (await getJson(opened.server.address, 'api/studies')).studies.length;
  await button(name).click();
  await editor.until('the end of the cases', async () => {
    const {studies} = await getJson(opened.server.address, 'api/studies');
    return studies.length > before && studies.at(-1).status === 'done';
  });
  const {studies} = await getJson(opened.server.address, 'api/studies');
  await results()
    .getByText(`${studies.at(-1).found.passed} of ${studies.at(-1).found.cases.length} passed`)
    .waitFor();
  return studies.at(-1).found;
}

test('a bench of the folder is in the list of studies, and opens from the list of files', async () => {
  await button('Studies').click();
  await page.getByRole('combobox', {name: 'Study', exact: true}).selectOption('other.xml');
  await cases().getByRole('button', {name: 'runs'}).waitFor();
  await button('Close').click();
  const list = page.locator('.left-pane details', {hasText: 'Files'}).first();
  if (!(await list.evaluate((details) => details.open))) await list.locator('summary').click();
  await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'other.xml', exact: true}).click();
  await cases().getByRole('button', {name: 'runs'}).waitFor();
});

test('the form has all that the server declares, and nothing else', async () => {
  const {bench} = await getJson(opened.server.address, 'api/studies/kinds');
  for (const [chosen, place, element] of [
    ['All cases', 'bench', 'Bench'],
    ['runs', 'case', 'Case'],
  ]) {
    await cases().getByRole('button', {name: chosen}).click();
    const wanted = bench.filter((one) => one.place === place && one.element !== 'Case').map((one) => one.element);
    const shown = await form().locator('details > summary').allTextContents();
    assert.deepEqual(
      shown.slice(2).map((text) => text.replace(/\d+$/, '')),
      wanted,
    );
    const fields = await form()
      .locator('details')
      .nth(1)
      .locator('[data-row]')
      .evaluateAll((all) => all.map((one) => one.dataset.row));
    assert.deepEqual(
      fields,
      bench.find((one) => one.element === element).parts.map(({attribute}) => attribute),
    );
  }
});

test('a bench is made, run, and its failed expectation is shown with its curve', async () => {
  await page.getByRole('combobox', {name: 'New study'}).selectOption('bench');
  await rows('Always').waitFor();
  await fill(rows('Always'), 'expr', 'load.x gt 0.5 m');
  await cases().getByRole('button', {name: 'All cases'}).click();
  await fill(form(), 'stop', '3 s');
  await button('Add a case').click();
  await fill(form().locator('details', {hasText: 'Case case'}).first(), 'name', 'too low');
  await add('Never');
  await fill(rows('Never'), 'expr', 'pump.p_out gt 1 bar');
  await add('Set');
  await fill(rows('Set'), 'path', 'load.mass');
  await fill(rows('Set load.mass'), 'value', '12 t');
  const found = await run();
  assert.deepEqual(
    found.cases.map(({name, is_passed}) => [name, is_passed]),
    [
      ['first', true],
      ['too low', false],
    ],
  );
  await result('too low').getByText('not met').waitFor();
  const {naturalWidth} = await result('too low')
    .locator('.bench-picture img')
    .evaluate(async (image) => {
      await image.decode();
      return {naturalWidth: image.naturalWidth};
    });
  assert.ok(naturalWidth > 100, 'a picture that can be shown');
  await cases().getByRole('button', {name: '✗ too low'}).waitFor();
  await picture('failed');
  // The file on disk, run by the command line, has the same verdict.
  const {status, stdout} = spawnSync(DAVIT, ['bench', 'lift_bench.xml'], {cwd: folder, encoding: 'utf8'});
  assert.equal(status, 1);
  assert.match(stdout, /failed too low/);
  assert.ok(stdout.includes(found.cases[1].expectations[0].verdict), stdout);
  assert.match(onDisk('lift_bench.xml'), /<Set path="load.mass" value="12 t"\/>/);
});

test('failed cases alone run again, and pass when they are right', async () => {
  await cases().getByRole('button', {name: 'too low'}).click();
  await fill(rows('Never'), 'expr', 'pump.p_out gt 10000 bar');
  const found = await run('Start failed cases');
  assert.deepEqual(
    found.cases.map(({name, is_passed}) => [name, is_passed]),
    [['too low', true]],
  );
  const all = await run();
  assert.equal(all.passed, 2);
  assert.equal(spawnSync(DAVIT, ['bench', 'lift_bench.xml'], {cwd: folder}).status, 0);
});

test('what is wrong is said with file, line and remedy, and nothing runs', async () => {
  await fill(rows('Never'), 'expr', 'pump.p_outt gt 1 bar');
  const before = (await getJson(opened.server.address, 'api/studies')).studies.length;
  await button('Start').click();
  await page.locator('.study-form .fault-lines', {hasText: 'lift_bench.xml:'}).waitFor();
  assert.match(await page.locator('.study-form .fault-lines').textContent(), /p_out/);
  assert.equal((await getJson(opened.server.address, 'api/studies')).studies.length, before);
  await fill(rows('Never'), 'expr', 'pump.p_out gt 1 bar');
  await run();
});

test('no rule of axe-core is broken, in both themes and in windows of every size', async () => {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme});
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewportSize({width, height});
      for (const pane of width < 900 ? ['View', 'Values'] : ['']) {
        if (pane) await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name: pane}).click();
        await page.waitForTimeout(300); // what follows a resize
        await picture(`${colorScheme}_${width}_${pane}`);
        await expectAccessible(page, `${colorScheme} ${width} ${pane}`);
      }
    }
  }
  assert.deepEqual(faults, []);
});
