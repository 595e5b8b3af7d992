// Bundles the unit tests and runs them: Node of Debian 12 does not read TypeScript.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {generate} from '../build.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
generate();
const out = mkdtempSync(join(here, '../generated/test-'));
try {
  const tests = readdirSync(join(here, 'unit')).filter((name) => name.endsWith('_test.ts'));
  await build({
    entryPoints: tests.map((name) => join(here, 'unit', name)),
    outdir: out,
    outExtension: {'.js': '.mjs'},
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node18',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    banner: {
      js: 'globalThis.window ??= globalThis; globalThis.matchMedia ??= () => ({addEventListener() {}});globalThis.document ??= {documentElement: {dataset: {}}};',
    },
    logLevel: 'warning',
  });
  const {status} = spawnSync(process.execPath, ['--test', ...tests.map((name) => join(out, name.replace(/ts$/, 'mjs')))], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(out, {recursive: true});
}
