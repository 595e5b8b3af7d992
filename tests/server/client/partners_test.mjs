// The interfaces of a run with clients of other makers: modbus-serial and mqtt.js.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {connect as connectTcp, createServer} from 'node:net';
import {join} from 'node:path';
import {test} from 'node:test';
import {kSource, Server, sleep, soon, temporaryFolder, until} from './support.mjs';

const require = createRequire(import.meta.url);
const ModbusClient = require('modbus-serial');
const mqtt = require('mqtt');

const kControllers = join(kSource, 'systems/controllers');
const kLever = 'machine.lever.value', kAngle = 'machine.crane.q1';
const kBroker = '/usr/sbin/mosquitto';

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const {port} = server.address();
    server.close(() => resolve(port));
  });
});

const valueOf = async (server, path) => (await server.get(`api/values?path=${path}`)).values[path];
const float = (value) => {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatBE(value);
  return bytes;
};

test('modbus-serial reads, writes and is refused', async (t) => {
  const port = await freePort();
  const server = await Server.start(t, join(kControllers, 'boom_modbus.xml'), '--set', `plc.port=${port}`, '--stop', '1000 s');
  const plc = new ModbusClient();
  t.after(() => plc.close(() => {}));
  await soon(plc.connectTCP('127.0.0.1', {port}), 'connect');
  plc.setID(1);
  assert.ok(Math.abs((await plc.readInputRegisters(0, 2)).buffer.readFloatBE() - 30) < 2);
  await plc.writeRegisters(0, float(0.25));
  assert.equal(await valueOf(server, kLever), 0.25);
  assert.equal((await plc.readHoldingRegisters(0, 2)).buffer.readFloatBE(), 0.25, 'it reads what it wrote');
  await assert.rejects(plc.writeRegisters(0, float(NaN)), ({modbusCode}) => modbusCode === 3);
  await assert.rejects(plc.readHoldingRegisters(500, 2), ({modbusCode}) => modbusCode === 2);
  await until(async () => {
    await plc.writeRegisters(0, float(0.25));
    return (await plc.readInputRegisters(0, 2)).buffer.readFloatBE() > 31;
  }, 'the boom rises');
  await until(async () => (await valueOf(server, kLever)) === 0, 'the lever is safe in silence');
  await until(async () => (await server.log()).some(({text}) => text.includes('event="plc.silent"')), 'the event');
});

test('mqtt.js publishes and subscribes in both versions', async (t) => {
  if (!existsSync(kBroker)) return t.skip('mosquitto is not installed');
  const port = await freePort();
  const file = join(temporaryFolder(t), 'mosquitto.conf');
  writeFileSync(file, `user root\nlistener ${port} 127.0.0.1\nallow_anonymous true\n`);
  const broker = spawn(kBroker, ['-c', file], {stdio: 'ignore'});
  t.after(() => broker.kill());
  await until(() => new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false)).on('connect', () => socket.end());
  }), 'the broker listens');
  for (const [protocolVersion, version] of [[4, '3.1.1'], [5, '5']]) {
    const server = await Server.start(t, join(kControllers, 'boom_mqtt.xml'), '--set', `plc.port=${port}`, '--set', `plc.version=${version}`, '--stop', '1000 s');
    const plc = await soon(mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {protocolVersion, reconnectPeriod: 0}), 'connect');
    t.after(() => plc.endAsync(true));
    const messages = new Map();
    plc.on('message', (topic, payload) => messages.set(topic, `${payload}`));
    await plc.subscribeAsync('boom/#', {qos: 1});
    await until(() => messages.get('boom/status') === 'online' && messages.has('boom/state'), 'messages');
    const {angle, step} = JSON.parse(messages.get('boom/state'));
    assert.ok(Math.abs(angle - 30) < 2);
    assert.equal(step, 0);
    await until(async () => {
      await plc.publishAsync('boom/command', '{"lever": 0.25}', {qos: 1});
      return (await valueOf(server, kLever)) === 0.25 && (await valueOf(server, kAngle)) > 31 * Math.PI / 180;
    }, 'the boom rises');
    await plc.publishAsync('boom/command', 'up', {qos: 1});
    await until(async () => (await server.log()).some(({kind, text}) => kind === 'alarm' && text.includes('Refused')), 'a text is refused');
    await until(async () => (await valueOf(server, kLever)) === 0, 'the lever is safe in silence');
    await server.stop();
    await until(() => messages.get('boom/status') === 'offline', 'it has ended');
  }
});

/** A run in lock step with a client that answers some of its steps, and what it has answered. */
async function lockStep(t, ...args) {
  const port = await freePort();
  const server = await Server.start(t, join(kControllers, 'boom_modbus.xml'), '--set', `plc.port=${port}`,
    '--set', 'plc.lock_step=10 ms', '--set', 'plc.timeout=1 s', '--free', ...args);
  const plc = new ModbusClient();
  t.after(() => plc.close(() => {}));
  await soon(plc.connectTCP('127.0.0.1', {port}), 'connect');
  plc.setID(1);
  const step = async () => (await plc.readInputRegisters(4, 2)).buffer.readUInt32BE();
  const answer = async (number) => {
    const bytes = Buffer.alloc(8);
    bytes.writeFloatBE(0.1);
    bytes.writeUInt32BE(number, 4);
    await plc.writeRegisters(0, bytes);
  };
  /** The next steps, until `last`. */
  const answerUntil = async (last) => {
    for (let number; (number = await step()) <= last;) await answer(number);
  };
  return {server, step, answer, answerUntil};
}

test('while a run waits in lock step, it is served', async (t) => {
  const {server, step, answerUntil} = await lockStep(t);
  assert.equal(await step(), 1);
  assert.equal(await valueOf(server, kLever), 0);
  assert.equal((await server.control('pause')).status, 'paused');
  await sleep(300);
  assert.equal(await step(), 1, 'the step is not left out');
  const step_without_answer = await server.control('step');
  assert.equal(step_without_answer.status, 409);
  assert.match(step_without_answer.error, /has not answered/);
  assert.equal((await server.control('start')).status, 'running');
  await answerUntil(20);
  assert.ok(Math.abs((await server.state()).time - 0.2) < 1e-9);
  await until(async () => (await server.state()).status === 'failed', 'no answer');
  assert.match((await server.state()).failure[0], /\/plc: no answer to step 21 of lock step within 1/);
  assert.equal((await server.control('reset')).time, 0);
  await server.stop();
});

test('a run that begins with a pause waits in lock step as long as it has to', async (t) => {
  const {server, step, answer} = await lockStep(t, '--paused');
  await sleep(1500);
  assert.equal((await server.state()).status, 'paused', 'longer than the timeout');
  assert.equal(await step(), 1);
  await answer(1);
  await until(async () => (await server.control('step')).time > 0, 'a step by hand');
  await until(async () => (await step()) === 2, 'the next exchange');
  assert.ok(Math.abs((await server.state()).time - 0.01) < 1e-9);
  const begin = Date.now();
  await server.stop();
  assert.ok(Date.now() - begin < 5000, 'Ctrl-C ends the wait');
});
