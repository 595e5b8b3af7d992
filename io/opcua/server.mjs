#!/usr/bin/env node
// OPC UA server for a run of `davit serve`, whose HTTP interface it uses; docs/opc-ua.md is its page.
//
// Variables ask for their values when a client reads them, or when a subscription samples them. All that is asked for in one
// turn of the event loop is one request, so values of one sample are of one instant.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';

const kHelp = `node server.mjs [ADDRESS] [OPTIONS]: an OPC UA server for a run of davit serve at ADDRESS
(default http://127.0.0.1:7689/).

  --port N               port for OPC UA clients (default 4840)
  --listen IP            address to listen at (default 127.0.0.1: this computer only)
  --write                clients may set values and call methods; without it they can only read
  --certificates FOLDER  signed and encrypted connections only, with the certificates of the folder
  --help                 this text`;

const kUri = 'urn:davit:opcua';
const kFastest = 50; // ms between samples
const kMostSessions = 100;
const kPatience = 10_000; // ms for an answer
const kMostQuery = 6000; // characters of a query
const kWatch = 1000; // ms between looks at the run

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
    return {...values, port, address};
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

/** A request to davit: the answer, or an error with a `status` of OPC UA. */
async function ask(path, body) {
  let response;
  let answer;
  try {
    response = await fetch(options.address + path, {
      ...(body && {method: 'POST', body: JSON.stringify(body)}),
      signal: AbortSignal.timeout(kPatience),
    });
    answer = await response.text();
    if (response.ok) return answer;
    answer = JSON.parse(answer).error;
  } catch (fault) {
    const status = fault.name === 'TimeoutError' ? StatusCodes.BadTimeout : StatusCodes.BadNoCommunication;
    throw Object.assign(new Error(fault.cause?.message || fault.message), {status});
  }
  const known = {401: StatusCodes.BadUserAccessDenied, 403: StatusCodes.BadUserAccessDenied, 404: StatusCodes.BadNodeIdUnknown};
  throw Object.assign(new Error(answer), {status: known[response.status] ?? StatusCodes.BadResourceUnavailable});
}

let is_lost = false;

/** Paths wanted in this turn of the event loop, with those who wait for each. */
let wanted = new Map();

/** The number at a path; null if it is not finite. */
function readNumber(path) {
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
  option: {type: DataType.UInt32, show: (number) => number ?? 0, text: (value, item) => item.options[value] ?? null},
};
kTypes.integer = kTypes.number;

class Tree {
  #space;
  #root;

  constructor(address_space) {
    this.#space = address_space.getOwnNamespace();
    this.folder = address_space.rootFolder.objects;
  }

  /** Shows a system in place of the one before. */
  show(system, is_writable) {
    if (this.#root) this.#space.deleteNode(this.#root);
    this.is_writable = is_writable;
    this.#root = this.#space.addObject({organizedBy: this.folder, ...this.#name('/', system.name, system.file)});
    const objects = new Map([['', this.#root]]);
    for (const component of system.components) {
      const {path, parent, name, text, alarms, messages} = component;
      const object = this.#space.addObject({componentOf: objects.get(parent), ...this.#name(path, name, text)});
      objects.set(path, object);
      for (const item of component.items) this.#addVariable(object, item, system.items[item]);
      for (const alarm of alarms) {
        const shown = {name: alarm.name, text: `Alarm: ${alarm.text}`, value_kind: 'condition'};
        this.#addVariable(object, `${path}.${alarm.name}`, shown);
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

  #name(path, name, text) {
    return {nodeId: `s=${path}`, browseName: name, displayName: name, description: text};
  }

  #addProperty(variable, name, dataType, value) {
    const browseName = {name, namespaceIndex: 0};
    this.#space.addVariable({propertyOf: variable, typeDefinition: 'PropertyType', browseName, dataType, value});
  }

  #addVariable(object, path, item) {
    const kind = kTypes[item.value_kind];
    if (!kind) return; // texts
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
        readNumber(path).then(
          (number) => callback(null, new DataValue({value: {dataType: kind.type, value: kind.show(number)}, ...now()})),
          (fault) => callback(null, new DataValue({statusCode: fault.status, ...now()})),
        );
      },
      set: async ({value}) => {
        const text = kind.text(value, item);
        return text === null ? StatusCodes.BadOutOfRange : command(`set ${path} ${text}`);
      },
    });
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

for (;;) {
  await sleep(kWatch);
  try {
    await ask('api/state');
    if (!is_lost) continue;
  } catch {}
  is_lost = false;
  const now = await findSystem();
  if (now.text !== system.text || now.is_writable !== system.is_writable) tree.show(JSON.parse(now.text), now.is_writable);
  system = now;
  tell();
}
