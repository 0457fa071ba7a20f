/** Asking a player what it would do, in workers of its own. */
import { hiredCrew } from '../engine/shop.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import type { SeatRecord, Settings, Thought } from '../engine/protocol.ts';

/** A game as one seat knows it: its record, and nothing else. */
export interface SeatGame extends Settings, SeatRecord {
  seat: number;
}

/** Who is to think: the same seed finds the same turn, unless time is up. */
export interface Assignment {
  player: string;
  seed: string;
  ms: number;
}

/** What a player would do. `then` may play on in the thinker's own engine, where
 * nothing is known but what the seat knows. Where the worker dies that thinks, it
 * is thought of once more, in another. */
export async function think<T>(game: SeatGame, asked: Assignment, then: (thought: Thought, engine: Engine) => T | Promise<T>, again = true): Promise<T> {
  const shop = await hiredCrew();
  const engine = shop.engine();
  try {
    await engine.ask('open', game);
    return await then(await engine.ask('think', { ...asked }), engine);
  } catch (e) {
    if (!again || !shop.broke) throw e;
  } finally {
    engine.leave();
  }
  return think(game, asked, then, false);
}
