// @vitest-environment node
import { expect, test } from 'vitest';
import { journeys, openings, purseful } from './journeys.ts';
import type { PlayerView, View } from './view.ts';

const player = (has: Partial<PlayerView> = {}) => ({ purse: 3, chest: 0, row: [11, 12], pile: [], progress: [null, null, null], completed: [], ...has }) as unknown as PlayerView;
const view = (mine: Partial<PlayerView> = {}, table: Partial<View> = {}, other: Partial<PlayerView> = {}) =>
  ({ players: [player(mine), player({ row: [21], ...other })], market: { top: [40, 41, 42], bottom: [43, 44, 45] }, shown: [], fruit: false, ...table }) as unknown as View;

const purse = { seat: 0, at: 'purse' };
const chest = { seat: 0, at: 'chest' };

test('where nothing is paid no coin travels', () => {
  expect(journeys(view(), view())).toEqual([]);
  expect(openings(view(), view())).toEqual([]);
});

test('a sale brings coins from the fruit that was sold to the purse', () => {
  expect(journeys(view(), view({ purse: 7, row: [11] }, { sold: [12] }))).toEqual([{ coins: 4, from: { seat: 0, was: 'fruit-1', is: null }, to: purse }]);
});

test('a guild that is founded is paid where it lay and where it lies', () => {
  const after = view({ purse: 1, progress: [null, { card: 41, level: 1 }, null] }, { market: { top: [40, null, 42], bottom: [43, 44, 45] } });
  expect(journeys(view(), after)).toEqual([{ coins: 2, from: purse, to: { seat: 0, was: 'top-1', is: 'progress-1' } }]);
});

test('a guild that is raised is paid in its place; the last level takes it to those that are completed', () => {
  const progress = (level: number) => ({ progress: [{ card: 7, level }, { card: 8, level: 2 }, null] });
  expect(journeys(view(progress(1)), view({ ...progress(2), purse: 0 }))).toEqual([{ coins: 3, from: purse, to: { seat: 0, was: 'progress-0', is: 'progress-0' } }]);
  const before = view({ ...progress(2), completed: [5] });
  const after = view({ progress: [{ card: 7, level: 2 }, null, null], completed: [5, 8], purse: 2 });
  expect(journeys(before, after)).toEqual([{ coins: 1, from: purse, to: { seat: 0, was: 'progress-1', is: 'completed-1' } }]);
  expect(openings(before, after)).toEqual([{ seat: 0, card: 8, was: 'progress-1', is: 'completed-1' }]);
});

test('a guild may be kept of those that were revealed, but a fruit with its number is none', () => {
  const after = view({ purse: 1, progress: [{ card: 60, level: 1 }, null, null] });
  expect(journeys(view({}, { shown: [59, 60] }), after)[0].to).toEqual({ seat: 0, was: 'shown-1', is: 'progress-0' });
  expect(journeys(view({}, { shown: [59, 60], fruit: true }), after)[0].to).toEqual({ seat: 0, was: null, is: 'progress-0' });
});

test('coins come out of the chest at rest, and those too many are lost', () => {
  expect(journeys(view({ purse: 5, chest: 3 }), view({ purse: 5, chest: 0 }))).toEqual([
    { coins: 3, from: chest, to: purse },
    { coins: 3, from: purse, to: 'away' },
  ]);
  expect(journeys(view({ purse: 0, chest: 2 }), view({ purse: 3, chest: 0 }))).toEqual([
    { coins: 2, from: chest, to: purse },
    { coins: 1, from: 'market', to: purse },
  ]);
});

test('what is gained in the chest goes there, whoever gains it', () => {
  expect(journeys(view(), view({}, {}, { chest: 2 }))).toEqual([{ coins: 2, from: 'market', to: { seat: 1, at: 'chest' } }]);
});

test('many coins are a few, and come to the same', () => {
  expect(purseful(3)).toEqual([1, 1, 1]);
  expect(purseful(15)).toEqual([3, 3, 3, 2, 2, 2]);
  for (let n = 1; n < 60; n++) expect(purseful(n).reduce((a, b) => a + b)).toBe(n);
});
