/** Who is to sit at a new table, as it was last chosen for a game. */
import { storage as own } from '../app/storage.ts';
import type { Level } from '../engine/protocol.ts';
import { seatBot } from '../table/fresh.ts';
import type { Player } from '../table/kept.ts';
import type { Chosen } from './flags.ts';
import type { Boxed } from './shelf.ts';

export interface Sitter {
  who: 'person' | 'bot';
  name: string; // of a person
  level: number; // of a bot, from 1
}

export interface Seating {
  count: number; // how many of the sitters play
  sitters: Sitter[]; // as many as could
  same: boolean; // all bots are as strong as the first
  order: 'random' | 'listed';
  sides: boolean; // everyone plays from every seat
  options: Chosen; // what differs from the game as it comes
}

const place = (game: string) => `copse.new.${game}`;
const longest = 20; // of a name, as in the settings

/** The level of a first game: it plays along, and can be beaten. */
const firstLevel = 3;

/** What was last chosen; what is missing or makes no sense is as it comes. */
export function recall(box: Boxed, name: string, storage: Storage = own): Seating {
  const most = box.seats.at(-1)!;
  let kept: Partial<Seating>;
  try {
    kept = JSON.parse(storage.getItem(place(box.name)) ?? '{}') ?? {};
  } catch {
    kept = {};
  }
  const sitters = Array.from({ length: most }, (_, i): Sitter => {
    const was = Array.isArray(kept.sitters) ? (kept.sitters[i] as Partial<Sitter> | undefined) : undefined;
    const who = was?.who === 'person' || (i === 0 && was?.who !== 'bot') ? 'person' : 'bot';
    const level = Number.isInteger(was?.level) && was!.level! > 0 ? was!.level! : firstLevel;
    return { who, name: typeof was?.name === 'string' ? was.name.slice(0, longest) : '', level };
  });
  if (name && sitters[0].who === 'person') sitters[0].name = name;
  const options = Object.entries(kept.options ?? {}).filter(([, value]) => typeof value === 'boolean' || typeof value === 'number' || Array.isArray(value));
  return {
    count: box.seats.includes(kept.count as number) ? kept.count! : 1 + box.bots,
    sitters,
    same: kept.same !== false,
    order: kept.order === 'listed' ? 'listed' : 'random',
    sides: kept.sides === true,
    options: Object.fromEntries(options),
  };
}

export function remember(game: string, seating: Seating, storage: Storage = own) {
  try {
    storage.setItem(place(game), JSON.stringify(seating));
  } catch {
    // No room: next time it is as it comes.
  }
}

/** The seats at which bots sit. */
export function botSeats({ count, sitters }: Seating): number[] {
  return sitters.slice(0, count).flatMap((sitter, i) => (sitter.who === 'bot' ? [i] : []));
}

/** How strong the bot at a seat is, of so many levels. */
export function levelOf(seating: Seating, seat: number, levels: number): number {
  const from = seating.same ? botSeats(seating)[0] : seat;
  return Math.min(seating.sitters[from].level, levels);
}

/** Makes the bot at a seat stronger or weaker, and all of them where they are the same. */
export function setLevel(seating: Seating, seat: number, level: number) {
  for (const i of seating.same ? seating.sitters.keys() : [seat]) seating.sitters[i].level = level;
}

/** The players in the order of their seats. */
export function seated(seating: Seating, levels: readonly Level[], chance: () => number = Math.random): Player[] {
  const players = seating.sitters.slice(0, seating.count).map(({ who, name }, i): Player => {
    if (who === 'person') return { kind: 'person', name: name.trim(), bot: '' };
    return seatBot(levels[levelOf(seating, i, levels.length) - 1]);
  });
  if (seating.order === 'random') {
    for (let i = players.length - 1; i > 0; i--) {
      const j = Math.floor(chance() * (i + 1));
      [players[i], players[j]] = [players[j], players[i]];
    }
  }
  return players;
}
