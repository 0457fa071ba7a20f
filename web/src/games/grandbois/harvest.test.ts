// @vitest-environment node
import { expect, test } from 'vitest';
import type { Score, SheetLine } from '../../engine/protocol.ts';
import { partOf, pointsOf, steps } from './harvest.ts';
import type { View } from './view.ts';

const line = (part: string, args: SheetLine['args']): SheetLine => ({ part, key: '', args, points: [] });
const score = (spaces: number | null, group: number | null, towerOwn: number | null, towerOthers: number | null): Score => ({ total: 0, rank: 1, parts: { spaces, group, towerOwn, towerOthers } });

const view = {
  players: [{ clans: ['fox'] }, { clans: ['toad', 'lizard'] }],
  forest: [{ x: 4, y: 4, tower: 1 }, { x: 0, y: 0, tower: null }],
} as unknown as View;
const sheet = [
  line('spaces', { clan: 'fox', spaces: [[0, 0]] }),
  line('spaces', { clan: 'toad', spaces: [[1, 0]] }),
  line('spaces', { clan: 'lizard', spaces: [[2, 0]] }),
  line('group', { clan: 'fox', spaces: [[0, 0]] }),
  line('towerOwn', { seat: 1, spaces: [[3, 3]] }),
  line('towerOthers', { seat: 1, spaces: [[5, 5]] }),
];
const scores = [score(1, 2, 0, 0), score(2, 4, 2, 1)];

test('the harvest goes seat by seat: spaces, group, towers', () => {
  expect(steps(view, sheet, scores).map((s) => [s.seat, s.column, s.points])).toEqual([
    [0, 'spaces', 1],
    [0, 'group', 2],
    [0, 'towers', 0],
    [1, 'spaces', 2],
    [1, 'group', 4],
    [1, 'towers', 3],
  ]);
});

test('both clans of a seat light up together, and a tower with what stands around it', () => {
  expect(partOf(view, sheet, scores, 1, 'spaces').lit).toEqual([{ x: 1, y: 0 }, { x: 2, y: 0 }]);
  expect(partOf(view, sheet, scores, 1, 'towers').lit).toMatchObject([{ x: 3, y: 3 }, { x: 5, y: 5 }, { x: 4, y: 4 }]);
});

test('what is not known stays unknown', () => {
  expect(pointsOf(score(null, null, null, null), 'towers')).toBeNull();
  expect(pointsOf(undefined, 'spaces')).toBeNull();
});
