import { expect, test } from 'vitest';
import { learn, speak } from '../../words/words.svelte.ts';
import { contest, placed, standing } from './words.ts';
import { trace } from './trace.ts';

test.for([
  [[0, 3], 0, 'none'],
  [[3, 0], 0, 'alone'],
  [[4, 3], 0, 'first'],
  [[4, 3], 1, 'second'],
  [[4, 4, 1], 1, 'tied-first'],
  [[5, 2, 2], 2, 'tied-second'],
  [[5, 4, 2], 2, 'behind'],
] as const)('%j: seat %i stands %s', ([have, seat, place]) => {
  expect(standing([...have], seat)).toBe(place);
});

test('what was done leaves a trace where it was done', () => {
  expect(trace({ key: 'bosk.event.cover', args: { seat: 1, to: [4, 3] }, to: 'all' })).toEqual({ seat: 1, kind: 'square', at: [4, 3] });
  expect(trace({ key: 'bosk.event.shed', args: { seat: 0, at: [2, 2], tile: 4 }, to: 'all' })).toEqual({ seat: 0, kind: 'crossing', at: [2, 2] });
  expect(trace({ key: 'bosk.event.round', args: { round: 2 }, to: 'all' })).toBeNull();
});

test.for([
  ['en', 'Row 4 – you: 4 · Acorn 3: 3 · Acorn 1: 1 → first place, 2 points.'],
  ['fr', 'Ligne 4 – vous\u00a0: 4 · Acorn 3\u00a0: 3 · Acorn 1\u00a0: 1 → première place, 2 points.'],
  ['it', 'Riga 4 – tu: 4 · Acorn 3: 3 · Acorn 1: 1 → primo posto, 2 punti.'],
] as const)('names that end in a number are told from what they have: %s', async ([language, sentence]) => {
  await speak(language);
  await learn('bosk');
  const line = { key: 'bosk.sheet.row', part: 'summer', args: { trail: 4, have: [4, 1, 0, 3] }, points: [2, 0, 0, 1] };
  expect(contest(line, 0, ['Maple', 'Acorn 1', 'Acorn 2', 'Acorn 3'])).toBe(sentence);
  expect(placed(line, 0)).toBe(sentence.replace(/ –.*→/, language === 'fr' ? '\u00a0:' : ':'));
});
