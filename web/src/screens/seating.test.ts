import { beforeEach, expect, test, vi } from 'vitest';
import type { Level } from '../engine/protocol.ts';
import { botSeats, levelOf, recall, remember, seated, setLevel, type Seating } from './seating.ts';

vi.mock('./shelf.ts', () => ({}));

const box = { name: 'bosk', minutes: 20, seats: [2, 3, 4], bots: 1, Picture: () => ({}) } as unknown as Parameters<typeof recall>[0];

const levels = Array.from({ length: 10 }, (_, i): Level => ({ player: `level:${i + 1}`, name: { key: `name.${i + 1}`, args: {} }, about: { key: 'about', args: {} } }));

beforeEach(() => localStorage.clear());

test('whoever chooses nothing sits down against one bot of the third level', () => {
  const seating = recall(box, 'Ada');
  expect(seated({ ...seating, order: 'listed' }, levels)).toEqual([
    { kind: 'person', name: 'Ada', bot: '' },
    { kind: 'bot', name: '', bot: 'level:3', called: { key: 'name.3', args: {} } },
  ]);
});

test('a table is laid as it was last time', () => {
  const seating: Seating = { count: 3, sitters: (['person', 'bot', 'person', 'bot'] as const).map((who, i) => ({ who, name: '', level: i + 4 })), same: false, order: 'listed', sides: true, options: { expert: true } };
  remember('bosk', seating);
  expect(recall(box, '')).toEqual(seating);
});

test('a table that was laid before there were levels has bots where it had them', () => {
  localStorage.setItem('copse.new.bosk', JSON.stringify({ count: 3, sitters: ['person', 'ahead', 'person', 'easy'].map((who) => ({ who, name: '' })), order: 'listed', options: {} }));
  const seating = recall(box, '');
  expect(seating.sitters.map((s) => s.who)).toEqual(['person', 'bot', 'person', 'bot']);
  expect(seated(seating, levels)[1].bot).toBe('level:3');
});

test('nonsense in the store is not believed', () => {
  for (const text of ['{', 'null', '[]', '{"count":9,"sitters":[{"who":"nobody","level":-1}],"same":"no","order":7,"sides":1,"options":{"expert":"yes"}}']) {
    localStorage.setItem('copse.new.bosk', text);
    expect(recall(box, '')).toMatchObject({ count: 2, same: true, order: 'random', sides: false, options: {}, sitters: [{ who: 'person', level: 3 }, { who: 'bot' }, {}, {}] });
  }
});

test('a level that there is no longer becomes the strongest there is', () => {
  const seating = recall(box, '');
  setLevel(seating, 1, 12);
  expect(levelOf(seating, 1, 10)).toBe(10);
  expect(seated({ ...seating, order: 'listed' }, levels)[1].bot).toBe('level:10');
});

test('all bots are equally strong, or each as it was chosen', () => {
  const seating = { ...recall(box, ''), count: 4, order: 'listed' as const };
  expect(botSeats(seating)).toEqual([1, 2, 3]);
  setLevel(seating, 2, 7);
  expect(seated(seating, levels).map((p) => p.bot)).toEqual(['', 'level:7', 'level:7', 'level:7']);
  seating.same = false;
  setLevel(seating, 2, 9);
  expect(seated(seating, levels).map((p) => p.bot)).toEqual(['', 'level:7', 'level:9', 'level:7']);
});

test('at random everybody sits once', () => {
  const seating = { ...recall(box, ''), count: 4 };
  const players = seated(seating, levels, () => 0);
  expect(players).toHaveLength(4);
  expect(players.filter((p) => p.kind === 'person')).toHaveLength(1);
  expect(players[0].kind).toBe('bot');
});
