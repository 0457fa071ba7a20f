import { beforeEach, expect, test } from 'vitest';
import { learn, speak } from '../words/words.svelte.ts';
import type { Pace, PaceName } from './api.gen.ts';
import { paceWords } from './offer.ts';
import { figuresOf, ms, ownFigures, paceTerm, shortSpan, wrong, type Unit } from './pace.ts';

beforeEach(() => learn('online'));

const limits = { leastBank: 60_000, mostBank: 14 * 86_400_000, mostStep: 7 * 86_400_000, near: 3_600_000, rest: 86_400_000 };
const typed = (n: number | null, unit: Unit) => ({ n, unit });

test('what was typed becomes milliseconds', () => {
  expect([typed(45, 'second'), typed(20, 'minute'), typed(3, 'hour'), typed(2, 'day'), typed(0, 'minute')].map(ms)).toEqual([45_000, 1_200_000, 10_800_000, 172_800_000, 0]);
  expect([typed(null, 'day'), typed(1.5, 'minute'), typed(NaN, 'second')].map(ms)).toEqual([NaN, NaN, NaN]);
});

test('and what is beyond the limits is named, as the server names it', async () => {
  await speak('en');
  const bank = 'The time at the start must be whole seconds, from 1 minute to 14 days.';
  const step = 'The time for each turn must be whole seconds, at most 7 days.';
  const none = typed(0, 'second');
  for (const [b, s, wantBank, wantStep] of [
    [typed(1, 'minute'), none, '', ''],
    [typed(60, 'second'), typed(7, 'day'), '', ''],
    [typed(14, 'day'), none, '', ''],
    [typed(59, 'second'), none, bank, ''],
    [typed(15, 'day'), none, bank, ''],
    [typed(null, 'day'), none, bank, ''],
    [typed(2.5, 'minute'), none, bank, ''],
    [typed(1, 'hour'), typed(8, 'day'), '', step],
    [typed(1, 'hour'), typed(-1, 'second'), '', step],
    [typed(1, 'hour'), typed(null, 'second'), '', step],
  ] as const)
    expect(wrong(b, s, limits), `${b.n} ${b.unit}, ${s.n} ${s.unit}`).toEqual({ bank: wantBank, step: wantStep });
});

test('the figures of a table are its own or those of its pace', () => {
  const live: Pace = { name: 'live', bank: 600_000, step: 30_000, most: 900_000, night: false, back: 60_000, patience: 600_000 };
  expect(figuresOf({ pace: 'live' }, [live])).toBe(live);
  expect(figuresOf({ pace: '' as PaceName }, [live])).toBe(live);
  expect(figuresOf({ pace: 'evening' }, [live])).toBeNull();
  expect(figuresOf({ pace: 'own', bank: 60_000, step: 0 }, [])).toEqual({ bank: 60_000, step: 0, night: false });
  expect(figuresOf({ pace: 'own', bank: 86_400_000, step: 5000, night: [0, 60] }, [])).toEqual({ bank: 86_400_000, step: 5000, night: true });
  expect(ownFigures(86_400_000, 0, limits).night).toBe(true);
  expect(ownFigures(86_399_000, 0, limits).night).toBe(false);
  expect(ownFigures(43_200_000, 43_200_000, limits).night).toBe(true);
});

test('a list tells the pace by its name or its figures, in every language', async () => {
  const text = (settings: Parameters<typeof paceTerm>[0]) => paceTerm(settings).replace(/\s/g, ' ');
  await speak('en');
  expect(text({ pace: 'evening' })).toBe('an evening');
  expect(text({ pace: 'own', bank: 1_200_000, step: 45_000 })).toBe('20 min + 45 sec');
  expect(text({ pace: 'own', bank: 90_000, step: 0 })).toBe('90 sec');
  expect(text({ pace: 'glacial' as PaceName })).toBe('');
  await speak('fr');
  expect(text({ pace: 'own', bank: 86_400_000, step: 7_200_000 })).toBe('1 j + 2 h');
  await speak('it');
  expect(shortSpan(120_000)).toContain('min');
});

test('a pace without a step is told without one', async () => {
  await speak('en');
  expect(paceWords({ bank: 600_000, step: 0, night: false })).toBe('10 minutes each for the whole game.');
  expect(paceWords({ bank: 172_800_000, step: 0, night: true })).toBe('2 days each for the whole game. Clocks stop at night.');
});
