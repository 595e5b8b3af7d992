// A mechanism is edited as a tree on the page of `davit studio`, with its start in three dimensions beside it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {openStudio} from './studio_page.mjs';

const {DAVIT, WEB_FOLDER} = process.env;
const kFile = 'excavator.xml';

let opened;
let folder, onDisk, picture, page, editor, faults;
let original;

before(async () => {
  opened = await openStudio('tree', 'systems', ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']);
  ({folder, onDisk, picture, page, editor, faults} = opened);
  original = onDisk(kFile);
  await editor.open(kFile);
  await editor.choose('arm');
  await page.getByRole('button', {name: 'Edit as a tree'}).click();
  await pane().waitFor();
});
afterEach((test) => opened?.keepFailure(test));
after(() => opened?.close());

const pane = () => page.getByRole('region', {name: 'Mechanism'});
const item = (name) => pane().locator(`[role="treeitem"][data-part="${name}"]`);
const form = (name) => page.locator(`.form[data-part="${name}"]`);
const add = (kind) =>
  pane()
    .getByRole('button', {name: `+ ${kind}`, exact: true})
    .click();
const undo = () => page.getByRole('button', {name: 'Undo', exact: true}).click();

async function choose(name) {
  await item(name).click();
  await form(name).waitFor();
  await page.waitForTimeout(200); // fields take over their value after they are shown
}

/** The carrier of each row, as the levels of the tree have it. */
async function tree() {
  const rows = await pane()
    .locator('[role="treeitem"]')
    .evaluateAll((all) => all.map((one) => [one.dataset.part, Number(one.getAttribute('aria-level'))]));
  const carriers = {};
  rows.forEach(([name, level], i) => {
    const above = rows.slice(0, i).findLast(([, other]) => other < level);
    carriers[name] = above ? above[0] : null;
  });
  return carriers;
}

/** The bodies that are seen, with the places of their points. */
const seen = () =>
  page.$eval('.tree-pane canvas', ({stage}) =>
    Object.fromEntries(
      (stage?.parts.solids ?? []).map(({item, pose, local}) => [
        item.name,
        local.map((point) => point.clone().applyMatrix4(pose).toArray()),
      ]),
    ),
  );

/** Where the program has these points at the start. */
async function computed() {
  const body = JSON.stringify({path: kFile, texts: {}});
  const answer = await page.evaluate(async (text) => (await fetch('api/scene', {method: 'POST', body: text})).json(), body);
  return Object.fromEntries(
    answer.scene.items
      .filter(({kind}) => kind === 'hull')
      .map(({name, points}) => [
        name,
        points.map((point) => point.map((one) => (typeof one === 'string' ? answer.values[one] : one))),
      ]),
  );
}

function farthest(a, b) {
  let most = 0;
  a.forEach((point, i) => {
    point.forEach((one, axis) => {
      most = Math.max(most, Math.abs(one - b[i][axis]));
    });
  });
  return most;
}

test('the tree has each part below the body that carries it, and the view has the start', async () => {
  const carriers = await tree();
  assert.deepEqual(carriers, {
    base: null,
    boom: 'base',
    stick: 'boom',
    bucket: 'stick',
    teeth: 'bucket',
    rocker: 'stick',
    link: 'rocker',
    bucket_pin: null,
    boom_mount: null,
    stick_mount: null,
    bucket_mount: null,
  });
  await editor.until('six bodies', async () => Object.keys(await seen()).length === 6);
  const [shown, expected] = [await seen(), await computed()];
  assert.deepEqual(Object.keys(shown).sort(), Object.keys(expected).sort());
  // Three points give the pose, the others follow.
  for (const [name, points] of Object.entries(expected)) assert.ok(farthest(points, shown[name]) < 1e-9, name);
  await picture('open');
});

test('a body is added to the chosen one, renamed, changed in the form, and seen', async () => {
  await choose('boom');
  await add('Body');
  await form('body').waitFor();
  assert.equal((await tree()).body, 'boom');
  await editor.set('name', 'lamp');
  await form('lamp').waitFor();
  await editor.set('joint', 'fixed');
  await editor.set('at', '3 0 1 m');
  await editor.set('mass', '20 kg');
  await editor.until('seven bodies', async () => 'lamp' in (await seen()));
  await add('Frame');
  await form('frame').waitFor();
  assert.equal((await tree()).frame, 'lamp');
});

test('a part moves to another body by dragging, with what it carries, and not onto that', async () => {
  await item('lamp').dragTo(item('stick'));
  await editor.until('on the stick', async () => (await tree()).lamp === 'stick');
  assert.equal((await tree()).frame, 'lamp');
  await item('stick').dragTo(item('lamp'));
  await page.getByText('stick carries lamp; put lamp on another body first').waitFor();
  assert.equal((await tree()).stick, 'boom');
  // By the form, too.
  await choose('lamp');
  await editor.set('on', 'boom');
  await editor.until('on the boom', async () => (await tree()).lamp === 'boom');
});

test('an error is shown at its part and its field, and the last start stays', async () => {
  await choose('lamp');
  const before = await seen();
  await editor.set('mass', '-20 kg');
  await editor.until('at the part', () => item('lamp').evaluate((one) => one.classList.contains('has-fault')));
  await form('lamp').locator('[data-row="mass"] .fault').waitFor();
  await pane().getByRole('status').filter({hasText: 'The last start without errors is shown'}).waitFor();
  assert.deepEqual(Object.keys(await seen()), Object.keys(before));
  await picture('error');
  await undo();
  await editor.until('no error', () => item('lamp').evaluate((one) => !one.classList.contains('has-fault')));
  // What does not close is said of its mount.
  await choose('stick_mount');
  await editor.set('shortest', '5 m');
  await editor.until('at the mount', () => item('stick_mount').evaluate((one) => one.classList.contains('has-fault')));
  await undo();
  await editor.until('it can run', async () => (await editor.status().textContent()) === 'can run');
});

test('a click on a body chooses its part, and the keyboard goes through the tree', async () => {
  await item('base').click();
  const canvas = await pane().locator('canvas').boundingBox();
  await pane().getByRole('group', {name: 'Camera'}).getByRole('button', {name: 'Side'}).click();
  await page.waitForTimeout(500);
  const [x, y] = await page.$eval('.tree-pane canvas', ({stage}) => {
    const {pose, local} = stage.parts.solids.find(({item}) => item.name === 'stick');
    const middle = local.reduce((sum, one) => sum.add(one), local[0].clone().set(0, 0, 0)).divideScalar(local.length);
    return middle.applyMatrix4(pose).project(stage.camera).toArray();
  });
  await page.mouse.click(canvas.x + ((x + 1) / 2) * canvas.width, canvas.y + ((1 - y) / 2) * canvas.height);
  await form('stick').waitFor();
  await item('stick').focus();
  await page.keyboard.press('ArrowUp');
  await form('boom').waitFor();
  await page.keyboard.press('Home');
  await page.locator('.form[data-component="arm"]').waitFor();
});

test('the file has what was added and nothing else; a removed body goes with what it carries; undo gives the file back', async () => {
  await editor.save();
  const added = [
    '    <Body name="lamp" on="boom" at="3 0 1 m" joint="fixed" axis="0 -1 0" mass="20 kg" centre="0.5 0 0 m"',
    '        inertia="1 10 10 kg.m2"/>',
    '    <Frame name="frame" on="lamp" at="1 0 0 m"/>',
  ];
  const lines = onDisk(kFile).split('\n');
  assert.deepEqual(
    lines.filter((line) => !original.split('\n').includes(line)),
    added,
  );
  assert.equal(lines.filter((line) => !added.includes(line)).join('\n'), original, 'comments and all else');
  execFileSync(DAVIT, ['check', join(folder, kFile)]);
  await choose('lamp');
  await item('lamp').press('Delete');
  await item('lamp').waitFor({state: 'detached'});
  assert.equal(await item('frame').count(), 0);
  await editor.until('six bodies', async () => Object.keys(await seen()).length === 6);
  await editor.save();
  assert.equal(onDisk(kFile), readFileSync(join(WEB_FOLDER, 'systems', kFile), 'utf8'));
  await undo();
  await item('lamp').waitFor();
  await pane().getByRole('button', {name: 'Close'}).click();
  await page.locator('.sheet').waitFor();
  assert.deepEqual(faults, []);
});
