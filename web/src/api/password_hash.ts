import {sha256} from '@noble/hashes/sha2.js';

// Not crypto.subtle: browsers have that only for https and the own machine.

const encoder = new TextEncoder();

/** What StudioAPI calls PasswordHash: SHA256(challenge ":" SHA256(lower(user) ":" password)). */
export function passwordHash(challenge: Uint8Array, user: string, password: string): Uint8Array {
  const inner = sha256(encoder.encode(`${user.toLowerCase()}:${password}`));
  return sha256(new Uint8Array([...challenge, ':'.charCodeAt(0), ...inner]));
}

export const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
