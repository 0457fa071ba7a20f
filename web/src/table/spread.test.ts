// @vitest-environment node
import { expect, test } from 'vitest';
import { spread } from './spread.ts';

test('what has room stays where it is', () => {
  expect(spread([20, 60, 200], 30, 240)).toEqual([20, 60, 200]);
});

test('names that would lie on each other move apart, downwards', () => {
  expect(spread([100, 105, 110], 20, 240)).toEqual([100, 120, 140]);
});

test('nothing rises above the chart, and what is below is pushed on', () => {
  expect(spread([12, 30], 60, 240)).toEqual([30, 90]);
});

test('nothing sinks below the chart, and what is above gives way', () => {
  expect(spread([50, 225, 230], 40, 240)).toEqual([50, 180, 220]);
});

test('four names that just fit fill the chart', () => {
  expect(spread([200, 201, 202, 203], 60, 240)).toEqual([30, 90, 150, 210]);
  expect(spread([0, 0, 0, 0], 60, 240)).toEqual([30, 90, 150, 210]);
});

test('nobody is nobody', () => {
  expect(spread([], 17, 240)).toEqual([]);
});
