/** What the server tells, as a sitting takes it. */
import type { GameInfo, Score } from '../engine/protocol.ts';
import type { Entry, Seating, Stand, Why } from '../table/inputs.ts';
import type { Problem } from './client.ts';
import { known, tell } from '../words/words.svelte.ts';
import { toldOf } from './then.ts';
import type { Clock, Look, People, Sight, Told, Who } from './told.ts';

/** What else comes with an entry or a look: it holds when that is taken. */
export interface Extra {
  clock?: Clock | null;
  people?: People;
  who?: (Who | null)[];
  sight?: Sight;
}

/** Who of this window may act. */
export function seatingOf({ phase, seats }: People, you: number | null): Seating {
  return { here: you !== null && seats[you]?.held === 'person' ? [you] : [], going: phase === 'over' ? 'over' : phase === 'play' ? 'play' : 'paused' };
}

export function standOf(look: Look, you: number | null, more: Extra): Stand {
  const { number, view, people, standing } = look;
  const result = people.phase === 'over' ? (standing!.seats as unknown as Score[]) : null;
  return { number, view, viewer: you ?? 'watcher', seating: seatingOf(people, you), result, more };
}

/** An entry as one seat, or a watcher, was told of it. */
export function entryOf(told: Told, { you, company, info, pieces }: { you: number | null; company: People; info: GameInfo; pieces: readonly string[] }): Entry {
  const { number, entry, turn, people, who, clock, look } = told;
  const now = people ?? company;
  const more: Extra = { ...(clock ? { clock } : {}), ...(look ? { clock: look.clock ?? null, people: look.people } : {}), ...(people ? { people } : {}), ...(who ? { who } : {}) };
  return {
    number,
    do: entry.do,
    seat: entry.do === 'move' ? entry.seat! : 'chance',
    move: entry.move ?? { do: entry.do },
    ...(entry.to === undefined ? {} : { to: entry.to }),
    turn,
    events: toldOf(told, now, info, pieces),
    ...(look ? { look: standOf(look, you, {}) } : {}),
    ...(people ? { seating: seatingOf(people, you) } : {}),
    more,
  };
}

/** The server's no. */
export function whyOf({ key, args, rule, title }: Problem): Why {
  return { key, args, title, ...(rule ? { rule } : {}) };
}

/** What the server says of itself that concerns whoever plays; the rest is for those who
 * write programs. */
const plain = new Set(['server.broken', 'server.cut', 'server.slow', 'server.unsure']);

/** Why it did not take a turn. Where it does not say all that its words need, or speaks
 * to programs, the turn can be confirmed again, by another key. */
export function notTaken(no: Problem): Why {
  if (no.key.startsWith('server.') && !plain.has(no.key)) return { key: 'page.online.not-taken', args: {} };
  if (!known(no.key) || !tell(no.key, no.args).includes('{')) return whyOf(no);
  return { key: 'page.online.not-taken', args: {} };
}

