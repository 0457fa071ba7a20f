// @vitest-environment node
import { expect, test } from 'vitest';
import type { Ply } from '../table/plies.ts';
import { turnsSince } from './back.ts';

const ply = (number: number, seat: number | 'chance', turn: number, beside = false): Ply => ({ number, beside, seat, move: { do: 'x' }, turn, events: [] });

/** Seat 0 makes two moves, something is drawn, somebody speaks of a pause, and
 * seats 1 and 0 follow. */
const plies = [ply(4, 0, 0), ply(5, 0, 0), ply(6, 'chance', 0), ply(7, 'chance', -9, true), ply(8, 1, 1), ply(9, 0, 2)];

test('moves of one turn are one turn; chance and what people say are none', () => {
  expect(turnsSince(plies, 3, 1)).toEqual({ turns: 3, yours: 1 });
  expect(turnsSince(plies, 3, 0)).toEqual({ turns: 3, yours: 2 });
  expect(turnsSince(plies, 4, 0)).toEqual({ turns: 3, yours: 2 });
});

test('what was before the point stays, and who watches has no turn', () => {
  expect(turnsSince(plies, 8, 1)).toEqual({ turns: 1, yours: 0 });
  expect(turnsSince(plies, 9, 0)).toEqual({ turns: 0, yours: 0 });
  expect(turnsSince(plies, 3, null)).toEqual({ turns: 3, yours: 0 });
});
