/** Giving up one of both sides, as on a server: the seat ranks behind all who did
 * not, in the one result too. */
import { stopped, type Kept, type Player } from './kept.ts';

/** Who plays on for somebody, as at tables of the server. */
const standIn = 'level:3';

/** A game after somebody has resigned. Where others go on a bot plays on for them;
 * else it is over, and only its result is missing. */
export function resigned(kept: Kept, seat: number): Kept {
  const { players } = kept;
  const out = kept.out ?? players.map(() => 0);
  if (out[seat] || players[seat].kind === 'bot' || kept.result) return kept; // it was done in another window
  const next = { ...kept, draft: [], out: out.map((nth, other) => (other === seat ? Math.max(...out) + 1 : nth)) };
  if (stopped(next)) return next;
  const sits: Player = { kind: 'bot', name: players[seat].name, bot: standIn };
  return { ...next, players: players.map((player, other) => (other === seat ? sits : player)) };
}

/** The ranks of a game in which some have resigned; the last to resign is best among them. */
export function ranked(ranks: readonly number[], out: readonly number[]): number[] {
  const ahead = (a: number, b: number) => (!out[a] && !out[b] ? ranks[a] < ranks[b] : !out[a] || (!!out[b] && out[a] > out[b]));
  return ranks.map((_, seat) => 1 + ranks.filter((_, other) => ahead(other, seat)).length);
}
