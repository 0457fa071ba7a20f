import { beforeEach, expect, test } from 'vitest';
import { muted, lastSeen } from './memory.ts';

beforeEach(() => localStorage.clear());

test('what is known of a table is remembered, of the last sixty', () => {
  expect(lastSeen.of('a')).toBeNull();
  lastSeen.keep('a', 4);
  for (let i = 0; i < 59; i++) lastSeen.keep(`t${i}`, i);
  expect(lastSeen.of('a')).toBe(4);
  lastSeen.keep('b', 1);
  expect(lastSeen.of('a')).toBeNull();
  expect(lastSeen.of('t58')).toBe(58);
});

test('garbage is nothing remembered', () => {
  for (const junk of ['{', '7', '[[1,2],["a"],["a",["x"]],["b",7]]']) {
    localStorage.setItem('copse.seen', junk);
    expect(lastSeen.of('a')).toBeNull();
  }
  expect(lastSeen.of('b')).toBe(7);
  localStorage.setItem('copse.muted', '[["a",[7]],["b",["x"]]]');
  expect(muted.of('a')).toBeNull();
  expect(muted.of('b')).toEqual(['x']);
});
