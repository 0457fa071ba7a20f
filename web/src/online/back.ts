/** How far a step back goes. */
import type { Ply } from '../table/plies.ts';

/** How many turns after an entry would be taken back, and how many of them are
 * those of a seat. */
export function turnsSince(plies: readonly Ply[], to: number, seat: number | null): { turns: number; yours: number } {
  const gone = new Map(plies.filter((p) => !p.beside && p.number > to && typeof p.seat === 'number').map((p) => [`${p.seat}/${p.turn}`, p.seat]));
  return { turns: gone.size, yours: [...gone.values()].filter((who) => who === seat).length };
}
