import { expect, test, vi } from 'vitest';
import { afterAll, soon } from './soon.ts';

const done = () => new Promise<void>((resolve) => afterAll(resolve));

test('what is to be drawn soon is drawn in order, each in a task of its own, and what follows comes last', async () => {
  const drawn: string[] = [];
  soon(() => {
    drawn.push('board');
    void Promise.resolve().then(() => soon(() => drawn.push('ground'))); // a part of it, asked for as it is drawn
  });
  const back = soon(() => drawn.push('taken back'));
  soon(() => drawn.push('tray'));
  back();
  expect(drawn).toEqual([]);
  await done();
  expect(drawn).toEqual(['board', 'tray', 'ground']);
});

test('one that fails does not hold up the others, nor what follows', async () => {
  const drawn: string[] = [];
  const failed = new Promise((resolve) => process.once('uncaughtException', resolve));
  soon(() => {
    throw new Error('cannot be drawn');
  });
  soon(() => drawn.push('tray'));
  await done();
  expect(drawn).toEqual(['tray']);
  expect(await failed).toMatchObject({ message: 'cannot be drawn' });
});

test('where nothing is to be drawn, what follows comes at once', () => {
  let came = false;
  afterAll(() => (came = true));
  expect(came).toBe(true);
});

test.for([
  ['small parts share a frame', 1, 1],
  ['a large part has a frame to itself', 100, 4],
] as const)('%s', async ([, took, frames]) => {
  const shown = vi.spyOn(globalThis, 'requestAnimationFrame').mockImplementation((then) => (setTimeout(then, 0, now), 0));
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  for (let part = 0; part < 3; part++) soon(() => void (now += took));
  await new Promise<void>((resolve) => soon(resolve));
  vi.restoreAllMocks();
  expect(shown.mock.calls.length).toBe(frames);
});
