// @vitest-environment node
import { expect, test } from 'vitest';
import type { Actor } from '../engine/protocol.ts';
import { longest, since, stops, tempo } from './recap.ts';
import type { Ply } from './plies.ts';

const ply = (seat: Actor, turn: number, what = 'move'): Ply => ({ number: 0, beside: false, seat, turn, move: { do: what }, events: [{ key: 'x', args: {}, to: 'all' }] });

test('turns of others are counted from one’s own last move, however many moves a turn has', () => {
  const plies = [ply(0, 0), ply(1, 1), ply(0, 2), ply('chance', 2), ply(1, 3), ply(1, 3), ply('chance', 3), ply(2, 4)];
  expect(since(plies, 0)).toEqual({ from: 3, turns: 2, first: false });
  expect(since(plies, 2)).toEqual({ from: 8, turns: 0, first: false });
});

test('who has not moved yet has missed all since the start', () => {
  expect(since([ply(0, 0), ply(1, 1)], 2)).toEqual({ from: 0, turns: 2, first: true });
  expect(since([ply('chance', -2, 'sit'), ply('chance', -3, 'start'), ply('chance', 0), ply(0, 0)], 1)).toEqual({ from: 2, turns: 1, first: true });
});

test('people coming and going are nothing to look at', () => {
  expect(stops([ply(0, 0), ply('chance', -5, 'leave'), ply(1, 1)], 1)).toEqual([3]);
});

test('it is over within eight seconds: too many moves are shown turn by turn', () => {
  const few = Array.from({ length: 6 }, (_, i) => ply(1, i));
  expect(stops(few, 0)).toEqual([1, 2, 3, 4, 5, 6]);
  const many = Array.from({ length: 90 }, (_, i) => ply(1, Math.floor(i / 9)));
  const shown = stops(many, 0);
  expect(shown).toEqual([9, 18, 27, 36, 45, 54, 63, 72, 81, 90]);
  for (const n of [1, 3, 10, 40]) expect(tempo(n) * (n + 1)).toBeLessThanOrEqual(longest);
});
