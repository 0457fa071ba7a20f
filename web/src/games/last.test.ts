import { beforeAll, expect, test } from 'vitest';
import { learn, speak } from '../words/words.svelte.ts';
import { last as bosk } from './bosk/last.ts';
import { last as grandbois } from './grandbois/last.ts';
import { last as treesociety } from './treesociety/last.ts';

beforeAll(async () => {
  await speak('en');
  await learn('rest');
});

const asks = [1, 2, 3, 4, 'any', 'any', 'any', 'any'];

test('in Bosk the last round of autumn is the last', () => {
  expect(bosk({ season: 'autumn', round: 7, asks })).toBe('');
  expect(bosk({ season: 'autumn', round: 8, asks })).toBe('The last round!');
  expect(bosk({ season: 'winter', round: 8, asks })).toBe('');
});

test('in GrandBois the last tiles are those of which everybody gets no more than one', () => {
  const at = (river: number, pile: number, asked = 'place', seats = 3) => grandbois({ asked, seats, river: Array(river).fill(0), pile: Array(pile).fill(0) });
  expect(at(4, 0)).toBe('');
  expect(at(3, 1)).toBe('');
  expect(at(3, 0)).toBe('The last 3 tiles!');
  expect(at(1, 0)).toBe('The last tile!');
  expect(at(0, 0, 'tower')).toBe('');
  expect(at(2, 0, 'over')).toBe('');
});

test('in Tree Society the last round is the one that was named', () => {
  expect(treesociety({ phase: 'sell', round: 6, last: null })).toBe('');
  expect(treesociety({ phase: 'sell', round: 6, last: 7 })).toBe('');
  expect(treesociety({ phase: 'sell', round: 7, last: 7 })).toBe('The last round!');
  expect(treesociety({ phase: 'over', round: 7, last: 7 })).toBe('');
});
