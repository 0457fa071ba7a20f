// @vitest-environment node
import { expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { Engine } from './engine.ts';
import { InProcess } from './inprocess.ts';
import { ask, equip } from './program.ts';

/** A workshop that writes down who is asked what. */
function shop() {
  const freed: number[] = [];
  const asked: string[] = [];
  return {
    freed,
    asked,
    line: async (game: string, number: number, line: string) => (asked.push(`${game} ${number} ${JSON.parse(line).do}`), '{"ok":true}'),
    free: (number: number) => void freed.push(number),
  };
}
const bosk = { game: 'bosk', chance: 'manual', seed: '' } as const;

test('an engine that was left answers nobody, and gives its number back once', async () => {
  const here = shop();
  const engine = new Engine(here, 3);
  await engine.ask('new', bosk);
  engine.leave();
  engine.leave();
  await expect(engine.ask('undo', {})).rejects.toThrow('left');
  expect(here.asked.length).toBe(1);
  expect(here.freed).toEqual([3]);
});

test('who thinks may want a net, and who helps one that has it; nobody else is asked', async () => {
  const judges: (string | undefined)[] = [];
  const line = async (_game: string, _engine: number, _line: string, player?: string) => (judges.push(player), '{"ok":true}');
  const engine = new Engine({ line, free: () => {} }, 0);
  await engine.ask('new', { game: 'bosk', seats: 2 } as never);
  await engine.ask('think', { player: 'level:8' });
  await engine.ask('errand', { player: 'level:8', seed: 'oak', errand: { number: 0, ms: 9 } });
  await engine.ask('errand', { player: 'level:8', seed: 'oak', errand: { number: 0, ms: 9, net: 7 } });
  expect(judges).toEqual([undefined, 'level:8', undefined, 'level:8']);
});

test('an engine asks the program of the game that it plays', async () => {
  const here = shop();
  const engine = new Engine(here, 3);
  await expect(engine.ask('undo', {})).rejects.toThrow('which game');
  await engine.ask('cards', { game: 'treesociety' });
  await expect(engine.ask('undo', {})).rejects.toThrow('which game');
  await engine.ask('new', bosk);
  await engine.ask('undo', {});
  await engine.ask('open', { game: 'grandbois', seats: 2, options: {}, version: 1, seat: 0, view: {}, then: [] });
  await engine.ask('undo', {});
  expect(here.asked).toEqual(['treesociety 3 cards', 'bosk 3 new', 'bosk 3 undo', 'grandbois 3 open', 'grandbois 3 undo']);
});

test('a level that judges by a net has it fetched, once; others never', async () => {
  const program = new InProcess().program('grandbois');
  ask(program, 0, JSON.stringify({ do: 'new', game: 'grandbois', seats: 2, seed: 'oak' }));
  const fetched: string[] = [];
  const had = async (name: string) => (fetched.push(name), new Uint8Array(readFileSync(`../nets/${name}.net`)));
  for (const player of ['level:3', 'greedy', 'nobody']) await equip(program, 0, player, had);
  expect(fetched).toEqual([]);
  await equip(program, 0, 'level:10', async () => undefined); // it cannot be had now
  for (const bytes of [0, 3, 2 ** 21]) await equip(program, 0, 'level:10', async () => new Uint8Array(bytes)); // it is none
  for (let i = 0; i < 3; i++) await equip(program, 0, 'level:10', had);
  expect(fetched).toEqual(['grandbois-1-of-2']);
});
