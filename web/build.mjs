// Builds the page: node build.mjs [--out FOLDER] [--generate-only]
//
// Writes index.html and assets/ into the folder (default: dist). generated/ gets the code for the messages
// of StudioAPI, from the file that the server is made of.
import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {compileRaw} from 'pbf/compile';
import resolveProto from 'resolve-protobuf-schema';

const here = dirname(fileURLToPath(import.meta.url));

export function generate() {
  const code = compileRaw(resolveProto.sync(join(here, '../server/studio_api.proto')));
  mkdirSync(join(here, 'generated'), {recursive: true});
  writeFileSync(join(here, 'generated/studio_api.js'), code);
}

export async function bundle(out) {
  const {build} = await import('esbuild');
  mkdirSync(join(out, 'assets'), {recursive: true});
  await build({
    absWorkingDir: here,
    entryPoints: {app: 'src/main.tsx'},
    outdir: join(out, 'assets'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome115', 'firefox115'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
  copyFileSync(join(here, 'src/index.html'), join(out, 'index.html'));
  copyFileSync(join(here, 'src/icon.svg'), join(out, 'assets/icon.svg'));
  writeFileSync(join(out, 'assets/licenses.txt'), licenses());
}

// The texts of the licenses of what is bundled.
function licenses() {
  const {dependencies} = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const bundled = [...Object.keys(dependencies).filter((name) => name !== 'esbuild'), '@preact/signals-core'];
  return bundled.sort().map((name) => {
    const folder = join(here, 'node_modules', name);
    const {version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}\n`;
  }).join('\n');
}

const isMain = process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url);
if (isMain) {
  const at = process.argv.indexOf('--out');
  generate();
  if (!process.argv.includes('--generate-only')) await bundle(at > 0 ? resolve(process.argv[at + 1]) : join(here, 'dist'));
}
