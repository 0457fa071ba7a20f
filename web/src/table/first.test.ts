// @vitest-environment node
import { expect, test } from 'vitest';
import { leafletOf, gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import { riverPlaces, type View as GrandboisView } from '../games/grandbois/view.ts';
import { deal } from './deal.ts';
import { firstView } from './first.ts';
import type { Kept, Player } from './kept.ts';

const shop = new InProcess();
const games = await gamesOf();
const person: Player = { kind: 'person', name: '', bot: '' };
const kept = (game: string, version: number, seats: number, options: Record<string, unknown> = {}): Kept => ({
  id: 'x', game, version, options, seed: 'oak', players: Array(seats).fill(person), line: [], draft: [], began: 0, touched: 0, hints: 0, guide: null, result: null,
});

/** What can be chosen of a game without a box or other words, all of it. */
function choices(game: string): Record<string, unknown>[] {
  let list: Record<string, unknown>[] = [{}];
  for (const { name, kind, choices = [] } of games.find((g) => g.name === game)!.options) {
    const values = kind === 'flag' ? [true, false] : kind === 'number' ? choices : [];
    list = list.flatMap((chosen) => [chosen, ...values.map((value) => ({ ...chosen, [name]: value }))]);
  }
  return list;
}

test.for(games.flatMap(({ name, seats, version }) => seats.map((n) => ({ name, n, version }))))('$name with $n seats is laid out as its engine shows it, whatever is chosen', async ({ name, n, version }) => {
  const leaflet = await leafletOf(name);
  const engine = shop.engine();
  for (const options of choices(name)) {
    await engine.ask('new', { game: name, version, seats: n, options, chance: 'manual', seed: 'oak' });
    const { view } = await engine.ask('view', { seat: 'watcher' });
    expect(firstView(kept(name, version, n, options), leaflet), JSON.stringify(options)).toEqual(view);
    const { seats } = await engine.ask('standing', { seat: 'watcher' });
    expect(seats.map((s) => s.total), 'nobody has a point').toEqual(Array(n).fill(0));
  }
});

test('what has begun, is of old, or is played with something of one’s own is not laid out', async () => {
  const leaflet = await leafletOf('treesociety');
  const { version, options } = leaflet.info;
  const usual = Object.fromEntries(options.map((o) => [o.name, o.default]));
  const fresh = kept('treesociety', version, 3, usual);
  expect(firstView(fresh, leaflet)).not.toBeNull();
  for (const other of [
    { line: [{ seat: 0, move: { do: 'rest' } }] },
    { draft: [{ do: 'rest' }] },
    { version: version - 1 },
    { players: [person] },
    { options: { box: {} } },
    { options: { guilds: ['explorers', 'botanists', 'writers', 'merchants'] } },
    { options: { draft: 'yes' } },
    { options: { dance: true } },
  ])
    expect(firstView({ ...fresh, ...other }, leaflet), JSON.stringify(other)).toBeNull();
});

test('the river of GrandBois has as many places as tiles come into it', async () => {
  const engine = shop.engine();
  let { toAct } = await engine.ask('new', { game: 'grandbois', seats: 2, chance: 'manual', seed: 'oak' });
  while (toAct[0] === 'chance') ({ toAct } = await engine.ask('draw', {}));
  expect(((await engine.ask('view', { seat: 'watcher' })).view as GrandboisView).river.length).toBe(riverPlaces);
});

test.for(games.map((g) => g.name))('what chance deals first in %s is what its seed says, and is dealt once', async (name) => {
  const { version } = (await leafletOf(name)).info;
  const mine = kept(name, version, 3);
  await deal(mine, shop);
  const engine = shop.engine();
  let { toAct } = await engine.ask('new', { game: name, version, seats: 3, options: {}, chance: 'manual', seed: 'oak' });
  const line = [];
  while (toAct[0] === 'chance') {
    const drawn = await engine.ask('draw', {});
    line.push({ seat: 'chance', move: drawn.move });
    ({ toAct } = drawn);
  }
  expect(mine.line).toEqual(line);
  expect(line.length > 0).toBe(name !== 'bosk'); // where there is no chance
  const again = { ...mine, seed: 'elm' };
  await deal(again, shop);
  expect(again.line).toEqual(name === 'bosk' ? [] : line);
});
