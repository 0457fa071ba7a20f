// @vitest-environment node
import { expect, test } from 'vitest';
import { Engine } from './engine.ts';

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
