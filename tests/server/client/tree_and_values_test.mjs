// The tree, values and writes with the client of CDP Studio.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {collectPrints, kClosedVolume, kLift, Server, sleep, soon, until} from './support.mjs';

const find = (client, path) => soon(client.find(path), `find ${path}`);

function childrenOf(node) {
  const names = [];
  node.forEachChild((child) => names.push(child.name()));
  return names;
}

/** Samples of a node for some time. */
async function samplesOf(node, ms, fs, rate) {
  const samples = [];
  const consumer = (value, stamp) => samples.push({value, stamp: Number(stamp)});
  node.subscribeToValues(consumer, fs, rate);
  await sleep(ms);
  node.unsubscribeFromValues(consumer);
  return {samples};
}

test('the tree has what the system has, by the paths of the command line', async (t) => {
  const server = await Server.start(t, kLift);
  const client = server.client();
  const root = await soon(client.root(), 'root');
  assert.deepEqual(childrenOf(root), ['operated_lift']);
  const application = await find(client, 'operated_lift');
  assert.equal(application.info().node_type, 1);
  assert.equal(application.info().is_local, true);
  const names = childrenOf(application);
  for (const name of ['SimulatorManager', 'operator', 'pump', 'cylinder', 'load', 'time']) assert.ok(names.includes(name), name);
  assert.equal(new Set(names).size, names.length, 'names are unique');

  const x = await find(client, 'operated_lift.load.x');
  assert.equal(x.info().value_type, 1);
  const mass = await find(client, 'operated_lift.load.mass');
  assert.equal(mass.info().flags & 4, 0);
  for (const child of ['unit', 'min', 'default', 'text', 'as_text']) assert.ok(childrenOf(mass).includes(child), child);
  const level = await find(client, 'operated_lift.cylinder.level');
  assert.equal(level.info().value_type, 12);
  for (const path of ['cylinder.a.p', 'load.x.ddt', 'operator.state.waiting', 'operator.active_states',
                      'SimulatorManager.NotRealTime.Acknowledge', 'SimulatorManager.Start']) {
    const node = await find(client, `operated_lift.${path}`);
    assert.ok(node.isValid(), path);
  }
  await assert.rejects(find(client, 'operated_lift.load.nothing'), /not found/);
});

test('values come at once, then as they change', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const client = server.client();
  const unit = await find(client, 'closed_volume.line.p.unit');
  const units = await samplesOf(unit, 300, 5, 0);
  assert.equal(units.samples[0].value, 'Pa');
  const p = await find(client, 'closed_volume.line.p');
  const at_rest = await samplesOf(p, 500, 20, 0);
  assert.equal(at_rest.samples.length, 1, 'the last value, and no other as nothing changes');
  assert.equal(at_rest.samples[0].value, 1e7);

  const flow = await find(client, 'closed_volume.source.flow');
  flow.setValue(1e-6);
  const pressure = [];
  p.subscribeToValues((value) => pressure.push(value), 10, 0);
  await until(() => pressure.at(-1) > 1.1e7, 'the pressure rises');

  const time = await find(client, 'closed_volume.time');
  const all = await samplesOf(time, 2000, 5, 0);
  // The pace of the machine says how many there are; none of them is missing.
  assert.ok(all.samples.length > 10, `${all.samples.length} samples`);
  for (let i = 1; i < all.samples.length; ++i) {
    assert.ok(all.samples[i].stamp > all.samples[i - 1].stamp, 'stamps rise');
    assert.ok(Math.abs(all.samples[i].value - all.samples[i - 1].value - 0.01) < 1e-9, 'no sample is missing');
  }
  const few = await samplesOf(time, 2000, 20, 10);
  const seconds = (few.samples.at(-1).stamp - few.samples[0].stamp) / 1e9;
  assert.ok(few.samples.length > 2 && few.samples.length <= 10 * seconds + 2, `${few.samples.length} samples in ${seconds} s`);
});

test('writes: numbers, texts with units, options, messages; what is wrong is refused and changes nothing', async (t) => {
  const server = await Server.start(t, kLift);
  await collectPrints(async (printed) => {
    const client = server.client();
    const values = {};
    for (const path of ['load.mass', 'load.mass.as_text', 'cylinder.level', 'pump.control', 'operator.active_states']) {
      const node = await find(client, `operated_lift.${path}`);
      values[path] = {node};
      node.subscribeToValues((value) => values[path].value = value, 20, 0);
    }
    const reaches = (path, value) => until(() => values[path].value === value, `${path} = ${value}, is ${values[path].value}`);
    await reaches('load.mass', 10000);
    await reaches('load.mass.as_text', '10000 kg');
    values['load.mass'].node.setValue(8000);
    await reaches('load.mass', 8000);
    await reaches('load.mass.as_text', '8000 kg');
    values['load.mass.as_text'].node.setValue('9 t');
    await reaches('load.mass', 9000);
    values['cylinder.level'].node.setValue('Advanced');
    await reaches('cylinder.level', 'Advanced');
    await until(() => values['operator.active_states'].value?.includes('operator'), 'active states');

    values['load.mass.as_text'].node.setValue('9 bar');
    await until(() => printed.some((line) => line.includes('/load')), 'refused as in a file');
    values['load.mass'].node.setValue(-1);
    await until(() => printed.filter((line) => line.includes('/load')).length >= 2, 'out of range');
    const x = await find(client, 'operated_lift.load.acceleration');
    x.setValue(1);
    await until(() => printed.some((line) => line.includes('cannot be written')), 'an output');
    values['cylinder.level'].node.setValue('Advancedd');
    await until(() => printed.some((line) => line.includes("did you mean 'Advanced'")), 'an option');
    await sleep(200);
    assert.equal(values['load.mass'].value, 9000);
    assert.equal(values['cylinder.level'].value, 'Advanced');

    const stop = await find(client, 'operated_lift.SimulatorManager.Stop');
    stop.setValue('');
    await until(async () => (await server.state()).status === 'paused', 'the message Stop pauses');
    const start = await find(client, 'operated_lift.SimulatorManager.Start');
    start.setValue('');
    await until(async () => (await server.state()).status === 'running', 'the message Start resumes');

    const lines = (await server.log()).map((line) => line.text);
    assert.ok(lines.some((line) => /^by 127\.0\.0\.1:\d+: <At time=.* set="load\.mass" value="8000 kg"\/>$/.test(line)), lines.join('\n'));
  });
});

test('what cannot be done is refused politely', async (t) => {
  const server = await Server.start(t, kClosedVolume, '--read-only');
  await collectPrints(async (printed) => {
    const client = server.client();
    const flow = await find(client, 'closed_volume.source.flow');
    flow.setValue(1);
    await until(() => printed.some((line) => line.includes('read-only')), 'read only');
    const line = await find(client, 'closed_volume.line');
    line.addChild('new', 'hydraulic.Volume');
    await until(() => printed.some((text) => text.includes('code 40')), 'add');
    line.removeChild('p');
    await until(() => printed.some((text) => text.includes('code 50')), 'remove');
    assert.equal((await server.command('set source.flow 1')).status, 403);
    assert.equal((await server.control('pause')).status, 403);
    assert.equal((await server.get('api/values?path=source.flow')).values['source.flow'], 0);
  });
});

test('a client finds its server again', async (t) => {
  await collectPrints(async () => {
    const first = await Server.start(t, kClosedVolume);
    const port = new URL(first.address).port;
    const client = first.client(undefined, true);
    const time = await find(client, 'closed_volume.time');
    let last = 0;
    let count = 0;
    time.subscribeToValues((value) => { last = value; ++count; }, 10, 10);
    await until(() => last > 0.2, 'values');
    await first.stop();
    const second = await Server.start(t, kClosedVolume, '--port', port);
    const before = count;
    await until(() => count > before + 2 && last > 0, 'values of the second server');
    await second.stop();
  });
  setTimeout(() => process.exit(process.exitCode ?? 0), 500).unref();
});
