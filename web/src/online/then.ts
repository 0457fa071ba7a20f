/** Lines from before the game tell of who sat there then. */
import type { Event, GameInfo } from '../engine/protocol.ts';
import { namesOf } from '../table/names.ts';
import { playersOf } from './players.ts';
import type { People, Told } from './told.ts';

/** The events of an entry as they are to be told: where somebody else sits at the
 * seat by now, by the name of who it was; who has none is called after the pieces. */
export function toldOf({ entry, events, of, called }: Pick<Told, 'entry' | 'events' | 'of' | 'called'>, company: People, info: GameInfo, pieces: readonly string[]): Event[] {
  const seat = entry.seat!;
  const now = company.seats[seat];
  if (!of || (of.person ? now.person === of.person : now.held === of.held && now.player === of.player)) return events;
  const [name] = namesOf(playersOf({ ...company, seats: [of] }, [called ?? null], info), [pieces[seat]]);
  return events.map((event) => ({ ...event, args: { ...event.args, seat: name } }));
}
