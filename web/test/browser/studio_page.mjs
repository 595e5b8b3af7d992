// `davit studio` with a folder of its own and its page in Chromium, for the tests of one file.
import {cpSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {Editor} from './editor.mjs';
import {freePort, studio} from './server.mjs';

const {CHROMIUM, SCREENSHOTS, WEB_FOLDER} = process.env;

/**
 * Opens a copy of `from`, a folder of the repository, or an empty folder; `args` are of Chromium. `picture(name)` is kept as PREFIX_NAME.png, `faults` is what
 * the console of the page has said. Ends with `close()`. The server may be ended and another one put into `server`.
 */
export async function openStudio(prefix, from, args = []) {
  const folder = mkdtempSync(join(tmpdir(), `davit_${prefix}_`));
  if (from) cpSync(join(WEB_FOLDER, from), folder, {recursive: true});
  const faults = [];
  const opened = {folder, faults, server: await studio(folder, await freePort())};
  const browser = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox', ...args]});
  const page = await (await browser.newContext({viewport: {width: 1440, height: 900}, colorScheme: 'light'})).newPage();
  page.setDefaultTimeout(20_000);
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(opened.server.address);
  const picture = (name) => page.screenshot({path: join(SCREENSHOTS, `${prefix}_${name}.png`)});
  return Object.assign(opened, {
    page,
    picture,
    editor: new Editor(page),
    onDisk: (path) => readFileSync(join(folder, path), 'utf8'),
    /** What was on the page when a step failed. */
    async keepFailure({passed, name}) {
      if (passed === false) await picture(`failed_${name.replace(/\W+/g, '_').slice(0, 40)}`);
    },
    async close() {
      await browser.close();
      await opened.server.stop();
      rmSync(folder, {recursive: true});
    },
  });
}
