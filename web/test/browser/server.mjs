// The server under test: davit serve with a system, on a port that is free.
import {spawn} from 'node:child_process';
import {createServer} from 'node:net';
import {join, resolve} from 'node:path';

const {DAVIT, WEB_FOLDER} = process.env;

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

/** Starts it and waits until it answers; `stop()` ends it, `said()` is what it has printed. */
export async function serve(system, port, ...options) {
  const child = spawn(DAVIT, ['serve', resolve(join(WEB_FOLDER, 'systems'), system), '--port', String(port), ...options]);
  let said = '';
  child.stdout.on('data', (data) => { said += data; });
  child.stderr.on('data', (data) => { said += data; });
  const ended = new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code)));
  let isOver = false;
  void ended.then(() => { isOver = true; });
  const at = options.indexOf('--prefix');
  const address = `http://127.0.0.1:${port}${at < 0 ? '' : options[at + 1]}/`;
  for (let i = 0; i < 300; i++) {
    if (isOver) throw new Error(`davit serve has ended:\n${said}`);
    try {
      const {status} = await fetch(`${address}api/state`);
      if (status === 200 || status === 401) return {address, said: () => said, stop: () => { child.kill('SIGINT'); return ended; }};
    } catch {
      // not yet
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`davit serve does not answer:\n${said}`);
}

export const getJson = async (address, path) => (await fetch(address + path)).json();
