// The pictures of the guides that show the page and the studio, into FOLDER: docs/images/make.sh runs it. The crane runs as fast as
// possible to the moment that is shown, then two seconds in real time.
//
//   DAVIT=PROGRAM CHROMIUM=PROGRAM WEB_FOLDER=REPOSITORY SCREENSHOTS=FOLDER node pictures.mjs
import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {Editor} from './editor.mjs';
import {freePort, getJson, serve, studio} from './server.mjs';

const {CHROMIUM, SCREENSHOTS, WEB_FOLDER} = process.env;
const kScale = 1.5; // pixels of the picture per pixel of the page, so that names in drawings are readable

const browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});

async function open(address, viewport, scale = kScale) {
  const page = await (await browser.newContext({viewport, deviceScaleFactor: scale, colorScheme: 'light'})).newPage();
  page.setDefaultTimeout(30_000);
  await page.goto(address);
  return page;
}

const save = (page, name, options = {}) => page.screenshot({path: join(SCREENSHOTS, `${name}.png`), ...options});

async function until(condition) {
  for (let i = 0; i < 600; i++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited for ${condition}`);
}

const control = (address, action, rest = {}) =>
  fetch(`${address}api/control`, {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify({action, ...rest}),
  });

/**
 * The page of the crane at a time: as fast as possible up to there, then two seconds in real time. `prepare` is called before the run,
 * `show` at the end of it.
 */
async function showCrane(time, viewport, prepare, show) {
  const commands = join(tmpdir(), `davit_pictures_${process.pid}.txt`);
  writeFileSync(commands, `${time} pause\n`);
  const server = await serve('knuckle_boom_crane.xml', await freePort(), '--paused', '--commands', commands);
  const {address} = server;
  const page = await open(address, viewport);
  await page.getByRole('button', {name: 'Drawing', exact: true}).click();
  await page.waitForSelector('.drawing svg g.component');
  const select = (path) => page.locator(`.tree .row:has(.name:text-is("${path}"))`).click();
  const clear = page.getByRole('button', {name: 'Clear', exact: true});
  if (await clear.count()) await clear.click();
  await page.getByLabel('span').selectOption('0');
  for (const signal of ['crane.q0', 'crane.q1', 'crane.q2', 'pump.p_out', 'boom_cylinder.p_a']) {
    await select(signal.split('.')[0]);
    await page.getByRole('button', {name: `Plot ${signal}`, exact: true}).click();
  }
  await page.getByRole('tab', {name: /Events/}).click();
  await prepare(page, select);
  await control(address, 'speed', {factor: null});
  await control(address, 'start');
  await until(async () => (await getJson(address, 'api/state')).status === 'paused');
  await control(address, 'speed', {factor: 1});
  await page.waitForTimeout(1500);
  await control(address, 'start');
  await until(async () => (await getJson(address, 'api/state')).time > time + 1.6);
  await show(page);
  const {missed_periods} = await getJson(address, 'api/state');
  if (missed_periods)
    console.error(`${missed_periods} periods missed at ${time} s: make the pictures again on an idle machine`);
  await page.close();
  await server.stop();
  rmSync(commands);
}

async function livePictures() {
  const size = {width: 1280, height: 800};
  await showCrane(
    18,
    size,
    async (page) => {
      // The names in the whole drawing are too small in a picture: the valves and the cylinder of the boom.
      const at = await page.locator('.drawing g.component[data-path="boom_cbv"]').boundingBox();
      await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
      for (let i = 0; i < 4; i++) {
        await page.mouse.wheel(0, -240);
        await page.waitForTimeout(100);
      }
      await page.mouse.move(5, 5);
    },
    (page) => save(page, 'live_page'),
  );
  await showCrane(
    63,
    {width: 1450, height: 780},
    (page) => page.getByRole('button', {name: 'Mechanism', exact: true}).click(),
    async (page) => save(page, 'readme_crane', {clip: await page.locator('.mechanism').boundingBox()}),
  );
  await showCrane(
    73,
    size,
    async (page, select) => {
      await page.getByRole('button', {name: 'Mechanism', exact: true}).click();
      await page.getByRole('button', {name: 'Dark'}).click();
      await select('operator');
      await page.locator('.tree').evaluate((tree) => {
        for (const one of [tree, ...tree.querySelectorAll('*')]) one.scrollTop = 0;
      });
    },
    (page) => save(page, 'live_dark'),
  );
}

/** A page with three dimensions, in a browser of its own. */
async function openWithSpace(viewport) {
  const args = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  const drawing = await chromium.launch({executablePath: CHROMIUM, args});
  const context = await drawing.newContext({viewport, deviceScaleFactor: kScale, colorScheme: 'light'});
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  // The page takes the software for a GPU, so edges are smooth.
  await page.addInitScript(() => {
    const ask = WebGL2RenderingContext.prototype.getExtension;
    WebGL2RenderingContext.prototype.getExtension = function (name) {
      return name === 'WEBGL_debug_renderer_info' ? null : ask.call(this, name);
    };
  });
  return {drawing, page};
}

/** The excavator has dug and lifted; its levers rest. */
async function spacePictures() {
  const commands = join(tmpdir(), `davit_pictures_${process.pid}.txt`);
  writeFileSync(commands, '11.6 pause\n');
  const server = await serve('excavator.xml', await freePort(), '--paused', '--commands', commands);
  const {drawing, page} = await openWithSpace({width: 1280, height: 900});
  await page.goto(server.address);
  await page.getByRole('button', {name: 'Mechanism', exact: true}).click();
  await page.getByRole('button', {name: '3-D'}).click();
  await page.waitForFunction(() => document.querySelector('.space canvas')?.stage?.frames > 0);
  await control(server.address, 'start');
  await until(async () => (await getJson(server.address, 'api/state')).status === 'paused');
  // A view that is opened again has the whole path, however many frames were drawn.
  await page.getByRole('button', {name: '2-D'}).click();
  await page.getByRole('button', {name: '3-D'}).click();
  await page.waitForFunction(() => document.querySelector('.space canvas')?.stage?.frames > 0);
  await page.getByRole('group', {name: 'Camera'}).getByRole('button', {name: 'All'}).click();
  await page.waitForTimeout(1500);
  await save(page, 'mechanism_3d', {clip: await page.locator('.mechanism').boundingBox()});
  await drawing.close();
  await server.stop();
  rmSync(commands);
}

/** Where the energy of the excavator went; a high picture of the view and its tables. */
async function energyPicture() {
  const server = await serve('excavator.xml', await freePort(), '--energy', '--free');
  const page = await open(server.address, {width: 1280, height: 1060});
  await until(async () => (await getJson(server.address, 'api/state')).status === 'finished');
  await page.evaluate(() =>
    localStorage.setItem('davit.panes', JSON.stringify({left: 180, right: 320, plots: 90, bottom: 40, text: 200})),
  );
  await page.reload();
  await page.getByRole('button', {name: 'Energy', exact: true}).click();
  await page.locator('.flow li').first().waitFor();
  await save(page, 'live_energy', {clip: await page.locator('.views').boundingBox()});
  await page.close();
  await server.stop();
}

/** The excavator as a tree in the studio. */
async function treePicture() {
  const folder = mkdtempSync(join(tmpdir(), 'davit_pictures_'));
  cpSync(join(WEB_FOLDER, 'systems'), folder, {recursive: true});
  const server = await studio(folder, await freePort());
  const {drawing, page} = await openWithSpace({width: 1280, height: 760});
  await page.goto(server.address);
  const editor = new Editor(page);
  await editor.open('excavator.xml');
  await editor.choose('arm');
  await page.getByRole('button', {name: 'Edit as a tree'}).click();
  await page.locator('[role="treeitem"][data-part="stick"]').click();
  await page.waitForFunction(() => document.querySelector('.tree-pane canvas')?.stage?.parts.solids.length > 5);
  await page.waitForTimeout(1500);
  await save(page, 'studio_mechanism');
  await drawing.close();
  await server.stop();
  rmSync(folder, {recursive: true});
}

async function panelPictures() {
  await showCrane(
    12,
    {width: 1440, height: 900},
    async (page) => {
      await page.getByRole('button', {name: 'Panel', exact: true}).click();
      for (const command of ['3 event levers', '3 set boom_hand.value 0.4', '6 set slew_hand.value -0.3']) {
        await page.evaluate((line) => fetch('api/command', {method: 'POST', body: JSON.stringify({command: line})}), command);
      }
    },
    (page) => save(page, 'panel'),
  );
}

async function studioPictures() {
  const folder = mkdtempSync(join(tmpdir(), 'davit_pictures_'));
  cpSync(join(WEB_FOLDER, 'systems'), folder, {recursive: true});
  const server = await studio(folder, await freePort());
  const page = await open(server.address, {width: 1280, height: 760});
  const editor = new Editor(page);
  const show = async (path, name) => {
    await editor.open(path);
    await editor.component(name).waitFor();
    const files = page.locator('.left-pane details', {hasText: 'Files'}).first();
    if (await files.evaluate((details) => details.open)) await files.locator('summary').click();
    await editor.until('lines', async () => (await page.locator('.sheet .joint').count()) > 5);
    await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
    await page.getByRole('button', {name: 'Show all'}).click();
  };

  await show('lifting_cylinder.xml', 'cylinder');
  await editor.choose('cylinder');
  await page.waitForTimeout(500);
  await save(page, 'studio_sheet');
  const other = await open(server.address, {width: 1280, height: 760});
  await new Editor(other).open('lifting_cylinder.xml');
  await new Editor(other).choose('dcv');
  await page.locator('.sheet .of-others').waitFor({state: 'attached'});
  await save(page, 'studio_shared');
  await other.context().close();

  await show('position_servo.xml', 'reference');
  await page.waitForTimeout(500);
  await save(page, 'studio_servo');

  // A sweep of its gain and of the mass.
  await page.getByRole('button', {name: 'Studies', exact: true}).click();
  await page.getByRole('combobox', {name: 'New study'}).selectOption('sweep');
  const pick = async (list, item) => {
    await editor.click(item.split('.')[0]);
    await page.getByRole('group', {name: list, exact: true}).locator(`[data-pick="${item}"]`).click();
  };
  const fill = async (item, values) => {
    const field = page.getByRole('group', {name: `Vary ${item}`}).getByRole('textbox', {name: 'values'});
    await field.fill(values);
    await field.press('Enter');
  };
  await pick('Parameters', 'controller.gain');
  await fill('controller.gain', '4:0.5:20');
  await pick('Parameters', 'load.mass');
  await fill('load.mass', '500 kg,1000 kg,2000 kg');
  await page.getByRole('combobox', {name: 'Function of the measure'}).selectOption('settling_time');
  await pick('Signals', 'load.x');
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await page.locator('.study-results [data-status="done"]').waitFor();
  await page.getByRole('button', {name: 'Chart', exact: true}).click();
  await page.waitForTimeout(800);
  await save(page, 'studio_studies');
  await page.getByRole('button', {name: 'Studies', exact: true}).click();

  // A part of the crane, in which names can be read.
  await show('knuckle_boom_crane.xml', 'boom_cylinder');
  await editor.choose('boom_cylinder');
  const box = await editor.boxOf(editor.component('boom_cylinder').locator('.hit').first());
  await page.mouse.move(box.x + box.width, box.y);
  for (let i = 0; i < 3; i++) {
    await page.mouse.wheel(0, -240);
    await page.waitForTimeout(100);
  }
  await page.mouse.move(5, 5);
  await page.waitForTimeout(500);
  await save(page, 'studio_crane');

  // Two speeds of the pump of the lifting cylinder.
  const run = async (speed) => {
    await editor.open('lifting_cylinder.xml');
    await editor.choose('pump');
    await editor.set('speed', speed);
    await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
    const before = (await getJson(server.address, 'api/runs')).runs.length;
    await page.getByRole('button', {name: 'Run', exact: true}).click();
    await editor.until('another run', async () => (await getJson(server.address, 'api/runs')).runs.length > before);
    await page.locator('.top-bar').getByLabel('speed').selectOption('free');
    await page.locator('.top-bar .status.is-finished').first().waitFor({timeout: 60_000});
    await page.getByRole('button', {name: 'Draw', exact: true}).click();
  };
  await run('1776 rpm');
  await run('1200 rpm');
  for (const one of await page.getByRole('checkbox', {name: /Compare run/}).all()) await one.check();
  await page.getByRole('button', {name: 'Overlay'}).click();
  await page.locator('.compare [data-compare] canvas').first().waitFor();
  await page.waitForTimeout(800);
  await save(page, 'studio_runs');
  await page.getByRole('button', {name: 'Back to drawing'}).click();

  await editor.open('charts/lift_operator.scxml');
  const form = page.locator('.chart-form');
  const trial = form.locator('summary', {hasText: 'Run alone'});
  await trial.waitFor();
  if (!(await form.getByRole('button', {name: 'Run alone'}).isVisible())) await trial.click();
  await form.getByRole('button', {name: 'Run alone'}).click();
  await form.getByRole('group', {name: 'Events'}).getByRole('button', {name: 'start', exact: true}).click();
  await form.getByLabel('load.x').fill('1.6');
  await form.getByLabel('load.x').press('Enter');
  await form.getByRole('button', {name: '+0.01 s', exact: true}).click();
  await page.locator('.is-active[data-state="up"]').first().waitFor();
  await page.getByRole('button', {name: 'Show all'}).click();
  await page.waitForTimeout(800);
  await save(page, 'studio_chart');
  await page.close();
  await server.stop();
  rmSync(folder, {recursive: true});
}

const wanted = process.argv.slice(2);
const makers = {
  live: livePictures,
  energy: energyPicture,
  space: spacePictures,
  tree: treePicture,
  panel: panelPictures,
  studio: studioPictures,
};
for (const [name, make] of Object.entries(makers)) if (!wanted.length || wanted.includes(name)) await make();
await browser.close();
