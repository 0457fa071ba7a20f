// @vitest-environment node
import { expect, test } from 'vitest';
import type { GameInfo } from '../engine/protocol.ts';
import { changed, optionsOf, valueOf } from './flags.ts';

const info = {
  options: [
    { name: 'guilds', kind: 'words', default: ['a', 'b'], choices: ['a', 'b', 'c'] },
    { name: 'draft', kind: 'flag', default: false },
    { name: 'banners', kind: 'number', default: 6, choices: [6, 7] },
    { name: 'box', kind: 'box', default: 'hash' },
  ],
} as unknown as GameInfo;

test('a box is nothing to be chosen on a screen', () => {
  expect(optionsOf(info).map((o) => o.name)).toEqual(['guilds', 'draft', 'banners']);
  expect(optionsOf(null)).toEqual([]);
});

test('only what differs from the game as it comes is sent', () => {
  expect(changed(info, {})).toEqual({});
  expect(changed(info, { guilds: ['b', 'a'], draft: false, banners: 6 })).toEqual({});
  expect(changed(info, { guilds: ['b', 'c'], draft: true, banners: 7 })).toEqual({ guilds: ['b', 'c'], draft: true, banners: 7 });
});

test('a choice that makes no sense is none', () => {
  const [guilds, draft, banners] = optionsOf(info);
  for (const wrong of [['a'], ['a', 'a'], ['a', 'x'], true, 3]) expect(valueOf(guilds, { guilds: wrong as never })).toEqual(['a', 'b']);
  expect(valueOf(draft, { draft: 7 })).toBe(false);
  expect(valueOf(banners, { banners: 8 })).toBe(6);
});
