import { expect, test } from 'vitest';
import { standing } from './words.ts';
import { trace } from './view.ts';

test.for([
  [[0, 3], 0, 'none'],
  [[3, 0], 0, 'alone'],
  [[4, 3], 0, 'first'],
  [[4, 3], 1, 'second'],
  [[4, 4, 1], 1, 'tied-first'],
  [[5, 2, 2], 2, 'tied-second'],
  [[5, 4, 2], 2, 'behind'],
] as const)('%j: seat %i stands %s', ([have, seat, place]) => {
  expect(standing([...have], seat)).toBe(place);
});

test('what was done leaves a trace where it was done', () => {
  expect(trace({ key: 'bosk.event.cover', args: { seat: 1, to: [4, 3] }, to: 'all' })).toEqual({ seat: 1, kind: 'square', at: [4, 3] });
  expect(trace({ key: 'bosk.event.shed', args: { seat: 0, at: [2, 2], tile: 4 }, to: 'all' })).toEqual({ seat: 0, kind: 'crossing', at: [2, 2] });
  expect(trace({ key: 'bosk.event.round', args: { round: 2 }, to: 'all' })).toBeNull();
});
