import { beforeEach, expect, test } from 'vitest';
import { muted, seen } from './memory.ts';

beforeEach(() => localStorage.clear());

test('what is known of a table is remembered, of the last sixty', () => {
  expect(seen.of('a')).toBeNull();
  seen.keep('a', 4);
  for (let i = 0; i < 59; i++) seen.keep(`t${i}`, i);
  expect(seen.of('a')).toBe(4);
  seen.keep('b', 1);
  expect(seen.of('a')).toBeNull();
  expect(seen.of('t58')).toBe(58);
});

test('garbage is nothing remembered', () => {
  for (const junk of ['{', '7', '[[1,2],["a"],["a",["x"]],["b",7]]']) {
    localStorage.setItem('copse.seen', junk);
    expect(seen.of('a')).toBeNull();
  }
  expect(seen.of('b')).toBe(7);
  localStorage.setItem('copse.muted', '[["a",[7]],["b",["x"]]]');
  expect(muted.of('a')).toBeNull();
  expect(muted.of('b')).toEqual(['x']);
});
