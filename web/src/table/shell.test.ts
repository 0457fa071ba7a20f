/** What a table does where something around it fails. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../app/settings.svelte.ts';
import { gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import { speak } from '../words/words.svelte.ts';
import type { Face, Hand } from './face.ts';
import { fresh } from './fresh.ts';
import { keep } from './kept.ts';
import { Local } from './local.svelte.ts';

const shop = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));
vi.mock('../words/words.svelte.ts', async (original) => ({
  ...(await original<typeof import('../words/words.svelte.ts')>()),
  known: () => false,
  learn: () => new Promise(() => {}), // words that never come
}));

const hand = { prompt: { text: '', detail: '' }, missing: '', covered: false, drop: () => false, reset() {} } as unknown as Hand;
const face = { seatNames: () => ['A', 'B'], hand: () => hand, interlude: () => null } as unknown as Face;

let local: Local;
beforeEach(async () => {
  localStorage.clear();
  settings.pace = 'instant';
  await speak('en');
  const info = (await gamesOf()).find((g) => g.name === 'bosk')!;
  const kept = fresh({ game: 'bosk', version: info.version, options: {}, players: [0, 1].map(() => ({ kind: 'person', name: '', bot: '' })), guide: null });
  keep(kept);
  local = new Local(kept, face, info);
  await local.open();
});
afterEach(() => {
  local.close();
  vi.useRealTimers();
});

test('words that do not come hold up what people do for a moment only, and it is told as well as it can be', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let ended: boolean | null = null;
  void local.table.try({ do: 'plant', tree: 3, at: [99, 99] }).then((ok) => (ended = ok));
  for (let i = 0; i < 500 && !vi.getTimerCount(); i++) await Promise.resolve();
  expect([ended, local.table.slip]).toEqual([null, null]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(ended).toBe(false);
  expect(local.table.slip!.text).toContain('99-99');
});

test('a result that cannot be had breaks the table, and is no error that nobody hears', async () => {
  vi.spyOn(local.table.engine, 'ask').mockRejectedValue(new Error('it is dead'));
  local.carry({ do: 'over' });
  await vi.waitUntil(() => local.table.phase === 'broken', { interval: 2 });
  expect(local.kept.result).toBeNull();
});
