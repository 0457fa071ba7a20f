/** What others did since somebody's last turn: shown once more to whoever comes
 * back. */
import type { Viewer } from '../engine/protocol.ts';
import type { Ply } from './plies.ts';

export interface Missed {
  from: number; // the plies before this one are known
  turns: number; // of others, since then
  first: boolean; // the seat has not moved yet
}

/** How long all of it takes at most, in milliseconds. */
export const longest = 8000;

/** How long one move is looked at, and how long at least: where there are too
 * many for that, only whole turns are shown. */
const look = 900;
const glance = 200;

/** What came after the last move of a seat. */
export function since(plies: readonly Ply[], seat: Viewer): Missed {
  const own = plies.findLastIndex((ply) => ply.seat === seat);
  const from = own < 0 ? plies.findIndex((ply) => ply.move.do === 'start') + 1 : own + 1;
  const turns = new Set(plies.slice(from).flatMap((ply) => (typeof ply.seat === 'number' ? [`${ply.seat} ${ply.turn}`] : [])));
  return { from, turns: turns.size, first: own < 0 };
}

/** After which plies there is something to look at: so many have been made then.
 * Beside each other if there is time for all, else turn by turn. */
export function stops(plies: readonly Ply[], from: number): number[] {
  const moves = plies.flatMap((ply, i) => (i >= from && ply.events.length && ply.turn >= 0 ? [i + 1] : []));
  if (moves.length * glance <= longest) return moves;
  return moves.filter((made) => plies[made]?.turn !== plies[made - 1].turn);
}

/** How long each stop is looked at. */
export function tempo(stops: number): number {
  return Math.min(look, (longest - look) / Math.max(1, stops));
}
