import { beforeEach, expect, test, vi } from 'vitest';
import { recall, remember, seated, type Seating } from './seating.ts';

vi.mock('./shelf.ts', () => ({}));

const box = { name: 'bosk', minutes: 20, seats: [2, 3, 4], bots: 1, Picture: () => ({}) } as unknown as Parameters<typeof recall>[0];

beforeEach(() => localStorage.clear());

test('whoever chooses nothing sits down against one bot', () => {
  const seating = recall(box, 'Ada');
  expect(seated({ ...seating, order: 'listed' })).toEqual([
    { kind: 'person', name: 'Ada', bot: '' },
    { kind: 'bot', name: '', bot: 'easy' },
  ]);
});

test('a table is laid as it was last time', () => {
  const seating: Seating = { count: 3, sitters: ['person', 'ahead', 'person', 'easy'].map((who) => ({ who, name: '' })), order: 'listed', options: { expert: true } };
  remember('bosk', seating);
  expect(recall(box, '')).toEqual(seating);
});

test('nonsense in the store is not believed', () => {
  for (const text of ['{', 'null', '[]', '{"count":9,"sitters":[{"who":"nobody"}],"order":7,"options":{"expert":"yes"}}']) {
    localStorage.setItem('copse.new.bosk', text);
    expect(recall(box, '')).toMatchObject({ count: 2, order: 'random', options: {} });
  }
});

test('at random everybody sits once', () => {
  const seating = { ...recall(box, ''), count: 4 };
  const players = seated(seating, () => 0);
  expect(players).toHaveLength(4);
  expect(players.filter((p) => p.kind === 'person')).toHaveLength(1);
  expect(players[0].kind).toBe('bot');
});
