// @vitest-environment node
import { expect, test } from 'vitest';
import { loopback } from './loopback.ts';

test('a link by these names leads nowhere from another computer', () => {
  for (const host of ['localhost', 'copse.localhost', '127.0.0.1', '127.1.2.3', '[::1]']) expect(loopback(host), host).toBe(true);
});

test('and by these it does', () => {
  for (const host of ['192.168.1.7', 'copse.example', '127.example', 'localhost.example', '[fe80::1]']) expect(loopback(host), host).toBe(false);
});
