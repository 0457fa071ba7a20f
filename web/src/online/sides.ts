/** Both sides: as many games as seats, one after the other, and one result. */
import { say } from '../words/words.svelte.ts';
import type { Settings, Sides } from './api.gen.ts';

/** Which of the games it is, for lists; nothing for a game on its own. */
export function sideTerms({ side, seats }: Pick<Settings, 'side' | 'seats'>): string[] {
  return side ? [say('page.online.sides.nth', { n: side, of: seats })] : [];
}

/** The table of the game that follows one, '' as long as there is none. */
export function following(sides: Sides | null, table: string): string {
  const at = sides?.games.findIndex((game) => game.table === table) ?? -1;
  return at < 0 ? '' : (sides!.games[at + 1]?.table ?? '');
}

/** How it came out for somebody at a seat, for lists; nothing as long as that is open. */
export function placeTerms(sides: Sides | undefined, you: number | undefined): string[] {
  const place = you === undefined ? undefined : sides?.result?.[you];
  return place ? [say('page.online.sides.place', { place: place.rank, points: sides!.result!.map(({ total }) => total).join(' – ') })] : [];
}

/** Who has won all games together, in words: the same words at each of the tables, where seats differ. */
export function verdict(sides: Sides, names: readonly string[]): string {
  const n = names.length;
  const winners = (sides.result ?? []).flatMap(({ rank }, seat) => (rank === 1 ? [seat] : []));
  winners.sort((a, b) => (names[a]! < names[b]! ? -1 : 1));
  if (!winners.length) return say('page.online.sides.none', { n });
  return winners.length > 1 ? say('page.online.sides.shared', { n, winners }, names) : say('page.online.sides.won', { n, winners }, names);
}
