import { expect, test } from 'vitest';
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
