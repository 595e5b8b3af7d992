// The plots as an instrument: cursors, statistics and spectrum against the history that the server keeps.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {bytesOfPlots, freePort, getJson, serve, until} from './server.mjs';

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

/** Times at which the history crosses a level upwards. */
async function rises(level) {
  const {signals} = await getJson(server.address, `api/history?path=${kSignal}&bins=1500`);
  const {t, last} = signals[kSignal];
  return t.filter((_, i) => i > 0 && last[i - 1] < level && last[i] >= level);
}

test('the trigger shows the time around a crossing: the last, or once the first', async () => {
  await page.getByRole('button', {name: 'Trigger'}).click();
  const bar = page.getByRole('group', {name: 'Trigger'});
  await bar.getByLabel('signal').selectOption(kSignal);
  const {signals} = await getJson(server.address, `api/history?path=${kSignal}&bins=1500`);
  const {min, max} = signals[kSignal];
  const level = 0.6 * Math.max(...max) + 0.4 * Math.min(...min);
  const field = bar.getByRole('spinbutton', {name: 'Level in m'});
  // A field that appears at this moment loses what is typed.
  const setLevel = async (value) => {
    await field.fill(String(value));
    await field.press('Enter');
    return false;
  };
  const times = await rises(level);
  assert.ok(times.length >= 1, 'the signal crosses the level');
  const shown = async () => Number(/at ([\d.]+) s/.exec(await bar.locator('output').textContent())?.[1]);
  await until('the last crossing', async () => Math.abs((await shown()) - times.at(-1)) < 0.05 || (await setLevel(level)));
  await bar.getByLabel('once').check();
  await until('the first crossing', async () => Math.abs((await shown()) - times[0]) < 0.05);
  // A fifth of the 10 s is before it.
  const [first] = (await bytesOfPlots(page, 'CSV')).toString().split('\n').slice(1);
  assert.ok(Number(first.split(',')[0]) >= times[0] - 2.05);
  await setLevel(2 * Math.max(...max.map(Math.abs)));
  await until('no crossing', async () => (await bar.locator('output').textContent()) === 'waiting');
  await page.screenshot({path: join(SCREENSHOTS, 'trigger.png')});
  await page.getByRole('button', {name: 'Trigger'}).click();
  await bar.waitFor({state: 'detached'});
});

test('xy: one signal over another', async () => {
  await page.getByRole('button', {name: 'XY'}).click();
  const panel = page.locator('.panel.xy');
  const line = () =>
    panel.locator('canvas').evaluate((one) => {
      const {data} = one.getContext('2d').getImageData(0, 0, one.width, one.height);
      const colors = new Map();
      for (const pixel of new Uint32Array(data.buffer)) colors.set(pixel, (colors.get(pixel) ?? 0) + 1);
      return colors.size;
    });
  await until('a line', async () => (await line()) > 8);
  await panel.getByLabel('Signal of axis y').selectOption(kSignal);
  await panel.getByLabel('Signal of axis x').selectOption(kSignal);
  await page.getByRole('group', {name: `${kSignal} over ${kSignal}`}).waitFor();
  await page.getByRole('button', {name: 'XY'}).click();
  await panel.waitFor({state: 'detached'});
});

test('svg: a picture with a line for each signal', async () => {
  const text = (await bytesOfPlots(page, 'SVG')).toString();
  const found = await page.evaluate((svg) => {
    const document = new DOMParser().parseFromString(svg, 'image/svg+xml');
    return {
      faults: document.querySelectorAll('parsererror').length,
      texts: [...document.querySelectorAll('text')].map((one) => one.textContent),
      points: [...document.querySelectorAll('path')].map((one) => one.getAttribute('d').split(/[LHV]/).length),
    };
  }, text);
  assert.equal(found.faults, 0);
  assert.ok(found.texts.includes(kSignal));
  assert.equal(found.points.length, await page.locator('.panels [data-plot]').count());
  assert.ok(Math.min(...found.points) > 50, `${found.points}`);
});

test('a file that is dropped has the statistics of the run that it was saved from; nothing is sent', async () => {
  const csv = (await bytesOfPlots(page, 'CSV')).toString();
  const sent = [];
  const listen = (request) => {
    if (request.method() !== 'GET') sent.push(request.url());
  };
  page.on('request', listen);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'again.csv', {type: 'text/csv'}));
    const target = document.querySelector('.plots');
    for (const type of ['dragover', 'drop'])
      target.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
  }, csv);
  const row = page.locator(`[data-measured="again.csv: ${kSignal}"]`);
  await row.waitFor();
  for (const name of ['mean', 'rms', 'min', 'max', 'std']) {
    const ofFile = async () => Number(await row.locator(`[data-cell="${name}"]`).getAttribute('title'));
    await until(
      `the same ${name}`,
      async () => Math.abs((await ofFile()) - (await cell(name))) <= 1e-6 * Math.abs(await cell(name)),
    );
  }
  assert.deepEqual(sent, []);
  page.off('request', listen);
  // What is no table is refused, with the reason.
  await page
    .getByLabel('Open CSV files')
    .setInputFiles({name: 'note.csv', mimeType: 'text/csv', buffer: Buffer.from('time,x\n0,1\nnow,2\n')});
  await page.getByText("note.csv: line 3: 'now' is not a time").waitFor();
  await page.screenshot({path: join(SCREENSHOTS, 'scope_file.png')});
});

test('a mark tells its cause: guard with values, event with the command that sent it', async (t) => {
  const lift = await serve('operated_lift.xml', await freePort(), '--free');
  t.after(() => lift.stop());
  await until('the end', async () => (await getJson(lift.address, 'api/state')).status === 'finished');
  await page.goto(lift.address);
  await page.getByLabel('span').selectOption('0');
  const note = page.getByRole('dialog', {name: 'Cause of a mark'});
  const mark = (text) => page.getByRole('button', {name: new RegExp(`^${text}`)}).first();
  // The first drawing after the choice of the span moves the marks.
  await until('the guard', async () => {
    await mark('7.91 s: transition of operator').click();
    return /lifting → up.*guard: \[load.x ge 1.5\].*with load.x = 1.5/.test(await note.textContent());
  });
  await page.screenshot({path: join(SCREENSHOTS, 'mark.png')});
  await page.keyboard.press('Escape');
  await note.waitFor({state: 'detached'});
  await mark('2.00 s: ').hover();
  await until('the command', async () =>
    /waiting → lifting.*event: start.*sent at 2.00 s by <At time="2 s" event="start" to="operator"\/>/.test(
      await note.textContent(),
    ),
  );
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
    if ((await start.isVisible()) && (await start.isEnabled())) await start.click({timeout: 500}).catch(() => undefined); // a run that was over waits; it may be over again
    return finished();
  });
  const {events, run} = await getJson(lift.address, 'api/events?after=0');
  for (const event of events) assert.ok(event.run <= run);
  const mine = events.filter((event) => event.run === run).length;
  assert.ok(mine > 0 && mine < events.length, 'both runs have events');
  const count = page.getByRole('tab', {name: /Events/}).locator('.count');
  await until('as many', async () => (await count.textContent()) === String(mine));
});
