// Two people in one folder of `davit studio`: their edits reach each other, and each undoes only what he or she has done.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {Editor} from './editor.mjs';
import {getJson} from './server.mjs';
import {openStudio} from './studio_page.mjs';

const kFile = 'lifting_cylinder.xml';

let opened;
let people; // {page, editor}

before(async () => {
  opened = await openStudio('shared', 'systems');
  const context = await opened.page
    .context()
    .browser()
    .newContext({viewport: {width: 1440, height: 900}, colorScheme: 'dark'});
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('pageerror', (error) => opened.faults.push(String(error)));
  await page.goto(opened.server.address);
  people = [
    {page: opened.page, editor: opened.editor},
    {page, editor: new Editor(page)},
  ];
  for (const {page, editor} of people) {
    await editor.open(kFile);
    await page.getByRole('button', {name: 'Text', exact: true}).click();
  }
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

/** The text as the editor of a page has it; all its lines are drawn. */
const textOf = ({page}) =>
  page.evaluate(() =>
    document.querySelector('.text-host').shadowRoot.querySelector('.cm-content').cmTile.view.state.sliceDoc(),
  );
const untilEqual = async () => {
  let last;
  await people[0].editor.until('the same text in both pages', async () => {
    const [a, b] = [await textOf(people[0]), await textOf(people[1])];
    last = a;
    return a === b;
  });
  return last;
};
const undoAll = async ({page}) => {
  const button = page.getByRole('button', {name: 'Undo', exact: true});
  while (!(await button.isDisabled())) await button.click();
};

test('each sees the other: the name, the file and what is selected', async () => {
  const [anna, ben] = people;
  await anna.editor.choose('pump');
  await ben.page.locator('.sheet .component[data-path="pump"] .of-others', {hasText: 'Guest 1'}).waitFor({state: 'attached'});
  await ben.page.getByRole('list', {name: 'People in this folder'}).getByRole('button', {name: 'Guest 1'}).waitFor();
  await anna.page.getByRole('list', {name: 'People in this folder'}).getByRole('button', {name: 'Guest 2'}).waitFor();
  await ben.page.screenshot({path: join(process.env.SCREENSHOTS, 'shared_others.png')});
});

test('two pages with 50 edits each at the same time: the same bytes; undo takes back only what the page has done', async () => {
  const first = await untilEqual();
  assert.equal(first, opened.onDisk(kFile));
  // A generator of numbers with a seed of each page.
  const randomOf = (seed) => () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const work = async ({page, editor}, own, random) => {
    let done = 0;
    for (let i = 0; done < 50; ++i) {
      assert.ok(i < 200);
      const name = own[Math.floor(random() * own.length)];
      await editor.component(name).focus();
      await page.keyboard.press('Space');
      await page.locator(`.form[data-component="${name}"]`).waitFor();
      const kind = random();
      if (kind < 0.4) {
        const input = page.locator('.form [data-row] input:not([type])').first();
        if (!(await input.count())) continue;
        await input.fill(`${1 + Math.floor(random() * 1000)}`);
        await input.press('Enter');
      } else {
        await editor.component(name).focus();
        await page.keyboard.press(kind < 0.6 ? 'r' : kind < 0.7 ? 'm' : kind < 0.85 ? 'ArrowRight' : 'ArrowUp');
      }
      ++done;
    }
  };
  const names = await people[0].page
    .locator('.sheet g.component[data-owner][tabindex="0"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-path')).sort());
  assert.ok(names.length >= 6, names.join(' '));
  const half = (rest) => names.filter((_, index) => index % 2 === rest);
  await Promise.all([work(people[0], half(0), randomOf(1)), work(people[1], half(1), randomOf(2))]);
  const both = await untilEqual();
  assert.notEqual(both, first);
  // What of the components of each page is in the text.
  const attributesOf = (text, name) =>
    [...text.matchAll(new RegExp(`<[^<>]*\\bname="${name}"[^<>]*>`, 'g'))].map(([tag]) => tag).join('\n');
  await undoAll(people[0]);
  const left = await untilEqual();
  for (const name of half(1)) assert.equal(attributesOf(left, name), attributesOf(both, name), name);
  assert.ok(half(0).some((name) => attributesOf(left, name) !== attributesOf(both, name)));
  await undoAll(people[1]);
  await untilEqual();
  for (const {page} of people) assert.equal(await page.getByRole('button', {name: 'Undo', exact: true}).isDisabled(), true);
  const last = await untilEqual();
  for (const name of names) {
    const elements = (text) => attributesOf(text.replace(/<Layout>[\s\S]*<\/Layout>/, ''), name);
    assert.equal(elements(last), elements(first), name);
  }
});

test('of two values of one element that are set at the same time the first stays, and the other page says so', async () => {
  const {page, editor} = people[0];
  await Promise.all(people.map(({editor}) => editor.choose('pump')));
  // No page gets the answers of the server before both have set a value.
  let open;
  const gate = new Promise((resolve) => {
    open = resolve;
  });
  for (const {page} of people)
    await page.route('**/api/share', async (route) => {
      await gate;
      await route.continue();
    });
  await editor.set('speed', '1234 rpm');
  await people[1].editor.set('speed', '4321 rpm');
  open();
  for (const {page} of people) await page.unrouteAll({behavior: 'wait'});
  const text = await untilEqual();
  assert.equal((text.match(/1234 rpm|4321 rpm/g) ?? []).length, 1);
  const said = await Promise.all(people.map(({page}) => page.locator('.notice', {hasText: 'Taken back in'}).count()));
  assert.equal(said[0] + said[1], 1);
  await page.locator('.form[data-component="pump"]').waitFor();
});

test('a file that one saves is saved for both; the disk changes neither of them back', async () => {
  await people[1].editor.set('speed', '1500 rpm');
  const text = await untilEqual();
  await people[0].editor.save();
  assert.equal(opened.onDisk(kFile), text);
  const save = people[1].page.getByRole('button', {name: /^Save/});
  await people[1].editor.until('saved in the other page', () => save.isDisabled());
  await people[1].page.locator('.notice', {hasText: `Guest 1 has saved ${kFile}`}).waitFor();
  // Another program writes the file: both follow.
  writeFileSync(join(opened.folder, kFile), text.replace('1500 rpm', '1600 rpm'));
  await people[0].editor.until('the text of the disk', async () => (await textOf(people[0])).includes('1600 rpm'));
  assert.equal(await untilEqual(), text.replace('1500 rpm', '1600 rpm'));
  assert.equal(await save.isDisabled(), true);
  assert.deepEqual((await getJson(opened.server.address, 'api/files')).files.filter(({path}) => path === kFile).length, 1);
});

test('while a text is no XML, the other page keeps its drawing; then it follows', async () => {
  const [anna, ben] = people;
  const before = await untilEqual();
  await anna.page.getByRole('textbox', {name: `Text of ${kFile}`}).click();
  await anna.page.keyboard.press('Control+End');
  await anna.page.keyboard.insertText('<!-- half');
  await ben.editor.choose('tank');
  await ben.page.locator('.sheet').focus();
  await ben.page.keyboard.press('r');
  await anna.editor.until('the edit of the other', async () => (await textOf(anna)) !== `${before}<!-- half`);
  assert.equal((await textOf(ben)).includes('half'), false);
  await anna.page.keyboard.insertText(' a comment -->');
  assert.ok((await untilEqual()).endsWith('<!-- half a comment -->'));
  assert.deepEqual(opened.faults, []);
});
