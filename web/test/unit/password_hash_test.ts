import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {test} from 'node:test';
import {fromBase64, passwordHash, toBase64} from '../../src/api/password_hash.ts';

test('is SHA256(challenge ":" SHA256(lower(user) ":" password)), both hashes raw', () => {
  const challenge = Uint8Array.from([0, 58, 255, 7]);
  const inner = createHash('sha256').update('crane:pass:wörd').digest();
  const outer = createHash('sha256').update(challenge).update(':').update(inner).digest('hex');
  assert.equal(Buffer.from(passwordHash(challenge, 'Crane', 'pass:wörd')).toString('hex'), outer);
});

test('Base64 there and back, every byte', () => {
  const all = Uint8Array.from({length: 256}, (_, i) => i);
  assert.deepEqual(fromBase64(toBase64(all)), all);
});
