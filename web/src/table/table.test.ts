import { beforeEach, expect, test, vi } from 'vitest';
import { gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import type { Move } from '../engine/protocol.ts';
import type { Face, Hand } from './face.ts';
import { settings } from '../app/settings.svelte.ts';
import { speak } from '../words/words.svelte.ts';
import { fresh } from './fresh.ts';
import { find, keep, type Kept, type Player } from './kept.ts';
import { Local } from './local.svelte.ts';
import type { Shell } from './shell.svelte.ts';

type Table = Shell & { kept: Kept };

/** The real engine answers; only the worker around it is left out. */
const shop = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));

const hand: Hand = {
  prompt: { text: '', detail: '' },
  missing: 'something is missing',
  confirm: '',
  reveals: '',
  covered: false,
  take() {},
  drop: () => false,
  key: () => false,
  reset() {},
};
const face = { seatNames: () => ['A', 'B', 'C', 'D'], hand: () => hand, interlude: () => null } as unknown as Face;

const person: Player = { kind: 'person', name: '', bot: '' };
const bot: Player = { kind: 'bot', name: '', bot: 'easy' };

async function sit(game: string, ...players: Player[]) {
  const kept = fresh({ game, version: 1, options: {}, players, guide: null });
  kept.seed = 'the seed of this test';
  keep(kept);
  return open(kept.id);
}

async function open(id: string) {
  const kept = find(id)!;
  const games = await gamesOf();
  const local = new Local(kept, face, games.find((g) => g.name === kept.game)!);
  await local.open();
  const table = Object.assign(local.table, { kept });
  await settled(table);
  return table;
}

/** Waits until a person is asked for something, or the game is over. */
async function settled(table: Table) {
  await vi.waitUntil(() => ['person', 'hand-over', 'over', 'broken'].includes(table.phase), { timeout: 20_000 });
  expect(table.trouble).toBe('');
}

const plant = (r: number, c: number, tree = 3): Move => ({ do: 'plant', tree, at: [r, c] });

beforeEach(async () => {
  localStorage.clear();
  settings.pace = 'instant';
  await speak('en');
});

test('a choice stands as a ghost until it is confirmed, and another takes its place', async () => {
  const table = await sit('bosk', person, person);
  expect(await table.try(plant(4, 4))).toBe(true);
  expect(await table.try(plant(2, 2))).toBe(true);
  expect(table.held).toEqual(plant(2, 2));
  expect(table.draft).toEqual([plant(2, 2)]);
  expect(table.kept.line).toEqual([]);
  await table.confirm();
  await settled(table);
  expect(table.kept.line).toEqual([{ seat: 0, move: plant(2, 2) }]);
  expect(table.toAct).toBe(1);
});

test('what is refused changes nothing, and says why with the rule', async () => {
  const table = await sit('bosk', person, person);
  await table.try(plant(4, 4));
  expect(await table.try(plant(0, 99))).toBe(false);
  expect(table.slip).toMatchObject({ rule: expect.stringMatching(/^\d\.\d$/), text: expect.stringContaining('crossing') });
  expect(table.held).toEqual(plant(4, 4));
});

test('confirm says what is missing when it is pressed early', async () => {
  const table = await sit('bosk', person, person);
  await table.confirm();
  expect(table.slip?.text).toBe('something is missing');
  expect(table.kept.line).toEqual([]);
});

test('a second press on Confirm says nothing to the next player', async () => {
  const table = await sit('bosk', person, person);
  await table.try(plant(4, 4));
  await Promise.all([table.confirm(), table.confirm()]);
  await settled(table);
  expect(table.kept.line.length).toBe(1);
  expect(table.slip).toBeNull();
});

test('nothing goes on once a table was left, not even in the middle of the counting', async () => {
  const table = await sit('bosk', person, bot);
  const counting = vi.spyOn(face, 'interlude').mockReturnValue('summer');
  await table.try(plant(4, 4));
  const confirmed = table.confirm();
  await vi.waitUntil(() => table.interlude !== null, { timeout: 20_000 });
  const asked = vi.spyOn(shop, 'line');
  table.close();
  await confirmed;
  await new Promise((resolve) => setTimeout(resolve));
  expect(asked).not.toHaveBeenCalled();
  counting.mockRestore();
  asked.mockRestore();
});

test('a table that was left keeps nothing any more', async () => {
  const table = await sit('bosk', person, person);
  table.close();
  localStorage.clear();
  await table.try(plant(4, 4)).catch(() => {});
  expect(find(table.kept.id)).toBeNull();
});

test('scores show what would come of a choice', async () => {
  const table = await sit('bosk', person, person);
  await table.try(plant(4, 4));
  expect(table.before.map((s) => s.total)).toEqual([0, 0]);
  expect(table.projected).toEqual([6, 0]); // alone on two trails
});

test('a draft outlives a reload', async () => {
  const table = await sit('bosk', person, person);
  await table.try(plant(4, 4));
  table.close();
  const next = await open(table.kept.id);
  expect(next.draft).toEqual([plant(4, 4)]);
  expect(next.complete).toBe(true);
  expect(next.before.map((s) => s.total)).toEqual([0, 0]);
  expect((next.ground as { trees: unknown[] }).trees).toEqual([]);
  expect(next.choices.length).toBeGreaterThan(100); // and can still be moved
});

test('undo goes back step by step, then to the last turn where only bots have played since', async () => {
  const table = await sit('bosk', person, bot);
  await table.try(plant(4, 4));
  await table.undo();
  expect(table.draft).toEqual([]);
  await table.try(plant(4, 4));
  await table.confirm();
  await settled(table);
  expect(table.kept.line.length).toBe(2);
  await table.undo();
  await vi.waitUntil(() => !table.behind && table.moves === 0);
  expect(table.kept.line).toEqual([]);
  expect(table.toAct).toBe(0);
  expect(table.undoable).toBe(false);
});

test('among people a confirmed turn stays', async () => {
  const table = await sit('bosk', person, person);
  await table.try(plant(4, 4));
  await table.confirm();
  await settled(table);
  expect(table.undoable).toBe(false);
});

test('a turn of autumn is one draft from the tree to the last leaf', async () => {
  const table = await sit('bosk', person, person);
  while (!table.choices.some((c) => c.move.do === 'shed')) {
    await table.try(table.choices[0].move);
    await table.confirm();
    await settled(table);
  }
  const before = table.kept.line.length;
  const shed = table.choices.find((c) => c.move.tile === 5 && (c.facts.to as unknown[]).length > 0)!;
  await table.try(shed.move);
  while (!table.complete) await table.try(table.choices[0].move);
  expect(table.draft.length).toBeGreaterThan(1);
  expect(table.kept.line.length).toBe(before);
  await table.restart();
  expect(table.draft).toEqual([]);
  expect(table.choices.some((c) => c.move.do === 'shed')).toBe(true);
});

test('two people at one screen: nobody sees a clan before they say who they are', async () => {
  const table = await sit('grandbois', person, person);
  const clans = () => (table.view as { players: { clans: string[] | null }[] }).players.map((p) => p.clans !== null);
  expect([table.phase, table.nextPerson, clans()]).toEqual(['hand-over', 0, [false, false]]);
  await table.takeScreen();
  expect([table.phase, clans()]).toEqual(['person', [true, false]]);
  const place = table.choices.find((c) => !c.facts.tower)!;
  await table.try(place.move);
  expect(table.opens).toBe(true); // the river is refilled: a tile turns up
  expect(table.final).toBe(true);
  await table.confirm();
  await settled(table);
  expect([table.phase, table.nextPerson, clans()]).toEqual(['hand-over', 1, [false, false]]);
  expect(JSON.stringify(table.told)).not.toContain('clan":');
  await table.takeScreen();
  expect(clans()).toEqual([false, true]);
});

test.for(['bosk', 'grandbois'])('a whole game of %s against bots, left and taken up again at every turn', { timeout: 60_000 }, async (game) => {
  let table = await sit(game, person, bot);
  while (table.phase !== 'over') {
    while (!table.complete) await table.try(table.choices[Math.floor(table.choices.length / 2)].move);
    await table.confirm();
    await settled(table);
    table.close();
    table = await open(table.kept.id);
  }
  expect(table.kept.result).toMatchObject({ ranks: expect.arrayContaining([1]) });
  expect(find(table.kept.id)!.result).toEqual(table.kept.result);
});

test('a bot thinks once, and then does all that it thought of', async () => {
  const table = await sit('bosk', person, { ...bot, bot: 'level:1' });
  const thoughts: Move[][] = [];
  const asked = vi.spyOn(shop, 'line').mockImplementation(async (game, engine, line) => {
    const reply = await InProcess.prototype.line.call(shop, game, engine, line);
    if (line.includes('"do":"think"')) thoughts.push(JSON.parse(reply).line);
    return reply;
  });
  while (table.phase !== 'over') {
    while (!table.complete) await table.try(table.choices[Math.floor(table.choices.length / 2)].move);
    await table.confirm();
    await settled(table);
  }
  asked.mockRestore();
  expect(thoughts.flat()).toEqual(table.kept.line.flatMap((e) => (e.seat === 1 ? [e.move] : [])));
  expect(thoughts.filter((line) => line.length > 2).length).toBeGreaterThan(3); // whole paths of leaves
});

test.for(['easy', 'greedy', 'ahead'])('a game that was begun against %s goes on', { timeout: 60_000 }, async (old) => {
  const table = await sit('grandbois', person, { ...bot, bot: old });
  await table.try(table.choices.find((c) => !c.facts.tower)!.move);
  await table.confirm();
  await settled(table);
  expect(table.kept.line.some((e) => e.seat === 1)).toBe(true);
  expect(table.names).toEqual(['A', 'B']);
});

test('a draft is made another one, and what both have in common stays', async () => {
  const table = await sit('bosk', person, person);
  await table.try(plant(4, 4));
  await table.redraft([plant(2, 2)]);
  expect(table.draft).toEqual([plant(2, 2)]);
  expect(table.complete).toBe(true);
  await table.redraft([plant(0, 99)]); // what the rules refuse is not made
  expect(table.draft).toEqual([]);
  await table.redraft([]);
  expect(table.choices.length).toBeGreaterThan(100);
});

test('steps that follow by themselves are not made twice when a draft is taken up again', async () => {
  const table = await sit('bosk', person, person);
  let forced = null;
  while (!forced && table.phase === 'person') {
    for (const { move } of table.choices.filter((c) => c.move.do === 'shed')) {
      if (forced) break;
      await table.restart();
      await table.try(move);
      while (!table.complete) await table.try(table.choices[0].move);
      // More steps than were made by hand: some made themselves.
      if (table.draft.length > 2) forced = table.draft;
    }
    if (forced) break;
    if (!table.complete) await table.try(table.choices[0].move);
    while (!table.complete) await table.try(table.choices[0].move);
    await table.confirm();
    await settled(table);
  }
  table.close();
  const next = await open(table.kept.id);
  expect(next.draft).toEqual(forced);
});

test('hints are counted and kept; only against bots alone is there one', async () => {
  const table = await sit('bosk', person, bot);
  expect(table.hintable).toBe(true);
  table.hinted();
  table.hinted();
  expect(find(table.kept.id)!.hints).toBe(2);
  expect((await sit('bosk', person, person)).hintable).toBe(false);
});

test('who comes back after a while is offered what bots did, and it is shown as it happened', async () => {
  const first = await sit('bosk', person, bot, bot);
  await first.try(plant(4, 4));
  await first.confirm();
  await settled(first);
  const { kept } = first;
  first.close();
  expect((await open(kept.id)).missed).toBeNull(); // a reload is no absence
  localStorage.setItem('copse.game.' + kept.id, JSON.stringify({ ...kept, touched: Date.now() - 3_600_000 }));
  const table = await open(kept.id);
  expect(table.missed).toEqual({ from: 1, turns: 2, first: false });
  await table.try(plant(2, 2));
  const { view, now, draft } = table;
  const seen: unknown[] = [];
  table['wait'] = (id) => {
    seen.push([table.shown, table.moves, table.draft]);
    table.dispatch({ is: 'wake', id }); // no need to wait for the next
  };
  await table.recap();
  expect(seen).toEqual([1, 2, 3].map((moves) => ['recap', moves, []]));
  expect(table.phase).toBe('person');
  expect(table.missed).toBeNull();
  expect([table.view, table.now, table.draft]).toEqual([view, now, draft]); // the draft stands as it did
});

/** A table that is opened again long after a turn, when two bots have moved. */
async function longAfter() {
  const first = await sit('bosk', person, bot, bot);
  await first.try(plant(4, 4));
  await first.confirm();
  await settled(first);
  const { kept } = first;
  localStorage.setItem('copse.game.' + kept.id, JSON.stringify({ ...kept, touched: 0 }));
  return open(kept.id);
}

test('what is shown once more ends at once when somebody has seen enough', async () => {
  const table = await longAfter();
  const seen: number[] = [];
  const wait = table['wait'];
  table['wait'] = (id, ms) => {
    seen.push(table.moves);
    wait.call(table, id, ms);
    table.endRecap();
  };
  await table.recap();
  expect(seen).toEqual([1]);
  expect([table.phase, table.shown, table.moves]).toEqual(['person', 'person', 3]);
});

test('however slow the machine, what is shown once more ends where the game is', async () => {
  const table = await longAfter();
  const seen: number[] = [];
  table['wait'] = (id) => {
    seen.push(table.moves);
    table.dispatch({ is: 'wake', id });
  };
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 9000)); // whatever is done takes longer than all of it may
  await table.recap();
  clock.mockRestore();
  expect(seen).toEqual([1, 3]);
  expect(table.phase).toBe('person');
});
