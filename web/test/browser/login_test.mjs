// A server with user and password, read-only and behind a prefix.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, serve} from './server.mjs';

const folder = mkdtempSync(join(tmpdir(), 'davit_login_'));
let server;
let browser;
let page;

before(async () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'block and tackle\n');
  server = await serve(
    'mass_spring.xml',
    await freePort(),
    '--user',
    'Anna',
    '--password-file',
    file,
    '--read-only',
    '--prefix',
    '/crane1',
  );
  browser = await chromium.launch({executablePath: process.env.CHROMIUM, args: ['--no-sandbox']});
  page = await browser.newPage();
  await page.goto(server.address);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, {recursive: true});
});

async function logIn(password) {
  await page.getByLabel('User').fill('anna');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', {name: 'Log in'}).click();
}

test('a wrong password is refused, and said', async () => {
  await logIn('block');
  const fault = page.locator('.fault');
  await fault.waitFor();
  assert.match(await fault.textContent(), /wrong/);
});

test('the right one shows the system, with values', async () => {
  await logIn('block and tackle');
  await page.locator('.top-bar h1', {hasText: 'mass_spring'}).waitFor();
  await page.locator('.tree .row').filter({hasText: 'load'}).first().click();
  await page.waitForFunction(() => [...document.querySelectorAll('[data-value]')].some((value) => value.textContent !== '…'));
});

test('a server that is read-only offers nothing that writes', async () => {
  await page.locator('.tag', {hasText: 'read only'}).waitFor();
  for (const name of ['Pause', 'Reset', 'Load state']) assert.ok(await page.getByRole('button', {name}).isDisabled(), name);
  assert.equal(await page.locator('.item input').count(), 0);
});
