// @vitest-environment node
import { expect, test } from 'vitest';
import { bytesOf, canOf } from './doorbell.ts';

const good = { secure: true, worker: true, push: true, notes: true, permission: 'default', apple: false } as const;

test('a browser can be told, or it is said why not: the first thing that one can change comes first', () => {
  expect(canOf(good)).toBe('yes');
  expect(canOf({ ...good, permission: 'granted' })).toBe('yes');
  expect(canOf({ ...good, permission: 'denied' })).toBe('denied');
  expect(canOf({ ...good, secure: false, push: false, worker: false })).toBe('plain');
  expect(canOf({ ...good, apple: true })).toBe('yes'); // on the home screen
  expect(canOf({ ...good, apple: true, push: false, notes: false })).toBe('install');
  expect(canOf({ ...good, secure: false, apple: true, push: false })).toBe('plain');
  for (const what of ['push', 'worker', 'notes'] as const) expect(canOf({ ...good, [what]: false })).toBe('never');
});

test('a key is read from base64url, with every digit that it may have', () => {
  expect([...bytesOf('-_8A')]).toEqual([251, 255, 0]);
  expect(bytesOf('BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8')).toHaveLength(65);
});
