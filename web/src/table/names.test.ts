import { beforeAll, expect, test } from 'vitest';
import { speak, tell } from '../words/words.svelte.ts';
import type { Player } from './kept.ts';
import { botRole, namesOf } from './names.ts';

const person = (name = ''): Player => ({ kind: 'person', name, bot: '' });
const level = (n: number): Player => ({ kind: 'bot', name: '', bot: `level:${n}`, called: { key: `bot.level.name.${n}`, args: {} } });
const old: Player = { kind: 'bot', name: '', bot: 'greedy' };
const pieces = ['Maple', 'Oak', 'Beech', 'Ginkgo'];
let four = ''; // what the fourth level is called

beforeAll(async () => {
  await speak('en');
  four = tell('bot.level.name.4');
});

test('people are called as they said, bots by their level, and all else after their pieces', () => {
  expect(namesOf([person('Anna'), level(4), person(), old], pieces)).toEqual(['Anna', four, 'Beech', 'Ginkgo']);
});

test('no two seats share a name', () => {
  expect(namesOf([person(), level(4), level(4), level(4)], pieces)).toEqual(['Maple', `${four} 1`, `${four} 2`, `${four} 3`]);
  expect(namesOf([person(four), level(4)], pieces)).toEqual([four, `${four} (bot)`]);
  expect(namesOf([level(4), person(), level(4)], ['', four, ''])).toEqual([`${four} 1`, four, `${four} 2`]);
});

test('people of one name are told apart by their pieces', () => {
  expect(namesOf([person('Anna'), person('Luc'), person('Anna')], pieces)).toEqual(['Anna (Maple)', 'Luc', 'Anna (Beech)']);
  expect(namesOf([person('Anna'), person(' anna ')], pieces)).toEqual(['Anna (Maple)', ' anna  (Oak)']);
  expect(namesOf([person('Oak'), person()], pieces)).toEqual(['Oak (Maple)', 'Oak']);
  expect(namesOf([person('Maple'), person('Maple')], pieces)).toEqual(['Maple', 'Maple (Oak)']);
  expect(namesOf([person(four), person(four), level(4)], pieces)).toEqual([`${four} (Maple)`, `${four} (Oak)`, `${four} (bot)`]);
});

test('whoever takes a name that was made for another seat is told apart from it', () => {
  expect(namesOf([person('Anna (Oak)'), person('Anna'), person('Anna')], pieces)).toEqual(['Anna (Oak) (Maple)', 'Anna (Oak) (Oak)', 'Anna (Beech)']);
  expect(namesOf([person(`${four} 1`), level(4), level(4)], pieces)).toEqual([`${four} 1 (Maple)`, `${four} 1 (Oak)`, `${four} 2`]);
});

test('a level whose name nobody knows any more is called after its pieces', () => {
  const lost: Player = { ...level(4), called: { key: 'bot.level.name.99', args: {} } };
  expect(namesOf([person(), lost], pieces)).toEqual(['Maple', 'Oak']);
});

test('how strong a bot is: its place among the levels, or the word it had before there were any', () => {
  const levels = [1, 2, 3, 4].map((n) => ({ player: `level:${n}`, name: { key: '', args: {} }, about: { key: '', args: {} } }));
  expect([level(4), old, { ...old, bot: 'flat:20' }].map((bot) => botRole(bot, levels))).toEqual(['Level 4', 'Medium', 'flat:20']);
});
