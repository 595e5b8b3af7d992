#!/usr/bin/env node
// OPC UA server for a run of `davit serve`, whose HTTP interface it uses; docs/opc-ua.md is its page.
//
// Variables ask for their values when a client reads them, or when a subscription samples them. All that is asked for in one
// turn of the event loop is one request, so values of one sample are of one instant.

import {createHash} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

const kHelp = `node server.mjs [ADDRESS] [OPTIONS]: an OPC UA server for a run of davit serve at ADDRESS
(default http://127.0.0.1:7689/).

  --port N               port for OPC UA clients (default 4840)
  --listen IP            address to listen at (default 127.0.0.1: this computer only)
  --write                clients may set values and call methods; without it they can only read
  --certificates FOLDER  signed and encrypted connections only, with the certificates of the folder
  --login FILE           user name and password for davit serve --user, a line each; without it, those in the
                         environment variables DAVIT_OPCUA_USER and DAVIT_OPCUA_PASSWORD
  --help                 this text`;

const kUri = 'urn:davit:opcua';
const kFastest = 50; // ms between samples
const kMostSessions = 100;
const kPatience = 10_000; // ms for an answer
const kMostQuery = 6000; // characters of a query
const kWatch = 250; // ms between looks at the run
const kMostBins = 1200; // of a history
const kMostSeen = 20_000; // pairs of times, some hours
const kSeverity = {notify: 200, warning: 400, error: 600, emergency: 800}; // of alarms, from 1 to 1000
const kCondition = ' condition'; // behind the name of an alarm

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function fail(text, code = 2) {
  console.error(`error: ${text}`);
  process.exit(code);
}

function readOptions() {
  try {
    const {values, positionals} = parseArgs({
      allowPositionals: true,
      options: {
        port: {type: 'string', default: '4840'},
        listen: {type: 'string', default: '127.0.0.1'},
        write: {type: 'boolean', default: false},
        certificates: {type: 'string'},
        login: {type: 'string'},
        help: {type: 'boolean', default: false},
      },
    });
    if (values.help) {
      console.log(kHelp);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error('more than one ADDRESS');
    const port = Number(values.port);
    if (!Number.isInteger(port) || port < 1 || port > 65535) throw new Error(`--port ${values.port}: use 1 to 65535`);
    const address = (positionals[0] ?? 'http://127.0.0.1:7689/').replace(/\/?$/, '/');
    if (!/^https?:\/\/[^/]/.test(address))
      throw new Error(`'${positionals[0]}' is not an address such as http://127.0.0.1:7689/`);
    const {DAVIT_OPCUA_USER: user = '', DAVIT_OPCUA_PASSWORD: password = ''} = process.env;
    const login = values.login ? readFileSync(values.login, 'utf8').split(/\r?\n/) : [user, password];
    return {...values, port, address, login};
  } catch (fault) {
    return fail(`${fault.message}; --help lists the options`);
  }
}

const options = readOptions();
process.env.NODEOPCUA_LOG_LEVEL ??= '3'; // errors of the library
const {
  default: {
    DataType,
    DataValue,
    isMinDate,
    LocalizedText,
    makeEUInformation,
    MessageSecurityMode,
    OPCUACertificateManager,
    OPCUAServer,
    SecurityPolicy,
    StatusCodes,
    VariantArrayType,
  },
} = await import('node-opcua').catch((fault) => {
  if (fault.code !== 'ERR_MODULE_NOT_FOUND') throw fault;
  fail('the package node-opcua is not installed; run `npm ci` in the folder of server.mjs');
});

let cookie = ''; // of a login

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

async function logIn() {
  const [user, password] = options.login;
  const {challenge} = await (await fetch(`${options.address}api/login`)).json();
  const hash = sha256(Buffer.from(challenge, 'base64'), ':', sha256(`${user.toLowerCase()}:${password}`));
  const body = JSON.stringify({user, response: hash.toString('base64')});
  const response = await fetch(`${options.address}api/login`, {method: 'POST', body});
  if (!response.ok) fail(`${(await response.json()).error}; --login names the file with both`, 1);
  cookie = response.headers.get('set-cookie').split(';')[0];
}

/** A request to davit: the answer, or an error with a `status` of OPC UA. */
async function ask(path, body) {
  let response;
  let answer;
  try {
    const send = () =>
      fetch(options.address + path, {
        headers: {cookie},
        ...(body && {method: 'POST', body: JSON.stringify(body)}),
        signal: AbortSignal.timeout(kPatience),
      });
    response = await send();
    if (response.status === 401 && options.login[0]) {
      await logIn();
      response = await send();
    }
    answer = await response.text();
    if (response.ok) return answer;
    answer = JSON.parse(answer).error;
  } catch (fault) {
    const status = fault.name === 'TimeoutError' ? StatusCodes.BadTimeout : StatusCodes.BadNoCommunication;
    throw Object.assign(new Error(fault.cause?.message || fault.message), {status});
  }
  const known = {
    401: StatusCodes.BadUserAccessDenied,
    403: StatusCodes.BadUserAccessDenied,
    404: StatusCodes.BadNodeIdUnknown,
  };
  throw Object.assign(new Error(answer), {status: known[response.status] ?? StatusCodes.BadResourceUnavailable});
}

let is_lost = false;

/** Paths wanted in this turn of the event loop, with those who wait for each. */
let wanted = new Map();

/** The number or text at a path; null if it is not finite. */
function readValue(path) {
  return new Promise((resolve, reject) => {
    if (wanted.size === 0) setImmediate(askForWanted);
    if (!wanted.has(path)) wanted.set(path, []);
    wanted.get(path).push({resolve, reject});
  });
}

function askForWanted() {
  const all = wanted;
  wanted = new Map();
  const queries = [''];
  for (const path of all.keys()) {
    const part = `path=${encodeURIComponent(path)}`;
    if (queries.at(-1).length + part.length > kMostQuery) queries.push('');
    queries.push((queries.pop() + `&${part}`).replace(/^&/, ''));
  }
  for (const query of queries) {
    const waiting = [...new URLSearchParams(query).getAll('path')].map((path) => [path, all.get(path)]);
    ask(`api/values?${query}`).then(
      (answer) => {
        const {values} = JSON.parse(answer);
        for (const [path, list] of waiting) for (const {resolve} of list) resolve(values[path]);
      },
      (fault) => {
        is_lost = true;
        for (const [, list] of waiting) for (const {reject} of list) reject(fault);
      },
    );
  }
}

/** Gives davit a line of `--commands`: the status for the client. */
async function command(line) {
  try {
    const {accepted, text} = JSON.parse(await ask('api/command', {command: line}));
    if (accepted) return StatusCodes.Good;
    console.error(`refused: ${line}: ${text}`);
    return StatusCodes.BadOutOfRange;
  } catch (fault) {
    console.error(`failed: ${line}: ${fault.message}`);
    return fault.status;
  }
}

/** How OPC UA shows the kinds of values of davit. */
const kTypes = {
  number: {
    type: DataType.Double,
    show: (number) => number ?? NaN,
    text: (value) => (Number.isFinite(value) ? `${value}` : null),
  },
  condition: {type: DataType.Boolean, show: (number) => number !== 0, text: (value) => `${value}`},
  text: {type: DataType.String, show: (text) => text, text: (value) => value},
  option: {type: DataType.UInt32, show: (number) => number ?? 0, text: (value, item) => item.options[value] ?? null},
};
kTypes.integer = kTypes.number;

/** When the run was where: pairs of simulated time [s] and real time [ms], as this program has seen them. */
class RunClock {
  #seen = [];
  #looks = Promise.resolve();

  /** One after the other, or an older answer would look like another run. */
  look() {
    this.#looks = this.#looks
      .catch(() => {})
      .then(async () => {
        const {time, speed} = JSON.parse(await ask('api/state'));
        this.#see(time, speed || 1, Date.now());
      });
    return this.#looks;
  }

  #see(t, speed, at) {
    // What came before the first look, also of another run, is taken to have had no pause.
    const last = this.#seen.at(-1);
    if (!last || t < last.t) this.#seen = [{t: 0, at: Math.max(at - (1000 * t) / speed, last?.at ?? 0)}];
    if (this.#seen.at(-2)?.t === t) this.#seen.pop(); // of a pause its begin and its end
    this.#seen.push({t, at});
    if (this.#seen.length > kMostSeen) this.#seen = this.#seen.filter((_, i) => i % 2 === 0 || i > kMostSeen / 2);
  }

  dateOf = (t) => this.#convert('t', 'at', t, 1000);
  timeOf = (at) => this.#convert('at', 't', at, 1 / 1000);

  /** Between two pairs on their straight line; outside of all, at speed 1. */
  #convert(from, to, value, slope) {
    let [low, high] = [0, this.#seen.length]; // the first pair that is not before `value`
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#seen[middle][from] < value) low = middle + 1;
      else high = middle;
    }
    const [before, behind] = [this.#seen[low - 1], this.#seen[low]];
    if (!before || !behind) {
      const end = before ?? behind;
      return end[to] + slope * (value - end[from]);
    }
    return before[to] + ((behind[to] - before[to]) * (value - before[from])) / (behind[from] - before[from]);
  }
}

/** What davit has kept of a signal, for HistoryRead. */
class Historian {
  constructor(path, kind, tree) {
    Object.assign(this, {path, kind, tree});
  }

  push() {} // davit keeps the values

  extractDataValues({startTime, endTime}, most, is_last_first, is_reversed, callback) {
    this.#find(startTime, endTime).then(
      (values) => {
        if (is_last_first || is_reversed) values.reverse();
        callback(null, most > 0 ? values.slice(0, most) : values);
      },
      (fault) => callback(fault),
    );
  }

  async #find(begin, end) {
    const {clock} = this.tree;
    await clock.look();
    const time = (date, other) => (isMinDate(date) ? other : clock.timeOf(date.getTime()));
    const [from, to] = [time(begin, 0), time(end, Number.MAX_VALUE)];
    const query = new URLSearchParams({path: this.path, from: Math.max(from, 0), to, bins: kMostBins});
    const {t, last} = JSON.parse(await ask(`api/history?${query}`)).signals[this.path];
    await clock.look(); // again: a run that was late and catches up would have times of the future
    return t.flatMap((one, i) => {
      if (one < from || one > to) return [];
      const value = {dataType: this.kind.type, value: this.kind.show(last[i])};
      return [new DataValue({value, sourceTimestamp: new Date(clock.dateOf(one))})];
    });
  }
}

class Tree {
  #space;
  #root;
  #levels = new Map(); // by path of the alarm
  #conditions = new Map();
  clock = new RunClock();

  constructor(address_space) {
    address_space.installAlarmsAndConditionsService();
    // Some clients call the method of the type.
    this.#bindAcknowledge(address_space.findEventType('AcknowledgeableConditionType'));
    this.#space = address_space.getOwnNamespace();
    this.folder = address_space.rootFolder.objects;
  }

  /** Shows a system in place of the one before. */
  show(system, is_writable) {
    if (this.#root) this.#space.deleteNode(this.#root);
    this.#conditions.clear();
    this.is_writable = is_writable;
    const notifier = {eventNotifier: 1, notifierOf: this.folder.server};
    this.#root = this.#space.addObject({organizedBy: this.folder, ...notifier, ...this.#name('/', system.name, system.file)});
    const recorded = new Set(system.recorded);
    const objects = new Map([['', this.#root]]);
    for (const component of system.components) {
      const {path, parent, name, text, alarms, messages} = component;
      const source = alarms.length > 0 ? {eventSourceOf: this.#root} : {};
      const object = this.#space.addObject({componentOf: objects.get(parent), ...source, ...this.#name(path, name, text)});
      objects.set(path, object);
      for (const item of component.items) {
        const variable = this.#addVariable(object, item, system.items[item]);
        if (!recorded.has(item)) continue;
        const historian = new Historian(item, kTypes[system.items[item].value_kind], this);
        this.#space.addressSpace.installHistoricalDataNode(variable, {historian});
      }
      for (const alarm of alarms) {
        const shown = {name: alarm.name, text: `Alarm: ${alarm.text}`, value_kind: 'condition'};
        this.#addVariable(object, `${path}.${alarm.name}`, shown);
        this.#levels.set(`${path}.${alarm.name}`, alarm.level);
      }
      for (const message of messages) {
        this.#addMethod(object, `${path}.${message.name}`, message, message.has_text ? ['text'] : [], (argument = '') =>
          command(`message ${path} ${message.name} ${argument}`.trim()),
        );
      }
    }
    this.#addVariable(this.#root, 'time', {name: 'time', text: 'Simulated time', unit: 's', value_kind: 'number'});
    const event = {name: 'event', text: 'Sends an event to all statecharts'};
    this.#addMethod(this.#root, 'event', event, ['name'], (name) => command(`event ${name}`));
  }

  /** Tells clients that an alarm has changed; it is a condition from the first time on. */
  showAlarm({path, text, is_set, is_acknowledged}) {
    if (!this.#conditions.has(path)) this.#conditions.set(path, this.#addCondition(path));
    const condition = this.#conditions.get(path);
    const branch = condition.currentBranch();
    const retain = is_set || !is_acknowledged;
    branch.setActiveState(is_set);
    branch.setAckedState(is_acknowledged);
    branch.setRetain(retain);
    const severity = kSeverity[this.#levels.get(path)];
    condition.raiseNewCondition({message: text, severity, quality: StatusCodes.Good, retain});
  }

  /** For another run of the same system. */
  clearAlarms() {
    for (const path of this.#conditions.keys())
      this.showAlarm({path, text: 'another run has begun', is_set: false, is_acknowledged: true});
  }

  #addCondition(path) {
    const [, owner, name] = path.match(/^(.*)\.([^.]*)$/);
    const object = this.#space.findNode(`s=${owner}`);
    const condition = this.#space.instantiateAlarmCondition('AlarmConditionType', {
      nodeId: `s=${path}${kCondition}`,
      browseName: `${name}${kCondition}`,
      componentOf: object,
      conditionSource: object,
      conditionName: name,
      inputNode: this.#space.findNode(`s=${path}`),
    });
    condition.sourceName.setValueFromSource({dataType: DataType.String, value: owner});
    this.#bindAcknowledge(condition);
    return condition;
  }

  #bindAcknowledge({acknowledge}) {
    acknowledge.bindMethod(async (_inputs, {object}) => {
      if (!this.is_writable) return {statusCode: StatusCodes.BadUserAccessDenied};
      const path = object.nodeId.value.slice(0, -kCondition.length);
      const status = await ask('api/acknowledge', {path}).then(
        () => StatusCodes.Good,
        (fault) => fault.status,
      );
      return {statusCode: status};
    });
  }

  #name(path, name, text) {
    return {nodeId: `s=${path}`, browseName: name, displayName: name, description: text};
  }

  #addProperty(variable, name, dataType, value) {
    const browseName = {name, namespaceIndex: 0};
    this.#space.addVariable({propertyOf: variable, typeDefinition: 'PropertyType', browseName, dataType, value});
  }

  #addVariable(object, path, item) {
    const kind = kTypes[item.value_kind];
    const can_write = this.is_writable && item.is_writable;
    const access = can_write ? 'CurrentRead | CurrentWrite' : 'CurrentRead';
    const shown = item.unit ? 'AnalogUnitType' : item.options ? 'MultiStateDiscreteType' : 'BaseDataVariableType';
    const variable = this.#space.addVariable({
      componentOf: object,
      ...this.#name(path, item.name, item.text),
      typeDefinition: shown,
      dataType: kind.type,
      accessLevel: access,
      userAccessLevel: access,
      minimumSamplingInterval: kFastest,
    });
    if (item.unit) {
      const value = makeEUInformation(item.unit, item.unit, item.unit);
      Object.assign(value, {namespaceUri: kUri, unitId: -1}); // no number of UNECE
      this.#addProperty(variable, 'EngineeringUnits', 'EUInformation', {dataType: DataType.ExtensionObject, value});
    }
    if (item.options) {
      const value = item.options.map((text) => new LocalizedText({text}));
      const variant = {dataType: DataType.LocalizedText, arrayType: VariantArrayType.Array, value};
      this.#addProperty(variable, 'EnumStrings', 'LocalizedText', variant);
    }
    variable.bindVariable({
      refreshFunc: (callback) => {
        const now = () => ({sourceTimestamp: new Date(), serverTimestamp: new Date()});
        readValue(path).then(
          (number) => callback(null, new DataValue({value: {dataType: kind.type, value: kind.show(number)}, ...now()})),
          (fault) => callback(null, new DataValue({statusCode: fault.status, ...now()})),
        );
      },
      set: async ({value}) => {
        const text = kind.text(value, item);
        return text === null ? StatusCodes.BadOutOfRange : command(`set ${path} ${text}`);
      },
    });
    return variable;
  }

  #addMethod(object, path, {name, text}, inputs, call) {
    const inputArguments = inputs.map((input) => ({name: input, dataType: DataType.String}));
    const method = this.#space.addMethod(object, {...this.#name(path, name, text), inputArguments, outputArguments: []});
    method.bindMethod(async (values, _context) => {
      if (!this.is_writable) return {statusCode: StatusCodes.BadUserAccessDenied};
      return {statusCode: await call(...values.map(({value}) => value ?? ''))};
    });
  }
}

/** The system that davit serves, as text, and whether its values may be set; waits for davit. */
async function findSystem() {
  for (let is_told = false; ; await sleep(kWatch)) {
    try {
      const text = await ask('api/system');
      const {read_only} = JSON.parse(await ask('api/state'));
      return {text, is_writable: options.write && !read_only};
    } catch (fault) {
      if (fault.status !== StatusCodes.BadNoCommunication && fault.status !== StatusCodes.BadTimeout) throw fault;
      if (!is_told) console.error(`waiting for davit serve at ${options.address}: ${fault.message}`);
      is_told = true;
    }
  }
}

const folder = options.certificates ?? mkdtempSync(join(tmpdir(), 'davit-opcua-'));
if (!options.certificates) process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(0));

let system = await findSystem().catch((fault) => fail(`${options.address}: ${fault.message}`, 1));
const is_secure = Boolean(options.certificates);
const certificates = new OPCUACertificateManager({rootFolder: folder, automaticallyAcceptUnknownCertificate: !is_secure});
const server = new OPCUAServer({
  port: options.port,
  host: options.listen,
  hostname: options.listen === '0.0.0.0' || options.listen === '::' ? undefined : options.listen,
  securityModes: is_secure ? [MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt] : [MessageSecurityMode.None],
  securityPolicies: is_secure ? [SecurityPolicy.Basic256Sha256, SecurityPolicy.Aes256_Sha256_RsaPss] : [SecurityPolicy.None],
  serverCertificateManager: certificates,
  userCertificateManager: certificates,
  maxConnectionsPerEndpoint: kMostSessions + 20,
  serverCapabilities: {maxSessions: kMostSessions},
  serverInfo: {applicationUri: kUri, productUri: kUri, applicationName: {text: 'davit'}},
  buildInfo: {productName: 'davit', softwareVersion: JSON.parse(system.text).version},
});
await server.initialize();
const tree = new Tree(server.engine.addressSpace);
tree.show(JSON.parse(system.text), system.is_writable);
await server.start().catch((fault) => fail(`--port ${options.port}: ${fault.message}`, 1));
const tell = () =>
  console.log(
    `${JSON.parse(system.text).name} at ${server.getEndpointUrl()}, ${system.is_writable ? 'read and write' : 'read-only'}`,
  );
tell();

let next_event = 0;
for (;;) {
  await sleep(kWatch);
  const answer = await tree.clock
    .look()
    .then(() => ask(`api/events?after=${next_event}`))
    .catch(() => null);
  if (answer && !is_lost) {
    const {next, events} = JSON.parse(answer);
    for (const event of events) if (event.kind === 'alarm') tree.showAlarm(event);
    next_event = next;
    continue;
  }
  is_lost = false;
  next_event = 0;
  const now = await findSystem();
  if (now.text !== system.text || now.is_writable !== system.is_writable) {
    tree.show(JSON.parse(now.text), now.is_writable);
  } else {
    tree.clearAlarms();
  }
  tree.clock = new RunClock();
  system = now;
  tell();
}
