// Who may come: user and password, locks, cookies, names of hosts, TLS.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {request as httpsRequest} from 'node:https';
import {request as httpRequest} from 'node:http';
import {test} from 'node:test';
import {collectPrints, kClosedVolume, kProgram, Raw, run, Server, soon, temporaryFolder, until} from './support.mjs';

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hashOf = (challenge, user, password) => sha256(challenge, ':', sha256(`${user.toLowerCase()}:${password}`));

async function startWithUser(t, ...args) {
  const file = join(temporaryFolder(t), 'password');
  writeFileSync(file, 'a long secret\n');
  return Server.start(t, kClosedVolume, '--user', 'Anna', '--password-file', file, ...args);
}

test('a wrong password, then the right one', async (t) => {
  const server = await startWithUser(t);
  await collectPrints(async () => {
    const codes = [];
    const passwords = ['wrong', 'a long secret'];
    const client = server.client({
      credentialsRequested: async (request) => {
        codes.push(request.userAuthResult().code());
        return {Username: 'anna', Password: passwords.shift()};
      },
    });
    const p = await soon(client.find('closed_volume.line.p'), 'a node');
    assert.ok(p.isValid());
    assert.deepEqual(codes, [0, 11]);
    const flow = await soon(client.find('closed_volume.source.flow'), 'flow');
    flow.setValue(1e-6);
    let line;
    // The log is for those who have logged in; the file of the run is not needed here.
    await until(() => (line = server.err.match(/by anna@127\.0\.0\.1:\d+: <At.*source\.flow/)), 'who it was stands in the log');
  });
});

test('who does nothing is locked out, logs in again and has what it asked for meanwhile', async (t) => {
  const server = await startWithUser(t, '--idle-lock', '1 s');
  await collectPrints(async () => {
    const codes = [];
    const client = server.client({
      credentialsRequested: async (request) => {
        codes.push(request.userAuthResult().code());
        return {Username: 'Anna', Password: 'a long secret'};
      },
    });
    const time = await soon(client.find('closed_volume.time'), 'time');
    let value;
    time.subscribeToValues((v) => value = v, 10, 10);
    await until(() => codes.includes(14), 'the lock');
    const before = value;
    const p = await soon(client.find('closed_volume.line.p'), 'a node, after the new login');
    assert.ok(p.isValid());
    await until(() => value > before, 'values go on');
  });
});

test('too many wrong passwords: the address has to wait, even with the right one', async (t) => {
  const server = await startWithUser(t);
  const raw = await Raw.open(server.host);
  const {studio} = await import('./support.mjs');
  const hello = studio.protocol.Hello.decode(await raw.message(0));
  const challenge = Buffer.from(hello.challenge.toBinary(), 'binary');
  const login = (password) => {
    const request = new studio.protocol.AuthRequest();
    request.user_id = 'anna';
    const response = new studio.protocol.AuthRequestChallengeResponse();
    response.type = 'PasswordHash';
    response.response = hashOf(challenge, 'anna', password);
    request.challenge_response = [response];
    raw.send(Buffer.from(request.toArrayBuffer()));
  };
  for (let i = 0; i < 5; ++i) {
    login(`wrong ${i}`);
    assert.equal(studio.protocol.AuthResponse.decode(await raw.message(1 + i)).result_code, 11);
  }
  login('a long secret');
  assert.equal(studio.protocol.AuthResponse.decode(await raw.message(6)).result_code, 13);
  // Nothing but a login is taken: this would ask for the structure.
  raw.send('0801');
  assert.equal(studio.protocol.AuthResponse.decode(await raw.message(7)).result_code, 0);
  raw.send('ff');
  await soon(raw.closed, 'closed');
});

test('a browser logs in with a cookie, which holds for StudioAPI too', async (t) => {
  const server = await startWithUser(t);
  assert.equal((await server.fetch('api/state')).status, 401);
  assert.equal((await server.fetch('')).status, 200);
  const {challenge} = await server.get('api/login');
  const bytes = Buffer.from(challenge, 'base64');
  const wrong = await server.post('api/login', {user: 'anna', response: hashOf(bytes, 'anna', 'wrong').toString('base64')});
  assert.equal(wrong.status, 401);
  const again = Buffer.from((await server.get('api/login')).challenge, 'base64');
  const response = await server.fetch('api/login', {
    method: 'POST', body: JSON.stringify({user: 'Anna', response: hashOf(again, 'Anna', 'a long secret').toString('base64')})});
  assert.equal(response.status, 200);
  const cookie = response.headers.get('set-cookie');
  assert.match(cookie, /^davit_session=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=\//);
  const sent = cookie.split(';')[0];
  assert.equal((await server.fetch('api/state', {headers: {cookie: sent}})).status, 200);
  const raw = await Raw.open(server.host, {headers: {cookie: sent}});
  const {studio} = await import('./support.mjs');
  assert.equal(studio.protocol.Hello.decode(await raw.message(0)).challenge, null);
  raw.close();
});

/** Status of a request with any Host, which fetch does not allow. */
function statusWith(server, headers, path = 'api/state') {
  return soon(new Promise((resolve, reject) => {
    httpRequest(server.address + path, {headers}, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    }).on('error', reject).end();
  }), 'an answer');
}

test('foreign pages do not reach it', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const port = new URL(server.address).port;
  assert.equal(await statusWith(server, {host: `evil.example:${port}`}), 403);
  assert.equal(await statusWith(server, {host: `localhost:${port}`}), 200);
  assert.equal(await statusWith(server, {origin: 'http://evil.example'}), 403);
  assert.equal(await statusWith(server, {origin: 'null'}), 403);
  assert.equal(await statusWith(server, {origin: `http://127.0.0.1:${port}`}), 200);
  await assert.rejects(Raw.open(server.host, {headers: {origin: 'http://evil.example'}}), /403/);
  await assert.rejects(Raw.open(server.host, {headers: {host: 'evil.example'}}), /403/);
  const response = await server.fetch('api/state');
  assert.equal(response.headers.get('access-control-allow-origin'), null);
  assert.equal(response.headers.get('cache-control'), 'no-store');

  const named = await Server.start(t, kClosedVolume, '--host-name', 'crane.example', '--prefix', '/crane1');
  assert.ok(named.address.endsWith('/crane1/'));
  assert.equal(await statusWith(named, {host: 'crane.example', origin: 'https://crane.example'}), 200);
  assert.equal((await fetch(`http://${named.host}/api/state`)).status, 404);
});

test('what is wrong on the command line is said before the run', async (t) => {
  const folder = temporaryFolder(t);
  const serve = (...args) => run('serve', kClosedVolume, '--until-finished', '--stop', '0.1 s', ...args);
  const server = await Server.start(t, kClosedVolume);
  const port = new URL(server.address).port;
  const empty = join(folder, 'empty');
  writeFileSync(empty, '');
  for (const [args, text] of [
    [['--port', port], /port is in use/],
    [['--listen', '0.0.0.0', '--port', '0'], /--user/],
    [['--listen', 'here'], /not an IP address/],
    [['--tls-cert', empty, '--tls-key', empty], /no certificate/],
    [['--tls-cert', empty], /one needs the other/],
    [['--user', 'anna', '--password-file', empty], /no password/],
    [['--password-file', empty], /--user/],
    [['--snapshots', empty], /not a folder/],
    [['--prefix', 'crane'], /no path/],
    [['--idle-lock', 'long'], /--idle-lock/],
    [['--realtime', '-1'], /factor must be > 0/],
  ]) {
    const {code, err} = await serve(...args);
    assert.equal(code, 2, `${args}: ${err}`);
    assert.match(err, text);
  }
});

test('TLS', async (t) => {
  const folder = temporaryFolder(t);
  const [cert, key] = ['cert.pem', 'key.pem'].map((name) => join(folder, name));
  try {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2',
                             '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'], {stdio: 'ignore'});
  } catch {
    return t.skip('no program openssl');
  }
  const server = await Server.start(t, kClosedVolume, '--tls-cert', cert, '--tls-key', key);
  assert.ok(server.address.startsWith('https://'));
  const {readFileSync} = await import('node:fs');
  const status = await soon(new Promise((resolve, reject) => {
    httpsRequest(`${server.address}api/state`, {ca: readFileSync(cert)}, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject).end();
  }), 'https');
  assert.equal(status, 200);
  const {WebSocket} = await import('./support.mjs');
  const socket = new WebSocket(`wss://${server.host}/`, {ca: readFileSync(cert)});
  await soon(new Promise((resolve, reject) => { socket.on('message', resolve); socket.on('error', reject); }), 'Hello');
  socket.terminate();
});
