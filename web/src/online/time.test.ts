import { expect, test } from 'vitest';
import { learn, speak, writing } from '../words/words.svelte.ts';
import { shownMoment, shownTime } from './time.ts';

const noon = new Date(2026, 2, 1, 12, 0).getTime();

test('a moment of today is a time of day, another has its day', async () => {
  await speak('en');
  expect(shownMoment(noon + 20 * 60_000, noon)).toMatch(/^12:20( PM)?$/u);
  expect(shownMoment(noon + 3 * 86_400_000, noon)).toMatch(/March 4|4 March/u);
  await speak('fr');
  expect(shownMoment(noon + 20 * 60_000, noon)).toBe('12:20');
  expect(shownMoment(noon + 3 * 86_400_000, noon)).toMatch(/4 mars/u);
  await speak('it');
  expect(shownMoment(noon + 3 * 86_400_000, noon)).toMatch(/4 marzo/u);
});

test('what is left is shown in its largest units', async () => {
  await learn('online');
  await speak('en');
  expect(shownTime(5 * 60_000)).toBe('5:00');
  expect(shownTime(3_600_000 + 61_000)).toBe('1:01:01');
  expect(shownTime(3 * 86_400_000)).toMatch(/^3/u);
});

test('dates are written as the browser’s region writes them, in the language that is spoken', async () => {
  await speak('en');
  expect(writing(['en-GB', 'en'])).toBe('en-GB');
  expect(writing(['fr-CH', 'en-US'])).toBe('en-US');
  expect(writing(['de-CH', 'de'])).toBe('en-CH');
  expect(writing(['english'])).toBe('en');
  expect(writing([])).toBe('en');
  await speak('fr');
  expect(writing(['en-GB', 'en'])).toBe('fr-GB');
  await speak('en');
  const { languages } = navigator;
  const of = (...list: string[]) => Object.defineProperty(navigator, 'languages', { value: list, configurable: true });
  try {
    of('en-GB', 'en');
    expect(shownMoment(noon + 3 * 86_400_000, noon)).toMatch(/^4 March.*12:00$/u);
    of('en-US', 'en');
    expect(shownMoment(noon + 3 * 86_400_000, noon)).toMatch(/^March 4.*12:00\sPM$/u);
  } finally {
    of(...languages);
  }
});
