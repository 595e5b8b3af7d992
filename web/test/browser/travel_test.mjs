// Time travel on the page: a run with --record goes back, on and to any time, until a condition in both directions; it branches, and
// its branches are compared in the plots. A click on a mark or a badge lists the causes. Nothing here depends on how fast the run is:
// it has ended before the first step, and later each step waits for what it needs.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {expectAccessible} from './accessibility.mjs';
import {bytesOfPlots, freePort, getJson, serve, until} from './server.mjs';

const {CHROMIUM, SCREENSHOTS} = process.env;
const kStep = 0.01; // TimeStep of the system [s]
const kStop = 50;

let server, browser, page, folder;
const faults = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'davit_travel_'));
  server = await serve('level_switching.xml', await freePort(), '--free', '--record', join(folder, 'rec'));
  browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox']});
  page = await (await browser.newContext({viewport: {width: 1440, height: 900}, colorScheme: 'light'})).newPage();
  page.setDefaultTimeout(45_000);
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(server.address);
  await page.getByRole('button', {name: 'Drawing', exact: true}).click();
  await page.waitForSelector('.drawing svg g.component');
});

after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, {recursive: true, force: true});
});

const picture = (name) => page.screenshot({path: join(SCREENSHOTS, `travel_${name}.png`)});
const bar = () => page.getByRole('region', {name: 'Recorded time'});
const slider = () => bar().getByRole('slider', {name: 'Time of the run'});
const state = () => getJson(server.address, 'api/state');
const recording = () => getJson(server.address, 'api/recording');
const isAt = (time) => until(`the run is at ${time} s`, async () => Math.abs((await state()).time - time) < 1e-6);
/** The page shows the time at which the server is. */
const showsTime = (time) =>
  until(`the slider is at ${time} s`, async () => Math.abs(Number(await slider().inputValue()) - time) < 1e-6);
const ended = () => until('the end of the run', async () => (await state()).status === 'finished');

async function goTo(time) {
  await bar().getByRole('textbox', {name: 'Time to go to'}).fill(String(time));
  await bar().getByRole('button', {name: 'Go', exact: true}).click();
  await isAt(time);
  await showsTime(time);
}

/** Rows of the plots, by column. */
async function plotted() {
  const [head, ...rows] = (await bytesOfPlots(page, 'CSV'))
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const at = (name) => head.findIndex((one) => one.startsWith(name));
  return {
    head,
    end: Number(rows.at(-1)[0]),
    /** The last value of a column up to a time. */
    value: (name, time) => Number(rows.filter((row) => Number(row[0]) <= time + 1e-9 && row[at(name)] !== '').at(-1)[at(name)]),
  };
}

test('a recorded run has a bar over its time, another one has none', async () => {
  await ended();
  await page.getByLabel('span').selectOption('0');
  await until('the end in the bar', async () => Number(await slider().getAttribute('max')) === kStop);
  const bare = await serve('level_switching.xml', await freePort(), '--paused');
  try {
    const other = await browser.newPage();
    await other.goto(bare.address);
    await other.waitForSelector('.drawing, .mechanism');
    await until('its state', async () => (await other.locator('.status').first().textContent()) === 'paused');
    assert.equal(await other.getByRole('region', {name: 'Recorded time'}).count(), 0);
    await other.close();
  } finally {
    await bare.stop();
  }
});

test('goes to a time: the run pauses there, and the plots keep what comes behind', async () => {
  const before = await plotted();
  await goTo(12);
  assert.equal((await state()).status, 'paused');
  await until('the past is said', async () => (await bar().locator('.travel-note').textContent()).startsWith('In the past'));
  const now = await plotted();
  assert.ok(now.end > kStop - 1, `the plots end at ${now.end} s`);
  assert.equal(now.value('load.x', 30), before.value('load.x', 30));
  // The number beside the line is that of the time at which the run is.
  const {values} = await getJson(server.address, 'api/values?path=load.x');
  await until(
    'the value of this time',
    async () => Math.abs(Number(await page.locator('[data-plot="load.x"]').textContent()) - values['load.x']) < 1e-3,
  );
  await picture('past');
});

test('one step back and on, with buttons and with keys', async () => {
  await goTo(12);
  await bar().getByRole('button', {name: 'Step back'}).click();
  await isAt(12 - kStep);
  await bar().getByRole('button', {name: 'Step on'}).click();
  await isAt(12);
  await showsTime(12);
  await slider().focus();
  for (const [key, time] of [
    ['ArrowLeft', 12 - kStep],
    ['ArrowRight', 12],
    ['PageUp', 17],
    ['PageDown', 12],
    ['Home', 0],
    ['End', kStop],
  ]) {
    await page.keyboard.press(key);
    await isAt(time);
    await showsTime(time);
  }
});

test('runs until a condition, forwards and backwards to the same point', async () => {
  await goTo(0);
  const field = bar().getByRole('textbox', {name: 'Condition to stop at'});
  await field.fill("cylinder.level eq 'Standard'");
  await field.press('Enter');
  await until('a later time', async () => (await state()).time > 1 && (await state()).status === 'paused');
  const found = (await state()).time;
  assert.ok(found >= 4 && found < 4.1, `${found} s: the file switches it at 4 s`);
  await goTo(found + 0.5);
  await bar().getByRole('button', {name: 'Back', exact: true}).click();
  await isAt(found);
  await field.fill('cylinder.levle gt 1');
  await field.press('Enter');
  await page.locator('.notice.is-error', {hasText: 'did you mean'}).waitFor();
  await isAt(found);
  await page.locator('.notice.is-error button').click();
});

const why = () => page.getByRole('region', {name: 'Causes'});

test('a click on a level badge lists the causes; a link selects its item, another one goes to its time', async () => {
  await goTo(20);
  await page.setViewportSize({width: 2560, height: 1600}); // letters that are too small to be read are hidden
  await page.locator('.drawing .level-badge[data-path="cbv"]').click();
  await page.setViewportSize({width: 1440, height: 900});
  await why().getByRole('heading', {name: 'Why cbv.level'}).waitFor();
  await why().locator('li', {hasText: '<At time="16 s" event="look.closely"'}).waitFor();
  const depths = await why()
    .locator('li')
    .evaluateAll((all) => all.map((one) => Number(one.style.getPropertyValue('--depth'))));
  assert.equal(depths[0], 0);
  assert.ok(
    depths.slice(1).every((depth, i) => depth >= 1 && depth <= depths[i] + 1),
    `${depths}`,
  );
  await picture('why');
  await why().locator('li').first().getByRole('button', {name: 'cbv.level'}).click();
  assert.equal(await page.locator('.inspected h2').textContent(), 'cbv');
  const [, time] = /([\d.]+) s/.exec(await why().locator('li .time').first().textContent());
  await why().locator('li button.time').first().click();
  await isAt(Number(time));
});

test('a click on a mark of the plots lists the causes of that event', async () => {
  await goTo(kStop);
  await page
    .locator('.marks')
    .first()
    .getByRole('button', {name: /^16\.00 s: .* of operator_of_detail/})
    .click();
  await why().getByRole('heading', {name: 'Why operator_of_detail at 16.00 s'}).waitFor();
  await why().locator('li', {hasText: '<At time="16 s" event="look.closely"'}).waitFor();
  // From the note, with the keyboard.
  await page
    .getByRole('dialog', {name: 'Cause of a mark'})
    .getByRole('button', {name: 'Why operator_of_detail', exact: true})
    .first()
    .focus();
  await page.keyboard.press('Enter');
  await until('the list has the keyboard', () => page.evaluate(() => document.activeElement?.closest('.lines.why') !== null));
});

test('a transition in the list of events, and an alarm, have their causes, too', async () => {
  await page.getByRole('tab', {name: /Events/}).click();
  await page
    .locator('.records tr.is-transition', {hasText: 'operator_of_detail'})
    .first()
    .getByRole('button', {name: /^Why operator_of_detail at/})
    .click();
  await why().getByRole('heading', {name: 'Why operator_of_detail at'}).waitFor();
  await why().locator('li', {hasText: 'close -> plain: after 10 s'}).waitFor();
  await page.getByRole('tab', {name: /Alarms/}).click();
  await page.getByRole('button', {name: 'Why line_b.cavitation', exact: true}).click();
  await why().locator('li', {hasText: 'alarm cavitation set'}).waitFor();
});

test('a change in the past begins a branch, whose lines are compared with those of the trunk', async () => {
  await goTo(6);
  await page.locator('.tree .row:has(.name:text-is("load"))').click();
  const mass = page.getByRole('textbox', {name: 'load.mass'});
  await mass.fill('14 t');
  await mass.press('Enter');
  await until('a branch', async () => (await recording()).branch === 'branch-1');
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await ended();
  const branches = bar().getByRole('combobox', {name: 'branch'});
  await until('the branch in the bar', async () => (await branches.inputValue()) === 'branch-1');
  await bar().getByRole('button', {name: 'Compare trunk'}).click();
  await page.locator('[data-plot="trunk: load.x"]').waitFor();
  let lines;
  await until('both lines to their end', async () => {
    lines = await plotted();
    return lines.end > kStop - 1 && Number.isFinite(lines.value('load.x', kStop));
  });
  assert.equal(lines.value('load.x', 5), lines.value('trunk: load.x', 5));
  assert.notEqual(lines.value('load.x', 40), lines.value('trunk: load.x', 40));
  const {signals} = await getJson(server.address, 'api/history?path=load.x&branch=trunk&bins=1200');
  assert.ok(Math.abs(lines.value('trunk: load.x', kStop) - signals['load.x'].last.at(-1)) < 1e-9);
  await picture('branches');
  // Marks of the trunk behind the fork are not those of this branch: each event is there once.
  const {events} = await getJson(server.address, 'api/events?after=0');
  const ofTrunk = events.filter(({branch, time, kind}) => branch === 'trunk' && time > 6 && kind === 'transition');
  assert.ok(ofTrunk.length > 0);
  await branches.selectOption('trunk');
  await until('the trunk', async () => (await recording()).branch === 'trunk');
  await until(
    'no line of the trunk beside itself',
    async () => (await page.locator('[data-plot="trunk: load.x"]').count()) === 0,
  );
  await until('the line of the trunk', async () => {
    const now = await plotted();
    return Math.abs(now.value('load.x', 40) - lines.value('trunk: load.x', 40)) < 1e-12;
  });
});

test('a branch begins at a past time before anything is changed, and waits there for the change', async () => {
  const here = bar().getByRole('button', {name: 'Branch here'});
  await goTo(kStop);
  await until('no branch at the end of the recording', () => here.isDisabled());
  const before = await recording();
  for (const [body, status] of [
    ['{"action":"branch_here"}', 409],
    ['{"action":"branch_hre"}', 400],
  ]) {
    const answer = await fetch(new URL('api/travel', server.address), {method: 'POST', body});
    assert.equal(answer.status, status, body);
    assert.match(await answer.text(), status === 409 ? /go back in time first/ : /branch_here/);
  }
  assert.deepEqual(await recording(), before);
  await goTo(9);
  await until('the button', () => here.isEnabled());
  await here.click();
  await until('a branch', async () => (await recording()).branch === 'branch-2');
  assert.equal((await recording()).end, 9);
  assert.equal((await state()).status, 'paused');
  await until('the branch in the bar', async () => (await slider().getAttribute('max')) === '9');
  await until('nothing more to branch from', () => here.isDisabled());
  const mass = page.getByRole('textbox', {name: 'load.mass'});
  await mass.fill('13 t');
  const isTaken = page.waitForResponse((response) => response.url().includes('api/command'));
  await mass.press('Enter');
  assert.ok((await (await isTaken).json()).accepted);
  await page.getByRole('button', {name: 'Start', exact: true}).click();
  await ended();
  const {values} = await getJson(server.address, 'api/values?path=load.mass');
  assert.equal(values['load.mass'], 13e3);
  const now = await recording();
  assert.equal(now.branch, 'branch-2', 'the change belongs to it');
  assert.equal(now.branches.length, before.branches.length + 1);
  const compare = bar().getByRole('button', {name: 'Compare trunk'});
  if ((await compare.getAttribute('aria-pressed')) !== 'true') await compare.click();
  await page.locator('[data-plot="trunk: load.x"]').waitFor();
  let lines;
  await until('both lines to their end', async () => {
    lines = await plotted();
    return (
      lines.end > kStop - 1 &&
      Number.isFinite(lines.value('load.x', kStop)) &&
      Number.isFinite(lines.value('trunk: load.x', kStop))
    );
  });
  assert.equal(lines.value('load.x', 8), lines.value('trunk: load.x', 8));
  assert.notEqual(lines.value('load.x', 40), lines.value('trunk: load.x', 40));
  await picture('branch_here');
});

test('no rule of axe-core is broken, in both themes and in windows of every size', async () => {
  await goTo(20);
  await page.locator('.tree .row:has(.name:text-is("cbv"))').click();
  await page.getByRole('button', {name: 'Why cbv.level'}).click();
  await page.getByRole('button', {name: 'Mechanism', exact: true}).click();
  await why().locator('li').first().waitFor();
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme});
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ]) {
      await page.setViewportSize({width, height});
      for (const pane of width < 900 ? ['Alarms', 'Plots'] : ['']) {
        if (pane) await page.getByRole('navigation', {name: 'Panes'}).getByRole('button', {name: pane}).click();
        await page.waitForTimeout(300); // what follows a resize
        await picture(`${colorScheme}_${width}_${pane}`);
        await expectAccessible(page, `${colorScheme} ${width} ${pane}`);
      }
    }
  }
});

test('no error was in the console', () => {
  const refused = faults.filter((fault) => /status of 4\d\d/.test(fault)); // the condition with a wrong name
  assert.equal(refused.length, 1, `${refused}`);
  assert.deepEqual(
    faults.filter((fault) => !refused.includes(fault)),
    [],
  );
});
