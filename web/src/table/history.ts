import { rulesShop } from '../engine/shop.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import type { SheetLine, Upshot, Score, Tie } from '../engine/protocol.ts';
import type { Kept } from './kept.ts';

/** The scores when a turn had ended, as everybody knows them after the game. */
export interface Moment {
  seats: Score[];
  ties?: Tie[]; // what broke them, at the end
}

/** The scores of a finished game from turn to turn. */
export function scoresOverTime(kept: Kept): Promise<Moment[]> {
  return again(kept, async (engine, begun) => {
    let { turn } = begun;
    const moments: Moment[] = [];
    for (const { seat, move } of kept.line) {
      const news = await engine.ask('play', { seat, move });
      if (news.turn === turn && news.toAct.length) continue;
      const { seats, ties } = await engine.ask('standing', {});
      moments.push(ties ? { seats, ties } : { seats });
      turn = news.turn;
    }
    return moments;
  });
}

/** The score sheet at the end of a game, with all that was secret in it. */
export function lastSheet(kept: Kept): Promise<SheetLine[]> {
  return atTheEnd(kept, async (engine) => (await engine.ask('sheet', {})).lines);
}

/** The scores at the end of a game, likewise. */
export function lastScores(kept: Kept): Promise<Score[]> {
  return atTheEnd(kept, async (engine) => (await engine.ask('standing', {})).seats);
}

function atTheEnd<T>(kept: Kept, what: (engine: Engine) => Promise<T>): Promise<T> {
  return again(kept, async (engine) => {
    for (const { seat, move } of kept.line) await engine.ask('play', { seat, move });
    return what(engine);
  });
}

/** Begins a game anew in an engine of its own. */
async function again<T>({ game, version, options, seed, players }: Kept, what: (engine: Engine, begun: Upshot) => Promise<T>): Promise<T> {
  const engine = rulesShop().engine();
  try {
    return await what(engine, await engine.ask('new', { game, version, options, seats: players.length, chance: 'manual', seed }));
  } finally {
    engine.leave();
  }
}
