// @vitest-environment node
import { expect, test } from 'vitest';
import { leafOf, pageOf } from './person.ts';
import { levelRules, plotOf } from './plot.ts';

const levels = [1000, 1100, 1210, 1330, 1440, 1500, 1590, 1680, 1790, 1900];

test('a plot has room for everything that is shown in it', () => {
  const past = [{ mean: 1500, spread: 250 }, { mean: 1600, spread: 150 }];
  const { least, most } = plotOf(past, levels);
  expect(least).toBeLessThanOrEqual(1000);
  expect(most).toBeGreaterThanOrEqual(2000);
  for (const one of [[], [{ mean: 1500, spread: 0 }], [{ mean: 1500, spread: 1 }]]) {
    const span = plotOf(one, levels);
    expect(span.most - span.least).toBeGreaterThanOrEqual(200);
  }
});

test('levels that are drawn stand apart, and within the plot', () => {
  const rules = levelRules(levels, { least: 1050, most: 1700 }, 0.18);
  expect(rules[0]).toEqual({ level: 2, points: 1100 });
  expect(rules.at(-1)!.points).toBeLessThanOrEqual(1700);
  rules.slice(1).forEach(({ points }, i) => expect((points - rules[i].points) * 0.18).toBeGreaterThanOrEqual(18));
  expect(levelRules([], { least: 0, most: 1 }, 1)).toEqual([]);
});

test('a name has one leaf, and all four leaves are somebody’s', () => {
  const leaves = Array.from({ length: 100 }, (_, i) => leafOf(`Anna ${i}`));
  expect(new Set(leaves).size).toBe(4);
  expect(leafOf('Élise')).toBe(leafOf('E\u0301lise'));
  for (let i = 0; i < 4; i++) expect(leaves.filter((leaf) => leaf === i).length).toBeGreaterThan(10);
});

test('members have a page, whatever they are called; guests and programs have none', () => {
  expect(pageOf({ name: 'Oak/Ash & Co.' })).toBe('/people/Oak%2FAsh%20%26%20Co.');
  expect(pageOf({ name: 'Anna', guest: true })).toBe('');
  expect(pageOf({ name: 'Anna', program: true })).toBe('');
  expect(pageOf(null)).toBe('');
});
