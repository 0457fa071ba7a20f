// @vitest-environment node
import { expect, test } from 'vitest';
import { reached, shifts, soFar, pulse } from './counting.ts';

test('parts are counted one after the other, each with a moment to read it', () => {
  expect(reached(-100, 2)).toEqual({ at: 0, share: 0 });
  expect(reached(300, 2)!.share).toBeCloseTo(0.5);
  expect(reached(700, 2)).toEqual({ at: 0, share: 1 });
  expect(reached(900, 2)).toEqual({ at: 1, share: 0 });
  expect(reached(1800, 2)).toBeNull();
});

test('many parts take no longer than a few', () => {
  for (let parts = 1; parts < 12; parts++) expect(pulse(parts) * parts).toBeLessThan(3201);
});

test('the sum grows with the part, and is the total at the end', () => {
  expect([0, 0.5, 1].map((share) => soFar([10, 7], 0, share))).toEqual([0, 5, 10]);
  expect([0, 0.5, 1].map((share) => soFar([10, 7], 1, share))).toEqual([10, 14, 17]);
  expect(soFar([10, 7], 2, 0)).toBe(17);
});

test('rows stand in the order of the seats, however tall they are', () => {
  expect(shifts([0, 1, 2], [44, 44, 44], 6)).toEqual([0, 0, 0]);
  expect(shifts([1, 0], [44, 44], 6)).toEqual([50, -50]);
  // Second, third, first: the tall row of seat 2 stands last.
  expect(shifts([2, 0, 1], [60, 44, 44], 6)).toEqual([100, -66, -66]);
});
