// @vitest-environment node
import { expect, test } from 'vitest';
import { outOfReach } from './reach.ts';

test('who is to answer and is not connected is out of reach, not oneself, nor a bot, nor who left', () => {
  const seats = ['person', 'person', 'away', 'bot', 'person'].map((held) => ({ held }));
  expect(outOfReach([0, 1, 2, 3, 4], seats, [4], 0)).toEqual([1]);
  expect(outOfReach([0, 1], seats, [], null)).toEqual([0, 1]);
  expect(outOfReach([1], seats, [1], 0)).toEqual([]);
  expect(outOfReach([7], seats, [], 0)).toEqual([]);
});
