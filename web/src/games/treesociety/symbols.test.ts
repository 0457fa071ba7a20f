// @vitest-environment node
import { expect, test } from 'vitest';
import { InProcess } from '../../engine/inprocess.ts';
import { symbols, quantity } from './symbols.ts';
import type { Deck } from './view.ts';

test('every level of the house deck has signs where it has words', async () => {
  const engine = new InProcess().engine();
  const deck = (await engine.ask('cards', { game: 'treesociety' })).printed as Deck;
  expect(deck.cards).toHaveLength(73);
  for (const card of deck.cards)
    for (const [i, level] of card.levels.entries()) {
      const signs = symbols(level);
      expect(signs.length > 0, `${card.name} ${i + 1}`).toBe((card.words[i].effect ?? []).length > 0);
      expect(JSON.stringify([...signs, ...quantity(level.points)]), card.name).not.toMatch(/"\?"|undefined|NaN/);
    }
});

test('how many are kept and which levels are built is told apart', () => {
  const signs = (clause: object) => JSON.stringify(symbols({ cost: 1, points: 0, effect: { do: [clause as never] } }));
  const fruit = { verb: 'draw-fruit', count: 4 };
  const guild = { verb: 'draw-guild', count: 4 };
  const all = [fruit, { ...fruit, keep: 2 }, guild, { ...guild, keep: 2 }, { ...guild, keep: 3 }].map(signs);
  const levels = [undefined, [1], [2], [3], [1, 2], [1, 3], [2, 3]].map((levels) => signs({ verb: 'build', ...(levels && { levels }) }));
  expect(new Set([...all, ...levels]).size).toBe(12);
});

test('half price, coins less and for nothing are told apart', () => {
  const signs = (clause: object) => symbols({ cost: 1, points: 0, effect: { do: [{ verb: 'found', ...clause }] } });
  const all = [{ half: true }, { less: 2 }, { free: true }, {}].map((price) => JSON.stringify(signs(price)));
  expect(new Set(all).size).toBe(4);
});
