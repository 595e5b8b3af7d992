// The page of the crane in Chromium, as a user sees it. Steps build on each other: one run of the crane.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {bytesOfPlots, freePort, getJson, serve, until} from './server.mjs';

const {CHROMIUM, SCREENSHOTS} = process.env;

let port;
let server;
let browser;
let page;
const faults = [];
let refusals = 0; // Chromium itself reports each request that the server refused

const picture = (name) => page.screenshot({path: join(SCREENSHOTS, `${name}.png`)});
const text = (selector) => page.locator(selector).first().textContent();
const number = async (selector) => Number((await text(selector)).replace('−', '-'));
const time = () => number('[data-testid=time]');

const select = (path) => page.locator(`.tree .row:has(.name:text-is("${path}"))`).click();

before(async () => {
  port = await freePort();
  server = await serve('knuckle_boom_crane.xml', port);
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
  page = await (await browser.newContext({viewport: {width: 1280, height: 800}, colorScheme: 'light'})).newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(server.address);
  await page.getByRole('button', {name: 'Drawing', exact: true}).click();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('time goes on, and the drawing has every component', async () => {
  await until('a time', async () => (await time()) > 0);
  const first = await time();
  await until('a later time', async () => (await time()) > first + 0.5);
  assert.equal(await text('.status'), 'running');
  await page.waitForSelector('.drawing svg g.component');
  const {components} = await getJson(server.address, 'api/system');
  const drawn = await page.$$eval('.drawing g[data-path].component, .drawing g[data-path].subsystem', (all) =>
    all.map((one) => one.dataset.path),
  );
  // All but the manager, panels, and the charts that are parts of components.
  const expected = components.filter(
    ({path, parent, model}) => !path.startsWith('SimulatorManager') && model !== 'Panel' && !(model === 'Statechart' && parent),
  );
  assert.deepEqual(
    expected.map(({path}) => path).filter((path) => !drawn.includes(path)),
    [],
  );
});

test('a parameter is set as "250 bar", and the plot follows', async () => {
  await select('pump');
  await page.getByRole('button', {name: 'Plot pump.set_pressure'}).click();
  const field = page.getByRole('textbox', {name: 'pump.set_pressure'});
  await until('the value of the file', async () => (await field.inputValue()) === '300');
  await field.fill('250 bar');
  await field.press('Enter');
  await until('250 in the field', async () => (await field.inputValue()) === '250');
  await until('250 in the plot', async () => (await number('[data-plot="pump.set_pressure"]')) === 250);
  const {values} = await getJson(server.address, 'api/values?path=pump.set_pressure');
  assert.ok(Math.abs(values['pump.set_pressure'] - 250e5) < 1);
});

test('a value that is dragged to the plots is plotted', async () => {
  assert.equal(await page.locator('[data-plot="pump.p_out"]').count(), 0);
  await page
    .locator('.item', {has: page.locator('[data-value="pump.p_out"]')})
    .locator('.name')
    .dragTo(page.locator('.panels'));
  await until('a number in the plot', async () => (await number('[data-plot="pump.p_out"]')) > 1);
});

test('a refused value is said beside the field, with the text of the server', async () => {
  const field = page.getByRole('textbox', {name: 'pump.set_pressure'});
  await field.fill('250 kg');
  await field.press('Enter');
  const fault = page.locator('.item .fault');
  await fault.waitFor();
  assert.match(await fault.textContent(), /set_pressure/);
  await field.press('Escape');
  await until('the value again', async () => (await field.inputValue()) === '250');
});

test('a level is switched: badge, chart, log', async () => {
  await select('boom_cylinder');
  await page.getByRole('group', {name: 'Level'}).getByRole('button', {name: 'Advanced'}).click();
  await until('the badge', async () => (await text('.level-badge[data-path="boom_cylinder"] text')) === 'A');
  await until(
    'the chart',
    async () =>
      (await page
        .locator('.state.is-active[data-state]')
        .filter({hasText: /advanced/i})
        .count()) > 0,
  );
  await page.getByRole('tab', {name: /Log/}).click();
  await page.getByRole('searchbox', {name: 'Filter the log'}).fill('boom_cylinder advanced');
  await until(
    'the log',
    async () =>
      (await page
        .locator('.records tr')
        .filter({hasText: /boom_cylinder/})
        .filter({hasText: /Advanced/})
        .count()) > 0,
  );
  await picture('level');
  await page.getByRole('searchbox', {name: 'Filter the log'}).fill('');
});

test('the strip of levels shows the switch, at its time', async () => {
  const row = page.getByRole('group', {name: 'Levels'}).getByRole('button', {name: /^boom_cylinder: /});
  await until('the switch', async () => (await row.getAttribute('aria-label')).includes('Advanced from'));
  const {events} = await getJson(server.address, 'api/events?after=0');
  const {time} = events.findLast(
    ({kind, path, text}) => kind === 'level' && path === 'boom_cylinder' && /-> Advanced/.test(text),
  );
  const [, from] = /Advanced from ([\d.]+) s/.exec(await row.getAttribute('aria-label'));
  assert.ok(Math.abs(Number(from) - time) < 1e-3 * time, `${from} s, and ${time} s in the events`);
  // Its colours: the band of the level before, and that of Advanced to the right of it.
  const colors = await row.locator('canvas').evaluate((canvas) => {
    const {data} = canvas.getContext('2d').getImageData(0, canvas.height - 2, canvas.width, 1);
    return [...new Set(new Uint32Array(data.buffer))].length;
  });
  assert.ok(colors >= 3, `${colors} colours`);
  const {components} = await getJson(server.address, 'api/system');
  const shown = (await page.locator('.level-row').evaluateAll((rows) => rows.map((one) => one.title.split(', ')))).flat();
  const expected = components.filter(({levels}) => levels.length > 1).map(({path}) => path);
  assert.deepEqual(shown.sort(), expected.sort());
});

test("the operator's events are buttons", async () => {
  await select('operator');
  const isActive = (state) => page.locator(`.state.is-active[data-state="${state}"]`).count();
  await page.getByRole('group', {name: 'Events'}).getByRole('button', {name: 'stop', exact: true}).click();
  await until('halted', async () => (await isActive('halted')) > 0);
  await page.getByRole('group', {name: 'Events'}).getByRole('button', {name: 'go', exact: true}).click();
  assert.ok((await page.locator('.drawing .chart-lines line').count()) > 0, 'what it reads and sets');
  await until('working again', async () => (await isActive('working')) > 0);
  await page.getByRole('tab', {name: /Events/}).click();
  await until('the event', async () => (await page.locator('.records tr').filter({hasText: 'halted'}).count()) > 0);
});

test('the mechanism is drawn', async () => {
  await page.getByRole('button', {name: 'Both'}).click();
  await page.waitForSelector('.mechanism canvas');
  await until('something on the canvas', () =>
    page.$eval('.mechanism canvas', (canvas) => {
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size > 4;
    }),
  );
  await picture('both');
  await page.getByRole('button', {name: 'Drawing'}).click();
});

test('pause, one step, start', async () => {
  await page.getByRole('button', {name: 'Pause'}).click();
  await until('paused', async () => (await text('.status')) === 'paused');
  const held = (await getJson(server.address, 'api/state')).time;
  await page.getByRole('button', {name: 'Step'}).click();
  await until('one step more', async () => Math.abs((await getJson(server.address, 'api/state')).time - held - 0.02) < 1e-9);
  await page.getByRole('button', {name: 'Start'}).click();
  await until('running', async () => (await text('.status')) === 'running');
});

test('everything can be reached by keyboard', async () => {
  await page.locator('.drawing g.component[data-path="pump"]').focus();
  await page.keyboard.press('Enter');
  assert.equal(await text('.inspected h2'), 'pump');
  const before = await page.$eval('.drawing svg', (svg) => svg.getAttribute('viewBox'));
  await page.keyboard.press('+');
  assert.notEqual(await page.$eval('.drawing svg', (svg) => svg.getAttribute('viewBox')), before);
  await page.keyboard.press('0');
  assert.equal(await page.$eval('.drawing svg', (svg) => svg.getAttribute('viewBox')), before);
});

test('a reload still has the past', async () => {
  const end = await time();
  await page.reload();
  await page.waitForSelector('.panel canvas');
  await page.getByLabel('span').selectOption('0');
  await until('lines that begin where the run began', async () => {
    const rows = (await bytesOfPlots(page, 'CSV'))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split(','));
    return rows.length > 10 && Number(rows[0][0]) < 0.5 && Number(rows.at(-1)[0]) > end;
  });
  await picture('plots');
  assert.equal((await bytesOfPlots(page, 'PNG')).subarray(1, 4).toString(), 'PNG');
});

test('a state is saved in a file, and the run goes on from it', async () => {
  const saved = await bytesOf('Save state');
  assert.ok(saved.length > 1000);
  const then = await time();
  await until('a later time', async () => (await time()) > then + 2);
  await page
    .getByLabel('File of a state')
    .setInputFiles({name: 'crane.state', mimeType: 'application/octet-stream', buffer: saved});
  await until('the time of the file', async () => (await time()) < then + 1.5);
  await page
    .getByLabel('File of a state')
    .setInputFiles({name: 'other.state', mimeType: 'application/octet-stream', buffer: Buffer.from('no state')});
  await page.locator('.notice.is-error').waitFor();
  await page.locator('.notice.is-error button').click();
  refusals = 1;
});

test('dark, wide', async () => {
  await page.getByRole('button', {name: 'Dark'}).click();
  assert.equal(await page.$eval('html', (html) => html.dataset.theme), 'dark');
  await picture('dark');
  await page.setViewportSize({width: 2560, height: 1440});
  await picture('wide');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 2560, `wider than the window: ${width}`);
  await page.setViewportSize({width: 400, height: 800});
  await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name: 'Plots'}).click();
  await page.locator('.level-row').first().waitFor();
  await picture('narrow');
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400, 'wider than the window');
  await page.setViewportSize({width: 1280, height: 800});
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1280, 'wider than the window');
});

test('no error was in the console', () => {
  const refused = faults.filter((fault) => /status of 4\d\d/.test(fault));
  assert.equal(refused.length, refusals, `${refused}`);
  assert.deepEqual(
    faults.filter((fault) => !refused.includes(fault)),
    [],
  );
});

test('a lost server is said, and found again', async () => {
  await server.stop();
  await page.locator('.banner', {hasText: 'connection'}).waitFor();
  assert.equal(await text('.status'), 'no connection');
  await picture('lost');
  server = await serve('knuckle_boom_crane.xml', port);
  await page.locator('.banner').waitFor({state: 'detached'});
  await until('time of the new run', async () => (await time()) > 0.2);
  await select('pump');
  let first;
  await until('values of the new run', async () => {
    const value = await text('[data-value]');
    if (value !== '…') first ??= value;
    return first !== undefined && value !== first;
  });
  // Chromium itself reports requests that find no server.
  faults.splice(0, faults.length, ...faults.filter((fault) => !/status of 4\d\d/.test(fault)));
  assert.deepEqual(
    faults.filter(
      (fault) => !/ERR_CONNECTION_REFUSED|WebSocket connection|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/.test(fault),
    ),
    [],
  );
});

/** The file that a button gives. */
async function bytesOf(button) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: button}).click()]);
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
