/** Who is to sit at a new table, as it was last chosen for a game. */
import { storage as own } from '../app/storage.ts';
import { bots } from '../games/bots.ts';
import type { Player } from '../table/kept.ts';
import type { Boxed } from './shelf.ts';

export interface Sitter {
  who: string; // 'person', or which bot
  name: string;
}

export interface Seating {
  count: number; // how many of the sitters play
  sitters: Sitter[]; // as many as could
  order: 'random' | 'listed';
  options: Record<string, boolean>; // what differs from the game as it comes
}

const place = (game: string) => `copse.new.${game}`;
const longest = 20; // of a name, as in the settings

/** What was last chosen; what is missing or makes no sense is as it comes. */
export function recall(box: Boxed, name: string, storage: Storage = own): Seating {
  const most = box.seats.at(-1)!;
  let kept: Partial<Seating>;
  try {
    kept = JSON.parse(storage.getItem(place(box.name)) ?? '{}') ?? {};
  } catch {
    kept = {};
  }
  const known = (who: unknown): who is string => who === 'person' || bots.some((b) => b.id === who);
  const sitters = Array.from({ length: most }, (_, i): Sitter => {
    const was = Array.isArray(kept.sitters) ? kept.sitters[i] : undefined;
    const who = known(was?.who) ? was.who : i === 0 ? 'person' : bots[0].id;
    return { who, name: typeof was?.name === 'string' ? was.name.slice(0, longest) : '' };
  });
  if (name && sitters[0].who === 'person') sitters[0].name = name;
  const flags = Object.entries(kept.options ?? {}).filter(([, value]) => typeof value === 'boolean');
  return {
    count: box.seats.includes(kept.count as number) ? kept.count! : 1 + box.bots,
    sitters,
    order: kept.order === 'listed' ? 'listed' : 'random',
    options: Object.fromEntries(flags),
  };
}

export function remember(game: string, seating: Seating, storage: Storage = own) {
  try {
    storage.setItem(place(game), JSON.stringify(seating));
  } catch {
    // No room: next time it is as it comes.
  }
}

/** The players in the order of their seats. */
export function seated({ count, sitters, order }: Seating, chance: () => number = Math.random): Player[] {
  const players = sitters.slice(0, count).map(({ who, name }): Player =>
    who === 'person' ? { kind: 'person', name: name.trim(), bot: '' } : { kind: 'bot', name: '', bot: who },
  );
  if (order === 'random') {
    for (let i = players.length - 1; i > 0; i--) {
      const j = Math.floor(chance() * (i + 1));
      [players[i], players[j]] = [players[j], players[i]];
    }
  }
  return players;
}
