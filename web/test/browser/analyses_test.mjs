// Studies of the studio that are no sweep and no search: linear models, frequency responses, fits, sensitivities and levels are put together by
// mouse, run, and have the files that the command line writes.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {openStudio} from './studio_page.mjs';

const {DAVIT, WEB_FOLDER} = process.env;
const kSystem = 'mass_spring.xml';
const kLift = 'lift.xml';

let opened, page, editor, folder, onDisk, picture, faults;

before(async () => {
  opened = await openStudio('analyses');
  ({page, editor, folder, onDisk, picture, faults} = opened);
  cpSync(join(WEB_FOLDER, 'systems/mass_spring.xml'), join(folder, kSystem));
  cpSync(join(WEB_FOLDER, 'systems/lifting_cylinder.xml'), join(folder, kLift));
  await page.reload();
  await editor.open(kSystem);
  await editor.component('load').waitFor();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const results = () => page.getByRole('region', {name: 'Study', exact: true});
const rows = () => results().locator('tbody tr').count();
const button = (name) => page.getByRole('button', {name, exact: true});
const tab = (name) => results().getByRole('group', {name: 'View of the results'}).getByRole('button', {name, exact: true});
const status = async (wanted) => results().locator(`[data-status="${wanted}"]`).waitFor({timeout: 120_000});
const group = (name) => page.locator('.form').getByRole('group', {name, exact: true});

async function newStudy(kind) {
  if ((await button('Studies').getAttribute('aria-pressed')) !== 'true') await button('Studies').click();
  await page.getByRole('combobox', {name: 'New study'}).selectOption(kind);
  await results().waitFor();
}

async function pick(path, list) {
  await editor.click(path.split('.')[0]);
  await group(list).locator(`[data-pick="${path}"]`).click();
}

async function fill(scope, name, value) {
  const field = scope.getByRole('textbox', {name, exact: true});
  await field.fill(value);
  await field.press('Enter');
}
const setOption = (name, value) => fill(page.locator(`.form [data-row="${name}"]`).last(), name, value);

/** Adds an element with its button and fills it; the section may be closed. */
async function addRow(element, attributes) {
  const section = page.locator('.form details', {has: page.locator('summary', {hasText: new RegExp(`^${element}`)})});
  if (!(await section.evaluate((details) => details.open))) await section.locator('summary').click();
  await section.getByRole('button', {name: `Add ${element}`, exact: true}).click();
  for (const [name, value] of Object.entries(attributes)) await fill(section.locator('.study-row').last(), name, value);
}

async function run() {
  await button('Start').click();
  await button('Start').waitFor({timeout: 120_000});
  await status('done');
}

/** The files that a study writes are those of the command line. `change` takes out what no two runs have alike. */
function isAsOnCommandLine(study, files, others = [], change = (text) => text) {
  const copy = mkdtempSync(join(tmpdir(), 'davit_analyses_copy_'));
  try {
    for (const file of [kSystem, kLift, study, ...others]) cpSync(join(folder, file), join(copy, file));
    execFileSync(DAVIT, ['study', study], {cwd: copy, stdio: 'pipe'});
    for (const file of files)
      assert.equal(change(readFileSync(join(folder, file), 'utf8')), change(readFileSync(join(copy, file), 'utf8')), file);
  } finally {
    rmSync(copy, {recursive: true});
  }
}

/** A column of the table that is shown, by its full values. */
async function column(name) {
  const heads = await results().locator('th button').allTextContents();
  const at = heads.findIndex((text) => text.replace(/ [▾▴]$/, '') === name);
  assert.ok(at >= 0, `${name} of ${heads}`);
  return (
    await results()
      .locator(`tbody tr td:nth-child(${at + 1})`)
      .evaluateAll((all) => all.map((one) => one.title))
  ).map(Number);
}

/** The picture of a tab is drawn. */
async function isDrawn(name) {
  await tab(name).click();
  await editor.until(`the picture ${name}`, () =>
    results()
      .locator('img')
      .evaluate((image) => image.naturalWidth > 100),
  );
}

test('a linear model: ends by mouse, poles with frequency and damping, gain and phase, pictures', async () => {
  await newStudy('linearize');
  await pick('load.weight', 'Inputs');
  await pick('load.x', 'Signals');
  await run();
  // m = 10 kg, k = 394.784 N/m, c = 6 N.s/m
  assert.equal(await rows(), 1);
  const [frequency] = await column('frequency');
  const [damping] = await column('damping');
  assert.ok(Math.abs(frequency - Math.sqrt(39.4784) / (2 * Math.PI)) < 1e-6, `${frequency}`);
  assert.ok(Math.abs(damping - 6 / (2 * Math.sqrt(3947.84))) < 1e-6, `${damping}`);
  await picture('poles_table');
  await tab('Response').click();
  assert.ok((await rows()) > 400);
  assert.equal(await results().getByText('load.weight -> load.x gain').count(), 1);
  await isDrawn('Poles');
  await isDrawn('Bode');
  await picture('bode');
  assert.equal(await button('Resume').count(), 0, 'nothing of it is resumed');
  const stem = 'mass_spring_linearize';
  isAsOnCommandLine(`${stem}.xml`, [`${stem}.csv`, `${stem}_response.csv`, `${stem}_bode.svg`, `${stem}_poles.svg`]);
});

test('a root locus over a parameter', async () => {
  await newStudy('linearize');
  await pick('damper.coefficient', 'Parameters');
  await fill(group('Vary damper.coefficient'), 'values', '0:25 N.s/m:150 N.s/m');
  await run();
  // What holds one model has gone with the click.
  assert.match(
    onDisk('mass_spring_linearize2.xml'),
    /poles="mass_spring_linearize2_poles.svg">\s*<Vary path="damper.coefficient"/,
  );
  assert.doesNotMatch(onDisk('mass_spring_linearize2.xml'), /bode|response/);
  const values = await column('damper.coefficient');
  const damping = await column('damping');
  assert.equal(new Set(values).size, 7);
  for (const [index, c] of values.entries()) {
    const wanted = c / (2 * Math.sqrt(3947.84));
    if (wanted < 1) assert.ok(Math.abs(damping[index] - wanted) < 1e-6, `${c}: ${damping[index]}`);
  }
  await isDrawn('Poles');
  await picture('locus');
  const stem = 'mass_spring_linearize2';
  isAsOnCommandLine(`${stem}.xml`, [`${stem}.csv`, `${stem}_poles.svg`]);
});

test('a frequency response: grows, is cancelled, runs again', async () => {
  await newStudy('frequency');
  await pick('load.mass', 'Inputs');
  await pick('load.weight', 'Inputs'); // there is one input: the other one goes
  await pick('load.x', 'Signals');
  await button('Start').click();
  await page.locator('.study-form .fault-lines', {hasText: 'has no amplitude'}).waitFor();
  assert.deepEqual(onDisk('mass_spring_frequency.xml').match(/<Input .*>/g), ['<Input path="load.weight"/>']);
  await setOption('from', '0.2 Hz');
  await setOption('to', '5 Hz');
  await setOption('amplitude', '10 N');
  await setOption('points', '400');
  await page.locator('.form [data-row="steady"] select').selectOption('true');
  await button('Start').click();
  await editor.until('some rows', async () => (await rows()) >= 3);
  await button('Cancel').click();
  await status('stopped');
  const kept = onDisk('mass_spring_frequency.csv').trim().split('\n').length - 1;
  assert.ok(kept >= 3 && kept < 400, `${kept} rows`);
  assert.equal(await button('Resume').count(), 0);
  await setOption('points', '12');
  await run();
  await editor.until('12 rows', async () => (await rows()) === 12);
  const gains = await column('load.x.gain');
  for (const [index, f] of (await column('frequency')).entries()) {
    const w = 2 * Math.PI * f;
    const exact = 1 / Math.hypot(394.784 - 10 * w * w, 6 * w);
    assert.ok(Math.abs(gains[index] / exact - 1) < 1e-3, `${f} Hz: ${gains[index]} and not ${exact}`);
  }
  await isDrawn('Bode');
  isAsOnCommandLine('mass_spring_frequency.xml', ['mass_spring_frequency.csv', 'mass_spring_frequency_bode.svg']);
});

test('a fit finds the damper of measured data', async () => {
  execFileSync(DAVIT, [
    'run',
    join(folder, kSystem),
    '--set',
    'damper.coefficient=20',
    '--set',
    'SimulatorManager.StopTime=3 s',
    '-o',
    join(folder, 'measured.csv'),
    '--quiet',
  ]);
  await newStudy('fit');
  await addRow('Data', {file: 'measured.csv'});
  await pick('load.x', 'Signals');
  await pick('damper.coefficient', 'Parameters');
  await fill(group('Vary damper.coefficient'), 'values', '1 N.s/m:50 N.s/m');
  await setOption('stop', '3 s');
  await run();
  const facts = Object.fromEntries(
    await results()
      .locator('.study-found dl > div')
      .evaluateAll((all) => all.map((one) => [one.firstChild.textContent, one.lastChild.textContent])),
  );
  assert.equal(facts['names'], 'damper.coefficient');
  assert.ok(Math.abs(Number.parseFloat(facts['values']) - 20) < 0.01, facts['values']);
  await picture('fit');
  isAsOnCommandLine('mass_spring_fit.xml', ['mass_spring_fit.csv'], ['measured.csv']);
});

test('a sensitivity', async () => {
  await newStudy('sensitivity');
  await page
    .getByRole('combobox', {name: 'Function of the measure'})
    .or(page.getByText('Select a component'))
    .first()
    .waitFor();
  await editor.click('load');
  await page.getByRole('combobox', {name: 'Function of the measure'}).selectOption('final');
  await pick('load.x', 'Signals');
  await editor.click('load');
  const taker = page.getByRole('combobox', {name: 'What a parameter is added as'});
  if ((await taker.count()) > 0) await taker.selectOption('To');
  await pick('load.mass', 'Parameters');
  await pick('damper.coefficient', 'Parameters');
  for (const path of ['load.mass', 'damper.coefficient']) {
    const values = group(`To ${path}`).getByRole('textbox', {name: 'values', exact: true});
    if ((await values.count()) > 0 && (await values.inputValue()) !== '') await fill(group(`To ${path}`), 'values', '');
  }
  await setOption('stop', '2 s');
  await run();
  assert.equal(await rows(), 2);
  assert.ok((await column('slope')).every((slope) => Number.isFinite(slope) && slope !== 0));
  assert.equal(await button('Resume').count(), 0);
  await picture('sensitivity');
  isAsOnCommandLine('mass_spring_sensitivity.xml', ['mass_spring_sensitivity.csv']);
});

test('levels within a tolerance', async () => {
  await editor.open(kLift);
  await editor.component('cylinder').waitFor();
  await newStudy('levels');
  await pick('load.x', 'Signals');
  const name = await page.locator('.study-row [data-row="name"] input').first().inputValue();
  await addRow('Tolerance', {name, value: '1%'});
  await setOption('stop', '0.5 s');
  await setOption('windows', '0.25 s');
  await setOption('rounds', '0');
  await run();
  assert.ok((await rows()) > 2);
  await picture('levels');
  // Without the time that each probe has taken.
  isAsOnCommandLine('lift_levels.xml', ['lift_levels.csv'], [], (text) => text.replace(/^(.*),[^,]*$/gm, '$1'));
});

test('nothing has been said on the console', () => assert.deepEqual(faults, []));
