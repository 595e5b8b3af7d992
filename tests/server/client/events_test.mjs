// Alarms, switches and transitions as events, with history and acknowledge.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {kClosedVolume, kLift, Server, soon, until} from './support.mjs';

const kSet = 1, kAcknowledged = 4, kReprise = 64;
const kWarningSet = 0x10, kWarningUnacknowledged = 0x100000;

const dataOf = (event) => Object.fromEntries(event.data.map(({name, value}) => [name, value]));

test('an alarm is an event, comes again from the history, and is acknowledged by its node', async (t) => {
  const server = await Server.start(t, kClosedVolume);
  const client = server.client();
  const line = await soon(client.find('closed_volume.line'), 'line');
  const events = [];
  line.subscribeToEvents((event) => events.push(event));
  const flow = await soon(client.find('closed_volume.source.flow'), 'flow');
  flow.setValue(-1e-4);
  await until(() => events.length > 0, 'the alarm');
  assert.equal(events[0].sender, 'closed_volume.line.cavitation');
  assert.equal(events[0].code, kSet);
  assert.equal(events[0].status, kWarningSet | kWarningUnacknowledged);
  assert.match(dataOf(events[0]).Text, /cavitates/);

  const alarm = await soon(client.find('closed_volume.line.cavitation'), 'alarm');
  let is_set;
  alarm.subscribeToValues((value) => is_set = value);
  await until(() => is_set === true, 'the value of the alarm');

  const acknowledge = await soon(client.find('closed_volume.line.cavitation.Acknowledge'), 'Acknowledge');
  acknowledge.setValue('');
  await until(() => events.length > 1, 'it is acknowledged');
  assert.equal(events[1].code, kAcknowledged);
  assert.equal(events[1].status, kWarningSet);

  const late = server.client();
  const application = await soon(late.find('closed_volume'), 'application');
  const past = [];
  // The alarm NotRealTime depends on what else the machine does.
  application.subscribeToEvents((event) => event.sender.includes('cavitation') && past.push(event), 1);
  await until(() => past.length >= 2, 'the history');
  assert.equal(past[0].code, kSet | kReprise);
  assert.equal(String(past[0].id), String(events[0].id));

  // The same over HTTP.
  const {events: listed} = await server.get('api/events?after=0');
  assert.deepEqual(listed.filter(({path}) => path.includes('cavitation')).map(({path, is_set, is_acknowledged}) => [path, is_set, is_acknowledged]),
                   [['line.cavitation', true, false], ['line.cavitation', true, true]]);
  assert.equal((await server.post('api/acknowledge', {path: 'line.nothing'})).status, 404);
});

test('switches of levels and transitions of charts are events', async (t) => {
  const server = await Server.start(t, kLift, '--free', '--stop', '12 s', '--paused');
  const client = server.client();
  const application = await soon(client.find('operated_lift'), 'application');
  const events = [];
  application.subscribeToEvents((event) => events.push(event));
  assert.equal((await server.command('level cylinder Advanced')).accepted, true);
  await server.control('start');
  await until(async () => (await server.state()).status === 'finished', 'the end');
  await until(() => events.some((event) => dataOf(event).Kind === 'transition'), 'transitions');
  const of = (kind) => events.filter((event) => dataOf(event).Kind === kind);
  assert.ok(of('level').some((event) => event.sender === 'operated_lift.cylinder' && /Ideal -> Advanced/.test(dataOf(event).Text)));
  assert.ok(of('transition').some((event) => event.sender === 'operated_lift.operator' && /waiting -> lifting/.test(dataOf(event).Text)));
  const chart = await server.get('api/chart?component=operator');
  assert.ok(chart.last.some(({text}) => /waiting -> lifting/.test(text)));
  assert.ok(chart.states.some(({id, active}) => id === 'working' && active));
});
