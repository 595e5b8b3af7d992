// The server under test: davit serve with a system, or davit studio with a folder, on a port that is free.
import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {join, resolve} from 'node:path';

const {DAVIT, WEB_FOLDER} = process.env;

/** Waits for at most 45 s until the condition holds; says what it was when it does not. */
export async function until(what, condition) {
  const end = Date.now() + 45_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** `davit serve`. Starts it and waits until it answers; `stop()` ends it, `said()` is what it has printed. */
export const serve = (system, port, ...options) =>
  begin(['serve', resolve(join(WEB_FOLDER, 'systems'), system)], 'api/state', port, options);

/** `davit studio`, the same. */
export const studio = (folder, port, ...options) => begin(['studio', folder], 'api/studio', port, options);

async function begin(command, question, port, options) {
  const child = spawn(DAVIT, [...command, '--port', String(port), ...options]);
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  child.stderr.on('data', (data) => {
    said += data;
  });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const at = options.indexOf('--prefix');
  const address = `http://127.0.0.1:${port}${at < 0 ? '' : options[at + 1]}/`;
  for (let i = 0; i < 300; i++) {
    if (isOver) throw new Error(`davit ${command[0]} has ended:\n${said}`);
    try {
      const {status} = await fetch(address + question);
      if (status === 200 || status === 401)
        return {
          address,
          said: () => said,
          stop: () => {
            child.kill('SIGINT');
            return ended;
          },
        };
    } catch {
      // not yet
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`davit ${command[0]} does not answer:\n${said}`);
}

export const getJson = async (address, path) => (await fetch(address + path)).json();

/** The file that *Save* of the plots makes: CSV, PNG or SVG. */
export async function bytesOfPlots(page, kind) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByLabel('Save the plots').selectOption(kind)]);
  return readFileSync(await download.path());
}
