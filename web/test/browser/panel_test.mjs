// The panel of the crane in Chromium: levers by mouse, keyboard and gamepad, what they do in the run, what is recorded, and what
// happens when the page is gone. Steps build on each other: one run of the crane.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, getJson, serve, until} from './server.mjs';

const {CHROMIUM, DAVIT, SCREENSHOTS, WEB_FOLDER} = process.env;
const kStop = '40 s';

const folder = mkdtempSync(join(tmpdir(), 'davit_panel_'));
const served = join(folder, 'served.csv');
let server;
let browser;
let page;
const faults = [];

const readValue = async (path) => (await getJson(server.address, `api/values?path=${path}`)).values[path];
const lever = (name, of = page) => of.getByRole('slider', {name, exact: true});

async function open() {
  const context = await browser.newContext({viewport: {width: 1440, height: 900}, colorScheme: 'light'});
  await context.addInitScript(() => {
    window.pads = [];
    navigator.getGamepads = () => window.pads;
  });
  const made = await context.newPage();
  made.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  made.on('pageerror', (error) => faults.push(String(error)));
  await made.goto(server.address);
  await made.getByRole('button', {name: 'Panel', exact: true}).click();
  await lever('Boom', made).waitFor();
  return made;
}

/** Takes a lever by its knob and moves it by a share of its way from the middle to an end; the button stays down. */
async function drag(of, name, share) {
  const {x, y, width, height} = await lever(name, of).locator('.knob').boundingBox();
  const way = await lever(name, of).locator('.way').boundingBox();
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  await of.mouse.move(middleX, middleY);
  await of.mouse.down();
  await of.mouse.move(middleX, middleY - (share * way.height) / 2, {steps: 5});
}

before(async () => {
  server = await serve('knuckle_boom_crane.xml', await freePort(), '--stop', kStop, '-o', served);
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
  page = await open();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, {recursive: true});
});

test('a button brings the operator chart into its state lever', async () => {
  await page.getByRole('button', {name: 'Levers', exact: true}).click();
  await until('the state', async () => (await readValue('operator.state.lever')) === 1);
  await page.locator('[data-lamp=active].is-lit').waitFor();
  await page.locator('.operator-panels .chart-state .state', {hasText: 'lever'}).waitFor();
});

test('the boom lever at 40 % by mouse raises the boom, and springs back', async () => {
  const before = await readValue('crane.q1');
  await drag(page, 'Boom', 0.4);
  await until('40 %', async () => (await readValue('boom_hand.value')) === 0.4);
  await until('the boom rises', async () => (await readValue('crane.q1')) > before + 0.01);
  assert.equal(await readValue('operator.boom'), 0.4);
  assert.equal(await lever('Boom').getAttribute('aria-valuetext'), '0.4');
  await page.screenshot({path: join(SCREENSHOTS, 'panel.png')});
  await page.mouse.up();
  await until('neutral', async () => (await readValue('boom_hand.value')) === 0);
});

test('the knuckle lever at -40 % by keyboard folds the knuckle', async () => {
  const before = await readValue('crane.q2');
  await lever('Knuckle').focus();
  for (let i = 1; i <= 4; i++) {
    await page.keyboard.press('ArrowDown');
    await until(`${i} steps`, async () => (await lever('Knuckle').getAttribute('aria-valuenow')) === String(-i / 10));
  }
  assert.equal(await readValue('knuckle_hand.value'), -0.4);
  await until('the knuckle folds', async () => (await readValue('crane.q2')) < before - 0.01);
  await page.keyboard.press('Escape');
  await until('neutral', async () => (await readValue('knuckle_hand.value')) === 0);
  await lever('Knuckle').focus();
  await page.keyboard.press('ArrowUp');
  await until('10 %', async () => (await readValue('knuckle_hand.value')) === 0.1);
  await page.keyboard.press('Tab');
  await until('neutral without the focus', async () => (await readValue('knuckle_hand.value')) === 0);
});

test('a gamepad slews the crane, and its button stops it', async () => {
  const before = await readValue('crane.q0');
  const pad = (axes, pressed = -1) =>
    page.evaluate(
      ([position, button]) => {
        window.pads = [{axes: position, buttons: Array.from({length: 16}, (_, index) => ({pressed: index === button}))}];
      },
      [axes, pressed],
    );
  await pad([-0.54, 0.03, 0, 0]);
  await until('half of the lever, to the left', async () => (await readValue('slew_hand.value')) === 0.5);
  assert.equal(await readValue('knuckle_hand.value'), 0);
  await until('it slews to port', async () => (await readValue('crane.q0')) > before + 0.01);
  await pad([-0.54, 0, 0, 0], 1);
  await until('halted', async () => (await readValue('operator.state.halted')) === 1);
  assert.equal(await readValue('operator.slew'), 0);
  await pad([0, 0, 0, 0]);
  await until('neutral', async () => (await readValue('slew_hand.value')) === 0);
});

test('touch moves a lever', async () => {
  const {x, y, width, height} = await lever('Boom').locator('.knob').boundingBox();
  const way = await lever('Boom').locator('.way').boundingBox();
  const input = await page.context().newCDPSession(page);
  const touch = (type, ...points) => input.send('Input.dispatchTouchEvent', {type, touchPoints: points});
  const finger = (dy) => ({x: x + width / 2, y: y + height / 2 + dy});
  await touch('touchStart', finger(0));
  await touch('touchMove', finger(0.3 * way.height));
  await until('down', async () => (await readValue('boom_hand.value')) === -0.6);
  await touch('touchEnd');
  await until('neutral', async () => (await readValue('boom_hand.value')) === 0);
});

test('a window that is no longer in front lets its levers go', async () => {
  await drag(page, 'Boom', -0.5);
  await until('down', async () => (await readValue('boom_hand.value')) === -0.5);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await until('neutral', async () => (await readValue('boom_hand.value')) === 0);
  await page.mouse.up();
});

test('a page that crashes loses its lever, with an alarm', async () => {
  const other = await open();
  await drag(other, 'Boom', 0.8);
  await until('up', async () => (await readValue('boom_hand.value')) === 0.8);
  await other.goto('chrome://crash').catch(() => {});
  await until('neutral', async () => (await readValue('boom_hand.value')) === 0);
  const alarm = page.locator('.panel-alarms .alarm', {hasText: 'cabin.operator_lost'});
  await alarm.getByRole('button', {name: 'Acknowledge'}).click();
  await alarm.getByRole('button').waitFor({state: 'detached'});
});

test('pictures: narrow, dark', async () => {
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme: scheme});
    await page.setViewportSize({width: 1440, height: 900});
    await page.screenshot({path: join(SCREENSHOTS, `panel_${scheme}.png`)});
    assert.ok((await width()) <= 1440);
    await page.setViewportSize({width: 390, height: 844});
    await page.waitForTimeout(300);
    await page.screenshot({path: join(SCREENSHOTS, `panel_${scheme}_narrow.png`)});
    assert.ok((await width()) <= 390, 'wider than a telephone');
    assert.ok(await lever('Boom').isVisible());
  }
});

test('what was done is repeated by its commands, bit for bit', async () => {
  await until('the end', async () => (await getJson(server.address, 'api/state')).status === 'finished');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Save commands'}).click()]);
  const commands = join(folder, 'cabin.txt');
  await file.saveAs(commands);
  const lines = readFileSync(commands, 'utf8').trim().split('\n');
  assert.ok(lines.some((line) => / s event levers$/.test(line)));
  assert.ok(lines.some((line) => / s set boom_hand.value 0.4$/.test(line)));
  assert.deepEqual(
    faults.filter((fault) => !/crash/i.test(fault)),
    [],
  );
  await server.stop();
  const again = join(folder, 'again.csv');
  const system = join(WEB_FOLDER, 'systems/knuckle_boom_crane.xml');
  execFileSync(DAVIT, ['run', system, '--stop', kStop, '--commands', commands, '-o', again, '--quiet']);
  const [first, second] = [served, again].map((name) => readFileSync(name));
  if (!first.equals(second)) writeFileSync(join(SCREENSHOTS, 'panel_commands.txt'), lines.join('\n'));
  assert.ok(first.equals(second), 'the same bytes');
  const [, ...rows] = first.toString().trim().split('\n');
  assert.ok(rows.length > 350);
});
