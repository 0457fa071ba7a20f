import { beforeEach, expect, test } from 'vitest';
import { fresh } from './fresh.ts';
import { all, find, forget, keep, type Kept } from './kept.ts';
import { tidy } from './tidy.ts';

beforeEach(() => localStorage.clear());

const game = (touched = 0, over = false): Kept => {
  const kept = fresh({ game: 'bosk', version: 1, options: {}, players: [], guide: null });
  return { ...kept, touched, result: over ? { totals: [1], ranks: [1] } : null };
};

/** Puts a game away as it is, without touching it. */
const put = (kept: Kept) => localStorage.setItem('copse.game.' + kept.id, JSON.stringify(kept));

test('a game that is kept is found again', () => {
  const kept = game();
  expect(keep(kept)).toBe(true);
  expect(find(kept.id)).toEqual(kept);
  forget(kept.id);
  expect(find(kept.id)).toBeNull();
});

test('the last one touched comes first', () => {
  const games = [game(1), game(3), game(2)];
  games.forEach(put);
  expect(all().map((g) => g.touched)).toEqual([3, 2, 1]);
});

test('what is no game is passed over', () => {
  const wrong = ['', '{', 'null', '7', '[]', '{"id":"a"}', '{"id":"a","game":"bosk","seed":"s","players":1,"line":[],"draft":[]}'];
  wrong.forEach((text, i) => localStorage.setItem('copse.game.' + i, text));
  put(game());
  expect(all().length).toBe(1);
  expect(find('0')).toBeNull();
});

test('the oldest finished games go, games in play stay', () => {
  for (let i = 0; i < 70; i++) put(game(i, true));
  put(game(0));
  tidy();
  const left = all();
  expect(left.length).toBe(61);
  expect(left.filter((g) => g.result).at(-1)!.touched).toBe(10);
  expect(left.some((g) => !g.result)).toBe(true);
});

/** A browser with room for so many games. */
class Narrow implements Storage {
  [name: string]: unknown;
  private readonly items = new Map<string, string>();
  constructor(private readonly room: number) {}
  get length() {
    return this.items.size;
  }
  key = (i: number) => [...this.items.keys()][i] ?? null;
  getItem = (key: string) => this.items.get(key) ?? null;
  removeItem = (key: string) => void this.items.delete(key);
  clear = () => this.items.clear();
  setItem = (key: string, value: string) => {
    if (!this.items.has(key) && this.items.size >= this.room) throw new DOMException('full', 'QuotaExceededError');
    this.items.set(key, value);
  };
}

test('where there is no room, a finished game makes some; a game in play never does', () => {
  const narrow = new Narrow(2);
  const [finished, inPlay, next, another] = [game(0, true), game(), game(), game()];
  expect([finished, inPlay, next].map((g) => keep(g, narrow))).toEqual([true, true, true]);
  expect(find(finished.id, narrow)).toBeNull();
  expect(keep(another, narrow)).toBe(false);
  expect(all(narrow).length).toBe(2);
});

test('a game that others of both sides follow makes no room', () => {
  const narrow = new Narrow(1);
  const players = [0, 1].map(() => ({ kind: 'bot' as const, name: '', bot: 'level:1' }));
  const first = { ...game(0, true), id: 'row', players, side: { first: 'row', n: 1, before: [] } };
  expect([first, game()].map((g) => keep(g, narrow))).toEqual([true, false]);
  expect(find('row', narrow)).not.toBeNull();
  const last = { ...first, id: 'row-2', side: { first: 'row', n: 2, before: [] } };
  const wide = new Narrow(1);
  expect([last, game()].map((g) => keep(g, wide))).toEqual([true, true]);
});

test('a game of old has had no hints, and a bot that is called nonsense is called nothing', () => {
  const kept = game();
  const bot = { kind: 'bot' as const, name: '', bot: 'level:3' };
  const players = [{ ...bot, called: { key: 'bot.level.name.3', args: {} } }, { ...bot, called: 7 }, bot];
  localStorage.setItem('copse.game.' + kept.id, JSON.stringify({ ...kept, hints: undefined, players }));
  expect(find(kept.id)).toMatchObject({ hints: 0, players: [players[0], bot, bot] });
  expect(find(kept.id)!.players[1].called).toBeUndefined();
});
