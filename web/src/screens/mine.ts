/** What is said about a kept game without asking the rules. */
import { gameNames } from '../games/registry.ts';
import type { Kept, Player } from '../table/kept.ts';
import { levelName } from '../table/names.ts';
import { due, placeTerms, sideOf, sidesOf, sideTerms, sums, verdict } from '../table/sides.ts';
import { say } from '../words/words.svelte.ts';

/** Kept games in the order in which one would go on with them: those that wait
 * for a person, those that bots play among themselves, those that are over. */
export function inOrder(games: Kept[]): Kept[] {
  const place = (g: Kept) => (g.result && !due(g) ? 2 : g.players.some((p) => p.kind === 'person') ? 0 : 1);
  return games.filter((g) => gameNames.includes(g.game)).sort((a, b) => place(a) - place(b) || b.touched - a.touched);
}

/** Whether a person has to go on with it: bots move whenever a table is open, so
 * what stands still waits for somebody. */
export function waitsForUs(game: Kept): boolean {
  return !game.result && game.players.some((p) => p.kind === 'person');
}

/** Who plays: "Anna and Luc against Hazel", or "… against 2 bots" where those have no names. */
export function who({ players }: Pick<Kept, 'players'>): string {
  const people = players.filter((p) => p.kind === 'person');
  const named = people.map((p) => nameOf(p, people));
  const bots = players.filter((p) => p.kind === 'bot');
  if (!bots.length) return say('page.home.together', { people: named });
  const levels = bots.flatMap((p) => levelName(p) ?? []);
  if (levels.length < bots.length) return people.length ? say('page.home.against', { people: named, bots: bots.length }) : say('page.home.bots', { bots: bots.length });
  const once = [...new Set(levels)].map((name) => {
    const n = levels.filter((other) => other === name).length;
    return n > 1 ? say('page.bot.times', { n, name }) : name;
  });
  return people.length ? say('page.bot.against', { people: named, bots: once }) : say('page.home.together', { people: once });
}

function nameOf(player: Player, people: Player[]): string {
  if (player.name) return player.name;
  return people.length === 1 ? say('page.home.you') : say('page.home.player', { n: people.indexOf(player) + 1 });
}

/** The seat of the only person; -1 where there are several, or none. */
function ownSeat({ players }: Pick<Kept, 'players'>): number {
  const people = players.filter((p) => p.kind === 'person');
  return people.length === 1 ? players.indexOf(people[0]) : -1;
}

/** What everybody is called, seat by seat. */
function calledIn({ players }: Pick<Kept, 'players'>): string[] {
  const people = players.filter((p) => p.kind === 'person');
  return players.map((p) => (p.kind === 'person' ? nameOf(p, people) : p.name || (levelName(p) ?? say('page.home.bot'))));
}

/** Which of both sides a game is, and how they stand; nothing for a game on its own. */
export function sideWords(game: Kept): string[] {
  const side = sideOf(game);
  if (!side) return [];
  const sides = sidesOf(game);
  const names = calledIn(game);
  const which = sideTerms({ side: side.n, seats: names.length });
  if (sides.result) return [...which, ...(ownSeat(game) < 0 ? [verdict(sides, names)] : placeTerms(sides, ownSeat(game)))];
  if (!sides.games.some(({ totals }) => totals)) return which;
  const sum = sums(sides, names.length);
  return [...which, say('page.sides.so-far', { points: names.map((name, seat) => `${name} ${sum[seat]}`).join(' – ') })];
}

/** How it ended. */
export function ended(game: Pick<Kept, 'result' | 'players' | 'you'>): string {
  const { totals, ranks } = game.result!;
  const points = totals.join(' – ');
  const own = game.you ?? ownSeat(game);
  if (!ranks.some(Boolean)) return say('page.home.nobody-won', { points });
  if (own >= 0) return say('page.home.place', { place: ranks[own], points });
  const names = calledIn(game).filter((_, i) => ranks[i] === 1);
  return say('page.home.won', { names, points });
}

/** How long ago, in words of ours: a browser takes longer to learn its own (`Intl`) than to
 * draw the page. */
export function ago(then: number, now = Date.now()): string {
  const minutes = Math.round((now - then) / 60_000);
  if (minutes <= 0) return say('page.ago.now'); // nobody says “this minute”
  if (minutes < 60) return say('page.ago.minutes', { n: minutes });
  const hours = Math.round(minutes / 60);
  if (hours < 24) return say('page.ago.hours', { n: hours });
  return say('page.ago.days', { n: Math.round(hours / 24) });
}

/** How many moves have been made by players. */
export function moves(game: Kept): number {
  return game.line.filter((entry) => entry.seat !== 'chance').length;
}
