// Editing on the page of `davit studio` beyond one drawing: sub-systems, the text with its completion, templates, and checks of large
// systems.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {Editor} from './editor.mjs';
import {getJson} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {DAVIT} = process.env;

let opened;
let folder, onDisk, picture, page, editor, faults;

before(async () => {
  opened = await openStudio('edit', 'systems');
  ({folder, onDisk, picture, page, editor, faults} = opened);
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

/** The field of the text view, which is opened if it is not. */
async function showText(path) {
  const text = page.getByRole('textbox', {name: `Text of ${path}`});
  if (!(await text.count())) await page.getByRole('button', {name: 'Text', exact: true}).click();
  await text.click();
}

test('a sub-system is opened in place, and what is edited there is its own file', async () => {
  const outer = onDisk('pump_characteristics.xml');
  const inner = onDisk('parts/pump_stand.xml');
  await editor.open('pump_characteristics.xml');
  await page.locator('.sheet [data-path="pump_43"]').first().waitFor();
  // By a double click, and by the keyboard.
  const pressures = ['900 bar', '800 bar'];
  for (const [round, enter] of [
    async () => {
      const {x, y} = await editor.boxOf(editor.component('pump_43').locator('.hit, .frame').first());
      await page.mouse.dblclick(x + 6, y + 6);
    },
    async () => {
      await editor.component('pump_43').focus();
      await page.keyboard.press('Space');
      await page.keyboard.press('Enter');
    },
  ].entries()) {
    await enter();
    await page.locator('.trail', {hasText: 'pump_43'}).waitFor();
    await editor.component('pump').waitFor();
    await picture('inside');
    await editor.choose('pump');
    await editor.set('set_pressure', pressures[round]);
    await page
      .locator('.trail')
      .getByRole('button', {name: /pump_characteristics/})
      .click();
    await page.locator('.sheet [data-path="pump_43"]').first().waitFor();
  }
  await editor.save();
  assert.equal(onDisk('pump_characteristics.xml'), outer);
  assert.equal(onDisk('parts/pump_stand.xml'), inner.replace('"1000 bar"', '"800 bar"'));
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await editor.save();
  assert.equal(onDisk('parts/pump_stand.xml'), inner);
});

test('the text completes elements, attributes, options and ports, and the drawing follows', async () => {
  await editor.open('mass_spring.xml');
  const before = onDisk('mass_spring.xml');
  await showText('mass_spring.xml');
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  const offered = page.locator('.cm-tooltip-autocomplete');
  const complete = async (typed, wanted) => {
    await page.keyboard.type(typed);
    await page.keyboard.press('Control+Space');
    const option = offered.locator('li', {hasText: wanted}).first();
    await option.waitFor();
    await picture('completion');
    await option.click();
    await offered.waitFor({state: 'detached'});
  };
  await complete('<hydraulic.Cyl', /^hydraulic\.Cylinder(?!C)/);
  await page.keyboard.type(' name="ram"');
  await complete(' bo', /^bore/);
  await page.keyboard.type('80 mm');
  await page.keyboard.press('ArrowRight');
  await complete(' level="', /^Standard/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('/>');
  await editor.component('ram').waitFor();
  await page.keyboard.press('Enter');
  await complete('<Connect from="ram.r', /^ram\.rod/);
  await page.keyboard.press('ArrowRight');
  await complete(' to="load', /^load\.a/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('/>');
  await editor.line('ram.rod', 'load.a').waitFor({state: 'attached'});
  // By the keyboard: the drawing may still move.
  await editor.component('ram').focus();
  await page.keyboard.press('Space');
  await page.locator('.form[data-component="ram"]').waitFor();
  assert.equal(await page.locator('.form [data-row="bore"] input').inputValue(), '80 mm');
  await editor.save();
  const lines = onDisk('mass_spring.xml')
    .split('\n')
    .filter((line) => line !== '' && !before.split('\n').includes(line))
    .map((line) => line.trim());
  assert.deepEqual(lines, [
    '<hydraulic.Cylinder name="ram" bore="80 mm" level="Standard"/>',
    '<Connect from="ram.rod" to="load.a"/>',
  ]);
  await page.getByRole('button', {name: 'Text', exact: true}).click();
});

test('each template makes a file that can run or can be checked', async () => {
  const {templates} = await getJson(opened.server.address, 'api/templates');
  for (const {name, kind, content} of templates.filter((one) => one.kind === 'system')) {
    const path = `from_${name}.xml`;
    await page.getByRole('button', {name: 'New …'}).click();
    const dialog = page.getByRole('dialog', {name: 'New system'});
    await dialog.getByRole('textbox', {name: 'File'}).fill(path);
    await dialog
      .locator('.templates label', {has: page.locator(`b:text-is("${name}")`)})
      .locator('input')
      .check();
    await dialog.getByRole('button', {name: 'Make'}).click();
    await page.locator('.trail h1', {hasText: path}).waitFor();
    await editor.save();
    assert.equal(onDisk(path).match(/<[\w.]+/g).length, content.match(/<[\w.]+/g).length, `${kind} ${name}`);
    if (!/empty/.test(name))
      assert.doesNotThrow(
        () => execFileSync(DAVIT, ['run', join(folder, path), '-o', join(folder, 'template.csv')], {stdio: 'pipe'}),
        name,
      );
  }
  await picture('template');
});

test('in a system of 500 components what is wrong stands at the component, the field and the list', async () => {
  const kCount = 250; // masses with a spring each
  const lines = ['<System name="chain" xmlns="urn:davit:system:1">', '  <SimulatorManager TimeStep="1 ms" StopTime="1 s"/>'];
  for (let i = 1; i <= kCount; i++)
    lines.push(`  <mechanical.Mass name="m${i}" mass="1 kg"/>`, `  <mechanical.Spring name="s${i}" stiffness="1 kN/m"/>`);
  for (let i = 1; i <= kCount; i++)
    lines.push(`  <Connect from="s${i}.a" to="m${i}.b"/>`, `  <Connect from="s${i}.b" to="m${(i % kCount) + 1}.a"/>`);
  writeFileSync(join(folder, 'chain.xml'), [...lines, '</System>', ''].join('\n'));
  await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'chain.xml'}).waitFor({state: 'attached'});
  await editor.open('chain.xml');
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
  await showText('chain.xml');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.locator('.form[data-component="m1"]').waitFor();
  const field = page.locator('.form [data-row="mass"]');
  await field.locator('input').fill('5 bar');
  const begin = Date.now();
  await field.locator('input').press('Enter');
  await field.locator('.fault').waitFor();
  console.log(`# 500 components: the fault stands at its field after ${Date.now() - begin} ms`);
  await page.locator('.sheet [data-path="m1"].has-fault').first().waitFor({state: 'attached'});
  await page.getByRole('list', {name: 'Errors'}).getByText('m1').first().waitFor();
  await picture('chain');
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+z');
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
  await page.getByRole('button', {name: 'Text', exact: true}).click();
});

test('a parameter of the system is made, used in a field, and changed for all that use it', async () => {
  writeFileSync(
    join(folder, 'shared.xml'),
    '<System name="shared" xmlns="urn:davit:system:1">\n  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>\n  <mechanical.Mass name="a"/>\n  <mechanical.Mass name="b"/>\n</System>\n',
  );
  await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'shared.xml'}).waitFor({state: 'attached'});
  await editor.open('shared.xml');
  await editor.chooseNothing();
  await editor.openSection('Parameters of the system');
  await page.getByLabel('Name of a new parameter').fill('payload');
  await page.getByLabel('Name of a new parameter').press('Enter');
  await editor.set('payload', '2 t');
  for (const name of ['a', 'b']) {
    await editor.choose(name);
    await editor.set('mass', '${payload}');
  }
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
  await editor.chooseNothing();
  await editor.set('payload', '3 t');
  await editor.save();
  assert.match(onDisk('shared.xml'), /<Parameter name="payload" value="3 t"/);
  assert.equal(onDisk('shared.xml').match(/mass="\$\{payload\}"/g).length, 2);
  execFileSync(DAVIT, ['run', join(folder, 'shared.xml'), '--signals', 'a.mass', '-o', join(folder, 'shared.csv')]);
  assert.match(onDisk('shared.csv').split('\n')[1], /,3000(\.0*)?$/);
});

test('what stands in a <For> is chosen together: values in the form, all else as text', async () => {
  const text =
    '<System name="chain" xmlns="urn:davit:system:1">\n  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>\n  <For name="i" from="1" to="3"><mechanical.Mass name="m{i}" mass="1 kg"/></For>\n</System>\n';
  writeFileSync(join(folder, 'repeated.xml'), text);
  await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'repeated.xml'}).waitFor({state: 'attached'});
  await editor.open('repeated.xml');
  await editor.until('three masses', async () => (await page.locator('.sheet .component').count()) === 3);
  await editor.click('m2');
  await page.locator('.form[data-component="m{i}"]').waitFor();
  assert.equal(await page.locator('.sheet .component.is-selected').count(), 3);
  await page.locator('.sheet').focus();
  for (const key of ['Delete', 'ArrowRight', 'r', 'm', 'Control+d', 'Control+x']) await page.keyboard.press(key);
  await page.locator('.notice', {hasText: 'made by a <For>'}).first().waitFor();
  await editor.set('mass', '2 kg');
  await picture('repeated');
  await editor.save();
  assert.equal(onDisk('repeated.xml'), text.replace('1 kg', '2 kg'));
});

test('one page follows what another page saves; the edits of both and those of another program meet as a change on disk', async () => {
  await editor.open('shared.xml');
  const second = await page.context().newPage();
  second.setDefaultTimeout(20_000);
  await second.goto(opened.server.address);
  const other = new Editor(second);
  await other.open('shared.xml');
  await other.choose('a');
  await other.set('weight', '5 N');
  await other.save();
  await editor.choose('a');
  await editor.until(
    'the weight of the other page',
    async () => (await page.locator('.form [data-row="weight"] input').inputValue()) === '5 N',
  );
  await other.set('weight', '6 N');
  await editor.until(
    'the weight that the other page has not saved',
    async () => (await page.locator('.form [data-row="weight"] input').inputValue()) === '6 N',
  );
  writeFileSync(join(folder, 'shared.xml'), onDisk('shared.xml').replace('"5 N"', '"7 N"'));
  await second.locator('.sheet').focus();
  await second.keyboard.press('Control+s');
  const dialog = second.getByRole('dialog', {name: /shared.xml has changed on disk/});
  await dialog.waitFor();
  assert.match(await dialog.getByLabel('Version on disk').inputValue(), /weight="7 N"/);
  assert.match(await dialog.getByLabel('Version in this page').inputValue(), /weight="6 N"/);
  assert.match(onDisk('shared.xml'), /weight="7 N"/);
  await second.close();
});

test('what is found in all files is replaced in one step', async () => {
  await page.keyboard.press('Control+Shift+f');
  const dialog = page.getByRole('dialog', {name: 'Find in all files'});
  const files = ['find_a.xml', 'find_b.xml'];
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  for (const file of files)
    writeFileSync(
      join(folder, file),
      `<System name="s">\n  <mechanical.Mass name="ballast"/>\n  <Record signals="ballast.x"/>\n</System>\n`,
    );
  await page.reload();
  await editor.open('find_a.xml');
  await editor.component('ballast').waitFor();
  await page.getByRole('button', {name: 'Find', exact: true}).click();
  await dialog.getByRole('searchbox').fill('ballast');
  await dialog.getByRole('status').filter({hasText: '4 places in 2 files'}).waitFor();
  assert.deepEqual(await dialog.locator('.find-list button').allTextContents(), [
    'find_a.xml:2',
    'find_a.xml:3',
    'find_b.xml:2',
    'find_b.xml:3',
  ]);
  await dialog.getByLabel('Replace by').fill('keel');
  await picture('find');
  await dialog.getByRole('button', {name: 'Replace in 4 places'}).click();
  await page.keyboard.press('Escape');
  await editor.component('keel').waitFor();
  await editor.save();
  for (const file of files) assert.equal(onDisk(file).match(/keel/g).length, 2);
  // One step back for all files.
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+z');
  await editor.component('ballast').waitFor();
  await editor.save();
  for (const file of files) assert.equal(onDisk(file).match(/ballast/g).length, 2);
});

test('no error was in the console', () => assert.deepEqual(faults, []));
