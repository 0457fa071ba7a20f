// @vitest-environment node
import { expect, test } from 'vitest';
import { fresh } from './waiting.ts';

test('who pressed a moment ago and looks is there; everybody else is asked', () => {
  expect(fresh(1000, 2000, 'visible')).toBe(true);
  expect(fresh(1000, 12_000, 'visible')).toBe(false); // long ago
  expect(fresh(1000, 2000, 'hidden')).toBe(false); // looks elsewhere
  expect(fresh(0, 2000, 'visible')).toBe(false); // pressed on another device
});
