import type { Workshop } from '../engine/engine.ts';
import type { PlayedMove, Kept } from './kept.ts';

/** Has chance give all that a new game begins with, at once: whoever opens it then
 * draws the table once, and not anew with every card. */
export async function deal(kept: Kept, shop: Pick<Workshop, 'engine'>): Promise<void> {
  if (kept.line.length) return;
  const { game, version, options, seed, players } = kept;
  const line: PlayedMove[] = [];
  const engine = shop.engine();
  try {
    let { toAct } = await engine.ask('new', { game, version, options, seats: players.length, chance: 'manual', seed });
    while (toAct[0] === 'chance') {
      const drawn = await engine.ask('draw', {});
      line.push({ seat: 'chance', move: drawn.move });
      ({ toAct } = drawn);
    }
  } finally {
    engine.leave();
  }
  kept.line = line;
}
