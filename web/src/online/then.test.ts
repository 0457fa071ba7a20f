// @vitest-environment node
import { expect, test } from 'vitest';
import type { GameInfo } from '../engine/protocol.ts';
import { toldOf } from './then.ts';
import type { People, Told } from './told.ts';

const info = { levels: [] } as unknown as GameInfo;
const pieces = ['Oak', 'Maple'];
const [ben, anna, caro] = ['0b', '0a', '0c'].map((mark) => mark.repeat(16));
const company: People = {
  phase: 'play',
  seats: [
    { held: 'away', person: ben, player: 'level:3', undos: 0 },
    { held: 'person', person: caro, undos: 0 },
  ],
  asks: [],
  hints: false,
};

const line = (does: 'sit' | 'kick' | 'stand', seat: number, of: Told['of'], called?: string) =>
  toldOf(
    { entry: { at: 0, do: does, seat }, events: [{ key: `table.event.${does}`, args: { seat }, to: 'all' }], of, ...(called ? { called: { name: called } } : {}) },
    company,
    info,
    pieces,
  )[0].args.seat;

test('who still sits there is told by the seat', () => {
  expect(line('sit', 1, { held: 'person', person: caro, undos: 0 }, 'Caro')).toBe(1);
  expect(line('sit', 0, { held: 'person', person: ben, undos: 0 }, 'Ben')).toBe(0);
});

test('who sat there before is told by their own name', () => {
  expect(line('sit', 1, { held: 'person', person: anna, undos: 0 }, 'Anna')).toBe('Anna');
  expect(line('kick', 1, { held: 'person', person: anna, undos: 0 }, 'Anna')).toBe('Anna');
});

test('who has no name any more is told by the pieces, and so is a bot without a level', () => {
  expect(line('kick', 1, { held: 'person', person: anna, undos: 0 })).toBe('Maple');
  expect(line('stand', 1, { held: 'bot', player: 'level:2', undos: 0 })).toBe('Maple');
});

test('what tells of nobody at a seat stays as it is', () => {
  expect(line('sit', 1, undefined)).toBe(1);
});
