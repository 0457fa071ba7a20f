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
  const does = (what: object, get = had) => equip(program, 0, JSON.stringify(what), get);
  const think = (player: string) => ({ do: 'think', player });
  const errand = (net?: number) => ({ do: 'errand', player: 'level:10', seed: 'oak', errand: { number: 0, ms: 9, net } });
  for (const what of [think('level:3'), think('greedy'), think('nobody'), { do: 'think' }, { do: 'moves', player: 'level:10' }, errand()]) await does(what);
  expect(fetched).toEqual([]);
  await does(think('level:10'), async () => undefined as never); // it cannot be had now
  for (const bytes of [0, 3, 2 ** 21]) await does(think('level:10'), async () => new Uint8Array(bytes)); // it is none
  for (let i = 0; i < 3; i++) await does(i ? think('level:10') : errand(7)); // who helps one that has it has it too
  expect(fetched).toEqual(['grandbois-1-of-2']);
});
