// The OPC UA server of io/opcua with the client of node-opcua.
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test as declare} from 'node:test';
import {kClosedVolume, kLift, kSource, Server, sleep, soon, temporaryFolder, until} from './support.mjs';

// A server of OPC UA takes 4 s of processor time to start, which are 20 s and more on a busy machine.
const kPatience = 120_000;  // ms

// A folder in which `npm ci` was run with the lock file of io/opcua.
const kPackages = process.env.DAVIT_OPCUA;
process.env.NODEOPCUA_LOG_LEVEL = '3';
const opcua = createRequire(join(kPackages, 'server.mjs'))('node-opcua');
const {AttributeIds, DataType, MessageSecurityMode, NodeClass, OPCUACertificateManager, OPCUAClient, SecurityPolicy, StatusCodes, TimestampsToReturn} = opcua;

/** What hangs is named, instead of the file that does not end. */
const test = (name, body) => declare(name, {timeout: 4 * kPatience}, body);

/** In place of a test for what several tests use: it ends with the last of them. */
const whole = {hooks: [], after(hook) { this.hooks.push(hook); }};
after(async () => {
  for (const hook of whole.hooks) await hook();
});

// The certificate of the clients, in a folder that is removed; else they would leave one in the home of the user.
const kPki = mkdtempSync(join(tmpdir(), 'davit-opcua-clients-'));
const clientCertificateManager = new OPCUACertificateManager({rootFolder: kPki, automaticallyAcceptUnknownCertificate: true});
process.on('exit', () => rmSync(kPki, {recursive: true}));

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const {port} = server.address();
    server.close(() => resolve(port));
  });
});

/** server.mjs as a process of its own. */
class Gateway {
  clients = [];

  static async start(t, address, ...args) {
    const gateway = new Gateway();
    const folder = temporaryFolder(t);
    cpSync(join(kSource, 'io/opcua/server.mjs'), join(folder, 'server.mjs'));
    symlinkSync(join(kPackages, 'node_modules'), join(folder, 'node_modules'));
    gateway.port = await freePort();
    gateway.url = `opc.tcp://127.0.0.1:${gateway.port}`;
    gateway.out = gateway.err = '';
    const port = args.includes('--port') ? [] : ['--port', `${gateway.port}`];
    gateway.temporary = mkdtempSync(join(tmpdir(), 'davit-opcua-server-'));
    const env = {...process.env, TMPDIR: gateway.temporary};
    gateway.child = spawn(process.execPath, [join(folder, 'server.mjs'), ...(address ? [address] : []), ...port, ...args], {env});
    gateway.child.stdout.on('data', (data) => gateway.out += data);
    gateway.child.stderr.on('data', (data) => gateway.err += data);
    gateway.ended = new Promise((resolve) => gateway.child.on('close', (code, signal) => resolve(signal ?? code)));
    t.after(async () => {
      await gateway.stop();
      rmSync(gateway.temporary, {recursive: true});
    });
    return gateway;
  }
  async listens() {
    await until(() => this.out.includes(' at opc.tcp:') || this.child.exitCode !== null, 'it listens', kPatience);
    assert.equal(this.child.exitCode, null, this.err);
    return this;
  }
  /** Ends by itself: the exit code. */
  end() {
    return soon(this.ended, 'the OPC UA server ends', kPatience);
  }
  /** After its clients: they would try to connect again for ever. */
  async stop() {
    for (const client of this.clients.splice(0)) await soon(client.disconnect(), 'disconnect', kPatience);
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGINT');
    return this.end();
  }
}

async function connect(t, gateway, options = {}) {
  const client = OPCUAClient.create({
    endpointMustExist: false, connectionStrategy: {maxRetry: 0}, clientCertificateManager, defaultTransactionTimeout: kPatience,
    requestedSessionTimeout: 10 * kPatience,
    keepSessionAlive: true,  // a connection at rest is closed after a minute; the session it leaves behind counts on
    ...options,
  });
  gateway.clients.push(client);
  t.after(async () => {  // unless the server has ended, and with it the connection
    if (gateway.clients.includes(client)) await soon(client.disconnect(), 'disconnect', kPatience);
    gateway.clients = gateway.clients.filter((one) => one !== client);
  });
  await soon(client.connect(gateway.url), 'connect', kPatience);
  return soon(client.createSession(), 'session', kPatience);
}

const node = (path) => `ns=1;s=${path}`;
const read = (session, path) => session.read({nodeId: node(path), attributeId: AttributeIds.Value});
const write = (session, path, dataType, value) =>
  session.write({nodeId: node(path), attributeId: AttributeIds.Value, value: {value: {dataType, value}}});

/** A run and its OPC UA server, with a session. */
async function start(t, system, davit = [], args = []) {
  const server = await Server.start(t, system, ...davit);
  const gateway = await (await Gateway.start(t, server.address, ...args)).listens();
  return {server, gateway, session: await connect(t, gateway)};
}

const pairs = new Map();

/**
 * The same with --write, of one run and one server for all tests of a system: the run is at its beginning, and paused.
 * `reader` starts a server without --write.
 */
async function share(t, system) {
  if (!pairs.has(system)) {
    const begin = async () => {
      const server = await Server.start(whole, system, '--paused', '--stop', '1000 s');
      const gateway = await (await Gateway.start(whole, server.address, '--write')).listens();
      let reader;
      const startReader = async () => reader ??= await (await Gateway.start(whole, server.address)).listens();
      return {server, gateway, reader: startReader};
    };
    pairs.set(system, begin());
  }
  const pair = await pairs.get(system);
  await pair.server.control('reset');
  return {...pair, session: await connect(t, pair.gateway)};
}

async function childrenOf(session, nodeId) {
  const {references} = await session.browse(nodeId);
  return new Map(references.map((reference) => [reference.browseName.name, reference]));
}

test('the tree is that of the system', async (t) => {
  const {server, session} = await share(t, kClosedVolume);
  const root = (await childrenOf(session, 'ObjectsFolder')).get('closed_volume');
  const line = (await childrenOf(session, root.nodeId)).get('line');
  const p = (await childrenOf(session, line.nodeId)).get('p');
  assert.equal(`${p.nodeId}`, node('line.p'));
  const unit = (await childrenOf(session, p.nodeId)).get('EngineeringUnits');
  const {value} = await session.read({nodeId: unit.nodeId, attributeId: AttributeIds.Value});
  assert.equal(value.value.displayName.text, 'Pa');
  const description = await session.read({nodeId: p.nodeId, attributeId: AttributeIds.Description});
  const {items} = await server.get('api/system');
  assert.equal(description.value.value.text, items['line.p'].text);
  // Each number, text, option, condition and alarm, and nothing that the system does not have.
  const found = [];
  const walk = async (nodeId) => {
    for (const reference of (await childrenOf(session, nodeId)).values()) {
      const [, path] = `${reference.nodeId}`.split('ns=1;s=');
      if (!path) continue;  // of OPC UA itself, such as the configuration of a history
      if (reference.nodeClass === NodeClass.Variable && !path.includes('-')) found.push(path);  // with it, properties
      await walk(reference.nodeId);
    }
  };
  await walk(root.nodeId);
  const known = Object.keys(items);
  assert.deepEqual(found.filter((path) => items[path]).sort(), known.sort());
  assert.deepEqual(found.filter((path) => !items[path]).filter((path) => !/\.[A-Za-z_]+$/.test(path)), ['time']);
});

test('values are those of HTTP; unknown names are refused', async (t) => {
  const {server, session} = await share(t, kLift);
  const {items} = await server.get('api/system');
  const paths = Object.keys(items);
  assert.ok(paths.some((path) => items[path].value_kind === 'text'));
  const wanted = {};
  for (let i = 0; i < paths.length; i += 100) {
    const query = paths.slice(i, i + 100).map((path) => `path=${encodeURIComponent(path)}`).join('&');
    Object.assign(wanted, (await server.get(`api/values?${query}`)).values);
  }
  const answers = await session.read(paths.map((path) => ({nodeId: node(path), attributeId: AttributeIds.Value})));
  for (const [i, path] of paths.entries()) {
    assert.equal(answers[i].statusCode, StatusCodes.Good, path);
    const {value} = answers[i].value;
    assert.equal(items[path].value_kind === 'text' ? value : Number(value), wanted[path] ?? NaN, path);
  }
  const option = paths.find((path) => items[path].options);
  const texts = (await childrenOf(session, node(option))).get('EnumStrings');
  const strings = await session.read({nodeId: texts.nodeId, attributeId: AttributeIds.Value});
  assert.deepEqual(strings.value.value.map(({text}) => text), items[option].options);
  assert.equal((await read(session, 'nothing.p')).statusCode, StatusCodes.BadNodeIdUnknown);
});

test('without --write nothing is changed, and with a run that is read-only neither', async (t) => {
  const shared = await share(t, kClosedVolume);
  const reader = await shared.reader();
  for (const {server, gateway, session} of [
    {server: shared.server, gateway: reader, session: await connect(t, reader)},
    await start(t, kClosedVolume, ['--read-only'], ['--write']),
  ]) {
    assert.match(gateway.out, /read-only/);
    const before = (await server.log()).length;
    assert.equal(await write(session, 'source.flow', DataType.Double, 1e-4), StatusCodes.BadNotWritable);
    const call = {objectId: node('/'), methodId: node('event'), inputArguments: [{dataType: DataType.String, value: 'go'}]};
    assert.equal((await session.call(call)).statusCode, StatusCodes.BadUserAccessDenied);
    assert.equal((await read(session, 'source.flow')).value.value, 0);
    assert.equal((await server.log()).slice(before).filter(({text}) => text.includes('<At')).length, 0);
  }
});

test('with --write values are set, and wrong ones refused', async (t) => {
  const {server, gateway, session} = await share(t, kClosedVolume);
  await server.control('start');
  assert.equal(await write(session, 'source.flow', DataType.Double, 1.5e-5), StatusCodes.Good);
  assert.equal((await read(session, 'source.flow')).value.value, 1.5e-5);
  await until(async () => (await server.log()).some(({text}) => /<At .*set="source.flow"/.test(text)), 'the log repeats it');
  for (const value of [NaN, Infinity]) assert.equal(await write(session, 'source.flow', DataType.Double, value), StatusCodes.BadOutOfRange);
  assert.equal(await write(session, 'source.flow', DataType.String, '1e-4'), StatusCodes.BadTypeMismatch);
  assert.equal(await write(session, 'source.flow', DataType.Boolean, true), StatusCodes.BadTypeMismatch);
  assert.equal(await write(session, 'time', DataType.Double, 1), StatusCodes.BadNotWritable);
  const {items} = await server.get('api/system');
  const [limited] = Object.entries(items).find(([, item]) => item.is_writable && item.value_kind === 'number' && item.min >= 0);
  assert.equal(await write(session, limited, DataType.Double, -1), StatusCodes.BadOutOfRange);
  assert.match(gateway.err, new RegExp(`refused: set ${limited} -1: `));
  for (const step of [1e-300, 1e9]) assert.equal(await write(session, 'SimulatorManager.TimeStep', DataType.Double, step), StatusCodes.BadOutOfRange);
  assert.equal((await read(session, 'source.flow')).value.value, 1.5e-5);
});

test('options, messages and events', async (t) => {
  const {server, session} = await share(t, kLift);
  await server.control('start');
  const {items} = await server.get('api/system');
  const {options} = items['cylinder.level'];
  const advanced = options.indexOf('Advanced');
  assert.equal(await write(session, 'cylinder.level', DataType.UInt32, advanced), StatusCodes.Good);
  await until(async () => (await read(session, 'cylinder.level')).value.value === advanced, 'the level');
  assert.equal(await write(session, 'cylinder.level', DataType.UInt32, 99), StatusCodes.BadOutOfRange);
  const call = (owner, method, ...values) =>
    session.call({objectId: node(owner), methodId: node(method), inputArguments: values.map((value) => ({dataType: DataType.String, value}))});
  assert.equal((await call('/', 'event', 'stop')).statusCode, StatusCodes.Good);
  await until(async () => (await server.log()).some(({text}) => text.includes('event="stop"')), 'the event');
  assert.equal((await call('SimulatorManager', 'SimulatorManager.Stop')).statusCode, StatusCodes.Good);
  await until(async () => (await server.state()).status === 'paused', 'the message pauses the run');
});

/** A subscription to a value: the list of changes. */
async function subscribe(session, path, milliseconds) {
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: milliseconds, requestedLifetimeCount: 6000, requestedMaxKeepAliveCount: 100, publishingEnabled: true,
  });
  const item = await subscription.monitor({nodeId: node(path), attributeId: AttributeIds.Value},
    {samplingInterval: milliseconds, discardOldest: true, queueSize: 100}, TimestampsToReturn.Both);
  const changes = [];
  item.on('changed', (value) => changes.push(value));
  return changes;
}

test('a subscription gets a change at each interval', async (t) => {
  const {server, session} = await share(t, kClosedVolume);
  await server.control('start');
  const changes = await subscribe(session, 'time', 100);
  await sleep(3000);
  assert.ok(changes.length > 20 && changes.length < 40, `${changes.length} changes in 3 s`);
  const times = changes.map(({value}) => value.value);
  assert.deepEqual(times, times.toSorted?.((a, b) => a - b) ?? times, 'in order');
  assert.equal(new Set(times).size, times.length, 'each once');
});

/** The events of the server from now on, and what asks for those of present alarms. */
async function subscribeToEvents(session) {
  const subscription = await session.createSubscription2({
    requestedPublishingInterval: 50, requestedLifetimeCount: 6000, requestedMaxKeepAliveCount: 100, publishingEnabled: true,
  });
  const fields = ['EventId', 'ConditionName', 'SourceName', 'Message', 'Severity', 'ActiveState.Id', 'AckedState.Id', 'Retain', 'ConditionId'];
  const filter = opcua.constructEventFilter(fields);
  filter.selectClauses[8] = new opcua.SimpleAttributeOperand(
    {typeDefinitionId: opcua.resolveNodeId('ConditionType'), browsePath: [], attributeId: AttributeIds.NodeId});
  const item = await subscription.monitor({nodeId: 'i=2253', attributeId: AttributeIds.EventNotifier},
    {samplingInterval: 0, discardOldest: true, queueSize: 100, filter}, TimestampsToReturn.Both);
  const events = [];
  item.on('changed', (values) => {
    const event = Object.fromEntries(fields.map((field, i) => [field, values[i].value]));
    if (event.ConditionName) events.push(event);
  });
  const refresh = () => session.call({
    objectId: 'i=2782', methodId: 'i=3875', inputArguments: [{dataType: DataType.UInt32, value: subscription.subscriptionId}],
  });
  return {events, refresh};
}

test('alarms are conditions, acknowledged with the right to write only', async (t) => {
  const {server, session, reader} = await share(t, kClosedVolume);
  await server.control('start');
  const {events} = await subscribeToEvents(session);
  const of = (name) => events.filter(({ConditionName}) => ConditionName === name);  // NotRealTime depends on the machine
  await server.command('set source.flow -100 l/min');
  await until(() => of('cavitation').length > 0, 'the alarm');
  const [alarm] = of('cavitation');
  assert.equal(alarm.SourceName, 'line');
  assert.equal(alarm.Severity, 400);
  assert.ok(alarm.Message.text.length > 0);
  assert.deepEqual([alarm['ActiveState.Id'], alarm['AckedState.Id'], alarm.Retain], [true, false, true]);
  assert.equal((await read(session, 'line.cavitation')).value.value, true);

  const acknowledge = (from) => from.call({objectId: alarm.ConditionId, methodId: 'i=9111', inputArguments: [
    {dataType: DataType.ByteString, value: alarm.EventId}, {dataType: DataType.LocalizedText, value: {text: 'seen'}}]});
  const reading = await connect(t, await reader());
  const late = await subscribeToEvents(reading);
  await until(async () => {
    await late.refresh();
    return late.events.some(({ConditionName}) => ConditionName === 'cavitation');
  }, 'a client that comes later sees it');
  assert.equal((await acknowledge(reading)).statusCode, StatusCodes.BadUserAccessDenied);
  assert.equal((await acknowledge(session)).statusCode, StatusCodes.Good);
  await until(() => of('cavitation').at(-1)['AckedState.Id'] === true, 'it is acknowledged');
  assert.equal(of('cavitation').at(-1)['ActiveState.Id'], true);
  await until(async () => (await server.log()).some(({text}) => text.includes('acknowledge line.cavitation')), 'davit has it');

  await server.command('set source.flow 100 l/min');
  await until(() => of('cavitation').at(-1)['ActiveState.Id'] === false, 'it ends when the oil is back');
  assert.equal(of('cavitation').at(-1).Retain, false);
});

test('history is what davit has recorded', async (t) => {
  const {server, session} = await share(t, kClosedVolume);
  await server.control('until', {time: 3});
  await until(async () => {
    const {status, time} = await server.state();
    return status === 'paused' && time >= 3;
  }, 'the end');
  const begin = new Date(Date.now() - 3600e3), end = new Date(Date.now() + 3600e3);
  const kept = (await server.get('api/history?path=line.p&from=0&to=3&bins=1200')).signals['line.p'];
  const history = async (...range) => {
    const {statusCode, historyData} = await session.readHistoryValue(node('line.p'), ...range);
    assert.equal(statusCode, StatusCodes.Good);
    return historyData.dataValues;
  };
  const all = await history(begin, end);
  assert.deepEqual(all.map(({value}) => value.value), kept.last);
  const times = all.map(({sourceTimestamp}) => sourceTimestamp.getTime());
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
  assert.ok(begin < times[0] && times.at(-1) <= Date.now());
  const middle = await history(all[100].sourceTimestamp, all[110].sourceTimestamp);
  assert.ok(Math.abs(middle.length - 11) <= 1, `${middle.length}`);  // times of OPC UA clients have whole milliseconds
  assert.deepEqual((await history(end, begin)).map(({value}) => value.value), kept.last.toReversed?.() ?? [...kept.last].reverse());
  const none = await session.readHistoryValue(node('line.volume'), begin, end);
  assert.ok(none.statusCode.isNotGood(), 'not recorded');
});

test('time stamps of a history are those of the clock, across a pause and a reset', async (t) => {
  const {server, session} = await share(t, kClosedVolume);
  await server.control('start');
  const history = async () => {
    const {statusCode, historyData} = await session.readHistoryValue(node('line.p'), new Date(Date.now() - 3600e3), new Date(Date.now() + 3600e3));
    assert.equal(statusCode, StatusCodes.Good);
    return historyData.dataValues.map(({sourceTimestamp}) => sourceTimestamp.getTime());
  };
  await sleep(1500);
  await server.control('pause');
  const paused = Date.now();
  await sleep(2000);
  const first = await history();
  const begun = Date.now();
  await server.control('start');
  await sleep(1500);
  const times = await history();
  const close = 800;  // three looks of the program at the run
  assert.ok(first.at(-1) < paused + close, 'those before the pause');
  const known = new Set(first);
  assert.ok(times.filter((time) => time < first.at(-2)).every((time) => known.has(time)), 'they stay');
  const behind = times.filter((time) => time > paused + close);
  assert.ok(behind.length > 5 && behind[0] > begun - close && behind.at(-1) > begun + 1500 - 2 * close, 'those behind it');
  await server.control('reset');
  const reset = Date.now();
  await server.control('start');
  await sleep(1000);
  const again = await history();
  assert.ok(again[0] > reset - close, `${again[0] - reset}: of another run`);
  assert.ok(again.at(-1) <= Date.now(), `${again.at(-1) - Date.now()}: of the past`);
});

test('it logs in to a run with a user', async (t) => {
  const folder = temporaryFolder(t);
  const [password, login, wrong] = ['password', 'login', 'wrong'].map((name) => join(folder, name));
  writeFileSync(password, 'a long secret\n');
  writeFileSync(login, 'Anna\na long secret\n');
  writeFileSync(wrong, 'Anna\nguessed\n');
  const server = await Server.start(t, kClosedVolume, '--user', 'Anna', '--password-file', password);
  const gateway = await (await Gateway.start(t, server.address, '--write', '--login', login)).listens();
  const session = await connect(t, gateway);
  assert.equal(await write(session, 'source.flow', DataType.Double, 1e-5), StatusCodes.Good);
  assert.equal((await read(session, 'source.flow')).value.value, 1e-5);
  for (const [args, text] of [[['--login', wrong], /wrong user or password; --login/], [[], /log in first/]]) {
    const refused = await Gateway.start(t, server.address, ...args);
    assert.equal(await refused.end(), 1);
    assert.match(refused.err, text);
  }
});

test('a run that ends is bad until it is back; another system replaces the tree', async (t) => {
  const first = await Server.start(t, kClosedVolume);
  const port = ['--port', new URL(first.address).port];
  const gateway = await (await Gateway.start(t, first.address)).listens();
  const session = await connect(t, gateway);
  const changes = await subscribe(session, 'time', 100);
  await until(() => changes.at(-1)?.statusCode === StatusCodes.Good, 'values');
  const {events} = await subscribeToEvents(session);
  const cavitates = () => events.findLast(({ConditionName}) => ConditionName === 'cavitation')?.['ActiveState.Id'];
  await first.command('set source.flow -100 l/min');
  await until(cavitates, 'an alarm');
  await first.stop();
  await until(() => changes.at(-1).statusCode === StatusCodes.BadNoCommunication, 'the loss is seen');
  assert.equal((await read(session, 'line.p')).statusCode, StatusCodes.BadNoCommunication);
  const second = await Server.start(t, kClosedVolume, ...port);
  await until(() => changes.at(-1).statusCode === StatusCodes.Good, 'it is back');
  await until(() => cavitates() === false, 'no alarm of the run before');
  assert.equal((await read(session, 'line.p')).value.value, 1e7);
  await second.stop();
  await Server.start(t, kLift, ...port);
  await until(async () => (await read(session, 'cylinder.p_a')).statusCode === StatusCodes.Good, 'the other system');
  assert.equal((await read(session, 'line.p')).statusCode, StatusCodes.BadNodeIdUnknown);
  await until(() => gateway.out.trim().split('\n').at(-1).startsWith('operated_lift at '), 'it tells which one');
});

test('100 sessions; one more is refused', async (t) => {
  const {server, gateway, session: first} = await share(t, kClosedVolume);
  await server.control('start');
  // Each subscribes at once: a connection at rest is closed after a minute, and on a busy machine a hundred take longer.
  const changes = [await subscribe(first, 'time', 500)];
  const sessions = [];
  for (let i = 1; i < 100; ++i) {
    sessions.push(await connect(t, gateway));
    changes.push(await subscribe(sessions.at(-1), 'time', 500));
  }
  await until(() => changes.every((list) => list.length > 3), 'each gets values', kPatience);
  await assert.rejects(connect(t, gateway), /TooManySessions/);
  await sessions[0].close();
  const another = await connect(t, gateway);
  assert.equal((await read(another, 'line.p')).statusCode, StatusCodes.Good);
  assert.equal((await read(first, 'line.p')).statusCode, StatusCodes.Good);
});

test('it waits for the run, and says what is wrong', async (t) => {
  const port = await freePort();
  const gateway = await Gateway.start(t, `http://127.0.0.1:${port}`);
  await until(() => gateway.err.includes(`waiting for davit serve at http://127.0.0.1:${port}/`), 'it waits', kPatience);
  await Server.start(t, kClosedVolume, '--port', `${port}`);
  await gateway.listens();
  for (const [args, code, text] of [
    [['--ports', '1'], 2, /--help lists the options/],
    [['--port', 'x'], 2, /--port x: use 1 to 65535/],
    [['--port', `${gateway.port}`], 1, /EADDRINUSE/],
  ]) {
    const faulty = await Gateway.start(t, `http://127.0.0.1:${port}`, ...args);
    assert.equal(await faulty.end(), code, faulty.err);
    assert.match(faulty.err, text);
  }
  const nonsense = await Gateway.start(t, 'nonsense');
  assert.equal(await nonsense.end(), 2);
  assert.match(nonsense.err, /'nonsense' is not an address/);
  assert.equal(readdirSync(gateway.temporary).length, 1, 'the folder of its certificates');
  assert.equal(await gateway.stop(), 0);
  assert.equal(readdirSync(gateway.temporary).length, 0, 'it is removed');
});

test('with certificates, only trusted clients connect', async (t) => {
  const folder = temporaryFolder(t);
  const server = await Server.start(t, kClosedVolume);
  const gateway = await (await Gateway.start(t, server.address, '--certificates', folder)).listens();
  await assert.rejects(connect(t, gateway), 'without security');
  const secure = {securityMode: MessageSecurityMode.SignAndEncrypt, securityPolicy: SecurityPolicy.Basic256Sha256};
  await assert.rejects(connect(t, gateway, secure), 'a stranger');
  const rejected = join(folder, 'rejected');
  await until(() => existsSync(rejected) && readdirSync(rejected).length > 0, 'its certificate is kept');
  for (const name of readdirSync(rejected)) renameSync(join(rejected, name), join(folder, 'trusted/certs', name));
  await sleep(1000);  // the folder is watched
  const session = await connect(t, gateway, secure);
  assert.equal((await read(session, 'line.p')).value.value, 1e7);
});
