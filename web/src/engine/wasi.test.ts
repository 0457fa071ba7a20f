// @vitest-environment node
import { expect, test } from 'vitest';
import { gamesOf } from './games.ts';
import { InProcess } from './inprocess.ts';
import type { Actor } from './protocol.ts';

const shop = new InProcess();

test('the games are there, each in an engine of its own, and those with secrets say so', async () => {
  const games = await gamesOf();
  expect(games.map((g) => [g.name, g.secrets])).toEqual([
    ['bosk', false],
    ['grandbois', true],
    ['treesociety', false],
  ]);
  for (const info of games) expect(JSON.parse(await shop.line(info.name, 0, '{"do":"games"}')).games).toEqual([info]);
});

test.for(['bosk', 'grandbois', 'treesociety'])('bots play a whole game of %s from what they see', { timeout: 60_000 }, async (game) => {
  const set = { game, seats: 2, options: {}, version: 1 };
  const [table, head] = [shop.engine(), shop.engine()];
  let { toAct }: { toAct: Actor[] } = await table.ask('new', { ...set, chance: 'manual', seed: 'oak' });
  for (let moves = 0; toAct.length; moves++) {
    expect(moves).toBeLessThan(1000);
    const seat = toAct[0];
    if (seat === 'chance') toAct = (await table.ask('draw', {})).toAct;
    else {
      const { view, then } = await table.ask('record', { seat });
      await head.ask('open', { ...set, seat, view, then });
      const { move } = await head.ask('think', { player: 'easy', seed: String(moves) });
      toAct = (await table.ask('play', { seat, move })).toAct;
    }
  }
  expect((await table.ask('standing', {})).over).toBe(true);
});

test('the same seed draws the same', async () => {
  const draws = await Promise.all(
    [shop.engine(), shop.engine()].map(async (engine) => {
      await engine.ask('new', { game: 'grandbois', seats: 3, chance: 'manual', seed: 'elm' });
      const moves = [];
      for (let i = 0; i < 7; i++) moves.push((await engine.ask('draw', {})).move);
      return moves;
    }),
  );
  expect(draws[0]).toEqual(draws[1]);
});
