import { beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../../app/settings.svelte.ts';
import { gamesOf } from '../../engine/games.ts';
import { InProcess } from '../../engine/inprocess.ts';
import type { Actor, Move } from '../../engine/protocol.ts';
import type { Face, Table } from '../../table/face.ts';
import { fresh } from '../../table/fresh.ts';
import { find, keep, type Player } from '../../table/kept.ts';
import { Local } from '../../table/local.svelte.ts';
import { speak } from '../../words/words.svelte.ts';
import { BoskHand } from './hand.svelte.ts';
import { pickTile, pickTree, rewind } from './shed.ts';
import type { Tile, View } from './view.ts';

const shop = new InProcess();
vi.mock('../../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));

const silent = { ask: () => '', detail: () => '', missing: () => '', confirm: () => '' };
const face = {
  seatNames: () => ['Oak', 'Maple'],
  hand: (table: Table) => new BoskHand(table, silent, { year: { laterWords: silent }, lost: false, come: () => Promise.resolve({ pickTree, pickTile, rewind }) }),
  interlude: () => null,
} as unknown as Face;
const person: Player = { kind: 'person', name: '', bot: '' };

beforeEach(async () => {
  localStorage.clear();
  settings.pace = 'instant';
  await speak('en');
});

/** A game of two people at one screen, in its first autumn turn. */
async function autumn() {
  const info = (await gamesOf()).find((g) => g.name === 'bosk')!;
  const kept = fresh({ game: 'bosk', version: info.version, options: {}, players: [person, person], guide: null });
  const engine = shop.engine();
  let { toAct }: { toAct: Actor[] } = await engine.ask('new', { game: 'bosk', version: info.version, options: {}, seats: 2, chance: 'manual', seed: kept.seed });
  for (;;) {
    const { view } = (await engine.ask('view', { seat: 'watcher' })) as { view: View };
    if (view.season === 'autumn') break;
    const move: Move = toAct[0] === 'chance' ? (await engine.ask('draw', {})).move : (await engine.ask('moves', { facts: false })).moves[0];
    kept.line.push({ seat: toAct[0], move });
    if (toAct[0] === 'chance') ({ toAct } = { toAct: (await engine.ask('moves', { facts: false })).toAct as Actor[] });
    else ({ toAct } = await engine.ask('play', { seat: toAct[0], move }));
  }
  const { line } = await engine.ask('think', { player: 'level:1', seed: 'ash' });
  engine.leave();
  keep(kept);
  const local = new Local(find(kept.id)!, face, info);
  await local.open();
  return { local, table: local.table, hand: local.table.hand as BoskHand, line };
}

test('a tile that is pressed while the turn passes on at this screen is taken by whoever is next', async () => {
  const { local, table, hand, line } = await autumn();
  const first = table.viewer as number;
  await table.redraft(line);
  expect(table.complete).toBe(true);
  const { tile: played, at } = line[0] as unknown as { tile: Tile; at: [number, number] };
  const confirmed = table.confirm();
  expect(table.phase).toBe('bot'); // it is confirmed, and the next turn is not there yet
  await pickTree(hand, at, null);
  await pickTile(hand, played, null); // the other has it too
  await confirmed;
  await vi.waitUntil(() => table.phase === 'person', { interval: 2 });
  expect(table.viewer).toBe(1 - first);
  expect([hand.tile, hand.chosen]).toEqual([played, { tree: null, tile: played }]);
  expect(table.slip).toBeNull();
  local.close();
});

test('nobody takes ahead what whoever is next has not, nor what is a bot’s turn', async () => {
  const taken = async (tile: Tile, toAct: Actor | null, people: number[]) => {
    const hand = { mine: false, table: { toAct, people }, view: { players: [{ tiles: [] }, { tiles: [4] }] }, chosen: null };
    await pickTile(hand as unknown as BoskHand, tile, null);
    return hand.chosen;
  };
  expect(await taken(4, 1, [0, 1])).toEqual({ tree: null, tile: 4 });
  expect(await taken(4, 0, [0, 1])).toBeNull();
  expect(await taken(4, 1, [0])).toBeNull();
  expect(await taken(4, 'chance', [0, 1])).toBeNull();
  expect(await taken(4, null, [0, 1])).toBeNull();
});
