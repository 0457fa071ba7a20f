// @vitest-environment node
import { expect, test } from 'vitest';
import { hash, loops, nearest, outline } from './geometry.ts';
import { heart } from './heart.ts';
import { nudge } from './nudge.ts';
import { tops } from './tops.ts';

const drawn = (rows: string) => rows.trim().split(/\s+/);

test('a region is one loop around its squares', () => {
  const park = drawn('AAB ABB AAB');
  expect(loops(park, 'A')).toEqual([
    [
      [2, 0],
      [2, 1],
      [1, 1],
      [1, 2],
      [2, 2],
      [2, 3],
      [0, 3],
      [0, 0],
    ],
  ]);
});

test('squares that touch at a corner only stay apart', () => {
  expect(loops(drawn('AB BA'), 'A')).toHaveLength(2);
});

test('a hole is a loop of its own', () => {
  expect(loops(drawn('AAA ABA AAA'), 'A').map((l) => l.length)).toEqual([4, 4]);
});

test('an outline is rounded at every corner and closed', () => {
  const path = outline(drawn('A'), 'A', 10);
  expect(path.match(/Q/g)).toHaveLength(4);
  expect(path.endsWith('Z')).toBe(true);
});

test('snow lies on the sides that face north', () => {
  expect(tops(drawn('AAB BAB AAB'), 'A')).toEqual([
    { x: 0, y: 0, width: 2 },
    { x: 0, y: 2, width: 1 },
  ]);
});

test('a name lies where its region is widest', () => {
  expect(heart(drawn('ABBBB BBAAA BBAAA BBAAA'), 'A')).toEqual({ x: 3.5, y: 2.5 });
});

test('a tap means the nearest target within reach, and none beyond it', () => {
  const at = (p: number[]) => ({ x: p[0], y: p[1] });
  const targets = [[0, 0], [40, 0], [0, 90]];
  expect(nearest({ x: 30, y: 5 }, targets, at, 32)).toEqual([40, 0]);
  expect(nearest({ x: 0, y: 45 }, targets, at, 32)).toBeNull();
});

test('a nudge goes to the next target that way', () => {
  const at = (p: number[]) => ({ x: p[1], y: p[0] });
  const targets = [[0, 0], [0, 2], [0, 5], [3, 0], [1, 2]];
  expect(nudge({ x: 0, y: 0 }, targets, at, [0, 1])).toEqual([0, 2]);
  expect(nudge({ x: 0, y: 0 }, targets, at, [1, 0])).toEqual([3, 0]);
  expect(nudge({ x: 0, y: 0 }, targets, at, [-1, 0])).toBeNull();
});

test('a leaf lies the same way every time', () => {
  expect(hash(1, 4, 5)).toBe(hash(1, 4, 5));
  const many = Array.from({ length: 400 }, (_, i) => hash(i % 4, i >> 2, 7));
  expect(Math.min(...many)).toBeLessThan(0.05);
  expect(Math.max(...many)).toBeGreaterThan(0.95);
});
