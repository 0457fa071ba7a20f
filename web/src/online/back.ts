/** How far a step back goes. */
import type { Ply } from '../table/table.svelte.ts';

/** A ply that knows which entry of the log it was. */
export interface Numbered extends Ply {
  number: number;
  beside: boolean; // it tells of people, not of the game
}

/** How many turns after an entry would be taken back, and how many of them are
 * those of a seat. */
export function turnsBack(plies: readonly Numbered[], to: number, seat: number | null): { turns: number; yours: number } {
  const gone = new Map(plies.filter((p) => !p.beside && p.number > to && typeof p.seat === 'number').map((p) => [`${p.seat}/${p.turn}`, p.seat]));
  return { turns: gone.size, yours: [...gone.values()].filter((who) => who === seat).length };
}
