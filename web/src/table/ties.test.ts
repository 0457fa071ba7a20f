// @vitest-environment node
import { expect, test } from 'vitest';
import type { Tie } from '../engine/protocol.ts';
import { tiesAmong } from './ties.ts';

const tie = (seat: number, other: number): Tie => ({ seat, other, key: 'bosk.tie.start', args: { seat, other, rule: '7.6' } });

test('of ties with somebody who resigned nothing is told', () => {
  expect(tiesAmong(undefined, () => false)).toEqual([]);
  expect(tiesAmong([tie(0, 1), tie(1, 2)], () => false)).toHaveLength(2);
  expect(tiesAmong([tie(0, 1), tie(1, 2)], (seat) => seat === 2)).toEqual([tie(0, 1)]);
  expect(tiesAmong([tie(0, 1)], (seat) => seat === 0)).toEqual([]);
});
