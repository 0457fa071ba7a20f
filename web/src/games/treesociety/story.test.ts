// @vitest-environment node
import { expect, test } from 'vitest';
import type { Event } from '../../engine/protocol.ts';
import { Printed } from './deck.ts';
import { storyOf } from './story.ts';
import type { Clause, Deck, GuildCard } from './view.ts';

const level = (clauses?: Clause[]) => ({ cost: 2, points: 0, ...(clauses ? { effect: { do: clauses } } : {}) });
const card = (id: number, ...clauses: (Clause[] | undefined)[]): GuildCard => ({ id, name: `card ${id}`, guild: 'writers', banners: 1, levels: clauses.map(level), words: [] });

/** 1 founds by its first level, 2 raises by its first, 3 only pays, 4 draws. */
const deck = Printed.of({
  cards: [card(1, [{ verb: 'coins', amount: 1 }, { verb: 'found', half: true }], undefined, undefined), card(2, [{ verb: 'raise', less: 2 }], undefined, undefined), card(3, [{ verb: 'coins', amount: 2 }], undefined, undefined), card(4, [{ verb: 'draw-guild', count: 3, keep: 2 }], undefined, undefined)],
  fruits: [],
} as Deck);

const event = (name: string, args: Event['args'] = {}): Event => ({ key: `treesociety.event.${name}`, args: { seat: 0, ...args }, to: 'all' });
const depths = (...events: Event[]) => storyOf(events, deck).map((line) => line.depth);

test('a chain of effects that build is told one step deeper each', () => {
  expect(
    depths(
      event('sell'),
      event('found', { id: 1 }),
      event('use', { id: 1, level: 1 }),
      event('gain'),
      event('found', { id: 2 }),
      event('use', { id: 2, level: 1 }),
      event('raise', { id: 3, level: 2 }),
      event('complete', { id: 3 }),
      event('rest'),
    ),
  ).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 0]);
});

test('guilds that one effect keeps are told side by side', () => {
  expect(
    depths(
      event('found', { id: 4 }),
      event('use', { id: 4, level: 1 }),
      event('drawn.guild', { id: 1 }),
      event('drawn.guild', { id: 3 }),
      event('keep.guild.more', { id: 1 }),
      event('found', { id: 1 }),
      event('keep.guild', { id: 3 }),
      event('found', { id: 3 }),
      event('use', { id: 1, level: 1 }),
    ),
  ).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 2]);
});

test('what is built freely after an effect begins anew', () => {
  expect(depths(event('found', { id: 3 }), event('use', { id: 3, level: 1 }), event('gain'), event('found', { id: 2 }), event('skip', { id: 2, level: 1 }), event('raise', { id: 1, level: 2 }))).toEqual([0, 1, 1, 0, 1, 0]);
});

test('the fruit action leads to what it does', () => {
  expect(depths(event('action', { action: 'take' }), event('take'), event('found', { id: 3 }))).toEqual([0, 1, 0]);
  expect(depths(event('action', { action: 'build' }), event('found', { id: 3 }), event('lapse', { id: 3, level: 1 }))).toEqual([0, 1, 2]);
});

test('what a level demands is told before it', () => {
  expect(depths(event('demand', { id: 3, level: 1 }), event('sell.extra'), event('found', { id: 3 }), event('use', { id: 3, level: 1 }))).toEqual([0, 1, 0, 1]);
});

test('what chance lays out is not a part of the story', () => {
  expect(depths(event('sell'), event('fruit'), event('guild'), event('rebuilt'))).toEqual([0]);
});
