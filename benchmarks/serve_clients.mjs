// What clients cost: davit serve with the crane at real time, without clients and with many.
//
//   CLIENT_WORK=build/release/tests/server/client DAVIT=build/release/bin/davit node benchmarks/serve_clients.mjs
//     [CLIENTS=100] [VALUES=50] [FS=20] [SECONDS=60]
//
// CLIENT_WORK is where the test server/Client.packages has put the package ws. Printed for both runs: processor time of the thread
// that drives and of that which serves, as shares of one core; missed periods of 1/fs; memory at the beginning and the end; values
// that all clients have got in a second.
import {spawn} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const WebSocket = createRequire(join(process.env.CLIENT_WORK, 'x.js'))('ws');
const [clients, values, fs, seconds] = [100, 50, 20, 60].map((usual, i) => Number(process.argv[2 + i] ?? usual));
const crane = join(dirname(fileURLToPath(import.meta.url)), '../systems/knuckle_boom_crane.xml');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function varint(number) {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push(number & 127 | 128);
  return [...bytes, number];
}

/** A GetterRequest for the nodes. */
function subscription(ids) {
  const rate = Buffer.alloc(8);
  rate.writeDoubleLE(fs);
  const entries = ids.map((id) => {
    const entry = [8, ...varint(id), 0x11, ...rate];
    return [0x2a, ...varint(entry.length), ...entry];
  });
  return Buffer.from([8, 3, ...entries.flat()]);
}

/** Counts the values of a GetterResponse. */
function countValues(data) {
  if (data[0] !== 8 || data[1] !== 4) return 0;
  let count = 0;
  for (let i = 2; i < data.length; ++count) {
    let size = 0, shift = 0;
    for (++i; data[i] > 127; ++i, shift += 7) size |= (data[i] & 127) << shift;
    size |= data[i] << shift;
    i += size + 1;
  }
  return count;
}

/** Processor seconds of each thread of a process: the first one drives, another one serves. */
function processorTimes(pid) {
  const times = {};
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
    times[thread] = (Number(fields[11]) + Number(fields[12])) / 100;
  }
  return times;
}
const memory = (pid) => 4096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);

async function measure(count, seconds) {
  const server = spawn(process.env.DAVIT, ['serve', crane, '--port', '0', '--stop', `${seconds + 3600} s`], {stdio: ['ignore', 'pipe', 'ignore']});
  let said = '';
  server.stdout.on('data', (data) => said += data);
  while (!/at http:\S+/.test(said)) await sleep(50);
  const address = said.match(/at (http:\S+)/)[1];
  const {items, recorded} = await (await fetch(`${address}api/system`)).json();
  const signals = Object.entries(items).filter(([, item]) => item.signal && ['state', 'output', 'derivative'].includes(item.kind));
  const ids = signals.map(([, item]) => item.node_id).slice(0, 10 * values);
  let received = 0;
  const sockets = await Promise.all(Array.from({length: count}, (_, n) => new Promise((resolve) => {
    const socket = new WebSocket(address.replace('http', 'ws'));
    socket.on('message', (data) => received += countValues(data));
    socket.on('open', () => {
      // Not the same ones for all.
      socket.send(subscription(Array.from({length: values}, (_, i) => ids[(7 * n + i) % ids.length])));
      resolve(socket);
    });
  })));
  await sleep(2000);
  const state = async () => (await fetch(`${address}api/state`)).json();
  const [before, times, begin, bytes, got] = [await state(), processorTimes(server.pid), performance.now(), memory(server.pid), received];
  await sleep(1000 * seconds);
  const [after, times2] = [await state(), processorTimes(server.pid)];
  const wall = (performance.now() - begin) / 1000;
  const share = (thread) => (times2[thread] - times[thread]) / wall;
  const others = Object.keys(times2).filter((thread) => Number(thread) !== server.pid);
  console.log(`${count} clients, ${count * values} values at ${fs} Hz, ${wall.toFixed(0)} s, ${recorded.length} signals recorded`);
  console.log(`  thread that drives       ${(100 * share(server.pid)).toFixed(2)} % of a core`);
  console.log(`  thread that serves       ${(100 * Math.max(...others.map(share))).toFixed(2)} % of a core`);
  console.log(`  missed periods           ${after.missed_periods - before.missed_periods} of ${Math.round(100 * (after.time - before.time))}`);
  console.log(`  memory                   ${(bytes / 1e6).toFixed(1)} MB, then ${(memory(server.pid) / 1e6).toFixed(1)} MB`);
  console.log(`  values received          ${((received - got) / wall).toFixed(0)} in a second; rows dropped ${after.values_dropped}`);
  sockets.forEach((socket) => socket.terminate());
  server.kill('SIGINT');
  await new Promise((resolve) => server.on('exit', resolve));
}

await measure(0, Math.min(seconds, 60));
await measure(clients, seconds);
