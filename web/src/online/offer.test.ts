import { beforeEach, expect, test } from 'vitest';
import { learn, speak } from '../words/words.svelte.ts';
import { paceWords as told, span } from './offer.ts';

beforeEach(() => learn('online'));

/** Which spaces break is up to the language's own figures. */
const paceWords = (pace: Parameters<typeof told>[0]) => told(pace).replace(/\s/g, ' ');

test('a pace is told in the server’s own figures, in every language', async () => {
  const live = { name: 'live', bank: 600_000, step: 30_000, most: 900_000, night: false, back: 60_000, patience: 600_000 };
  const days = { name: 'days', bank: 3 * 86_400_000, step: 86_400_000, most: 5 * 86_400_000, night: true, back: 43_200_000, patience: 3 * 86_400_000 };
  await speak('en');
  expect(paceWords(live)).toBe('10 minutes each, plus 30 seconds per turn.');
  expect(paceWords(days)).toBe('3 days each, plus 1 day per turn. Clocks stop at night.');
  await speak('fr');
  expect(paceWords(live)).toBe('10 minutes chacun, plus 30 secondes par tour.');
  await speak('it');
  expect(paceWords(days)).toBe('3 giorni a testa, più 1 giorno a turno. Di notte gli orologi si fermano.');
});

test('a span is told in whole units', async () => {
  await speak('en');
  expect([90_000, 3_600_000, 5_400_000, 86_400_000].map((ms) => span(ms))).toEqual(['90 seconds', '1 hour', '90 minutes', '1 day']);
});
