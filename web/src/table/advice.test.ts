import { beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../app/settings.svelte.ts';
import { gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import type { Move } from '../engine/protocol.ts';
import type { Face, Hand } from './face.ts';
import { speak } from '../words/words.svelte.ts';
import { advise, made, percent, signed, sumOf, type Advice } from './advice.ts';
import { fresh } from './fresh.ts';
import type { PlayedMove, Player } from './kept.ts';
import { Local } from './local.svelte.ts';
import type { Shell } from './shell.svelte.ts';

const shop = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));

const hand = { prompt: { text: '', detail: '' }, covered: false, drop: () => false, reset() {} } as unknown as Hand;
const face = { seatNames: () => ['A', 'B', 'C', 'D'], hand: () => hand, interlude: () => null } as unknown as Face;
const person: Player = { kind: 'person', name: '', bot: '' };
const bot: Player = { kind: 'bot', name: '', bot: 'level:1' };

async function sit(game: string, line: PlayedMove[] = [], seed = 'the seed of this test') {
  const kept = { ...fresh({ game, version: 1, options: {}, players: [person, bot], guide: null }), seed, line };
  const games = await gamesOf();
  const local = new Local(kept, face, games.find((g) => g.name === game)!);
  await local.open();
  const table = Object.assign(local.table, { kept });
  await settled(table);
  return table;
}

async function settled(table: Shell) {
  await vi.waitUntil(() => ['person', 'over', 'broken'].includes(table.phase), { timeout: 30_000 });
  expect(table.trouble).toBe('');
}

/** Plays on, anyhow, until something is asked for. */
async function playTo(table: Shell, what: string) {
  while (!table.choices.some((c) => c.move.do === what)) {
    while (!table.complete) await table.try(table.choices[Math.floor(table.choices.length / 2)].move);
    await table.confirm();
    await settled(table);
  }
}

/** Every column that would be shown adds up. */
function addsUp({ ways }: Advice) {
  for (const { sum } of ways) expect(sum!.reasons.reduce((all, r) => all + r.tenths, sum!.now)).toBe(sum!.lead);
}

beforeEach(async () => {
  settings.pace = 'instant';
  await speak('en');
});

test('the column adds up as it is shown, whatever the hundredths are', () => {
  let state = 1;
  const next = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % 4001) - 2000; // hundredths
  for (let i = 0; i < 500; i++) {
    const now = next();
    const parts = Array.from({ length: 1 + (i % 6) }, next);
    const margin = parts.reduce((all, p) => all + p, now);
    const reasons = parts.map((p) => ({ key: 'k', args: {}, points: p / 100 }));
    const sum = sumOf(now / 100, { margin: margin / 100, reasons });
    expect(sum.reasons.reduce((all, r) => all + r.tenths, sum.now)).toBe(sum.lead);
    expect(sum.lead).toBe(Math.round(margin / 10) + 0);
    for (const { reason, tenths } of sum.reasons.slice(0, -1)) expect(Math.abs(tenths / 10 - reason.points)).toBeLessThanOrEqual(0.0501);
  }
});

test('what comes to nothing is left out, but never the remainder', () => {
  const reasons = [0.02, 3, -0.04, 0].map((points, i) => ({ key: String(i), args: {}, points }));
  const sum = sumOf(0, { margin: 2.98, reasons });
  expect(sum.reasons.map((r) => [r.reason.key, r.tenths])).toEqual([['1', 30], ['3', 0]]);
});

test('points and chances in every language', async () => {
  expect([34, -20, 0].map(signed)).toEqual(['+3.4', '−2.0', '0.0']);
  expect([0.58, 0.001, 1].map(percent)).toEqual(['58%', '< 1%', '> 99%']);
  await speak('fr');
  expect([signed(34), percent(0.58).replace(/\s/u, ' ')]).toEqual(['+3,4', '58 %']);
  await speak('it');
  expect([signed(-34), percent(0.58)]).toEqual(['−3,4', '58%']);
});

test('advice holds as long as somebody goes that way', () => {
  const move = (n: number): Move => ({ do: 'leaf', to: [n, 0] });
  const advice: Advice = { asked: [move(1)], base: [move(1)], ways: [], cut: false, again: false };
  const line = [move(2), move(3)];
  expect([[move(1)], [move(1), move(2)], [move(1), move(2), move(3)]].map((draft) => made(advice, line, draft))).toEqual([0, 1, 2]);
  expect([[], [move(4)], [move(1), move(3)]].map((draft) => made(advice, line, draft))).toEqual([null, null, null]);
  // Asked for when the turn was made up already, it is about all of it.
  const whole: Advice = { ...advice, asked: [move(1), move(4)], base: [] };
  expect([[move(1), move(4)], [], [move(2)]].map((draft) => made(whole, line, draft))).toEqual([0, 0, 1]);
});

test('a hint for a whole turn of autumn: words for every step, and it can be played', { timeout: 60_000 }, async () => {
  const table = await sit('bosk');
  await playTo(table, 'shed');
  const advice = await advise(table);
  addsUp(advice);
  expect(advice.ways.length).toBeGreaterThan(1);
  expect(advice.ways[0].line[0].do).toBe('shed');
  for (const way of advice.ways) {
    expect(way.told.length).toBe(way.line.length);
    for (const events of way.told) expect(events.length).toBeGreaterThan(0);
    expect(way.told.flat().every((e) => e.args.seat === 0)).toBe(true);
    expect(way.win).toBeGreaterThanOrEqual(0);
  }
  await table.redraft(advice.ways[0].line);
  expect(table.draft).toEqual(advice.ways[0].line);
  expect(table.complete).toBe(true);
  expect(table.kept.line.length).toBe(table.moves); // nothing was confirmed

  // Of a turn that is made up it speaks as a whole.
  const again = await advise(table);
  expect(again.base).toEqual([]);
  expect(again.ways[0].line[0].do).toBe('shed');
  table.close();
});

test('in the middle of a turn a hint is about the rest of it', { timeout: 60_000 }, async () => {
  const table = await sit('bosk');
  await playTo(table, 'shed');
  const shed = table.choices.find((c) => c.move.tile === 5 && (c.facts.to as unknown[]).length > 0)!;
  await table.try(shed.move);
  expect(table.complete).toBe(false);
  const advice = await advise(table);
  addsUp(advice);
  expect(advice.base).toEqual(table.draft);
  expect(advice.ways[0].line[0].do).toBe('leaf');
  await table.redraft([...advice.base, ...advice.ways[0].line]);
  expect(table.complete).toBe(true);
  expect(table.draft[0]).toEqual(shed.move);
  table.close();
});

test('where there is one thing to do alone, a hint says so, or goes on to what comes after it', { timeout: 60_000 }, async () => {
  const table = await sit('bosk');
  const alone = { whole: 0, begun: 0 };
  while (table.phase === 'person' && !(alone.whole && alone.begun)) {
    const only = table.choices.length === 1;
    while (!table.complete) await table.try(table.choices[Math.floor(table.choices.length / 2)].move);
    if (only) {
      const advice = await advise(table); // of a turn that is made up: about all of it
      const [{ line, told, sum }] = advice.ways;
      expect(told.length).toBe(line.length);
      alone[sum ? 'begun' : 'whole']++;
      if (sum) addsUp(advice);
      await table.redraft(line);
      expect(table.draft).toEqual(line);
      expect(table.complete).toBe(true);
    }
    await table.confirm();
    await settled(table);
  }
  expect(alone.whole + alone.begun).toBeGreaterThan(0);
  table.close();
});

test('asked once more about the same, or about what it advised, it is no other hint', { timeout: 60_000 }, async () => {
  const table = await sit('bosk');
  const first = await advise(table);
  expect(first.again).toBe(false);
  expect(await advise(table)).toEqual({ ...first, again: true });
  const [{ line }] = first.ways;
  await table.redraft(line);
  const again = await advise(table);
  expect(again.again).toBe(true);
  expect(made(again, again.ways[0].line, table.draft)).toBe(line.length); // so nothing but Confirm is left
  await table.confirm();
  await settled(table);
  expect((await advise(table)).again).toBe(false);
  table.close();
});

test('a hint in GrandBois knows no more than the seat it is for', { timeout: 60_000 }, async () => {
  const first = await sit('grandbois');
  const { line, seed } = first.kept;
  const dealt = line.filter((e) => e.move.do === 'deal');
  const other = ['toad', 'rabbit', 'fox', 'raccoon', 'lizard'].find((clan) => dealt.every((e) => e.move.clan !== clan))!;
  const twin = structuredClone(line);
  twin.find((e) => e.move.do === 'deal' && e.move.seat === 1)!.move.clan = other;
  const second = await sit('grandbois', twin, seed);
  const [one, two] = [await advise(first), await advise(second)];
  expect(two).toEqual(one);
  addsUp(one);
  await first.redraft(one.ways[0].line);
  expect(first.complete).toBe(true);
  first.close();
  second.close();
});
