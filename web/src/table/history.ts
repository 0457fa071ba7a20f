import { rulesShop } from '../engine/shop.svelte.ts';
import type { Event, Score } from '../engine/protocol.ts';
import type { Kept } from './kept.ts';

/** The scores when a turn had ended, as everybody knows them after the game. */
export interface Moment {
  ply: number; // how many moves had been made
  turn: number;
  seats: Score[];
  events: Event[]; // of that turn
}

/** The scores of a finished game from turn to turn. */
export async function scoresOverTime(kept: Kept): Promise<Moment[]> {
  const engine = rulesShop().engine();
  const { game, version, options, seed, players } = kept;
  let { turn } = await engine.ask('new', { game, version, options, seats: players.length, chance: 'manual', seed });
  const moments: Moment[] = [];
  let events: Event[] = [];
  for (const [ply, { seat, move }] of kept.line.entries()) {
    const news = await engine.ask('play', { seat, move });
    events.push(...news.events);
    if (news.turn === turn && news.toAct.length) continue;
    const { seats } = await engine.ask('standing', {});
    moments.push({ ply: ply + 1, turn: news.turn, seats, events });
    turn = news.turn;
    events = [];
  }
  engine.leave();
  return moments;
}
