import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** No rule of axe-core is broken, and nothing is wider than the window. */
export async function expectAccessible(page, name) {
  await page.evaluate(axe);
  const {violations, passes} = await page.evaluate(() => globalThis.axe.run());
  assert.ok(passes.length > 10, 'rules that apply');
  const broken = violations.flatMap(({id, nodes}) => nodes.map(({target}) => `${id}: ${target}`));
  assert.deepEqual(broken, [], name);
  const [whole, window] = await page.evaluate(() => [document.documentElement.scrollWidth, globalThis.innerWidth]);
  assert.ok(whole <= window, `${name}: wider than the window`);
}
