/** What broke the ties of a game. */
import type { Tie } from '../engine/protocol.ts';

/** Those among players who stayed to the end: who resigned ranks behind them all,
 * whatever the rules say. */
export function tiesAmong(ties: readonly Tie[] | undefined, gaveUp: (seat: number) => boolean): Tie[] {
  return (ties ?? []).filter(({ seat, other }) => !gaveUp(seat) && !gaveUp(other));
}
