// What goes wrong in a run, as the page says it: alarms, and a run that fails.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, getJson, serve} from './server.mjs';

// Oil that can be drawn out of a closed volume, and y' = y^2, which ends at t = 1/y: here after weeks, or at once.
const kSystem = `<System name="faults" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="600 s"/>
  <hydraulic.Volume name="line" volume="1 l"><Start p="100 bar"/></hydraulic.Volume>
  <hydraulic.FlowSource name="source"/>
  <Connect from="line.port" to="source.port"/>
  <user.Equation name="growth"><State name="y" start="1e-7" der="y*y"/></user.Equation>
</System>`;

const folder = mkdtempSync(join(tmpdir(), 'davit_faults_'));
let server;
let browser;
let page;

before(async () => {
  const file = join(folder, 'faults.xml');
  writeFileSync(file, kSystem);
  server = await serve(file, await freePort());
  browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
  page = await browser.newPage();
  await page.goto(server.address);
  await page.locator('.top-bar h1', {hasText: 'faults'}).waitFor();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, {recursive: true});
});

async function command(text) {
  const response = await fetch(`${server.address}api/command`, {method: 'POST', body: JSON.stringify({command: text})});
  assert.equal((await response.json()).accepted, true, text);
}

test('an alarm is listed, marked in the drawing, and acknowledged', async () => {
  await command('set source.flow -6 l/min');
  await page.getByRole('tab', {name: /Alarms/}).click();
  const row = page.locator('.records tr', {hasText: 'line.cavitation'});
  await row.waitFor();
  await page.locator('.alarm-mark.is-set[data-path="line"]').waitFor();
  await row.getByRole('button', {name: 'Acknowledge'}).click();
  await row.filter({hasText: 'set, acknowledged'}).waitFor();
  const {events} = await getJson(server.address, 'api/events?after=0');
  const last = events.filter(({path}) => path === 'line.cavitation').at(-1);
  assert.equal(last.is_acknowledged, true);
});

test('a run that fails is said in the words of the command line, and a reset helps', async () => {
  await command('set growth.y 1e6');
  const banner = page.locator('.banner.is-error pre');
  await banner.waitFor();
  const line = (await banner.textContent()).split('\n')[0];
  assert.match(line, /\/growth: the run (failed|diverged) at t = /);
  assert.ok(server.said().includes(line), server.said());
  await page.getByRole('button', {name: 'Reset'}).click();
  await banner.waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'Start'}).click();
  await page.locator('.status', {hasText: 'running'}).waitFor();
});
