// The drawing of the studio as a file: SVG with a title block, as it is on the canvas and readable by itself.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {after, afterEach, before, test} from 'node:test';
import {openStudio} from './studio_page.mjs';

let opened, page, editor, folder, picture, faults;

before(async () => {
  opened = await openStudio('export', 'systems');
  ({page, editor, folder, picture, faults} = opened);
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

for (const [file, name] of [
  ['position_servo.xml', 'position_servo'],
  ['knuckle_boom_crane.xml', 'knuckle_boom_crane'],
])
  test(`the drawing of ${name}`, async () => {
    await editor.open(file);
    await page.locator('.sheet .component').first().waitFor();
    await page.waitForTimeout(500);
    // Whatever is selected or outside of the view.
    await page.locator('.sheet .component .hit').first().click({force: true});
    for (let i = 0; i < 4; i++) await page.getByRole('button', {name: 'Zoom in'}).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'Export as SVG'}).click(),
    ]);
    assert.equal(saved.suggestedFilename(), `${name}.svg`);
    const path = join(folder, saved.suggestedFilename());
    await saved.saveAs(path);
    const text = readFileSync(path, 'utf8');
    for (const tool of ['is-selected', 'class="handle', 'class="hit', 'tabindex']) assert.ok(!text.includes(tool), tool);
    // By itself, in a page of its own.
    const alone = await page.context().newPage();
    await alone.goto(pathToFileURL(path).href);
    await alone.screenshot({path: join(process.env.SCREENSHOTS, `export_${name}.png`)});
    const shown = await alone.evaluate(() => {
      const {x, y, width, height} = document.documentElement.viewBox.baseVal;
      const box = (one) => one.getBBox();
      return {
        view: {x, y, width, height},
        names: [...document.querySelectorAll('g.component text.name')].map(({textContent}) => textContent.trim()),
        title: [...document.querySelectorAll('.title-block text')].map(({textContent}) => textContent),
        block: (({x, y, width, height}) => ({x, y, width, height}))(box(document.querySelector('.title-block'))),
        bottoms: [...document.querySelectorAll('g.components, g.lines, g.frames')].map((one) => box(one).y + box(one).height),
        stroke: getComputedStyle(document.querySelector('path.line')).stroke,
      };
    });
    await alone.close();
    const layout = await (
      await fetch(`${opened.server.address}api/layout`, {method: 'POST', body: JSON.stringify({path: file})})
    ).json();
    const missing = layout.places.filter((place) => !shown.names.includes(place.name)).map((place) => place.name);
    assert.deepEqual(missing, [], 'every component');
    assert.equal(shown.title[0], name);
    assert.match(shown.title[1], new RegExp(`^${file.replace('.', '[.]')}, \\d+ components$`));
    assert.match(shown.title[2], /^\d{4}-\d\d-\d\d, davit \d/);
    assert.notEqual(shown.stroke, 'none', 'the rules of lines are in the file');
    assert.ok(Math.max(...shown.bottoms) < shown.block.y, 'the title block covers nothing');
    assert.ok(shown.block.y + shown.block.height <= shown.view.y + shown.view.height);
    await picture(`canvas_${name}`);
    assert.deepEqual(faults, []);
  });
test('the drawing is printed on one page, as lines', async () => {
  await editor.open('position_servo.xml');
  await page.locator('.sheet .component').first().waitFor();
  await page.evaluate(() => {
    window.print = () => {
      document.body.dataset.printed = document.title;
    };
  });
  await page.getByRole('button', {name: 'Print', exact: true}).click();
  await page.locator('body[data-printed="position_servo"]').waitFor();
  const pdf = (await page.pdf({preferCSSPageSize: true})).toString('latin1');
  writeFileSync(join(process.env.SCREENSHOTS, 'export_position_servo.pdf'), pdf, 'latin1');
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1);
  const [width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf).slice(1).map(Number);
  assert.ok(width > height, `${width} x ${height}`);
  assert.ok(!/\/Subtype\s*\/Image/.test(pdf), 'no picture of dots');
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  assert.equal(await page.locator('.printed').count(), 0);
  assert.match(await page.title(), /davit studio/);
});
