// Builds the page: node build.mjs [--out FOLDER] [--generate-only]
//
// Writes index.html (of `davit serve`), studio.html (of `davit studio`) and assets/ into the folder (default: dist). generated/ gets the code for the messages
// of StudioAPI, from the file that the server is made of.
import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {compileRaw} from 'pbf/compile';
import resolveProto from 'resolve-protobuf-schema';

const here = dirname(fileURLToPath(import.meta.url));

export function generate() {
  const code = compileRaw(resolveProto.sync(join(here, '../server/studio_api.proto')));
  mkdirSync(join(here, 'generated'), {recursive: true});
  writeFileSync(join(here, 'generated/studio_api.js'), code);
  // The types of what C++ describes: for `npm run check`; a bundle has no types.
  const types = process.env.DAVIT_TYPES ?? join(here, '../build/release/bin/davit_types');
  if (existsSync(types)) writeFileSync(join(here, 'generated/described.ts'), execFileSync(types));
}

export async function bundle(out) {
  const {build} = await import('esbuild');
  mkdirSync(join(out, 'assets'), {recursive: true});
  await build({
    absWorkingDir: here,
    entryPoints: {app: 'src/main.tsx', studio: 'src/studio/main.tsx'},
    outdir: join(out, 'assets'),
    bundle: true,
    splitting: true, // what is imported when it is needed is a file of its own
    minify: true,
    format: 'esm',
    target: ['chrome115', 'firefox115'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  copyFileSync(join(here, 'src/index.html'), join(out, 'index.html'));
  copyFileSync(join(here, 'src/studio/studio.html'), join(out, 'studio.html'));
  copyFileSync(join(here, 'src/icon.svg'), join(out, 'assets/icon.svg'));
  writeFileSync(join(out, 'assets/licenses.txt'), licenses());
}

// The texts of the licenses of what is bundled.
function licenses() {
  const bundled = new Set();
  const add = (name) => {
    if (bundled.has(name) || name === 'esbuild') return;
    bundled.add(name);
    const {dependencies = {}} = JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8'));
    Object.keys(dependencies).forEach(add);
  };
  Object.keys(JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')).dependencies).forEach(add);
  return [...bundled]
    .sort()
    .map((name) => {
      const folder = join(here, 'node_modules', name);
      const {version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
      return `${name} ${version}\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}\n`;
    })
    .join('\n');
}

const isMain = process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMain) {
  const at = process.argv.indexOf('--out');
  generate();
  if (!process.argv.includes('--generate-only')) await bundle(at > 0 ? resolve(process.argv[at + 1]) : join(here, 'dist'));
}
