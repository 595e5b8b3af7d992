// The mechanism in three dimensions: what is drawn is where the outputs say, the camera turns, nothing is left behind.
import assert from 'node:assert/strict';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, getJson, serve, until} from './server.mjs';

const {CHROMIUM, SCREENSHOTS} = process.env;
const kPatience = 30_000; // ms
const kSoftwareGl = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const kToggles = 100;

let browser;
let server;
let page;
const faults = [];

/** A server and its page; they end with the test `t`. */
async function open(t, system, chromiumOfPage = browser) {
  const made = await serve(system, await freePort());
  const context = await chromiumOfPage.newContext({viewport: {width: 1280, height: 800}, colorScheme: 'light', hasTouch: true});
  const shown = await context.newPage();
  for (const event of ['console', 'pageerror']) {
    shown.on(event, (message) => {
      if (event === 'pageerror' || ['error', 'warning'].includes(message.type()))
        faults.push(String(message.text?.() ?? message));
    });
  }
  t?.after(async () => {
    await shown.close();
    await made.stop();
  });
  await shown.goto(made.address);
  await shown.getByRole('button', {name: 'Mechanism', exact: true}).click();
  return [shown, made];
}

const dimensions = (name, shown = page) => shown.getByRole('group', {name: 'Dimensions'}).getByRole('button', {name});

async function openSpace(shown = page) {
  await dimensions('3-D', shown).click();
  await shown.waitForFunction(() => document.querySelector('.space canvas')?.stage?.parts.size > 0, null, {timeout: kPatience});
}

const control = (action) => fetch(`${server.address}api/control`, {method: 'POST', body: JSON.stringify({action})});

/** What the stage of the page says. */
const ask = (question, argument) =>
  page.evaluate(
    ([text, one]) => new Function('stage', 'one', `return ${text}`)(document.querySelector('.space canvas').stage, one),
    [question, argument],
  );

const angleOf = () => ask('[stage.camera.position.x, stage.camera.position.y, stage.camera.position.z]');

/** Where bodies are: the points of each in its own frame, moved by its matrix. */
const placesOf = () =>
  ask(`Object.fromEntries(stage.parts.solids.map(({item, pose, local}) =>
    [item.component + '.' + item.name, local.map((point) => point.clone().applyMatrix4(pose).toArray())]))`);

before(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: kSoftwareGl});
  [page, server] = await open(null, 'excavator.xml');
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test('every point of a body is where the outputs say', async () => {
  await openSpace();
  await until('a moving arm', async () => (await getJson(server.address, 'api/state')).time > 3);
  await control('pause');
  // On a busy machine the run may have ended before.
  await until('a pause', async () => ['paused', 'finished'].includes((await getJson(server.address, 'api/state')).status));
  const {items} = await getJson(server.address, 'api/scene');
  const bodies = items.filter(({kind}) => kind === 'hull');
  assert.deepEqual(bodies.map(({name}) => name).sort(), ['base', 'boom', 'bucket', 'link', 'rocker', 'stick']);
  const paths = [...new Set(bodies.flatMap(({points}) => points.flat()))];
  const {values} = await getJson(server.address, `api/values?${paths.map((path) => `path=${path}`).join('&')}`);
  const worst = async () => {
    const places = await placesOf();
    let most = 0;
    for (const {component, name, points} of bodies) {
      points.forEach((point, i) => {
        point.forEach((path, axis) => {
          most = Math.max(most, Math.abs(places[`${component}.${name}`][i][axis] - values[path]));
        });
      });
    }
    return most;
  };
  // Three points give the pose, the others follow: 1e-9 m is rounding of coordinates below 10 m, some hundred times.
  await until('the newest values', async () => (await worst()) < 1e-9);
  const teeth = bodies.find(({name}) => name === 'bucket').points.map(([x]) => x);
  assert.ok(teeth.includes('arm.teeth_x'), 'the teeth are a point of the bucket');
});

const timeline = () => page.getByRole('group', {name: 'Recorded motion'});
const slider = () => timeline().getByRole('slider', {name: 'Time'});
const shownTime = async () => Number(await slider().inputValue());
/** The row of a time; a slider rounds its value to its 16th digit. */
const rowOf = (t, time) => t.findIndex((one) => Math.abs(one - time) < 1e-9);

/** How far bodies are from where the history has them at the time that is shown [m]. */
async function errorOfThePast() {
  const {items} = await getJson(server.address, 'api/scene');
  const bodies = items.filter(({kind}) => kind === 'hull');
  const paths = [...new Set(bodies.flatMap(({points}) => points.flat()))];
  const time = await shownTime();
  const values = {};
  for (let i = 0; i < paths.length; i += 50) {
    const asked = paths.slice(i, i + 50).map((path) => `path=${path}`);
    const {signals} = await getJson(server.address, `api/history?${asked.join('&')}&bins=1200`);
    for (const [path, {t, last}] of Object.entries(signals)) values[path] = last[rowOf(t, time)];
  }
  const places = await placesOf();
  let most = 0;
  for (const {component, name, points} of bodies) {
    points.forEach((point, i) => {
      point.forEach((path, axis) => {
        most = Math.max(most, Math.abs(places[`${component}.${name}`][i][axis] - values[path]));
      });
    });
  }
  return Number.isNaN(most) ? Infinity : most;
}

test('the slider shows each recorded time as it was, by mouse, keys and touch', async () => {
  const {time: end} = await getJson(server.address, 'api/state');
  const {signals} = await getJson(server.address, 'api/history?path=arm.teeth_x&bins=1200');
  const {t} = signals['arm.teeth_x'];
  assert.ok(t[0] === 0 && t.length > 100, 'recorded from the start, though nobody has asked before');
  const present = await placesOf();
  const at = async (share) => {
    const box = await slider().boundingBox(); // it moves while the page still gets its parts
    return [box.x + box.width * share, box.y + box.height / 2];
  };
  for (const share of [0.25, 0.5, 0.9]) {
    await until('a recorded time', async () => {
      await page.mouse.click(...(await at(share)));
      const shown = await shownTime();
      return rowOf(t, shown) >= 0 && Math.abs(shown - share * end) < 0.05 * end;
    });
    await until('its places', async () => (await errorOfThePast()) < 1e-9);
  }
  const row = rowOf(t, await shownTime());
  await slider().press('ArrowLeft');
  await until('the row before', async () => rowOf(t, await shownTime()) === row - 1);
  await slider().press('ArrowRight');
  await slider().press('ArrowRight');
  await until('the row behind', async () => rowOf(t, await shownTime()) === row + 1);
  await slider().press('Home');
  await until('the start', async () => (await shownTime()) === t[0] && (await errorOfThePast()) < 1e-9);
  const devtools = await page.context().newCDPSession(page);
  const [x, y] = await at(0.5);
  await devtools.send('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
  await devtools.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
  await until('a touch', async () => Math.abs((await shownTime()) - end / 2) < 0.05 * end);
  await page.screenshot({path: join(SCREENSHOTS, 'space_past.png')});
  await timeline().getByRole('button', {name: 'Live'}).click();
  await until('the present', async () => JSON.stringify(await placesOf()) === JSON.stringify(present));
});

test('playback goes through the recorded times, as fast as was chosen, and ends at the present', async () => {
  await slider().press('Home');
  await until('the start', async () => (await shownTime()) === 0);
  await timeline().getByLabel('Playback speed').selectOption('0.5');
  const begin = Date.now();
  await slider().press(' ');
  await page.waitForTimeout(2000);
  await slider().press(' ');
  const [shown, passed] = [await shownTime(), (Date.now() - begin) / 1000];
  // It moves at most 0.1 s a frame, so a slow picture is later, never earlier.
  assert.ok(shown > 0 && shown <= 0.5 * passed + 0.02, `${shown} s after ${passed} s`);
  await page.waitForTimeout(300);
  assert.equal(await shownTime(), shown, 'a pause');
  await timeline().getByLabel('Playback speed').selectOption('10');
  await timeline().getByRole('button', {name: 'Play back'}).click();
  const {time: end} = await getJson(server.address, 'api/state');
  await until('the end', async () => Math.abs((await shownTime()) - end) < 1e-9);
  await timeline().getByRole('button', {name: 'Play back'}).waitFor();
  await timeline().getByRole('button', {name: 'Live'}).click();
});

test('a drag turns the camera about the mechanism, by mouse and by touch, and keys do', async () => {
  const canvas = await page.locator('.space canvas').boundingBox();
  const [x, y] = [canvas.x + canvas.width / 2, canvas.y + canvas.height / 4];
  const target = await ask('stage.parts.bounds.getCenter(stage.camera.position.clone()).toArray()');
  const distance = (camera) => Math.hypot(...camera.map((one, axis) => one - target[axis]));
  const turns = async (what, act) => {
    const first = await angleOf();
    await act();
    await until(what, async () => Math.hypot(...(await angleOf()).map((one, axis) => one - first[axis])) > 0.5);
  };
  await page.getByRole('group', {name: 'Camera'}).getByRole('button', {name: 'All'}).click();
  const far = distance(await angleOf());
  await turns('a drag', async () => {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y + 20, {steps: 5});
    await page.mouse.up();
  });
  const devtools = await page.context().newCDPSession(page);
  await turns('a finger', async () => {
    const touch = (type, points) => devtools.send('Input.dispatchTouchEvent', {type, touchPoints: points});
    await touch('touchStart', [{x, y}]);
    for (let i = 1; i <= 5; i++) await touch('touchMove', [{x: x - 25 * i, y}]);
    await touch('touchEnd', []);
  });
  await page.locator('.space canvas').focus();
  await turns('a key', () => page.keyboard.press('ArrowLeft'));
  assert.ok(Math.abs(distance(await angleOf()) - far) < 1e-6 * far, 'as far from the middle as before');
});

test('a click selects the component', async () => {
  const canvas = await page.locator('.space canvas').boundingBox();
  await page.getByRole('group', {name: 'Camera'}).getByRole('button', {name: 'Side'}).click();
  await page.waitForTimeout(300);
  const [x, y] = await ask(`(() => {
    const {pose, local} = stage.parts.solids.find(({item}) => item.name === 'boom');
    const middle = local.reduce((sum, one) => sum.add(one), local[0].clone().set(0, 0, 0)).divideScalar(local.length);
    return middle.applyMatrix4(pose).project(stage.camera).toArray();
  })()`);
  const at = [canvas.x + ((x + 1) / 2) * canvas.width, canvas.y + ((1 - y) / 2) * canvas.height];
  await page.mouse.move(...at);
  assert.match(await page.locator('.space-tip').textContent(), /^arm: /);
  await page.mouse.click(...at);
  await until('the inspector', async () => (await page.locator('.inspected h2').textContent()) === 'arm');
});

test('pictures: light, dark, narrow', async () => {
  await control('start');
  await page.getByRole('group', {name: 'Camera'}).getByRole('button', {name: 'All'}).click();
  await until('a later time', async () => (await getJson(server.address, 'api/state')).time > 8);
  for (const scheme of ['light', 'dark']) {
    await page.emulateMedia({colorScheme: scheme});
    await page.setViewportSize({width: 1280, height: 800});
    await page.waitForTimeout(500);
    await page.screenshot({path: join(SCREENSHOTS, `space_${scheme}.png`)});
    await page.setViewportSize({width: 400, height: 800});
    await page.waitForTimeout(500);
    await page.screenshot({path: join(SCREENSHOTS, `space_${scheme}_narrow.png`)});
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 400, 'wider than the window');
  }
  await page.emulateMedia({colorScheme: 'light'});
  await page.setViewportSize({width: 1280, height: 800});
});

test(`a view that is left leaves nothing on the GPU, ${kToggles} times`, async () => {
  // Nothing of a run is needed for it, and a small canvas is drawn faster.
  await page.setViewportSize({width: 800, height: 500});
  const kept = await page.evaluate(async (toggles) => {
    const [flat, space] = document.querySelectorAll('.dimensions button');
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const most = {geometries: 0, textures: 0, contexts: 0};
    for (let i = 0; i < toggles; i++) {
      const {renderer} = document.querySelector('.space canvas').stage;
      flat.click();
      while (document.querySelector('.space')) await next();
      most.geometries = Math.max(most.geometries, renderer.info.memory.geometries);
      most.textures = Math.max(most.textures, renderer.info.memory.textures);
      most.contexts += renderer.getContext().isContextLost() ? 0 : 1;
      space.click();
      while (!(document.querySelector('.space canvas')?.stage?.frames > 1)) await next();
    }
    return most;
  }, kToggles);
  assert.deepEqual(kept, {geometries: 0, textures: 0, contexts: 0});
  assert.ok((await ask('stage.renderer.info.memory.geometries')) > 4, 'they are counted');
});

for (const system of ['knuckle_boom_crane.xml', 'lifting_cylinder.xml', 'slider_crank.xml', 'mass_spring.xml']) {
  test(`${system} is seen completely`, async (t) => {
    const [shown] = await open(t, system);
    await openSpace(shown);
    await shown.waitForTimeout(3000); // it moves, and stays in the picture
    const missing = await shown.$eval('.space canvas', ({stage: {parts, camera}}) =>
      parts.shown
        .filter(
          ({item, points, isThere}) =>
            !isThere ||
            (item.kind !== 'limit' &&
              points.some((point) => {
                const {x, y} = point.clone().project(camera);
                return Math.abs(x) > 1 || Math.abs(y) > 1;
              })),
        )
        .map(({item}) => item.name),
    );
    assert.deepEqual(missing, []);
    await shown.screenshot({path: join(SCREENSHOTS, `space_${system.replace('.xml', '')}.png`)});
  });
}

test('without WebGL there are two dimensions, and the page says why', async (t) => {
  const poor = await chromium.launch({executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-3d-apis']});
  t.after(() => poor.close());
  const [shown] = await open(t, 'excavator.xml', poor);
  await dimensions('3-D', shown).click();
  await shown.getByRole('status').filter({hasText: 'no WebGL'}).waitFor();
  await shown.getByRole('img', {name: 'Mechanism, side'}).waitFor();
  assert.equal(await dimensions('2-D', shown).getAttribute('aria-pressed'), 'true');
  await until('something on the canvas', () =>
    shown.$eval('.mechanism canvas', (canvas) => {
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size > 4;
    }),
  );
  await shown.screenshot({path: join(SCREENSHOTS, 'space_without.png')});
});

test('no error and no warning was in the console', () => {
  // Chromium says what could be faster, here of software GL and of this test; a server that has ended is reported by Chromium.
  const own = faults.filter(
    (fault) => !/GPU stall|willReadFrequently|ERR_CONNECTION|WebSocket connection|ERR_EMPTY_RESPONSE/.test(fault),
  );
  assert.deepEqual(own, []);
});

test('the surface of the sea is that of its waves at the time of the run', async (t) => {
  const [shown, {address}] = await open(t, 'marine/heeling_crane.xml');
  await openSpace(shown);
  await until('waves that travel', async () => (await getJson(address, 'api/state')).time > 2);
  await fetch(`${address}api/control`, {method: 'POST', body: JSON.stringify({action: 'pause'})});
  await until('a pause', async () => (await getJson(address, 'api/state')).status === 'paused');
  const {time} = await getJson(address, 'api/state');
  const {items} = await getJson(address, 'api/scene');
  const {waves} = items.find(({kind}) => kind === 'surface');
  assert.equal(waves.length, 120);
  await shown.waitForFunction((now) => document.querySelector('.space canvas').stage.sea.time === now, time, {
    timeout: kPatience,
  });
  const places = await shown.evaluate(() => [
    ...document.querySelector('.space canvas').stage.sea.mesh.geometry.getAttribute('position').array,
  ]);
  let highest = 0;
  for (let i = 0; i < places.length; i += 3) {
    const [x, y, z] = places.slice(i, i + 3);
    const height = waves.reduce(
      (sum, [a, w, k, b, phase]) => sum + a * Math.cos(w * time - k * (x * Math.cos(b) + y * Math.sin(b)) + phase),
      0,
    );
    // Places are numbers of 32 bits, of up to some 100 m.
    assert.ok(Math.abs(z - height) < 1e-4, `${z} m in place of ${height} m`);
    highest = Math.max(highest, z);
  }
  assert.ok(highest > 0.2, 'a sea of 1 m has crests');
  assert.equal(await shown.evaluate(() => document.querySelector('.space canvas').stage.ground.grid.visible), false);
});
