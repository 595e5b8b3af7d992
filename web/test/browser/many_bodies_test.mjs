// The mechanism in three dimensions, of many bodies: what a frame costs.
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {freePort, serve} from './server.mjs';

const {CHROMIUM, SCREENSHOTS} = process.env;
const kSoftwareGl = ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
const kBodies = 100;

const folder = mkdtempSync(join(tmpdir(), 'davit_many_'));
let browser;

before(async () => {
  browser = await chromium.launch({executablePath: CHROMIUM, args: kSoftwareGl});
});

after(async () => {
  await browser?.close();
  rmSync(folder, {recursive: true});
});

/** The page of a mechanism of chains of ten bodies, side by side, each with a frame whose path is shown. */
async function openChains(t, bodies) {
  const body = (i) =>
    `<Body name="b${i}" ${i % 10 ? `on="b${i - 1}" at="1 0 0 m"` : `at="0 ${i / 10} 12 m"`} joint="revolute" axis="0 1 0"
      start="${20 + 3 * i} deg" friction="5 N.m.s/rad" mass="10 kg" centre="0.5 0 0 m" inertia="0.1 1 1 kg.m2"/>
    <Frame name="f${i}" on="b${i}" at="0.5 0 0.2 m"/>`;
  const file = join(folder, `chains_${bodies}.xml`);
  writeFileSync(
    file,
    `<System name="chains" xmlns="urn:davit:system:1"><SimulatorManager TimeStep="20 ms" fs="50 Hz" StopTime="600 s"/>
    <mechanism.Mechanism name="chains">${Array.from({length: bodies}, (_, i) => body(i)).join('\n')}</mechanism.Mechanism>
    <Record signals="chains.kinetic_energy"/></System>`,
  );
  // In slow motion the processor is left to the picture.
  const server = await serve(file, await freePort(), '--realtime', '0.2');
  const shown = await (await browser.newContext({viewport: {width: 900, height: 600}, colorScheme: 'light'})).newPage();
  t.after(async () => {
    await shown.close();
    await server.stop();
  });
  await shown.goto(server.address);
  // A frame may take long, so nothing waits for some without a change.
  await shown.getByRole('button', {name: 'Mechanism', exact: true}).dispatchEvent('click');
  await shown.getByRole('group', {name: 'Dimensions'}).getByRole('button', {name: '3-D'}).dispatchEvent('click');
  await shown.waitForFunction(() => document.querySelector('.space canvas')?.stage?.parts.size > 0);
  await shown.waitForTimeout(1000);
  return shown;
}

test(`${kBodies} bodies`, async (t) => {
  const shown = await openChains(t, kBodies);
  const measured = await shown.$eval('.space canvas', async ({stage}) => {
    const shapes = () => stage.parts.solids.map(({geometry}) => geometry.uuid).join();
    const places = () => stage.parts.solids.map(({pose}) => pose.elements.join()).join();
    const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const before = {shapes: shapes(), places: places(), memory: stage.renderer.info.memory.geometries};
    const rate = async () => {
      const [first, begin] = [stage.frames, performance.now()];
      while (performance.now() - begin < 3000) {
        stage.invalidate();
        await next();
      }
      return (stage.frames - first) / ((performance.now() - begin) / 1000);
    };
    const time = (act) => {
      const begin = performance.now();
      for (let i = 0; i < 20; i++) act();
      return (performance.now() - begin) / 20;
    };
    // What the rasteriser needs by itself is measured with nothing to be seen.
    stage.parts.group.visible = stage.ground.grid.visible = false;
    const empty = await rate();
    stage.parts.group.visible = stage.ground.grid.visible = true;
    const frames = await rate();
    const detail = stage.pace.now;
    const gl = stage.renderer.getContext();
    const page = time(() => {
      stage.parts.update();
      stage.parts.trace();
      stage.renderer.render(stage.space, stage.camera);
    });
    // A picture that is read has been drawn.
    const complete = time(() => {
      stage.renderer.render(stage.space, stage.camera);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    });
    return {
      empty,
      frames,
      detail,
      page,
      complete,
      render: {...stage.renderer.info.render},
      solids: stage.parts.solids.length,
      size: [stage.renderer.domElement.clientWidth, stage.renderer.domElement.clientHeight],
      hasMoved: places() !== before.places,
      isSameShape: shapes() === before.shapes && stage.renderer.info.memory.geometries === before.memory,
    };
  });
  const {calls, triangles, lines} = measured.render;
  t.diagnostic(
    `${measured.frames.toFixed(1)} frames a second of ${measured.size.join(' x ')} px with software GL (detail: ${measured.detail}), ` +
      `${measured.empty.toFixed(1)} with nothing to be seen; a frame is ${calls} calls, ${triangles} triangles and ${lines} lines, ` +
      `${measured.page.toFixed(2)} ms of the page, ${measured.complete.toFixed(1)} ms until it is drawn`,
  );
  for (const scheme of ['light', 'dark']) {
    await shown.emulateMedia({colorScheme: scheme});
    await shown.waitForTimeout(500);
    await shown.screenshot({path: join(SCREENSHOTS, `space_chains_${scheme}.png`)});
  }
  assert.equal(measured.solids, kBodies + 1, 'and the base');
  assert.ok(measured.hasMoved);
  assert.ok(measured.isSameShape, 'only matrices change');
  assert.ok(measured.page < 33, `${measured.page} ms of 33 ms for a frame`);
});

test('a frame of many bodies is as many calls to the GPU as one of few', async (t) => {
  const callsOf = async (bodies) => {
    const shown = await openChains(t, bodies);
    return shown.$eval('.space canvas', async ({stage}) => {
      const gl = stage.renderer.getContext();
      let calls = {};
      const count = (object) => {
        for (const name in object) {
          if (typeof object[name] !== 'function') continue;
          const call = object[name].bind(object);
          object[name] = (...given) => {
            calls[name] = (calls[name] ?? 0) + 1;
            return call(...given);
          };
        }
      };
      count(gl);
      for (const name of gl.getSupportedExtensions()) if (/multi_draw/.test(name)) count(gl.getExtension(name));
      stage.pace = {now: 'all', take: (_, isStale) => isStale};
      stage.select(({name}) => name === 'b3');
      stage.fit('free');
      stage.isHeld = true; // the camera does not follow the mechanism
      // Frames of newer values and of a camera that turns: others upload less. Of those the usual one: memory that has grown needs more.
      const places = () => stage.parts.solids.map(({pose}) => pose.elements.join()).join();
      const frames = [];
      let seen = places();
      while (frames.length < 7) {
        calls = {};
        const first = stage.frames;
        stage.controls.rotateLeft(0.01);
        while (stage.frames === first) await new Promise((resolve) => requestAnimationFrame(resolve));
        if (places() === seen) continue;
        seen = places();
        const draws = Object.entries(calls).reduce((sum, [name, times]) => sum + (/draw/i.test(name) ? times : 0), 0);
        frames.push({all: Object.values(calls).reduce((sum, one) => sum + one, 0), draws});
      }
      const {all, draws} = frames.sort((a, b) => a.all - b.all)[3];
      return {all, draws, paths: stage.parts.trails.filter(({trail}) => trail.count > 1).length};
    });
  };
  const few = await callsOf(kBodies / 10);
  const many = await callsOf(kBodies);
  t.diagnostic(`${kBodies / 10} bodies: ${JSON.stringify(few)}, ${kBodies} bodies: ${JSON.stringify(many)}`);
  assert.deepEqual([few.paths, many.paths], [kBodies / 10, kBodies], 'all paths are seen');
  assert.ok(few.draws > 4, 'they are counted');
  assert.equal(many.draws, few.draws);
  assert.ok(many.all <= few.all + 4, `${many.all} calls, ${few.all} with a tenth of the bodies`); // a larger buffer may be bound anew
});
