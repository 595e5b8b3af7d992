// The balance of energy on the page: that of `davit energy`, while the run goes.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, getJson, serve, until} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const {CHROMIUM, DAVIT, SCREENSHOTS, WEB_FOLDER} = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const kReadable = 9; // px
const folder = mkdtempSync(join(tmpdir(), 'davit_energy_'));

let browser;
before(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
});
after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true});
});

async function withRun(system, options, steps) {
  const server = await serve(system, await freePort(), ...options);
  try {
    const page = await (await browser.newContext({viewport: {width: 1440, height: 900}})).newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(server.address);
    await page.getByRole('button', {name: 'Energy', exact: true}).click();
    await steps(page, server.address);
    await page.context().close();
  } finally {
    await server.stop();
  }
}

const finished = (address) =>
  until('the end of the run', async () => (await getJson(address, 'api/state')).status === 'finished');
const sum = (page, name) => page.locator(`.sums [data-energy="${name}"] .value`);

/** Of a table: what is written in front of each energy, and the energy as it is shown. */
const rowsOf = (page, table) =>
  page
    .locator(`[data-energy-table="${table}"] tbody tr`)
    .evaluateAll((rows) => rows.map(({cells}) => [cells[0].textContent, cells[1].textContent]));

test('without --energy the page says how to get it', () =>
  withRun('mass_spring.xml', ['--free'], async (page, address) => {
    await page.getByText('Run davit serve mass_spring.xml --energy.').waitFor();
    assert.equal((await getJson(address, 'api/energy')).is_accounted, false);
  }));

test('at the end it is the balance of davit energy', () =>
  withRun('load_holding.xml', ['--energy', '--free'], async (page, address) => {
    await finished(address);
    const file = join(folder, 'energy.json');
    execFileSync(DAVIT, ['energy', join(WEB_FOLDER, 'systems/load_holding.xml'), '--summary', file]);
    const expected = JSON.parse(readFileSync(file, 'utf8'));
    const {shown} = await getJson(address, 'api/energy');
    const {factor, unit} = shown.energy;
    const largest = Math.max(expected.in, expected.lost, expected.out, Math.abs(expected.stored)) * factor;
    const decimals = Math.max(0, 3 - Math.floor(Math.log10(largest)));
    const asShown = (energy) => `${(energy * factor).toFixed(decimals)} ${unit}`.replace('-', '−').replace(/^−([0.]+ )/, '$1');
    await until('the end', async () => (await sum(page, 'lost').textContent()) === asShown(expected.lost));
    for (const name of ['in', 'out', 'stored'])
      assert.equal(await sum(page, name).textContent(), asShown(expected[name]), name);
    assert.equal(await sum(page, 'efficiency').textContent(), `${Number((100 * expected.efficiency).toPrecision(4))} %`);
    assert.equal(await sum(page, 'closing').textContent(), 'closes');
    const least = 1e-9 * Math.max(expected.in, expected.lost);
    for (const table of ['sources', 'losses', 'causes', 'stores']) {
      const rows = Object.entries(expected[table]).filter(([, energy]) => Math.abs(energy) > least);
      assert.ok(rows.length > 0, table);
      assert.deepEqual(
        await rowsOf(page, table),
        rows.map(([name, energy]) => [name, asShown(energy)]),
        table,
      );
    }
    // Both sides of the picture have the height of the bar between them.
    const heights = await page.locator('.flow svg').evaluate((svg) => {
      const sides = {};
      for (const path of svg.querySelectorAll('path')) {
        const [, x, top, bottom] = /M([\d.]+) .* ([\d.]+)V([\d.]+)C/.exec(path.getAttribute('d'));
        sides[Number(x) === 0 ? 'from' : 'to'] = (sides[Number(x) === 0 ? 'from' : 'to'] ?? 0) + Number(bottom) - Number(top);
      }
      return {...sides, bar: Number(svg.querySelector('rect').getAttribute('height'))};
    });
    for (const side of ['from', 'to']) assert.ok(Math.abs(heights[side] - heights.bar) < 3, JSON.stringify(heights));
    // A name selects its component.
    const [[first]] = await rowsOf(page, 'losses');
    await page.locator('[data-energy-table="losses"]').getByRole('button', {name: first, exact: true}).click();
    await page.locator('.inspector h2', {hasText: first}).waitFor();
  }));

test('it follows the run, and a reset begins it anew', () =>
  withRun('lifting_cylinder.xml', ['--energy'], async (page, address) => {
    const end = async () => Number(await page.locator('[data-energy="end"]').textContent());
    await until('two seconds', async () => (await end()) > 2);
    assert.notEqual(await sum(page, 'in').getAttribute('title'), '0 J');
    await page.getByRole('button', {name: 'Pause'}).click();
    const reached = await end();
    await page.getByRole('button', {name: 'Reset'}).click();
    await until('the start', async () => (await end()) === 0);
    assert.ok(reached > 2);
    assert.equal(await sum(page, 'in').getAttribute('title'), '0 J');
    assert.equal((await getJson(address, 'api/energy')).turnover, undefined);
  }));

test('readable and accessible in windows of every size, in both themes', () =>
  withRun('excavator.xml', ['--energy', '--free'], async (page, address) => {
    await until('much energy', async () => (await getJson(address, 'api/state')).time > 10);
    await fetch(`${address}api/control`, {method: 'POST', body: JSON.stringify({action: 'pause'})});
    await page.locator('.flow li').first().waitFor();
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({colorScheme});
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [390, 844],
      ]) {
        const at = `${colorScheme}_${width}`;
        await page.setViewportSize({width, height});
        if (width < 900) await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name: 'View'}).click();
        await page.waitForTimeout(300); // what follows a resize
        await page.evaluate(axe);
        const {violations} = await page.evaluate(() => globalThis.axe.run());
        assert.deepEqual(
          violations.flatMap(({id, nodes}) => nodes.map(({target}) => `${id}: ${target}`)),
          [],
          at,
        );
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${at}: wider than the window`);
        const texts = await page.$$eval('.energy *', (all) =>
          all
            .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim()))
            .map((one) => Number.parseFloat(getComputedStyle(one).fontSize)),
        );
        assert.ok(texts.length > 30 && Math.min(...texts) >= kReadable, at);
        const labels = await page.$$eval('.flow ul', (lists) =>
          lists.map((list) =>
            [...list.children].map((one) => one.getBoundingClientRect()).map(({top, bottom}) => [top, bottom]),
          ),
        );
        for (const list of labels)
          for (let i = 1; i < list.length; i++) assert.ok(list[i][0] >= list[i - 1][1] - 2, `${at}: labels over each other`);
        await page.screenshot({path: join(SCREENSHOTS, `energy_${at}.png`)});
      }
    }
  }));

test('a run of the studio has it, too', async (t) => {
  const studio = await openStudio('energy', 'systems');
  t.after(() => studio.close());
  const {page, editor, faults} = studio;
  await editor.open('lifting_cylinder.xml');
  await page.getByRole('button', {name: 'Run', exact: true}).click();
  await page.getByRole('button', {name: 'Energy', exact: true}).click();
  await page.getByText('This run does not account for its energy.').waitFor();
  await page.getByRole('button', {name: 'Start it', exact: true}).click();
  await page.locator('.flow li').first().waitFor();
  assert.deepEqual(faults, []);
});
