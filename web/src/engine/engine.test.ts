import { expect, test } from 'vitest';
import { Engine } from './engine.ts';

test('an engine that was left answers nobody, and gives its number back once', async () => {
  const freed: number[] = [];
  const asked: string[] = [];
  const shop = {
    line: async (_: number, line: string) => (asked.push(line), '{"ok":true,"games":[]}'),
    free: (number: number) => void freed.push(number),
  };
  const engine = new Engine(shop, 3);
  await engine.ask('games', {});
  engine.leave();
  engine.leave();
  await expect(engine.ask('games', {})).rejects.toThrow('left');
  expect(asked.length).toBe(1);
  expect(freed).toEqual([3]);
});
