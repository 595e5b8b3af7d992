// Any screen: in windows of three sizes and in both themes no rule of axe-core is broken, nothing is wider than the window, and the
// text of a drawing is readable.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {expectAccessible} from './accessibility.mjs';
import {Editor} from './editor.mjs';
import {freePort, serve, studio, until} from './server.mjs';

const {CHROMIUM, SCREENSHOTS, WEB_FOLDER} = process.env;
const kSizes = [
  [1440, 900],
  [1024, 768],
  [390, 844],
];
const kReadable = 9; // px

let browser;
before(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
});
after(() => browser?.close());

async function withPage(server, steps) {
  try {
    const page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(server.address);
    await steps(page);
    await page.context().close();
  } finally {
    await server.stop();
  }
}

async function showDrawing(page) {
  await page.getByRole('button', {name: 'Drawing', exact: true}).click();
  await page.waitForSelector('.drawing svg g.component');
}

async function everywhere(page, look) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme});
    for (const [width, height] of kSizes) {
      await page.setViewportSize({width, height});
      await page.waitForTimeout(300); // what follows a resize
      await look(`${colorScheme}_${width}`, width);
    }
  }
}

const isAccessible = (page, name) =>
  everywhere(page, async (at) => {
    await page.screenshot({path: join(SCREENSHOTS, `access_${name}_${at}.png`)});
    await expectAccessible(page, `${name} ${at}`);
  });

/** Heights of the letters of the texts that are seen [px]; `svg`: a selector. */
const heights = (page, svg) =>
  page.$$eval(`${svg} text`, (all) =>
    all
      .filter((text) => getComputedStyle(text).visibility !== 'hidden' && text.getClientRects().length > 0)
      .map((text) => {
        const {a, b} = text.getScreenCTM();
        return Number.parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b);
      }),
  );

/** Names that end outside of the drawing's window, where all is shown. */
const cut = (page, svg) =>
  page.$$eval(`${svg} text.name, ${svg} text.title`, (all) =>
    all
      .filter((text) => getComputedStyle(text).visibility !== 'hidden' && text.getClientRects().length > 0)
      .filter((text) => {
        const [own, window] = [text, text.closest('svg').parentElement].map((one) => one.getBoundingClientRect());
        return own.left < window.left - 2 || own.right > window.right + 2;
      })
      .map((text) => text.textContent.trim()),
  );

/** At every size and in both themes. */
const isReadable = (page, svg, least) =>
  everywhere(page, async (at, width) => {
    if (width < 900) await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name: 'View'}).click();
    let found = [];
    await until(`readable text at ${at}`, async () => {
      found = await heights(page, svg);
      return found.length >= least && Math.min(...found) >= kReadable;
    });
    await page.getByRole('button', {name: 'Show all'}).click();
    await until(`whole names at ${at}`, async () => (await cut(page, svg)).length === 0);
  });

test('the crane: readable at every size, and accessible', async () => {
  await withPage(await serve('knuckle_boom_crane.xml', await freePort()), async (page) => {
    await showDrawing(page);
    await everywhere(page, async (at) => {
      const found = await heights(page, '.drawing .canvas > svg');
      assert.ok(found.length > 15, `${at}: ${found.length} texts`);
      assert.ok(Math.min(...found) >= kReadable, `${at}: ${Math.min(...found)} px`);
      await page.getByRole('button', {name: 'Show all'}).click();
      await until(`whole names at ${at}`, async () => (await cut(page, '.drawing .canvas > svg')).length === 0);
    });
    // Near the pointer every name is shown.
    await page.setViewportSize({width: 390, height: 844});
    for (const path of ['knuckle_limiter', 'slew_joystick', 'pilot_spring']) {
      const {x, y, width, height} = await page.locator(`.drawing g.component[data-path="${path}"] .symbol`).boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.locator(`.drawing g.component[data-path="${path}"] text.name:not(.is-unreadable)`).waitFor();
      assert.ok(Math.min(...(await heights(page, '.drawing .canvas > svg'))) >= kReadable);
    }
    // Closer: the letters of the levels appear.
    await page.setViewportSize({width: 1440, height: 900});
    const badges = () => page.locator('.drawing .level-badge text:not(.is-unreadable)').count();
    assert.equal(await badges(), 0);
    await page.locator('.drawing .canvas').hover();
    for (let i = 0; i < 6; i++) await page.mouse.wheel(0, -300);
    await until('letters', async () => (await badges()) > 0);
    // So do the dashes that move with the flow: far away they are not drawn.
    const dashes = () =>
      page.$$eval('.drawing path.flow', (all) => all.filter((one) => getComputedStyle(one).visibility === 'visible').length);
    await until('dashes', async () => (await dashes()) > 0);
    await page.setViewportSize({width: 390, height: 844});
    await page.getByRole('button', {name: 'Show all'}).click();
    await until('no dashes', async () => (await dashes()) === 0);
    await page.setViewportSize({width: 1440, height: 900});
    await page.getByRole('button', {name: 'Show all'}).click();
    await isAccessible(page, 'crane');
  });
});

test('the scale of pressures stays, and can be set', async () => {
  await withPage(await serve('knuckle_boom_crane.xml', await freePort()), async (page) => {
    await showDrawing(page);
    const field = page.getByRole('spinbutton', {name: /Upper end of the scale/});
    const end = async () => Number((await field.inputValue()) || (await field.getAttribute('placeholder')));
    await until('a pressure', async () => (await end()) > 1);
    const grown = await end();
    await page.reload();
    await field.waitFor();
    assert.ok((await end()) >= grown, 'a reload keeps it');
    await field.fill('320');
    await field.press('Enter');
    await page.reload();
    await field.waitFor();
    assert.equal(await end(), 320);
  });
});

test('a sub-system, a selection and a bookmark are shown', async () => {
  await withPage(await serve('knuckle_boom_crane.xml', await freePort()), async (page) => {
    await showDrawing(page);
    const box = async () => (await page.locator('.drawing .canvas > svg').getAttribute('viewBox')).split(' ').map(Number);
    const list = page.getByLabel('Show a part of the drawing');
    const whole = await box();
    await page.locator('.tree .row:has(.name:text-is("pump"))').click();
    await list.selectOption('pump');
    const near = await box();
    assert.ok(near[2] < whole[2] / 4, `${near}`);
    page.once('dialog', (dialog) => dialog.accept('at the pump'));
    await list.selectOption('Keep this view …');
    await list.selectOption('everything');
    assert.deepEqual(await box(), whole);
    await list.selectOption('at the pump');
    assert.deepEqual(await box(), near);
  });
});

test('a narrow window shows one pane at a time', async () => {
  await withPage(await serve('knuckle_boom_crane.xml', await freePort()), async (page) => {
    await page.setViewportSize({width: 390, height: 844});
    const panes = {List: '.tree', View: '.views', Plots: '.plots', Values: '.inspector', Alarms: '.records'};
    for (const [name, pane] of Object.entries(panes)) {
      await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name}).click();
      for (const other of Object.values(panes))
        assert.equal(await page.locator(other).isVisible(), other === pane, `${other} with ${name}`);
      const {height} = await page.locator(pane).boundingBox();
      assert.ok(height > 400, `${name}: ${height} px`);
    }
    for (const name of ['Pause', 'Reset', 'Save state', 'SI']) {
      const {x, width} = await page.getByRole('button', {name, exact: true}).boundingBox();
      assert.ok(x >= 0 && x + width <= 390, name);
    }
  });
});

test('first view of a machine: it moves, gauges have limits, states are active', async () => {
  await withPage(await serve('knuckle_boom_crane.xml', await freePort()), async (page) => {
    // In three dimensions where a GPU draws, which the test pretends; in two without one.
    await page.getByRole('img', {name: 'Mechanism, side'}).waitFor();
    await page.addInitScript(() => {
      const ask = WebGL2RenderingContext.prototype.getExtension;
      WebGL2RenderingContext.prototype.getExtension = function (name) {
        return name === 'WEBGL_debug_renderer_info' ? null : ask.call(this, name);
      };
    });
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.space canvas')?.stage?.frames > 0);
    const overview = page.getByRole('region', {name: 'Overview'});
    for (const name of ['Load moment', 'Hook load', 'Radius', 'Pump pressure']) {
      const gauge = overview.getByRole('meter', {name});
      await gauge.locator('.zone.is-alarm').waitFor({state: 'attached'});
      assert.notEqual(await gauge.getAttribute('aria-valuenow'), '0', name);
    }
    assert.equal(await overview.getByRole('meter', {name: 'Pump pressure'}).locator('.zone.is-warning').count(), 1);
    const states = overview.getByRole('status', {name: 'Operator'}).locator('.state');
    await until('a state', async () => (await states.count()) > 0);
    await page.locator('.tree .row:has(.name:text-is("pump"))').click();
    await overview.waitFor({state: 'detached'});
    await page.reload();
    await page.waitForSelector('.overview');
    await isAccessible(page, 'first_view');
  });
});

test('a limit of a gauge follows its item, and colours the value beyond it', async () => {
  await withPage(await serve('knuckle_boom_crane.xml', await freePort()), async (page) => {
    const gauge = page.getByRole('meter', {name: 'Pump pressure'});
    const zone = gauge.locator('.zone.is-alarm');
    const before = await zone.getAttribute('d');
    const command = (text) =>
      fetch(new URL('api/command', page.url()), {method: 'POST', body: JSON.stringify({command: text})});
    await command('set relief.set_pressure 1 bar'); // it yields, with some more
    await until('the zone', async () => (await zone.getAttribute('d')) !== before);
    await page.locator('.gauge.is-alarm', {has: gauge}).waitFor();
  });
});

test('first view of a system without mechanism and panel: its drawing, what it records, with the extremes of the run', async () => {
  await withPage(await serve('pump_characteristics.xml', await freePort(), '--free'), async (page) => {
    await page.waitForSelector('.drawing svg g.component');
    const {recorded} = await (await fetch(new URL('api/system', page.url()))).json();
    const shown = await page.$$eval('[data-reading]', (all) => all.map((one) => one.dataset.reading));
    assert.ok(shown.length > 0 && shown.every((path) => recorded.includes(path)), `${shown}`);
    await isAccessible(page, 'readings');
  });
});

test('the servo, with a component', async () => {
  await withPage(await serve('position_servo.xml', await freePort()), async (page) => {
    await page.waitForSelector('.tree .row');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the values');
    await showDrawing(page);
    await page.locator('.tree .row:has(.name:text-is("valve_pa"))').click();
    await isAccessible(page, 'servo');
  });
});

test('a drawing with letters in its symbols', async () => {
  await withPage(await serve('level_switching.xml', await freePort(), '--paused'), async (page) => {
    await showDrawing(page);
    await isAccessible(page, 'letters');
  });
});

test('the sheet of the studio', async () => {
  await withPage(await studio(join(WEB_FOLDER, 'systems'), await freePort(), '--read-only'), async (page) => {
    await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'position_servo.xml'}).click();
    await page.waitForSelector('.sheet .component');
    await isAccessible(page, 'sheet');
    await page.setViewportSize({width: 1440, height: 900});
    await new Editor(page).open('knuckle_boom_crane.xml');
    await page.locator('.sheet .component[data-path="boom_cylinder"]').waitFor();
    await isReadable(page, '.sheet > svg', 10);
  });
});

test('the editor of charts', async () => {
  await withPage(await studio(join(WEB_FOLDER, 'systems'), await freePort(), '--read-only'), async (page) => {
    await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'charts/crane_detail.scxml'}).click();
    await page.waitForSelector('.chart-state');
    await isAccessible(page, 'chart');
    await page.setViewportSize({width: 1440, height: 900});
    await page.getByRole('list', {name: 'Files'}).getByRole('button', {name: 'charts/crane_safety.scxml'}).click();
    await page.locator('.chart-sheet[aria-label]').waitFor();
    await isReadable(page, '.chart-sheet > svg', 3);
  });
});
