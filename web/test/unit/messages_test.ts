// Golden bytes of the protocol, as its own clients send and take them.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {getterRequest, readContainer, readHello, structureRequest} from '../../src/api/messages.ts';

const bytes = (hex: string) => Uint8Array.from(hex.replaceAll(' ', '').match(/../g)!, (pair) => parseInt(pair, 16));
const hex = (data: Uint8Array) => [...data].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const same = (data: Uint8Array, golden: string) => assert.equal(hex(data), golden.replaceAll(' ', ''));

test('reads Hello', () => {
  const hello = readHello(bytes('0a03537973 1002 1800 3203417070 3804 400c 4800'));
  assert.equal(hello.system_name, 'Sys');
  assert.equal(hello.compat_version, 2);
  assert.ok(!hello.challenge?.length);
});

test('asks for the structure', () => {
  same(structureRequest(), '0801');
  same(structureRequest([3]), '0801 1803');
});

test('subscribes', () => {
  same(getterRequest([{node_id: 3, fs: 5}]), '0803 2a0b 0803 110000000000001440');
});

test('many requests go in one frame', () => {
  same(
    getterRequest([
      {node_id: 3, fs: 5},
      {node_id: 3, stop: true},
    ]),
    '0803 2a0b 0803 110000000000001440 2a04 0803 1801',
  );
});

test('reads a sample', () => {
  const {message_type, getter_response} = readContainer(bytes('0804 320d 0803 11000000000000f83f 7001'));
  assert.equal(message_type, 4);
  assert.equal(getter_response.length, 1);
  assert.equal(getter_response[0]!.node_id, 3);
  assert.equal(getter_response[0]!.d_value, 1.5);
  assert.equal(getter_response[0]!.timestamp, 1);
});

test('reads an error', () => {
  const {error} = readContainer(bytes('0800 1212 083c 120c 6e6f2073756368206e6f6465 1863'));
  assert.equal(error!.code, 60);
  assert.equal(error!.text, 'no such node');
  assert.equal(error!.node_id, 99);
});

test('skips what it does not know', () => {
  const {getter_response} = readContainer(bytes('0804 f20703 616263 320d 0803 11000000000000f83f 7001'));
  assert.equal(getter_response[0]!.d_value, 1.5);
});
