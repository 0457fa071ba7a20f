import { beforeEach, expect, test } from 'vitest';
import { learn, speak } from '../words/words.svelte.ts';
import { following, placeTerms, sideTerms, verdict } from './sides.ts';

beforeEach(async () => {
  await speak('en');
  await learn('online');
});

const games = [
  { table: 'one', totals: [40, 50] },
  { table: 'two', totals: [30, 25] },
];

test('a list says which of the games it is, and nothing of a game on its own', () => {
  expect(sideTerms({ seats: 2 })).toEqual([]);
  expect(sideTerms({ side: 2, seats: 2 })).toEqual(['second of two games']);
  expect(sideTerms({ side: 4, seats: 4 })).toEqual(['fourth of four games']);
});

test('the way leads to the next game, once there is one', () => {
  expect(following(null, 'one')).toBe('');
  expect(following({ games: games.slice(0, 1) }, 'one')).toBe('');
  expect(following({ games }, 'one')).toBe('two');
  expect(following({ games }, 'two')).toBe('');
  expect(following({ games }, 'elsewhere')).toBe('');
});

test('who has won both, or shares them, or that nobody has', () => {
  const result = (...ranks: number[]) => ranks.map((rank) => ({ rank, total: 9 }));
  expect(verdict({ games, result: result(2, 1) }, ['Anna', 'Luc'])).toBe('Both sides: won by Luc.');
  expect(verdict({ games, result: result(1, 1) }, ['Anna', 'Luc'])).toBe('Both sides: shared by Anna and Luc.');
  expect(verdict({ games, result: result(1, 1) }, ['Luc', 'Anna'])).toBe('Both sides: shared by Anna and Luc.');
  expect(verdict({ games }, ['Anna', 'Luc'])).toBe('Both sides: ended without one result.');
});

test('a list says how both came out for who sat there', () => {
  const result = [
    { rank: 2, total: 70 },
    { rank: 1, total: 75 },
  ];
  expect(placeTerms(undefined, 0)).toEqual([]);
  expect(placeTerms({ games }, 0)).toEqual([]);
  expect(placeTerms({ games, result }, undefined)).toEqual([]);
  expect(placeTerms({ games, result }, 0)).toEqual(['together second: 70 – 75']);
});
