// The same bits: of a run that is only watched, and of one that is repeated from its log.
import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {kLift, kSource, Raw, run, Server, soon, temporaryFolder, until} from './support.mjs';

const kCrane = join(kSource, 'systems/knuckle_boom_crane.xml');

async function watchEverything(server) {
  const {items} = await server.get('api/system');
  const ids = Object.values(items).slice(0, 300).map(({node_id}) => node_id);
  const raw = await Raw.open(server.host);
  for (const id of ids) {
    const request = Buffer.concat([Buffer.from(id < 128 ? [8, id] : [8, id & 127 | 128, id >> 7]), Buffer.from('110000000000003440', 'hex')]);
    raw.send(Buffer.concat([Buffer.from([8, 3, 0x2a, request.length]), request]));
  }
  return raw;
}

for (const [system, stop] of [[kLift, '12 s'], [kCrane, '2 s']]) {
  test(`a run that is only watched gives the bits of davit run: ${system}`, async (t) => {
    const folder = temporaryFolder(t);
    const [alone, watched] = ['alone.csv', 'watched.csv'].map((name) => join(folder, name));
    assert.equal((await run('run', system, '--stop', stop, '-o', alone)).code, 0);
    const server = await Server.start(t, system, '--stop', stop, '--realtime', '4', '--paused', '--until-finished', '-o', watched);
    const raw = await watchEverything(server);
    await raw.message(1);
    await server.get('api/history?path=time');
    await server.control('start');
    await server.control('pause').catch(() => {});
    await server.control('start').catch(() => {});
    assert.equal(await soon(server.ended, 'the run ends'), 0, server.err);
    assert.ok(raw.messages.length > 4);
    assert.ok(readFileSync(alone).equals(readFileSync(watched)));
  });
}

test('a run that was steered is repeated by the lines of its log, bit for bit', async (t) => {
  const folder = temporaryFolder(t);
  const [steered, again, copy] = ['steered.csv', 'again.csv', 'again.xml'].map((name) => join(folder, name));
  const server = await Server.start(t, kLift, '--stop', '6 s', '--realtime', '2', '--until-finished', '-o', steered);
  await until(async () => (await server.state()).time > 0.5, 'some time');
  for (const command of ['set load.mass 8 t', 'level cylinder Advanced', 'set pump.set_pressure 250 bar', 'set load.weight 78480']) {
    assert.equal((await server.command(command)).accepted, true);
    await until(((begin) => async () => (await server.state()).time > (begin ??= (await server.state()).time) + 0.2)(), 'some time');
  }
  const lines = (await server.log()).map(({text}) => text.match(/^by 127.*?(<At .*\/>)/)?.[1]).filter(Boolean);
  assert.equal(lines.length, 4);
  assert.equal(await soon(server.ended, 'the run ends'), 0);
  // The charts of the system stand beside it.
  const xml = readFileSync(kLift, 'utf8').replaceAll('charts/', `${join(kSource, 'systems/charts')}/`);
  writeFileSync(copy, xml.replace('</System>', `${lines.join('\n')}\n</System>`));
  const {code, err} = await run('run', copy, '--stop', '6 s', '-o', again);
  assert.equal(code, 0, err);
  assert.ok(readFileSync(steered).equals(readFileSync(again)));
});

test('a run continues until a time, and pauses there', async (t) => {
  const server = await Server.start(t, kLift, '--paused', '--free');
  for (const time of [1, 2.5]) {
    assert.equal((await server.control('until', {time})).error, undefined);
    await until(async () => (await server.state()).time >= time, 'the time');
    const {status, time: reached} = await server.state();
    assert.deepEqual([status, reached], ['paused', time]);
  }
  for (const [time, fault] of [[1, /already/], [1e6, /ends at/], ['noon', /needs a time/]])
    assert.match((await server.control('until', {time})).error, fault);
});

test('snapshots: download, upload, by name; reset; one step', async (t) => {
  const folder = temporaryFolder(t);
  const server = await Server.start(t, kLift, '--paused', '--snapshots', folder);
  assert.equal((await server.control('step')).time, 0.01);
  const snapshot = Buffer.from(await (await server.fetch('api/snapshot')).arrayBuffer());
  assert.equal((await server.post('api/snapshots?name=first')).status, 200);
  assert.deepEqual(await server.get('api/snapshots'), ['first']);
  for (const name of ['../first', 'a/b', '', '.first']) assert.equal((await server.post(`api/snapshots?name=${encodeURIComponent(name)}`)).status, 400);
  await server.control('step');
  await server.control('step');
  assert.equal((await server.state()).time, 0.03);
  assert.equal((await server.fetch('api/snapshot', {method: 'POST', body: snapshot})).status, 200);
  assert.equal((await server.state()).time, 0.01);
  await server.control('step');
  assert.equal((await server.post('api/snapshots/load?name=first')).status, 200);
  assert.equal((await server.post('api/snapshots/load?name=second')).status, 404);
  assert.equal((await server.state()).time, 0.01);
  assert.equal((await server.control('reset')).time, 0);
  assert.equal((await server.state()).status, 'paused');
});

test('history: the extremes stay, and signals of <Record> are kept from the start', async (t) => {
  const server = await Server.start(t, kLift, '--free', '--stop', '20 s');
  await until(async () => (await server.state()).status === 'finished', 'the end');
  const {recorded} = await server.get('api/system');
  assert.ok(recorded.length > 0);
  const path = recorded[0];
  const fine = (await server.get(`api/history?path=${path}&bins=1200`)).signals[path];
  const coarse = (await server.get(`api/history?path=${path}&bins=7`)).signals[path];
  assert.ok(coarse.t.length <= 7 && fine.t.length > 500);
  assert.equal(Math.max(...coarse.max), Math.max(...fine.max));
  assert.equal(Math.min(...coarse.min), Math.min(...fine.min));
  assert.equal(coarse.last.at(-1), fine.last.at(-1));
  assert.equal(fine.t.at(-1), 20);
  const part = (await server.get(`api/history?path=${path}&from=5&to=10`)).signals[path];
  assert.ok(part.t[0] >= 5 && part.t.at(-1) <= 10);
});
