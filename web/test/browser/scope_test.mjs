// The plots as an instrument: cursors, statistics and spectrum against the history that the server keeps.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, getJson, serve, until} from './server.mjs';

const {CHROMIUM, SCREENSHOTS} = process.env;
const kSignal = 'load.x';

let server;
let browser;
let page;

before(async () => {
  server = await serve('mass_spring.xml', await freePort(), '--free');
  await until('the end of the run', async () => (await getJson(server.address, 'api/state')).status === 'finished');
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
  page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(server.address);
  await page.getByRole('combobox', {name: 'Add a signal'}).waitFor();
  await page.getByLabel('span').selectOption('0');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const cell = async (name) =>
  Number(await page.locator(`[data-measured="${kSignal}"] [data-cell="${name}"]`).getAttribute('title'));
const setCursor = async (name, time) => {
  const field = page.getByRole('spinbutton', {name: `Time of cursor ${name} in s`});
  await field.fill(String(time));
  await field.press('Enter');
};

test('cursors: values and difference are those of the results', async () => {
  await page.getByRole('button', {name: 'SI', exact: true}).click();
  await page.getByRole('button', {name: 'Measure'}).click();
  const {signals} = await getJson(server.address, `api/history?path=${kSignal}&bins=1500`);
  const {t, last} = signals[kSignal];
  const [a, b] = [Math.floor(t.length * 0.2), Math.floor(t.length * 0.7)];
  // A field that appears at this moment loses what is typed.
  const shows = async (name, i) => {
    if ((await cell(name)) === last[i]) return true;
    await setCursor(name, t[i]);
    return false;
  };
  await until('the value at A', () => shows('A', a));
  await until('the value at B', () => shows('B', b));
  assert.equal(await cell('difference'), last[b] - last[a]);
});

test('a click sets A, the next one B', async () => {
  const over = await page.locator('.panel .u-over').first().boundingBox();
  await page.mouse.click(over.x + over.width * 0.25, over.y + over.height / 2);
  await page.mouse.click(over.x + over.width * 0.75, over.y + over.height / 2);
  const time = async (name) => Number(await page.getByRole('spinbutton', {name: `Time of cursor ${name} in s`}).inputValue());
  const {start_time: start, stop_time: stop} = await getJson(server.address, 'api/system');
  await until('B', async () => Math.abs((await time('B')) - (await time('A')) - (stop - start) / 2) < 0.01 * (stop - start));
});

test('statistics are those of the history', async () => {
  const {signals} = await getJson(server.address, `api/history?path=${kSignal}&bins=1500`);
  const {min, max} = signals[kSignal];
  assert.equal(await cell('min'), Math.min(...min));
  assert.equal(await cell('max'), Math.max(...max));
  const [mean, rms, std] = [await cell('mean'), await cell('rms'), await cell('std')];
  assert.ok(rms > 0 && std > 0);
  assert.ok(Math.abs(rms ** 2 - mean ** 2 - std ** 2) < 1e-9 * rms ** 2, 'rms² = mean² + std²');
});

test('a panel for each signal, and a spectrum of all', async () => {
  const count = await page.locator('.panel .label [data-plot]').count();
  await page.getByRole('button', {name: 'Separate'}).click();
  await until('as many panels', async () => (await page.locator('.panels > .panel').count()) === count);
  await page.getByRole('button', {name: 'Spectrum'}).click();
  const canvas = page.locator('.panel.spectrum canvas');
  await until('lines', () =>
    canvas.evaluate((one) => {
      const {data} = one.getContext('2d').getImageData(0, 0, one.width, one.height);
      return new Set(new Uint32Array(data.buffer)).size > 8;
    }),
  );
  await page.screenshot({path: join(SCREENSHOTS, 'scope.png')});
});

test('events carry the number of their run, and the page shows those of the present one', async (t) => {
  const lift = await serve('operated_lift.xml', await freePort(), '--free');
  t.after(() => lift.stop());
  const finished = async () => (await getJson(lift.address, 'api/state')).status === 'finished';
  await until('the end of the first run', finished);
  const before = await getJson(lift.address, 'api/events?after=0');
  await page.goto(lift.address);
  await page.getByRole('button', {name: 'Reset'}).click();
  await until('the next run', async () => (await getJson(lift.address, 'api/events?after=0')).run > before.run);
  const start = page.getByRole('button', {name: 'Start', exact: true});
  await until('its end', async () => {
    if ((await start.isVisible()) && (await start.isEnabled())) await start.click(); // a run that was over waits
    return finished();
  });
  const {events, run} = await getJson(lift.address, 'api/events?after=0');
  for (const event of events) assert.ok(event.run <= run);
  const mine = events.filter((event) => event.run === run).length;
  assert.ok(mine > 0 && mine < events.length, 'both runs have events');
  const count = page.getByRole('tab', {name: /Events/}).locator('.count');
  await until('as many', async () => (await count.textContent()) === String(mine));
});
