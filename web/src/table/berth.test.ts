// @vitest-environment node
import { expect, test } from 'vitest';
import { covered, fingered, berthFor, type Box } from './berth.ts';

const screen = { width: 390, height: 844 };
const size = { width: 280, height: 80 };
const at = (x: number, y: number, reach = 22): Box => ({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach });
const boxOf = ({ left, top }: { left: number; top: number }): Box => ({ left, top, right: left + size.width, bottom: top + size.height });

test('where nothing is in the way it lies right below the spot', () => {
  const berth = berthFor(size, at(195, 300), [at(195, 300)], screen);
  expect(berth).toEqual({ left: 55, top: 322, covers: 0 });
});

test('it lies inside the screen, wherever the spot is', () => {
  for (const [x, y] of [[0, 0], [390, 0], [0, 844], [390, 844], [5, 400], [385, 420], [-50, 2000]]) {
    const berth = berthFor(size, at(x, y), [], screen);
    expect(berth.left).toBeGreaterThanOrEqual(8);
    expect(berth.top).toBeGreaterThanOrEqual(8);
    expect(berth.left + size.width).toBeLessThanOrEqual(382);
    expect(berth.top + size.height).toBeLessThanOrEqual(836);
  }
});

test('it never lies on a target while there is a place that has none', () => {
  // A board full of targets, a tray and actions below it; what is left is above the board.
  const board = Array.from({ length: 121 }, (_, i) => at(30 + 33 * (i % 11), 220 + 33 * Math.floor(i / 11), 20));
  const below: Box[] = [{ left: 0, top: 590, right: 390, bottom: 844 }];
  const free = [...board, ...below];
  for (const [x, y] of [[30, 220], [195, 400], [360, 550]]) {
    const berth = berthFor(size, at(x, y), free, screen);
    expect(berth.covers).toBe(0);
    expect(free.every((box) => covered(boxOf(berth), box) === 0)).toBe(true);
    expect(berth.top + size.height).toBeLessThanOrEqual(200);
  }
});

test('of the free places it takes one that is near', () => {
  const wall: Box = { left: 0, top: 330, right: 390, bottom: 500 };
  const above = berthFor(size, at(195, 300), [wall, at(195, 300)], screen);
  expect(above.covers).toBe(0);
  expect(300 - 22 - (above.top + size.height)).toBeLessThanOrEqual(8);
});

test('where every place covers something it covers as little as can be', () => {
  const everywhere: Box = { left: 0, top: 0, right: 390, bottom: 844 };
  const dear: Box = { left: 0, top: 100, right: 390, bottom: 844 };
  const berth = berthFor(size, at(195, 700), [everywhere, dear], screen);
  expect(berth.top).toBeLessThanOrEqual(20);
  expect(berth.covers).toBe(280 * 80);
});

test('what weighs more is covered less', () => {
  const everywhere: Box = { left: 0, top: 0, right: 390, bottom: 844 };
  const wide: Box = { left: 0, top: 0, right: 390, bottom: 700 };
  const dear: Box = { left: 0, top: 760, right: 390, bottom: 844, weight: 50 };
  const berth = berthFor(size, at(195, 800), [everywhere, wide, dear], screen);
  expect(berth.top + size.height).toBeLessThanOrEqual(760);
});

test('what is larger than the screen begins at its edge', () => {
  expect(berthFor({ width: 500, height: 900 }, at(10, 10), [], screen)).toMatchObject({ left: 8, top: 8 });
});

test('what is smaller than a finger counts as one', () => {
  expect(fingered({ left: 100, top: 100, right: 114, bottom: 160 })).toEqual({ left: 87, top: 100, right: 127, bottom: 160 });
});
