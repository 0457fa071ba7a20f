import { beforeEach, expect, test } from 'vitest';
import type { GameInfo } from '../engine/protocol.ts';
import { learn, speak } from '../words/words.svelte.ts';
import { listTerms } from './mine.svelte.ts';
import { optionTerms, tableTerms } from './terms.ts';

beforeEach(() => learn('online', 'rest'));

const info = {
  name: 'treesociety',
  options: [
    { name: 'guilds', kind: 'words', default: ['bankers', 'architects'], choices: ['bankers', 'architects', 'botanists'] },
    { name: 'draft', kind: 'flag', default: false },
    { name: 'banners', kind: 'number', default: 4, choices: [3, 4, 5] },
    { name: 'box', kind: 'box', default: '' },
  ],
} as unknown as GameInfo;

test('a lobby tells what is played: words, numbers, and switches that are on', async () => {
  await speak('en');
  expect(optionTerms({ game: 'treesociety', options: { guilds: ['botanists', 'bankers'], draft: true } }, info)).toEqual(['Guilds in play: botanists and bankers', 'Draft: first fruits are chosen, not dealt', 'Banners that trigger the end: 4']);
  expect(optionTerms({ game: 'treesociety', options: { banners: 3 } }, info)).toEqual(['Guilds in play: bankers and architects', 'Banners that trigger the end: 3']);
  expect(optionTerms({ game: 'treesociety', options: {} }, null)).toEqual([]);
});

test('and by which rules of the table, in every language', async () => {
  await speak('en');
  expect(tableTerms({ pace: 'live', visible: 'link', undo: 'none', hints: true, takeOver: false, seats: 2 }).slice(1)).toEqual(['Who may come: by link', 'Taking turns back: never', 'Bots’ seats during the game: stay with the bots', 'Hints for everyone']);
  await speak('fr');
  expect(tableTerms({ pace: 'days', visible: 'private', undo: 'consent', hints: false, takeOver: true, seats: 2, side: 1 }).slice(1)).toEqual(['Qui peut venir\u00a0: privée', 'Annuler un tour\u00a0: si tous sont d’accord', 'Places des bots pendant la partie\u00a0: à qui veut les prendre', 'Aller-retour\u00a0: deux parties en échangeant les places, un seul résultat']);
});

test('a list tells where seats of bots may be taken, as long as there is something to take', async () => {
  await speak('en');
  expect(listTerms({ settings: { takeOver: true }, phase: 'play' })).toEqual(['bots’ seats may be taken']);
  expect(listTerms({ settings: { takeOver: true }, phase: 'lobby' })).toHaveLength(1);
  expect(listTerms({ settings: { takeOver: true }, phase: 'over' })).toEqual([]);
  expect(listTerms({ settings: { takeOver: false }, phase: 'play' })).toEqual([]);
});
