import { rulesShop } from '../engine/shop.svelte.ts';
import type { Score } from '../engine/protocol.ts';
import type { Kept } from './kept.ts';

/** The scores when a turn had ended, as everybody knows them after the game. */
export interface Moment {
  seats: Score[];
}

/** The scores of a finished game from turn to turn. */
export async function scoresOverTime(kept: Kept): Promise<Moment[]> {
  const engine = rulesShop().engine();
  try {
    const { game, version, options, seed, players } = kept;
    let { turn } = await engine.ask('new', { game, version, options, seats: players.length, chance: 'manual', seed });
    const moments: Moment[] = [];
    for (const { seat, move } of kept.line) {
      const news = await engine.ask('play', { seat, move });
      if (news.turn === turn && news.toAct.length) continue;
      const { seats } = await engine.ask('standing', {});
      moments.push({ seats });
      turn = news.turn;
    }
    return moments;
  } finally {
    engine.leave();
  }
}
