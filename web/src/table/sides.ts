/** Both sides: as many games as seats, one after the other, everyone one seat further
 * on each time, and one result. A server tells how they stand; of games that this
 * browser keeps it is computed here, by the same law as in table/sides.go. */
import { storage as own } from '../app/storage.ts';
import { say } from '../words/words.svelte.ts';
import { fresh } from './fresh.ts';
import { find, type Kept, type Past, type Side } from './kept.ts';

/** How the games stand, seat by seat of the one that is looked at. */
export interface Sides {
  games: SideGame[]; // those that were begun, the first one first
  result?: Place[]; // once no other follows
}
export interface SideGame {
  table: string; // where it is; '' for a game that was deleted
  totals?: number[]; // once it is over
}
export interface Place {
  total: number;
  rank: number;
}

/** Which of the games it is, for lists; nothing for a game on its own. */
export function sideTerms({ side, seats }: { side?: number; seats: number }): string[] {
  return side ? [say('page.sides.nth', { n: side, of: seats })] : [];
}

/** The table of the game that follows one, '' as long as there is none. */
export function following(sides: Sides | null, table: string): string {
  const at = sides?.games.findIndex((game) => game.table === table) ?? -1;
  return at < 0 ? '' : (sides!.games[at + 1]?.table ?? '');
}

/** How it came out for somebody at a seat, for lists; nothing as long as that is open. */
export function placeTerms(sides: Sides | undefined, you: number | undefined): string[] {
  const place = you === undefined ? undefined : sides?.result?.[you];
  return place ? [say('page.sides.place', { place: place.rank, points: sides!.result!.map(({ total }) => total).join(' – ') })] : [];
}

/** Who has won all games together, in words: the same words at each of the tables, where seats differ. */
export function verdict(sides: Sides, names: readonly string[]): string {
  const n = names.length;
  const winners = (sides.result ?? []).flatMap(({ rank }, seat) => (rank === 1 ? [seat] : []));
  winners.sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  if (!winners.length) return say('page.sides.none', { n });
  return winners.length > 1 ? say('page.sides.shared', { n, winners }, names) : say('page.sides.won', { n, winners }, names);
}

/** What everyone has of the games that are over. */
export function sums({ games }: Sides, seats: number): number[] {
  return Array.from({ length: seats }, (_, seat) => games.reduce((sum, { totals }) => sum + (totals?.[seat] ?? 0), 0));
}

// --- games that this browser keeps ---------------------------------------------

/** The id of one of the games: it follows from that of the first, so that each is
 * begun once. */
const sideId = (first: string, n: number) => (n > 1 ? `${first}-${n}` : first);

/** How a game belongs to the others; null for a game on its own, and for one that
 * says what makes no sense. */
export function sideOf({ id, players, side }: Kept): Side | null {
  const isFull = (list: unknown) => Array.isArray(list) && list.length === players.length && list.every(Number.isInteger);
  const isPast = (past: Past) => !!past && [past.totals, past.ranks, past.out].every(isFull);
  if (!side || typeof side.first !== 'string' || !Number.isInteger(side.n) || side.n < 1 || side.n > players.length) return null;
  return sideId(side.first, side.n) === id && Array.isArray(side.before) && side.before.length === side.n - 1 && side.before.every(isPast) ? side : null;
}

/** Whether another game comes after one: it was played to its end and is not the last. */
export function follows(kept: Kept): boolean {
  const side = sideOf(kept);
  return !!side && !!kept.result && !kept.cut && side.n < kept.players.length;
}

/** The next of the games after one that was begun and is still kept. */
export function later(kept: Kept, storage: Storage = own): Kept | null {
  const side = sideOf(kept);
  for (let n = side ? side.n + 1 : Infinity; n <= kept.players.length; n++) {
    const next = find(sideId(side!.first, n), storage);
    if (next && sideOf(next)) return next;
  }
  return null;
}

/** Whether a game that is over waits for the next to be begun. */
export const due = (kept: Kept, storage: Storage = own) => follows(kept) && !later(kept, storage);

/** The one result of games that are given by the seats of one of them. Points are
 * added up; of those who have as many the better ranks are ahead, added up too; else
 * they share a rank. Whoever resigned ranks behind all who did not, the last to
 * resign best among them. */
export function together(games: readonly Past[]): Place[] {
  const all = (games[0]?.totals ?? []).map((_, seat) => {
    const left = games.findIndex(({ out }) => out[seat]);
    const sum = (of: 'totals' | 'ranks') => games.reduce((sum, game) => sum + game[of][seat], 0);
    return { total: sum('totals'), ranks: sum('ranks'), game: left, out: left < 0 ? 0 : games[left].out[seat] };
  });
  type Sum = (typeof all)[number];
  const ahead = (a: Sum, b: Sum) => {
    if (!a.out && !b.out) return a.total > b.total || (a.total === b.total && a.ranks < b.ranks);
    if (!a.out || !b.out) return !a.out;
    return a.game > b.game || (a.game === b.game && a.out > b.out);
  };
  return all.map((own) => ({ total: own.total, rank: 1 + all.filter((other) => ahead(other, own)).length }));
}

/** A list by the seats of a game so many further on, or earlier. */
export function turned<T>(list: readonly T[], by: number): T[] {
  const n = list.length;
  return list.map((_, seat) => list[(((seat - by) % n) + n) % n]);
}

const turnedPast = ({ totals, ranks, out }: Past, by: number): Past => ({ totals: turned(totals, by), ranks: turned(ranks, by), out: turned(out, by) });

/** What a game came to; null while it is not over. */
const pastOf = ({ players, result, out }: Kept): Past | null => result && { ...result, out: players.map((_, seat) => out?.[seat] ?? 0) };

/** The game that follows one, as it begins. It is the same whoever begins it, and
 * however often: two windows cannot begin two. */
export function successor(kept: Kept): Kept {
  const { game, version, options, players, side, out, seed } = kept;
  const { first, n, before } = side!;
  return {
    ...fresh({ game, version, options, players: turned(players, 1), guide: null }),
    id: sideId(first, n + 1),
    seed: `${n > 1 ? seed.slice(0, seed.lastIndexOf('-')) : seed}-${n + 1}`, // chance of its own
    side: { first, n: n + 1, before: [...before, pastOf(kept)!].map((past) => turnedPast(past, 1)) },
    ...(out?.some(Boolean) ? { out: turned(out, 1) } : {}),
  };
}

/** How the games stand, by the seats of one of them: as the furthest knows it that is
 * still kept. */
export function sidesOf(kept: Kept): Sides {
  const { first, n } = kept.side!;
  let last = kept;
  for (let next = later(kept); next; next = later(next)) last = next;
  const by = n - last.side!.n;
  const own = pastOf(last);
  const past = [...last.side!.before, ...(own ? [own] : [])].map((one) => turnedPast(one, by));
  const idOf = (k: number) => (k === n ? kept.id : (find(sideId(first, k))?.id ?? ''));
  const games = Array.from({ length: last.side!.n }, (_, i) => ({ table: idOf(i + 1), ...(past[i] ? { totals: past[i].totals } : {}) }));
  return { games, ...(own && !follows(last) ? { result: together(past) } : {}) };
}

/** What leads on from a game that is over, in words; '' where it is the last. */
export function onward(kept: Kept): string {
  if (!follows(kept)) return '';
  return say('page.sides.go', { n: later(kept)?.side!.n ?? kept.side!.n + 1 }); // one in between may have been deleted
}

/** Those of the games, this one among them, that are kept. */
export function keptSides(kept: Kept): Kept[] {
  const side = sideOf(kept);
  return side ? kept.players.flatMap((_, i) => find(sideId(side.first, i + 1)) ?? []) : [];
}
