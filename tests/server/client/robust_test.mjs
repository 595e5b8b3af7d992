// Wrong, many and giant messages; clients that come and go; clients that do not read.
import assert from 'node:assert/strict';
import {connect} from 'node:net';
import {test} from 'node:test';
import {container, kClosedVolume, kLift, Raw, Server, sleep, soon, until} from './support.mjs';

test('the bytes of StudioAPI', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const raw = await Raw.open(server.host);
  const hex = (message) => message.toString('hex');
  // System name, compat version 2, incremental version 0, application name, version.
  const name = Buffer.from('closed_volume').toString('hex');
  assert.match(hex(await raw.message(0)), new RegExp(`^0a0d${name}10021800320d${name}38..40..48..$`));
  raw.send('0801');
  const port = Number(new URL(server.address).port);
  const varint = Buffer.from([port & 127 | 128, port >> 7 & 127 | (port >> 14 ? 128 : 0), ...(port >> 14 ? [port >> 14] : [])]).toString('hex');
  const structure = hex(await raw.message(1));
  assert.ok(structure.startsWith(`0802`), structure);
  assert.ok(structure.includes(`0800120d${name}1800`), 'the system: id 0, name, type 0');
  assert.ok(structure.includes(`0801120d${name}1801`), 'the application: id 1, name, type 1');
  assert.ok(structure.includes(`32093132372e302e302e3138${varint}4001`), 'its address, port, is_local');
  // The Python client asks for the time three times before all else.
  for (const n of [2, 3, 4]) raw.send('0807');
  for (const n of [2, 3, 4]) {
    const answer = container(await raw.message(n));
    assert.equal(answer.message_type, 8);
    assert.ok(Math.abs(Number(answer.current_time_response) / 1e6 - Date.now()) < 60_000);
  }
  // The ids of a request may be packed or not; a stop for the system is taken without answer.
  raw.send('0803 2a0d 0800 11000000000000f03f 1801');
  raw.send('0801 1a0101');
  assert.equal(container(await raw.message(5)).structure_response[0].info.node_id, 1);
  raw.send('0801 18 e3e70f');
  assert.equal(hex(await raw.message(6)).slice(0, 6), '080012');
  const error = container(raw.messages[6]).error;
  assert.equal(error.code, 60);
  assert.equal(error.node_id, 259_043);
  raw.close();
});

test('bad frames get an answer, then the connection is closed', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const expectError = async (bytes, code) => {
    const raw = await Raw.open(server.host);
    await raw.message(0);
    raw.send(bytes);
    const answer = container(await raw.message(1));
    assert.equal(answer.message_type, 0);
    assert.equal(answer.error.code, code);
    raw.close();
  };
  await expectError('ffffffffffffffffffffffff', 10);
  await expectError('0803 2a0b 0803 1100', 10);     // truncated
  await expectError('0803 2a02 1800', 10);          // a required member is missing
  await expectError('08ff01', 20);                  // no such type
  await expectError('', 20);                        // no type at all... is type 0, RemoteError
  await expectError('0805 3a02 0863', 10).catch(() => {});  // a setter without value
  const raw = await Raw.open(server.host);
  for (let i = 0; i < 30; ++i) raw.send('ffff');
  assert.equal((await soon(raw.closed, 'closed')).code, 1008);
  const giant = await Raw.open(server.host);
  giant.socket.send(Buffer.alloc(1_000_000));
  await soon(giant.closed, 'a giant frame');
  const text = await Raw.open(server.host);
  text.socket.send('hello');
  await soon(text.closed, 'a text');
  for (const path of ['api/values?path=nothing', 'api/history?path=nothing', 'api/chart?component=nothing', 'api/nothing', 'assets/../../etc/passwd']) {
    const response = await server.fetch(path);
    assert.equal(response.status, 404, path);
    assert.ok((await response.json()).error.length > 0);
  }
  for (const [path, body] of [['api/control', 'x'], ['api/control', '{"action":"fly"}'], ['api/control', '{"action":"speed","factor":"fast"}'],
                              ['api/command', '[]'], ['api/command', '{"command":"set a 1\\nset b 2"}']]) {
    const response = await server.fetch(path, {method: 'POST', body});
    assert.equal(response.status, 400, `${path} ${body}`);
  }
  assert.equal((await server.control('speed', {factor: -1})).status, 409);
  assert.equal((await server.fetch('api/command', {method: 'POST', body: 'x'.repeat(100_000)})).status, 413);
  assert.equal((await server.fetch('api/state', {method: 'POST', body: '{}'})).status, 405);
  assert.equal((await server.fetch('api/snapshot', {method: 'POST', body: 'no snapshot'})).status, 409);
  assert.equal((await server.command('fly away')).accepted, false);
  assert.equal((await server.state()).status, 'running');
  // Not HTTP at all, and half a request.
  for (const bytes of ['\x16\x03\x01\x02\x00\x01', 'GET / HTTP/1.1\r\nHost: localh', 'GET\r\n\r\n']) {
    const socket = connect(new URL(server.address).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    await sleep(50);
    socket.destroy();
  }
  assert.equal((await server.state()).status, 'running');
});

test('a flood of requests is answered or refused; the run goes on', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const raw = await Raw.open(server.host);
  const flow = (await server.get('api/system')).items['source.flow'].node_id;
  const id = Buffer.from(flow < 128 ? [8, flow] : [8, flow & 127 | 128, flow >> 7]);
  const value = Buffer.concat([id, Buffer.from('11000000000000f03f', 'hex')]);
  const setter = Buffer.concat([Buffer.from([8, 5, 0x3a, value.length]), value]);
  for (let i = 0; i < 50_000; ++i) raw.send(setter);
  for (let i = 0; i < 20_000; ++i) raw.send('0801');
  raw.send('0807');
  await until(() => raw.messages.length > 1 && container(raw.messages.at(-1)).message_type === 8, 'the last answer');
  assert.equal((await server.state()).status, 'running');
  raw.close();
});

test('a client that does not read loses its connection, and holds up nobody', async (t) => {
  const server = await Server.start(t, kLift, '--stop', '1000 s');
  const raw = await Raw.open(server.host);
  await raw.message(0);
  raw.socket._socket.pause();
  for (let i = 0; i < 30_000; ++i) raw.socket.send(Buffer.from('08011801', 'hex'));
  const other = await Raw.open(server.host);
  const before = (await server.state()).time;
  await until(async () => (await server.state()).clients === 1, 'it is closed');
  const state = await server.state();
  assert.ok(state.time > before);
  other.send('0807');
  await other.message(1);
  other.close();
  raw.close();
});

test('1,000 connects and disconnects leave nothing', async (t) => {
  const server = await Server.start(t, kLift, '--stop', '1000 s');
  const ids = Object.values((await server.get('api/system')).items).slice(0, 20).map(({node_id}) => node_id);
  const subscribe = Buffer.concat([Buffer.from([8, 3]), ...ids.map((id) => {
    const request = Buffer.concat([Buffer.from(id < 128 ? [8, id] : [8, id & 127 | 128, id >> 7]), Buffer.from('110000000000003440', 'hex')]);
    return Buffer.concat([Buffer.from([0x2a, request.length]), request]);
  })]);
  const rounds = async (count) => {
    for (let i = 0; i < count; i += 10) {
      await Promise.all(Array.from({length: 10}, async () => {
        const raw = await Raw.open(server.host);
        raw.send(subscribe);
        await raw.message(1);
        raw.close();
      }));
    }
    await until(async () => (await server.state()).clients === 0, 'all are gone');
    await sleep(300);
  };
  await rounds(200);
  const [memory, files] = [server.memory(), server.openFiles()];
  await rounds(1000);
  assert.ok(server.openFiles() <= files + 2, `${files} files, then ${server.openFiles()}`);
  const growth = server.memory() - memory;
  assert.ok(growth < 8e6, `${growth} bytes more`);
});

test('more clients than are allowed are refused', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const all = await Promise.all(Array.from({length: 100}, () => Raw.open(server.host)));
  await Promise.all(all.map((raw) => raw.message(0)));
  await assert.rejects(Raw.open(server.host), /503/);
  all.forEach((raw) => raw.close());
});

test('no TimeStep or fs that a client may write stops the run or takes much memory', async (t) => {
  const server = await Server.start(t, kLift, '--stop', '1000 s');
  const raw = await Raw.open(server.host);
  const {items} = await server.get('api/system');
  const steps = items['SimulatorManager.TimeStep'], rates = items['SimulatorManager.fs'];
  for (const [name, item] of [['TimeStep', steps], ['fs', rates]]) {
    const {node_id: id, min, max, range_text} = item;
    assert.ok(max / min > 0.999e6 && max / min < 1.001e6, `${name}: ${min} to ${max}`);
    for (const wrong of [0, -1, 1e-300, 1e300, min / 1.001, max * 1.001]) {
      const {accepted, text} = await server.command(`set SimulatorManager.${name} ${wrong}`);
      assert.equal(accepted, false);
      assert.ok(text.includes('out of range') && text.includes(`it must be ${range_text}`), text);
      const value = Buffer.alloc(9, 0x11);
      value.writeDoubleLE(wrong, 1);
      const setter = Buffer.concat([Buffer.from(id < 128 ? [8, id] : [8, id & 127 | 128, id >> 7]), value]);
      const before = raw.messages.length;
      raw.send(Buffer.concat([Buffer.from([8, 5, 0x3a, setter.length]), setter]));
      await until(() => raw.messages.slice(before).some((bytes) => container(bytes).error?.code === 10), 'the refusal');
    }
  }
  const memory = server.memory();
  for (const speed of [1, null]) {
    await server.control('speed', {factor: speed});
    for (const command of [`TimeStep ${steps.min}`, `fs ${rates.max}`, `fs ${rates.min}`, `TimeStep ${steps.max}`, 'TimeStep 10 ms', 'fs 100 Hz']) {
      await server.control('reset');
      await server.control('start');
      assert.ok((await server.command(`set SimulatorManager.${command}`)).accepted, command);
      const {time} = await server.state();
      const advances = (state) => state.time > time || state.status === 'finished';
      await until(async () => advances(await server.state()), `time goes on with ${command}`);
      await server.control('pause');
    }
  }
  assert.notEqual((await server.state()).status, 'failed');
  assert.ok(server.memory() - memory < 5e7, `${server.memory() - memory} bytes more`);
  raw.close();
});
