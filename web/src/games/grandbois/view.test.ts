// @vitest-environment node
import { describe, expect, test } from 'vitest';
import type { Choice } from '../../table/face.ts';
import { bounds, exact, nearest, Placements, placement, turned, type Placement } from './view.ts';

const choice = (tile: number, x: number, y: number, turn: number): Choice => ({ move: placement(tile, { x, y }, turn), facts: {} });
const where = (c: Choice | undefined) => c && [(c.move as Placement).x, (c.move as Placement).y, (c.move as Placement).turn];

describe('a tile', () => {
  test('turns clockwise: what was on the top left comes to the top right', () => {
    expect(turned(['a', 'b', 'c', 'd'], 0)).toEqual(['a', 'b', 'c', 'd']);
    expect(turned(['a', 'b', 'c', 'd'], 1)).toEqual(['d', 'a', 'b', 'c']);
    expect(turned(turned(['a', 'b', 'c', 'd'], 3), 1)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('lies with its middle under the point', () => {
    expect(exact({ x: 1, y: 1 })).toEqual({ x: 0, y: 0 });
    expect(exact({ x: -0.6, y: 2.4 })).toEqual({ x: -2, y: 1 });
  });
});

describe('placements', () => {
  const list = new Placements([choice(5, 0, 0, 0), choice(5, 2, 0, 0), choice(5, 0, 0, 2), choice(5, 3, 3, 1), choice(7, 9, 9, 3), { move: { do: 'pass' }, facts: {} }]);

  test('are found by tile, place and turn', () => {
    expect(where(list.at(5, { x: 2, y: 0 }, 0))).toEqual([2, 0, 0]);
    expect(list.at(5, { x: 2, y: 0 }, 1)).toBeUndefined();
    expect(list.of(5, 0)).toHaveLength(2);
    expect(list.ways(5)).toBe(4);
    expect(list.ways(6)).toBe(0);
  });

  test('know the next way round at a place, both ways, and that there is no other', () => {
    expect(list.nextTurn(5, { x: 0, y: 0 }, 0)).toBe(2);
    expect(list.nextTurn(5, { x: 0, y: 0 }, 2, -1)).toBe(0);
    expect(list.nextTurn(5, { x: 2, y: 0 }, 0)).toBeUndefined();
  });

  test('list places that want another turn once, and none that fits already', () => {
    expect(list.others(5, 0).map(where)).toEqual([[3, 3, 1]]);
    expect(list.others(5, 1).map(where)).toEqual([[0, 0, 2], [2, 0, 0]]);
  });

  test('the nearest one is meant, but none that is out of reach', () => {
    expect(where(nearest(list.of(5, 0), { x: 2.6, y: 1.1 }, 0.8))).toEqual([2, 0, 0]);
    expect(nearest(list.of(5, 0), { x: 2.6, y: 3 }, 0.8)).toBeUndefined();
  });
});

test('the bounds hold the start tile, even of an empty list', () => {
  expect(bounds([])).toEqual({ left: 0, top: 0, right: 2, bottom: 2 });
  expect(bounds([{ x: -3, y: 1 }], 2)).toEqual({ left: -5, top: -2, right: 4, bottom: 4 });
});
