/** One of both sides at a table: given up, played on by a bot, and led on from. */
import { beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../app/settings.svelte.ts';
import { gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import { learn, say, speak } from '../words/words.svelte.ts';
import type { Face, Hand } from './face.ts';
import { fresh } from './fresh.ts';
import { find, keep, type Kept, type Player } from './kept.ts';
import { Local } from './local.svelte.ts';

const shop = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));

vi.mock('./kept.ts', async (original) => {
  const real = await original<typeof import('./kept.ts')>();
  return { ...real, keep: vi.fn(real.keep) };
});

const hand = { prompt: { text: '', detail: '' }, missing: '', confirm: '', reveals: '', covered: false, take() {}, drop: () => false, key: () => false, reset() {} } as Hand;
const face = { seatNames: () => ['A', 'B', 'C', 'D'], hand: () => hand, interlude: () => null } as unknown as Face;
const person = (name: string): Player => ({ kind: 'person', name, bot: '' });
const bot: Player = { kind: 'bot', name: '', bot: 'easy' };

/** The first of both sides, as it is kept. */
function first(game: string, players: Player[], more: Partial<Kept> = {}): string {
  const kept = fresh({ game, version: 1, options: {}, players, guide: null });
  keep({ ...kept, seed: 'the seed of this test', side: { first: kept.id, n: 1, before: [] }, ...more });
  return kept.id;
}

/** Opens a game; `anew` hears when it wants to be opened once more. */
async function open(id: string) {
  const anew = vi.fn();
  const kept = find(id)!;
  const local = new Local(kept, face, (await gamesOf()).find((g) => g.name === kept.game)!, null, anew);
  await local.open();
  await vi.waitUntil(() => ['person', 'hand-over', 'over', 'broken'].includes(local.table.phase), { timeout: 50_000 });
  expect(local.table.trouble).toBe('');
  return { local, table: local.table, sided: local.sided!, anew };
}

beforeEach(async () => {
  localStorage.clear();
  settings.pace = 'instant';
  await speak('en');
  await learn('rest');
});

test('who resigns against a bot ends the game and ranks behind; all that was secret is told', async () => {
  const id = first('grandbois', [person('Anna'), bot]);
  const { sided, anew, local } = await open(id);
  expect([sided.resigner, sided.ends(0), sided.onward, local.cutShort]).toEqual([0, true, '', false]);
  expect(await sided.resign(0)).toBe('');
  expect(anew).toHaveBeenCalledOnce();
  local.close();
  expect(find(id)).toMatchObject({ cut: true, out: [1, 0], draft: [], result: { ranks: [2, 1] } });

  const then = await open(id);
  expect([then.table.phase, then.local.cutShort, then.local.gaveUp(0), then.local.gaveUp(1)]).toEqual(['over', true, true, false]);
  expect([then.sided.resigner, then.sided.onward]).toEqual([null, '']);
  expect(then.table.now.map(({ rank }) => rank)).toEqual([2, 1]);
  expect(then.table.now.every(({ total }) => total !== null)).toBe(true);
  await vi.waitUntil(() => then.table.sheet.every((line) => !line.points.includes(null)), { timeout: 20_000 });
  expect(await then.sided.resign(0)).toBe(''); // nothing is left to give up
  expect(then.anew).not.toHaveBeenCalled();
  then.local.close();
});

test('where others go on a bot plays on for whoever resigned in their turn', async () => {
  const id = first('bosk', [person('Anna'), person('Ben'), person('Cleo')]);
  const { sided, local, table } = await open(id);
  await table.try({ do: 'plant', tree: 3, at: [2, 2] });
  expect([sided.resigner, sided.ends(0)]).toEqual([0, false]);
  await sided.resign(0);
  local.close();
  expect(find(id)).toMatchObject({ out: [1, 0, 0], draft: [], result: null, players: [{ kind: 'bot', name: 'Anna' }, {}, {}] });
  const then = await open(id);
  expect([then.table.actor, then.local.people, then.sided.resigner, then.sided.ends(1)]).toEqual([1, [1, 2], 1, true]);
  expect(then.table.names[0]).toBe('Anna');
  then.local.close();
});

test('where there is no room nothing is given up, and it is said', async () => {
  const id = first('bosk', [person('Anna'), bot]);
  const { sided, anew, local } = await open(id);
  const before = localStorage.getItem(`copse.game.${id}`);
  vi.mocked(keep).mockReturnValueOnce(false);
  expect(await sided.resign(0)).toBe(say('page.no-room'));
  expect(anew).not.toHaveBeenCalled();
  expect(localStorage.getItem(`copse.game.${id}`)).toBe(before);
  local.close();
});

test('the end of a game leads on, and counts who had resigned before', async () => {
  const id = first('bosk', [bot, bot, bot], { out: [1, 0, 0] }); // whoever sat at the first place gave up
  const { sided, anew, local } = await open(id);
  await vi.waitUntil(() => sided.over, { timeout: 20_000 });
  expect(sided.onward).toBe('To the second game');
  const { ranks, totals } = local.kept.result!;
  expect(ranks[0]).toBe(3);
  expect(totals[0]).toBeGreaterThan(Math.min(...totals)); // the rules would have ranked it better
  expect([...ranks].sort()).toEqual([1, 2, 3]);
  expect(find(id)!.result).toEqual(local.kept.result);
  await vi.waitUntil(() => anew.mock.calls.length === 1);
  expect(await local.again()).toBe('');
  expect(find(`${id}-2`)).toMatchObject({ out: [0, 1, 0], side: { n: 2 } });
  local.close();
  const then = await open(id);
  expect(then.table.now[0].rank).toBe(3);
  then.local.close();
});

test('a game whose side makes no sense is played on its own', async () => {
  const id = first('bosk', [person('Anna'), bot], { side: { first: 'somewhere', n: 2, before: [] } });
  const { local } = await open(id);
  expect([local.sided, local.onward]).toEqual([null, undefined]);
  local.close();
});
