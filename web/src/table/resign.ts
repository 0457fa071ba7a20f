/** Giving up one of both sides, as on a server: the seat ranks behind all who did
 * not, in the one result too. */
import type { Kept, Player } from './kept.ts';

/** Who plays on for somebody, as at tables of the server. */
const standIn = 'level:3';

/** A game after somebody has resigned. Where fewer than two seats are in play then, or
 * no person's, it is over and only its result is missing; else a bot plays on. */
export function resigned(kept: Kept, seat: number): Kept {
  const { players } = kept;
  const before = players.map((_, other) => kept.out?.[other] ?? 0);
  if (before[seat] || players[seat].kind === 'bot' || kept.result) return kept; // it was done in another window
  const out = before.map((nth, other) => (other === seat ? Math.max(...before) + 1 : nth));
  const left = players.filter((_, other) => !out[other]);
  if (left.length < 2 || left.every((player) => player.kind === 'bot')) return { ...kept, draft: [], out, cut: true };
  const sits: Player = { kind: 'bot', name: players[seat].name, bot: standIn };
  return { ...kept, draft: [], out, players: players.map((player, other) => (other === seat ? sits : player)) };
}

/** The ranks of a game in which some have resigned; the last to resign is best among them. */
export function ranked(ranks: readonly number[], out: readonly number[] = []): number[] {
  const ahead = (a: number, b: number) => (!out[a] && !out[b] ? ranks[a] < ranks[b] : !out[a] || (!!out[b] && out[a] > out[b]));
  return ranks.map((_, seat) => 1 + ranks.filter((_, other) => ahead(other, seat)).length);
}
