// The page of `davit studio` in Chromium, as a user sees it: from an empty sheet to curves, small edits of large files, faults,
// and what else writes the files.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {getJson, studio} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {DAVIT, WEB_FOLDER} = process.env;

let opened;
let folder, onDisk, picture, page, editor, faults;

before(async () => {
  opened = await openStudio('studio', 'systems');
  ({folder, onDisk, picture, page, editor, faults} = opened);
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

// Of a system file that a person has written: what there is to build. No parser is needed for these files.
function partsOf(text) {
  const attributes = (tag) => [...tag.matchAll(/([\w.]+)="([^"]*)"/g)].map((match) => [match[1], match[2]]);
  const plain = text.replace(/<!--[\s\S]*?-->/g, '');
  return {
    components: [...plain.matchAll(/<((?:hydraulic|mechanical|signal)\.\w+)\s([^>]*?)(\/>|>([\s\S]*?)<\/\1>)/g)].map(
      ([, model, tag, , inside]) => {
        const all = attributes(tag);
        return {
          model,
          name: all.find(([name]) => name === 'name')[1],
          attributes: all.filter(([name]) => name !== 'name'),
          starts: attributes(/<Start\s([^>]*)\/>/.exec(inside ?? '')?.[1] ?? ''),
        };
      },
    ),
    connects: [...plain.matchAll(/<Connect from="([^"]*)" to="([^"]*)"\/>/g)].map(([, from, to]) => [from, to]),
    routes: [...plain.matchAll(/<Route from="([^"]*)" to="([^"]*)"\/>/g)].map(([, from, to]) => [from, to]),
    manager: attributes(/<SimulatorManager\s([^>]*)>/.exec(plain)[1]),
    integration: attributes(/<Integration\s([^>]*)\/>/.exec(plain)[1]),
    signals: /<Record\s+signals="([^"]*)"/.exec(plain)[1].split(/\s+/),
    interval: /interval="([^"]*)"/.exec(/<Record[\s\S]*?\/>/.exec(plain)[0])[1],
  };
}

// Where a person would put them, in shares of the sheet.
const kPlaces = {
  cylinder: [0.52, 0.08],
  load: [0.8, 0.08],
  line_c: [0.3, 0.08],
  cbv: [0.3, 0.26],
  line_a: [0.32, 0.44],
  line_b: [0.66, 0.44],
  dcv: [0.48, 0.66],
  operator: [0.12, 0.58],
  pipe: [0.48, 0.8],
  pump_volume: [0.28, 0.9],
  relief: [0.7, 0.9],
  pump: [0.1, 0.76],
  tank: [0.86, 0.74],
};

test('every file of systems/ is opened and saved without an edit: byte for byte the same', async () => {
  const systems = readdirSync(join(WEB_FOLDER, 'systems')).filter((name) => name.endsWith('.xml'));
  assert.ok(systems.length > 20);
  for (const name of systems) {
    const before = readFileSync(join(WEB_FOLDER, 'systems', name));
    await editor.open(name);
    await page.locator('.sheet .component').first().waitFor({state: 'attached'});
    await editor.save();
    assert.deepEqual(readFileSync(join(folder, name)), before, name);
  }
});

test('copies, turns, mirrors and aligns components by the keyboard and the form', async () => {
  await editor.make('handled.xml');
  await editor.drag('mechanical.Mass', 0.3, 0.3);
  await editor.rename('load');
  await editor.set('mass', '7 kg');
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await editor.until('a copy', async () => (await page.locator('.sheet .component').count()) === 2);
  await page.keyboard.press('r');
  await page.keyboard.press('m');
  await page.keyboard.press('Control+a');
  await page.getByRole('group', {name: 'Align'}).getByRole('button', {name: 'Left', exact: true}).click();
  await editor.save();
  const text = onDisk('handled.xml');
  assert.equal(text.match(/<mechanical.Mass [^>]*mass="7 kg"/g).length, 2);
  const places = [...text.matchAll(/<Place [^>]*>/g)].map(([place]) => place);
  assert.equal(places.length, 2);
  assert.doesNotMatch(places[0], /rotation|mirror/);
  assert.match(places[1], /rotation="\d+"/);
  assert.match(places[1], /mirror="true"/);
  // Both left edges at one x: a mass is 64 wide and 48 high, and the copy stands upright.
  const left = places.map((place, index) => Number(/x="(-?\d+)"/.exec(place)[1]) - (index ? 24 : 32));
  assert.equal(left[0], left[1]);
});

test('the lifting cylinder is built from an empty sheet by mouse and keyboard', async () => {
  const {components, connects, routes, manager, integration, signals, interval} = partsOf(
    readFileSync(join(WEB_FOLDER, 'systems/lifting_cylinder.xml'), 'utf8'),
  );
  await editor.make('built.xml');
  for (const {model, name, attributes, starts} of components) {
    const made = name === 'tank' ? await editor.add(model) : await editor.drag(model, ...kPlaces[name]);
    if (made !== name) await editor.rename(name);
    for (const [key, value] of attributes) await editor.set(key, value);
    for (const [key, value] of starts) await editor.set(key, value, 'Start values');
  }
  await page.getByRole('button', {name: 'Show all'}).click();
  await picture('components');
  for (const [index, [from, to]] of connects.entries()) {
    if (index % 2) await editor.connect(from, to);
    else await editor.drawLine(from, to);
  }
  for (const [from, to] of routes) await editor.connect(from, to);
  await editor.chooseNothing();
  for (const [key, value] of [...manager, ...integration]) await editor.set(key, value, 'Run');
  await editor.openSection('Recorded');
  for (const signal of signals) {
    await page.getByLabel('Signal to record').fill(signal);
    await page.getByLabel('Signal to record').press('Enter');
    await page.getByRole('button', {name: `Do not record ${signal}`}).waitFor();
  }
  await editor.set('interval', interval, 'Recorded');
  await picture('built');
  await editor.save();
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
});

/** Columns of a CSV by name. */
function columns(text) {
  const [head, ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return new Map(head.map((name, index) => [name, rows.map((row) => Number(row[index]))]));
}

test('it runs to the results of systems/lifting_cylinder.xml, to 1e-12 of each signal', async () => {
  const file = join(folder, 'reference.csv');
  execFileSync(DAVIT, ['run', join(WEB_FOLDER, 'systems/lifting_cylinder.xml'), '-o', file]);
  const reference = columns(readFileSync(file, 'utf8'));
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.locator('.status.is-running, .status.is-finished').first().waitFor();
  await page.locator('.top-bar').getByLabel('speed').selectOption('free');
  await editor.until(
    'the end of the run',
    async () => (await page.locator('.top-bar .status.is-finished').count()) > 0,
    60_000,
  );
  const {runs} = await getJson(opened.server.address, 'api/runs');
  const result = columns(await (await fetch(`${opened.server.address}run/${runs.at(-1).run}/api/result.csv`)).text());
  assert.deepEqual([...result.keys()].sort(), [...reference.keys()].sort());
  for (const [name, expected] of reference) {
    const found = result.get(name);
    assert.equal(found.length, expected.length, name);
    const scale = Math.max(...expected.map(Math.abs), Number.MIN_VALUE);
    for (const [row, value] of expected.entries())
      assert.ok(Math.abs(found[row] - value) <= 1e-12 * scale, `${name} in row ${row}: ${found[row]}, not ${value}`);
  }
  await picture('run');
});

test('a live parameter changes in the run, a structural one asks for a restart', async () => {
  await page.locator('.tree .row:has(.name:text-is("load"))').click();
  await page.getByRole('tab', {name: 'File'}).click();
  const {runs} = await getJson(opened.server.address, 'api/runs');
  const prefix = `run/${runs.at(-1).run}/`;
  await page.getByRole('button', {name: 'Reset'}).click();
  await page.locator('.top-bar').getByLabel('speed').selectOption('1');
  await editor.until('it is at its start', async () => (await getJson(opened.server.address, `${prefix}api/state`)).time < 5);
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await editor.set('mass', '7 t');
  await editor.until(
    '7 t in the run',
    async () =>
      Math.abs((await getJson(opened.server.address, `${prefix}api/values?path=load.mass`)).values['load.mass'] - 7000) < 1e-9,
  );
  assert.equal(await page.locator('.banner.is-warning').count(), 0);
  await page.locator('.tree .row:has(.name:text-is("dcv"))').click();
  await editor.set('formulation', 'pressure');
  await page.locator('.banner.is-warning', {hasText: 'dcv.formulation'}).waitFor();
});

test('two runs are laid over each other', async () => {
  await page.locator('.banner.is-warning').getByRole('button', {name: 'Restart'}).click();
  await editor.until('a second run', async () => (await getJson(opened.server.address, 'api/runs')).runs.length === 2);
  const {run} = (await getJson(opened.server.address, 'api/runs')).runs.at(-1);
  await editor.until('as fast as possible', async () => {
    await page.locator('.top-bar').getByLabel('speed').selectOption('free');
    await page.waitForTimeout(200);
    return (await getJson(opened.server.address, `run/${run}/api/state`)).speed === null;
  });
  await page.locator('.top-bar .status.is-finished').first().waitFor({timeout: 60_000});
  await page.getByRole('button', {name: 'Draw', exact: true}).click();
  for (const box of await page.getByRole('checkbox', {name: /Compare run/}).all()) await box.check();
  await page.getByRole('button', {name: 'Overlay'}).click();
  await page.locator('.compare [data-compare] canvas').first().waitFor();
  await picture('compare');
  await page.getByRole('button', {name: 'Back to drawing'}).click();
});

/** Lines of two texts that differ. */
function changedLines(before, now) {
  const a = before.split('\n');
  const b = now.split('\n');
  assert.equal(b.length, a.length);
  return b.filter((line, index) => line !== a[index]);
}

test('a parameter of the crane is changed and saved: a diff of one line', async () => {
  const before = onDisk('knuckle_boom_crane.xml');
  await editor.open('knuckle_boom_crane.xml');
  await editor.component('boom_cylinder').waitFor();
  await editor.until('lines', async () => (await page.locator('.sheet .joint').count()) > 60);
  await picture('crane');
  await editor.choose('pump');
  await editor.set('set_pressure', '280 bar');
  await editor.save();
  assert.equal(changedLines(before, onDisk('knuckle_boom_crane.xml')).length, 1);
  assert.match(changedLines(before, onDisk('knuckle_boom_crane.xml'))[0], /280 bar/);
});

test('group, 50 steps back, 50 steps forward: the same file byte for byte', async () => {
  await editor.open('lifting_cylinder.xml');
  const first = onDisk('lifting_cylinder.xml');
  await editor.component('pump').waitFor();
  await editor.until('a drawing', async () => (await page.locator('.sheet .joint').count()) >= 15);
  for (let i = 0; i < 25; i++) {
    await page.locator('.sheet').focus();
    await page.keyboard.press('0');
    await editor.choose('load');
    await editor.set('mass', `${11 + i} t`);
    await page.locator('.sheet').focus();
    await page.keyboard.press(i % 2 ? 'ArrowLeft' : 'Shift+ArrowDown');
    await page.waitForTimeout(30);
  }
  await page.keyboard.press('0');
  await editor.choose('pump');
  await editor.click('pump_volume', 'Shift');
  await editor.click('relief', 'Shift');
  await page.keyboard.press('Control+g');
  await page.getByRole('dialog', {name: 'Group into a sub-system'}).getByLabel('Name').fill('supply');
  await page.keyboard.press('Enter');
  await page.locator('.sheet .subsystem[data-path="supply"], .sheet .component[data-path="supply"]').first().waitFor();
  await picture('group');
  await page.locator('.sheet').focus();
  await editor.save();
  const grouped = onDisk('lifting_cylinder.xml');
  const inside = onDisk('supply.xml');
  assert.match(grouped, /<Subsystem name="supply" src="supply.xml"/);
  assert.match(inside, /hydraulic\.AxialPistonPump name="pump"/);
  assert.doesNotThrow(() => execFileSync(DAVIT, ['check', join(folder, 'lifting_cylinder.xml')]));
  await page.locator('.sheet').focus();
  let steps = 0;
  for (; steps < 50; steps++) {
    assert.ok(await page.getByRole('button', {name: 'Undo'}).isEnabled(), `after ${steps} steps`);
    await page.keyboard.press('Control+z');
  }
  await editor.until('the text of the start', async () => (await editor.component('pump').count()) === 1);
  for (let i = 0; i < steps; i++) await page.keyboard.press('Control+Shift+z');
  await editor.save();
  assert.equal(onDisk('lifting_cylinder.xml'), grouped);
  assert.equal(onDisk('supply.xml'), inside);
  assert.notEqual(grouped, first);
});

test('what is wrong stands at its field within a second, and it can be saved all the same', async () => {
  await editor.open('mass_spring.xml');
  await editor.choose('load');
  await editor.set('mass', '5 bar');
  await page.locator('.form [data-row="mass"] .fault').waitFor();
  await editor.component('load').locator('.fault-mark').waitFor();
  await editor.chooseNothing();
  await editor.add('hydraulic.Volume');
  await page.locator('.sheet [data-faulty="volume.port"]').first().waitFor();
  assert.match(await editor.status().textContent(), /error/);
  await picture('fault');
  await editor.save();
  assert.match(onDisk('mass_spring.xml'), /mass="5 bar"/);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await editor.until('no fault', async () => (await editor.status().textContent()) === 'can run');
  await editor.save();
});

test('broken XML: the text shows the place, the drawing keeps the last good state', async () => {
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  const text = page.getByRole('textbox', {name: 'Text of mass_spring.xml'});
  await text.click();
  await page.keyboard.press('Control+Home');
  const count = await page.locator('.sheet .component').count();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('<broken');
  await page.locator('.sheet .broken').waitFor();
  assert.equal(await page.locator('.sheet .component').count(), count);
  await picture('broken');
  for (let i = 0; i < '<broken'.length; i++) await page.keyboard.press('Backspace');
  await page.locator('.sheet .broken').waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'Text', exact: true}).click();
  await editor.save();
});

test('a file that somebody else has written meanwhile is not overwritten: both texts are shown', async () => {
  await editor.choose('load');
  await editor.set('mass', '6 kg');
  const other = onDisk('mass_spring.xml').replace('<System', '<!-- by somebody else -->\n<System');
  writeFileSync(join(folder, 'mass_spring.xml'), other);
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', {name: /mass_spring.xml has changed on disk/});
  await dialog.waitFor();
  assert.match(await dialog.getByLabel('Version on disk').inputValue(), /by somebody else/);
  assert.match(await dialog.getByLabel('Version in this page').inputValue(), /mass="6 kg"/);
  await picture('conflict');
  assert.equal(onDisk('mass_spring.xml'), other);
  await dialog.getByRole('button', {name: 'Use the version on disk'}).click();
  await editor.until('the text of the disk', async () => page.getByRole('button', {name: 'Save', exact: true}).isDisabled());
  assert.equal(onDisk('mass_spring.xml'), other);
});

test('a file in conflict keeps no other from being saved: the one on the screen is first, and it is said which are saved', async () => {
  const names = ['first.xml', 'second.xml', 'third.xml'];
  const text = (mass) =>
    `<System name="one" xmlns="urn:davit:system:1">\n  <SimulatorManager TimeStep="10 ms"/>\n  <mechanical.Mass name="load" mass="${mass}"/>\n</System>\n`;
  for (const name of names) writeFileSync(join(folder, name), text('1 kg'));
  for (const name of names) {
    await page.getByRole('list', {name: 'Files'}).getByRole('button', {name}).waitFor({state: 'attached'});
    await editor.open(name);
    await editor.choose('load');
    await editor.set('mass', '2 kg');
  }
  writeFileSync(join(folder, 'first.xml'), text('3 kg'));
  const written = [];
  const note = (request) => {
    if (request.method() === 'PUT') written.push(new URL(request.url()).searchParams.get('path'));
  };
  page.on('request', note);
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', {name: /first.xml has changed on disk/});
  await dialog.waitFor();
  page.off('request', note);
  assert.deepEqual(written, ['third.xml', 'first.xml', 'second.xml']);
  await page.locator('.notice', {hasText: 'Saved: third.xml, second.xml.'}).waitFor();
  await page.locator('.notice', {hasText: 'changed on disk: first.xml.'}).waitFor();
  assert.deepEqual(names.map(onDisk), [text('3 kg'), text('2 kg'), text('2 kg')]);
  await dialog.getByRole('button', {name: 'Decide later'}).click();
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await dialog.getByRole('button', {name: 'Save the version in this page'}).click();
  await editor.until('everything saved', () => page.getByRole('button', {name: 'Save', exact: true}).isDisabled());
  assert.equal(onDisk('first.xml'), text('2 kg'));
});

test('an unknown model is a grey box that keeps its attributes', async () => {
  const strange = `<System name="strange" xmlns="urn:davit:system:1">\n  <SimulatorManager TimeStep="10 ms"/>\n  <foreign.Thing name="thing" colour="dark red"/>\n  <mechanical.Mass name="load" mass="1 kg"/>\n</System>\n`;
  writeFileSync(join(folder, 'strange.xml'), strange);
  await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'strange.xml'}).waitFor({state: 'attached'});
  await editor.open('strange.xml');
  await editor.choose('thing');
  assert.equal(await page.getByLabel('colour').inputValue(), 'dark red');
  await editor.choose('load');
  await editor.set('mass', '2 kg');
  await editor.save();
  assert.equal(onDisk('strange.xml'), strange.replace('1 kg', '2 kg'));
});

test('no error was in the console', () => {
  // Chromium itself reports the 409 of the conflict.
  assert.deepEqual(
    faults.filter((fault) => !/status of 409/.test(fault)),
    [],
  );
});

test('a lost connection: the edits stay, it is said, and they are saved when it is back', async () => {
  const port = new URL(opened.server.address).port;
  await opened.server.stop();
  await editor.choose('load');
  await editor.set('mass', '3 kg');
  await page.locator('.status.is-lost').waitFor();
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+s');
  await page.locator('.notice.is-error', {hasText: 'kept here'}).waitFor();
  await picture('lost');
  opened.server = await studio(folder, port);
  await page.locator('.status.is-lost').waitFor({state: 'detached'});
  // What is no longer so is no longer said.
  assert.equal(await page.locator('.notice', {hasText: 'kept here'}).count(), 0);
  await editor.save();
  assert.match(onDisk('strange.xml'), /mass="3 kg"/);
});
