import { expect, test, vi } from 'vitest';
import { stopThinking, hiredCrew } from './shop.svelte.ts';

/** Workers, as far as they are only started and ended. */
const started: { alive: boolean; end(): void }[] = [];
vi.mock('./engine.ts', async (original) => ({
  ...(await original<object>()),
  Workshop: class {
    alive = true;
    constructor() {
      started.push(this);
    }
    end() {
      this.alive = false;
    }
  },
}));

test('who thinks is there until thoughts are ended, and then others are', async () => {
  const crew = await hiredCrew();
  expect(await hiredCrew()).toBe(crew);
  expect(started.length).toBe(1);
  stopThinking();
  expect(started[0].alive).toBe(false);
  expect(await hiredCrew()).not.toBe(crew);
  expect(started.map((worker) => worker.alive)).toEqual([false, true]);
});

test('a thought that is ended before it began does not begin', async () => {
  const before = started.length;
  stopThinking();
  const coming = hiredCrew();
  stopThinking();
  await expect(coming).rejects.toThrow('before it began');
  expect(started.length).toBe(before);
  expect((await hiredCrew()).alive).toBe(true);
});
