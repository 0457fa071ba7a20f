import { beforeEach, expect, test } from 'vitest';
import { instruct, announce, calm, heard, retract, turnOver } from './announce.svelte.ts';

const polite = () => heard.polite.map((s) => s.text);

beforeEach(() => {
  heard.polite = [];
  calm();
});

test('the last few sentences stand, each with a number of its own', () => {
  for (const text of ['one', 'two', 'two', 'three', 'four']) announce(text);
  expect(polite()).toEqual(['two', 'two', 'three', 'four']);
  expect(new Set(heard.polite.map((s) => s.number)).size).toBe(4);
});

test('a prompt that is another one by now is taken out, with what was said after it in one breath', () => {
  announce('Choose a tree.');
  announce('Anna plants a 3 at 4-7.');
  announce('Choose a tree. Two are left.');
  retract('Choose a tree.');
  expect(polite()).toEqual(['Anna plants a 3 at 4-7.']);
  retract('');
  expect(polite()).toEqual(['Anna plants a 3 at 4-7.']);
});

test('what was to be done in a turn is gone with it, what happened stays', () => {
  instruct('Tile 7 fits in three places.');
  announce('Anna lays tile 3.');
  turnOver();
  expect(polite()).toEqual(['Anna lays tile 3.']);
});

test('only the newest refusal stands, until it is put aside', () => {
  announce('You cannot put a leaf there.', true);
  announce('Nor there.', true);
  expect(heard.urgent.map((s) => s.text)).toEqual(['Nor there.']);
  calm();
  expect(heard.urgent).toEqual([]);
});
