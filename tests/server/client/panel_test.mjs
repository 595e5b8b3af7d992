// Levers of a panel: a client that holds them is cut off.
import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {Raw, Server, sleep, temporaryFolder, until} from './support.mjs';

const kText = `<System name="rig">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="1000 s"/>
  <signal.Constant name="hand"/>
  <mechanical.Mass name="load" mass="1 kg"/>
  <Statechart name="watch" src="watch.scxml"/>
  <Panel name="cabin" title="Cabin" timeout="500 ms" lost_event="lost">
    <Lever name="hand" set="hand.value" low="-1" high="1"/>
  </Panel>
</System>`;
const kChart = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="normal"><transition event="lost" target="lost"/></state><state id="lost"/></scxml>`;

async function begin(t, ...args) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'rig.xml');
  writeFileSync(file, kText);
  writeFileSync(join(folder, 'watch.scxml'), kChart);
  return Server.start(t, file, ...args);
}

const valueOf = async (server, path) => (await server.get(`api/values?path=${path}`)).values[path];

/** Writes the lever as a client of StudioAPI: a setter request with a double. */
async function move(server, raw, number) {
  const {items} = await server.get('api/system');
  const id = items['hand.value'].node_id;
  const value = Buffer.alloc(8);
  value.writeDoubleLE(number);
  const request = Buffer.concat([Buffer.from(id < 128 ? [8, id, 0x11] : [8, id & 127 | 128, id >> 7, 0x11]), value]);
  raw.send(Buffer.concat([Buffer.from([8, 5, 0x3a, request.length]), request]));
  await until(async () => (await valueOf(server, 'hand.value')) === number, `the lever is at ${number}`);
}

async function expectLost(server) {
  await until(async () => (await valueOf(server, 'hand.value')) === 0, 'the lever is neutral');
  // The alarm NotRealTime depends on what else the machine does.
  const alarms = async () =>
    (await server.get('api/events')).events.filter(({kind, path}) => kind === 'alarm' && !path.endsWith('NotRealTime'));
  await until(async () => (await alarms()).length > 0, 'an alarm');
  assert.deepEqual((await alarms()).map(({path, is_set}) => [path, is_set]), [['cabin.operator_lost', true]]);
  await until(async () => (await valueOf(server, 'watch.state.lost')) === 1, 'the event');
  const lines = (await server.log()).map(({text}) => text).filter((text) => text.includes('dead man'));
  assert.match(lines.join('\n'), /by dead man of cabin: <At time=".*" set="hand.value" value="0"\/>/);
}

test('the panel is part of what the server says of the system', async (t) => {
  const server = await begin(t);
  const {panels} = await server.get('api/system');
  assert.equal(panels.length, 1);
  const {path, title, timeout, elements} = panels[0];
  assert.deepEqual({path, title, timeout}, {path: 'cabin', title: 'Cabin', timeout: 0.5});
  const {kind, axes, has_spring} = elements[0];
  assert.deepEqual({kind, axes, has_spring}, {kind: 'Lever', axes: [{item: 'hand.value', low: -1, high: 1, neutral: 0}], has_spring: true});
});

test('a connection that is cut returns the lever at once', async (t) => {
  const server = await begin(t);
  const raw = await Raw.open(server.host);
  await raw.message(0);
  await move(server, raw, 0.4);
  const cut = Date.now();
  raw.close();
  await expectLost(server);
  assert.ok(Date.now() - cut < 500, 'sooner than without a sign of life');
});

test('a client that is there but silent loses the lever after the timeout', async (t) => {
  const server = await begin(t);
  const raw = await Raw.open(server.host, {autoPong: false});
  await raw.message(0);
  await move(server, raw, 0.4);
  raw.socket._socket.pause();  // as if the cable was pulled: nothing comes and nothing goes
  await sleep(200);
  assert.equal(await valueOf(server, 'hand.value'), 0.4);
  await expectLost(server);
});

test('a client that only answers pings keeps the lever', async (t) => {
  const server = await begin(t);
  const raw = await Raw.open(server.host);
  await raw.message(0);
  await move(server, raw, 0.4);
  await sleep(1500);
  assert.equal(await valueOf(server, 'hand.value'), 0.4);
  raw.close();
});

test('a server that is read-only has no lever to hold', async (t) => {
  const server = await begin(t, '--read-only');
  assert.equal((await server.command('set hand.value 0.4')).status, 403);
});
