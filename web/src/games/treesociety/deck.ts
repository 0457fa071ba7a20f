/** The cards a game is played with, as the engine prints them. */
import { rulesShop } from '../../engine/shop.svelte.ts';
import type { Deck, FruitCard, GuildCard } from './view.ts';

const printed = new WeakMap<Deck, Printed>();

/** Cards by their number. */
export class Printed {
  private readonly cards: Map<number, GuildCard>;
  private readonly fruits: Map<number, FruitCard>;

  private constructor(readonly deck: Deck) {
    this.cards = new Map(deck.cards.map((c) => [c.id, c]));
    this.fruits = new Map(deck.fruits.map((f) => [f.id, f]));
  }

  static of(deck: Deck): Printed {
    let found = printed.get(deck);
    if (!found) printed.set(deck, (found = new Printed(deck)));
    return found;
  }

  card(id: number): GuildCard {
    return this.cards.get(id)!;
  }

  fruit(id: number): FruitCard {
    return this.fruits.get(id)!;
  }
}

/** No cards at all: what lies on the table before any was dealt. */
export const bare: Deck = { cards: [], fruits: [] };

/** The house deck, for those who only want to look at it. */
export async function houseDeck(): Promise<Printed> {
  const engine = rulesShop().engine();
  try {
    return Printed.of((await engine.ask('cards', { game: 'treesociety' })).printed as Deck);
  } finally {
    engine.leave();
  }
}
