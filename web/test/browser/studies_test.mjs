// Studies of the studio, by mouse: a sweep of 200 cases and an optimisation of the servo's PID are started, cancelled, resumed and stored, and
// the command line runs their files with the same tables. What the server declares about studies is what the form has.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {expectAccessible} from './accessibility.mjs';
import {getJson} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {DAVIT, WEB_FOLDER} = process.env;

/** The servo of the tutorial, its axis and its controller, for so long that no study ends before the page could cancel it. */
function servo() {
  const blocks = [...readFileSync(join(WEB_FOLDER, 'docs/tutorial-pid.md'), 'utf8').matchAll(/```xml\n([^`]*)```/g)].map(
    ([, text]) => text,
  );
  const axis = blocks.find((text) => text.includes('<System name="servo"'));
  const controller = blocks.find((text) => text.includes('<signal.PID') && !text.includes('<System'));
  const long = axis.replace('StopTime="6 s"', 'StopTime="60 s"');
  assert.notEqual(long, axis);
  return long.replace('</System>', `${controller}</System>`);
}

let opened, page, editor, folder, onDisk, picture, faults;

before(async () => {
  opened = await openStudio('studies');
  ({page, editor, folder, onDisk, picture, faults} = opened);
  writeFileSync(join(folder, 'servo.xml'), servo());
  await page.reload();
  await editor.open('servo.xml');
  await editor.component('pid').waitFor();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const results = () => page.getByRole('region', {name: 'Study', exact: true});
const rows = () => results().locator('tbody tr').count();
const button = (name) => page.getByRole('button', {name, exact: true});
const status = async (wanted) => results().locator(`[data-status="${wanted}"]`).waitFor();

/** From the list of files: with its system. */
async function openStudyFile(path) {
  const files = page.locator('.left-pane details', {hasText: 'Files'}).first();
  if (!(await files.evaluate((details) => details.open))) await files.locator('summary').click();
  await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: path, exact: true}).click();
  await results().waitFor();
}

async function newStudy(kind) {
  if ((await button('Studies').getAttribute('aria-pressed')) !== 'true') await button('Studies').click();
  await page.getByRole('combobox', {name: 'New study'}).selectOption(kind);
  await results().waitFor();
}

/** Selects a component on the sheet, and clicks one of its parameters or signals. */
async function pick(path, list = 'Parameters') {
  await editor.click(path.split('.')[0]);
  await group(list).locator(`[data-pick="${path}"]`).click();
}

async function fill(scope, name, value) {
  const field = scope.getByRole('textbox', {name, exact: true});
  await field.fill(value);
  await field.press('Enter');
}
const group = (name) => page.locator('.form').getByRole('group', {name, exact: true});
async function setOption(name, value) {
  const row = page.locator(`.form [data-row="${name}"]`).last();
  await fill(row, name, value);
}

/** A table without the column of times. */
const table = (path) =>
  readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.slice(0, line.lastIndexOf(',')));

/** Runs a study file of the folder from the command line, elsewhere. */
function onCommandLine(study, output) {
  const copy = mkdtempSync(join(tmpdir(), 'davit_studies_copy_'));
  try {
    for (const file of ['servo.xml', study]) cpSync(join(folder, file), join(copy, file));
    execFileSync(DAVIT, ['study', study], {cwd: copy, stdio: 'pipe'});
    return table(join(copy, output));
  } finally {
    rmSync(copy, {recursive: true});
  }
}

/** Starts the study, cancels it when some cases have ended, and resumes it: the page may be closed meanwhile. */
async function startCancelResume(output) {
  await button('Start').click();
  await editor.until('some rows', async () => (await rows()) >= 5);
  await button('Cancel').click();
  await status('stopped');
  const kept = table(join(folder, output)).length;
  await page.waitForTimeout(300);
  assert.equal(table(join(folder, output)).length, kept, 'nothing runs any more');
  await button('Resume').click();
  await button('Cancel').waitFor();
  return kept - 1;
}

const study = async (number) => (await getJson(opened.server.address, 'api/studies')).studies[number - 1];

test('the form has all options that the server declares, and no other', async () => {
  const {kinds} = await getJson(opened.server.address, 'api/studies/kinds');
  const schema = execFileSync(DAVIT, ['schema', '--study'], {encoding: 'utf8'});
  for (const {name, element, options} of kinds) {
    await newStudy(name);
    const shown = await page
      .locator('.form details:last-of-type [data-row]')
      .evaluateAll((all) => all.map((one) => one.dataset.row));
    const wanted = options.filter((option) => option.is_attribute && !option.element).map((option) => option.name);
    assert.deepEqual(shown, ['system', ...wanted], name);
    const sections = await page.locator('.form details summary').allTextContents();
    for (const option of options.filter((one) => one.element)) {
      assert.ok(
        sections.some((text) => text.startsWith(option.element)),
        `${name}: ${option.element}`,
      );
      assert.ok(schema.includes(`<xs:element name="${option.element}">`), option.element);
    }
    assert.ok(schema.includes(`<xs:element name="${element}">`));
    await button('Undo').click();
  }
});

test('a sweep of 200 cases: started, cancelled, resumed with the page closed, the same on the command line', async () => {
  await newStudy('sweep');
  await pick('pid.kp');
  await fill(group('Vary pid.kp'), 'values', '5:0.1:24.9');
  await pick('load.x', 'Signals');
  await picture('sweep_form');
  assert.match(onDisk('servo.xml'), /signal\.PID/);
  const kept = await startCancelResume('servo_sweep.csv');
  assert.ok(kept < 200, `${kept} rows`);
  await page.goto('about:blank');
  await editor.until('the study ends without a page', async () => (await study(2)).status === 'done', 300_000);
  await page.goto(opened.server.address);
  await openStudyFile('servo_sweep.xml');
  await editor.until('all rows', async () => (await rows()) === 200);
  await status('done');
  assert.equal(onDisk('servo_sweep.xml').trim().split('\n').length, 6, onDisk('servo_sweep.xml'));
  const found = table(join(folder, 'servo_sweep.csv'));
  assert.equal(found.length, 201);
  assert.deepEqual(found, onCommandLine('servo_sweep.xml', 'servo_sweep.csv'));
  // Sorted by the measure, downwards.
  const head = results().getByRole('button', {name: 'max_x'});
  await head.click();
  await head.click();
  const column = (
    await results()
      .locator('tbody tr td:nth-child(3)')
      .evaluateAll((all) => all.map((one) => one.title))
  ).map(Number);
  assert.deepEqual(
    column,
    [...column].sort((a, b) => b - a),
  );
  await picture('sweep_table');
  await button('Chart').click();
  assert.equal(await results().locator('svg circle').count(), 200);
  await picture('sweep_chart');
});

test('a click on a case opens its run', async () => {
  await button('Table').click();
  await page.getByRole('button', {name: 'Run case 7', exact: true}).click();
  await page.locator('.top-bar.studio-bar').getByRole('button', {name: 'Draw', exact: true}).waitFor();
  const {runs} = await getJson(opened.server.address, 'api/runs');
  const run = runs.at(-1);
  await editor.until('the end of the run', async () =>
    (await getJson(opened.server.address, 'api/runs')).runs.some((one) => one.run === run.run && one.status === 'finished'),
  );
  const shown = await (await fetch(`${opened.server.address}run/${run.run}/api/result.csv`)).text();
  const value = table(join(folder, 'servo_sweep.csv'))[7].split(',')[1];
  const alone = join(folder, 'alone.csv');
  execFileSync(DAVIT, ['run', join(folder, 'servo.xml'), '--set', `pid.kp=${value}`, '-o', alone, '--quiet']);
  assert.equal(shown, readFileSync(alone, 'utf8'));
  await button('Draw').click();
});

test('an optimisation of the PID: started, cancelled, resumed, the same on the command line', async () => {
  await newStudy('optimize');
  await pick('pid.kp');
  await fill(group('Vary pid.kp'), 'values', '5:20');
  await pick('pid.ki');
  await fill(group('Vary pid.ki'), 'values', '0:40');
  await page.getByRole('combobox', {name: 'Function of the measure'}).selectOption('rms');
  await pick('load.x', 'Signals');
  await fill(group('Minimize rms(load.x)'), 'expr', 'rms(reference.y - load.x)');
  await page.locator('.form [data-row="method"] select').selectOption('de');
  await setOption('budget', '130');
  await startCancelResume('servo_optimize.csv');
  await editor.until('the end of the search', async () => (await study(4)).status === 'done', 300_000);
  await status('done');
  const found = table(join(folder, 'servo_optimize.csv'));
  assert.ok(found.length > 100);
  assert.deepEqual(found, onCommandLine('servo_optimize.xml', 'servo_optimize.csv'));
  assert.equal(await results().locator('tr.is-best').count(), 1);
  await picture('optimize');
});

test('what is wrong is said with file, line and remedy, and nothing runs', async () => {
  await newStudy('sweep');
  await pick('pid.kp');
  await fill(group('Vary pid.kp'), 'values', '5:10 kg');
  await pick('load.x', 'Signals');
  await button('Start').click();
  await page.locator('.study-form .fault-lines', {hasText: 'servo_sweep2.xml:3'}).waitFor();
  assert.equal(existsSync(join(folder, 'servo_sweep2.csv')), false);
});

test('no rule of axe-core is broken, in both themes and in windows of every size', async () => {
  await openStudyFile('servo_sweep.xml');
  await editor.click('pid');
  for (const tab of ['Table', 'Chart']) {
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({colorScheme});
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ]) {
        await page.setViewportSize({width, height});
        for (const pane of width < 900 ? ['View', 'Values'] : ['']) {
          if (pane) await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name: pane}).click();
          if (pane !== 'Values') await button(tab).click();
          await page.waitForTimeout(300);
          await picture(`${tab}_${colorScheme}_${width}_${pane}`);
          await expectAccessible(page, `${tab} ${colorScheme} ${width} ${pane}`);
        }
      }
    }
  }
  assert.deepEqual(faults, []);
});
