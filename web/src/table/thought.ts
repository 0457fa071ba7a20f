/** Asking a player what it would do, in workers of its own. */
import { thoughtShop } from '../engine/shop.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import type { SeatRecord, Settings, Thought } from '../engine/protocol.ts';

/** A game as one seat knows it: its record, and nothing else. */
export interface Sight extends Settings, SeatRecord {
  seat: number;
}

/** Who is to think: the same seed finds the same turn, unless time is up. */
export interface Asked {
  player: string;
  seed: string;
  ms: number;
}

/** What a player would do. `then` may play on in the thinker's own engine, where
 * nothing is known but what the seat knows. Where the worker dies that thinks, it
 * is thought of once more, in another. */
export async function think<T>(sight: Sight, asked: Asked, then: (thought: Thought, engine: Engine) => T | Promise<T>, again = true): Promise<T> {
  const shop = await thoughtShop();
  const engine = shop.engine();
  try {
    await engine.ask('open', sight);
    return await then(await engine.ask('think', { ...asked }), engine);
  } catch (e) {
    if (!again || !shop.broke) throw e;
  } finally {
    engine.leave();
  }
  return think(sight, asked, then, false);
}
