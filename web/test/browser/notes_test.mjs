// Notes on the canvas of the studio: texts and pictures are added, written, moved, removed, undone, saved and exported.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {openStudio} from './studio_page.mjs';

const {DAVIT} = process.env;
let opened, page, editor, folder, faults, picture, onDisk;

const kSystem = `<System name="plant" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime="1 s"/>
  <mechanical.Mass name="mass"/>
  <mechanical.Mass name="other"/>
  <Layout>
    <Place name="mass" x="0" y="0"/>
    <Place name="other" x="200" y="0"/>
  </Layout>
</System>
`;
// Red on the left; what would run or be read from elsewhere does not in an image.
const kPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 60" onload="parent.document.title='ran'">
<script>window.top.document.title = 'ran';</script><rect width="40" height="60" fill="#c62828"/><circle cx="60" cy="30" r="15" fill="#1565c0"/></svg>`;

before(async () => {
  opened = await openStudio('notes', null);
  ({page, editor, folder, faults, picture, onDisk} = opened);
  writeFileSync(join(folder, 'plant.xml'), kSystem);
  writeFileSync(join(folder, 'plant.svg'), kPicture);
  await page.reload();
  await editor.open('plant.xml');
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const note = (words) => page.locator('.sheet .note', {hasText: words});
const textOf = () => page.locator('.form textarea.note-text');
const lines = (one) => one.locator('text').allTextContents();

test('a note is written, wrapped, moved and undone', async () => {
  await page.getByRole('button', {name: 'Add a note'}).click();
  await editor.until('the text has the focus', () => textOf().evaluate((field) => field === document.activeElement));
  await page.keyboard.insertText('Opens at 25 bar\n<script>document.title = "ran"</script> & "quoted"');
  await page.keyboard.press('Tab');
  await note('Opens at 25 bar').waitFor();
  assert.deepEqual(await lines(note('Opens')), ['Opens at 25 bar', '<script>document.title = "ran"</script> & "quoted"']);
  const width = page.locator('.form [data-row="width"] input');
  await width.fill('100');
  await width.press('Enter');
  await editor.until('it is broken', async () => (await lines(note('Opens'))).length > 2);
  assert.equal((await lines(note('Opens'))).join(' '), 'Opens at 25 bar <script>document.title = "ran"</script> & "quoted"');

  const placeOf = async () => ['x', 'y'].map((name) => page.locator(`.form [data-row="${name}"] input`).inputValue());
  const start = await Promise.all(await placeOf());
  const box = await note('Opens').locator('.hit').boundingBox();
  await page.mouse.move(box.x + 5, box.y + 5);
  await page.mouse.down();
  await page.mouse.move(box.x - 60, box.y + 130, {steps: 4});
  await page.mouse.up();
  const moved = await Promise.all(await placeOf());
  assert.notDeepEqual(moved, start);
  await page.keyboard.press('ArrowRight');
  await editor.until('an arrow moves it', async () => (await Promise.all(await placeOf()))[0] === String(Number(moved[0]) + 8));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.deepEqual(await Promise.all(await placeOf()), start);
  await page.keyboard.press('Control+y');
  assert.deepEqual(await Promise.all(await placeOf()), moved);
});

test('Ctrl-Enter writes the text and starts no run', async () => {
  await page.locator('.sheet').focus();
  await note('Opens').locator('.hit').click();
  await textOf().fill('Opens at 26 bar');
  await textOf().press('Control+Enter');
  await note('Opens at 26 bar').waitFor();
  await page.waitForTimeout(500);
  const {runs} = await page.evaluate(async () => (await fetch('api/runs')).json());
  assert.deepEqual(runs, []);
  assert.equal(await page.getByRole('button', {name: 'Draw', exact: true}).count(), 0);
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+z');
  await note('Opens at 25 bar').waitFor();
});

test('notes are copied, pasted, duplicated and cut with the keys', async () => {
  const count = () => page.locator('.sheet .note').count();
  await note('Opens').locator('.hit').click();
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+c');
  await page.keyboard.press('Control+v');
  await editor.until('two notes', async () => (await count()) === 2);
  // The new one is chosen, and is elsewhere.
  assert.equal(await page.locator('.sheet .note.is-selected').count(), 1);
  const [one, other] = await page
    .locator('.sheet .note')
    .evaluateAll((all) => all.map((each) => each.getAttribute('transform')));
  assert.notEqual(one, other);
  await page.keyboard.press('Control+x');
  await editor.until('one note', async () => (await count()) === 1);
  await page.keyboard.press('Control+v');
  await editor.until('it is back', async () => (await count()) === 2);
  for (let step = 0; step < 3; step++) await page.keyboard.press('Control+z');
  await editor.until('as before', async () => (await count()) === 1);
});

test('a picture is shown as an image; a wrong one is a fault of its note', async () => {
  await page.locator('.sheet').focus();
  await page.keyboard.press('n');
  await editor.until('the text has the focus', () => textOf().evaluate((field) => field === document.activeElement));
  await page.keyboard.insertText('The plant');
  await page.keyboard.press('Tab');
  await page.locator('.form [data-row="picture"] select').selectOption('plant.svg');
  const image = note('The plant').locator('image');
  await image.waitFor();
  const address = await image.evaluate((one) => one.href.baseVal);
  const answer = await page.evaluate(async (url) => {
    const {status, headers} = await fetch(url);
    return {status, type: headers.get('content-type'), policy: headers.get('content-security-policy')};
  }, address);
  assert.equal(answer.status, 200);
  assert.equal(answer.type, 'image/svg+xml');
  assert.match(answer.policy, /sandbox/);
  assert.notEqual(await page.title(), 'ran');
  // Its left half is red on the page.
  const {x, y, width, height} = await image.boundingBox();
  const clip = {x: x + width * 0.25, y: y + height / 2, width: 4, height: 4};
  const pixels = await page.screenshot({clip});
  const red = await page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: 'image/png'}));
      const context = new OffscreenCanvas(4, 4).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return [...context.getImageData(1, 1, 1, 1).data.slice(0, 3)];
    },
    [...pixels],
  );
  assert.deepEqual(red, [0xc6, 0x28, 0x28]);
  for (const wrong of ['../plant.svg', 'plant.xml', 'absent.png']) {
    const refused = await page.evaluate(
      async (path) => (await fetch(`api/picture?path=${encodeURIComponent(path)}`)).status,
      wrong,
    );
    assert.equal(refused, 404, wrong);
  }
  faults.length = 0; // of these three requests
  await picture('light');
  await page.emulateMedia({colorScheme: 'dark'});
  await picture('dark');
  await page.emulateMedia({colorScheme: 'light'});
});

test('what is saved is drawn by the program, and the export is complete by itself', async () => {
  await page.keyboard.press('Control+s');
  await editor.until('it is saved', () => onDisk('plant.xml').includes('picture="plant.svg"'));
  assert.match(onDisk('plant.xml'), /text="Opens at 25 bar&#10;&lt;script>/);
  execFileSync(DAVIT, ['check', join(folder, 'plant.xml')]);
  execFileSync(DAVIT, ['graph', '--symbols', join(folder, 'plant.xml'), '-o', join(folder, 'drawn.svg')]);
  const drawn = readFileSync(join(folder, 'drawn.svg'), 'utf8');
  assert.ok(!drawn.includes('<script>'));
  assert.ok(drawn.includes(`data:image/svg+xml;base64,${Buffer.from(kPicture).toString('base64')}`));
  const linesDrawn = [...drawn.matchAll(/<text class="note-line"[^>]*>([^<]*)</g)].map(([, text]) => text);
  const shown = await page.locator('.sheet .note text').allTextContents();
  const plain = (text) =>
    text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  assert.deepEqual(linesDrawn.map(plain), shown, 'the same lines as on the canvas');

  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Export as SVG'}).click()]);
  const path = join(folder, 'exported.svg');
  await saved.saveAs(path);
  const exported = readFileSync(path, 'utf8');
  assert.ok(exported.includes('data:image/svg+xml;base64,') && !exported.includes('api/picture'));
  assert.ok(exported.includes('class="title-block"') && exported.includes('Opens at 25'));
});

test('removed with what else is selected, and undone', async () => {
  await page.locator('.sheet').focus();
  await page.keyboard.press('Control+a');
  await page.locator('.form h2', {hasText: '2 components, 2 notes'}).waitFor();
  await page.keyboard.press('Delete');
  await editor.until('all is gone', async () => (await page.locator('.sheet .note, .sheet .component').count()) === 0);
  await page.keyboard.press('Control+z');
  await editor.until('all is back', async () => (await page.locator('.sheet .note').count()) === 2);
  assert.deepEqual(faults, []);
});
