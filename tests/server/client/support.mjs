// What the tests of davit serve share: the program as a child, its HTTP API, the client of CDP Studio, bare WebSockets.
import {spawn} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

// The packages are beside the copy of these files in the build folder.
const require = createRequire(import.meta.url);
export const studio = require('cdp-client');
export const WebSocket = require('ws');

export const here = dirname(fileURLToPath(import.meta.url));
export const kSource = process.env.DAVIT_SOURCE_DIR;
export const kProgram = process.env.DAVIT;
export const kClosedVolume = join(here, 'closed_volume.xml');
export const kLift = join(kSource, 'systems/operated_lift.xml');

const kPatience = 20_000;  // ms

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Rejects a promise that takes too long: the client never rejects what is not answered. */
export function soon(promise, what, patience = kPatience) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in time: ${what}`)), patience);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

export async function until(condition, what, patience = kPatience) {
  const end = Date.now() + patience;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`did not come true in time: ${what}`);
    await sleep(20);
  }
}

/** A folder that is removed after the test. */
export function temporaryFolder(t) {
  const folder = mkdtempSync(join(tmpdir(), 'davit-server-'));
  t.after(() => rmSync(folder, {recursive: true}));
  return folder;
}

/** Runs `davit ARGUMENTS` to its end: {code, out, err}. */
export async function run(...args) {
  const child = spawn(kProgram, args, {stdio: ['ignore', 'pipe', 'pipe']});
  let out = '', err = '';
  child.stdout.on('data', (data) => out += data);
  child.stderr.on('data', (data) => err += data);
  const code = await soon(new Promise((resolve) => child.on('close', resolve)), args.join(' '));
  return {code, out, err};
}

export class Server {
  /** Starts `davit serve SYSTEM --port 0 ARGUMENTS`; it is ended after the test. */
  static async start(t, system, ...args) {
    const server = new Server();
    const port = args.includes('--port') ? [] : ['--port', '0'];
    server.child = spawn(kProgram, ['serve', system, ...port, ...args], {stdio: ['ignore', 'pipe', 'pipe']});
    server.out = '';
    server.err = '';
    server.child.stdout.on('data', (data) => server.out += data);
    server.child.stderr.on('data', (data) => server.err += data);
    server.ended = new Promise((resolve) => server.child.on('close', (code, signal) => resolve(signal ?? code)));
    t.after(() => server.stop());
    await until(() => / at (https?):\/\/[^\s]+/.test(server.out) || server.child.exitCode !== null, 'server starts');
    if (server.child.exitCode !== null) throw new Error(`the server has ended: ${server.err}`);
    server.address = server.out.match(/ at (https?:\/\/[^\s]+)/)[1];
    server.host = new URL(server.address).host;
    return server;
  }
  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGINT');
    return soon(this.ended, 'server ends');
  }
  /** Resident memory [bytes]. */
  memory() {
    return 4096 * Number(readFileSync(`/proc/${this.child.pid}/statm`, 'utf8').split(' ')[1]);
  }
  openFiles() {
    return require('node:fs').readdirSync(`/proc/${this.child.pid}/fd`).length;
  }
  async fetch(path, init) {
    return fetch(this.address + path, init);
  }
  async get(path) {
    const response = await this.fetch(path);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  }
  async post(path, body) {
    const response = await this.fetch(path, {method: 'POST', body: JSON.stringify(body)});
    return {status: response.status, ...await response.json()};
  }
  state() { return this.get('api/state'); }
  control(action, more = {}) { return this.post('api/control', {action, ...more}); }
  command(command) { return this.post('api/command', {command}); }
  async log() { return (await this.get('api/log?limit=10000')).lines; }
  /** A client of CDP Studio; what it prints is kept in `server.printed`. */
  client(listener, reconnects = false) {
    return new studio.api.Client(this.host, listener, reconnects);
  }
}

/** Calls with what the client prints taken away; it prints each refusal. */
export async function collectPrints(call) {
  const printed = [];
  const log = console.log;
  console.log = (...words) => printed.push(words.join(' '));
  try {
    return await call(printed);
  } finally {
    console.log = log;
  }
}

/** A bare WebSocket that keeps the messages it gets. */
export class Raw {
  static async open(host, options = {}) {
    const raw = new Raw();
    raw.messages = [];
    raw.socket = new WebSocket(`ws://${host}/`, options);
    raw.closed = new Promise((resolve) => raw.socket.on('close', (code, reason) => resolve({code, reason: `${reason}`})));
    raw.socket.on('message', (data) => raw.messages.push(data));
    await soon(new Promise((resolve, reject) => {
      raw.socket.on('open', resolve);
      raw.socket.on('error', reject);
    }), 'open');
    raw.socket.on('error', () => {});
    return raw;
  }
  send(hex) {
    this.socket.send(typeof hex === 'string' ? Buffer.from(hex.replaceAll(' ', ''), 'hex') : hex);
  }
  /** Message number `n`, which may have to come yet. */
  async message(n) {
    await until(() => this.messages.length > n || this.socket.readyState > 1, `message ${n}`);
    if (this.messages.length <= n) throw new Error('the server has closed the connection');
    return this.messages[n];
  }
  close() { this.socket.terminate(); }
}

/** Reads a Container: of the error its code and text. */
export function container(bytes) {
  return studio.protocol.Container.decode(bytes);
}
