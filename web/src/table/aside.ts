/** A draft whose turn does not go on: it is put aside, and what became of it is told. */
import type { Entry, Why } from './inputs.ts';
import { same } from './plies.ts';
import { movesOf } from './shown.ts';
import type { Came, Overtaken } from './state.ts';
import { touches, type Work } from './work.ts';

/** The draft leaves the engine before anybody is asked whose turn it is. It waits for
 * its turn to go on, unless something came in between that ends it. */
export function putAside(w: Work, came: Came | null): Overtaken | null {
  const moves = movesOf(w.steps, w.aim);
  const sent = w.phase.is === 'sent';
  if (moves.length) w.aside = came?.ends ? null : { seat: w.ground.toAct as number, turn: w.ground.turn, moves };
  if (sent || w.phase.is === 'person') [w.phase, w.shown] = [{ is: 'bot' }, { ...w.shown, phase: 'bot' }];
  if (!moves.length || (came?.by === 'own' && same(moves[0], came.move))) return null; // it was made
  return { by: came?.by ?? 'other', moves: moves.length, sent };
}

/** What an entry is to a draft. `here` are the seats that could act here before it. */
export function cameBy(w: Work, entry: Entry, here: readonly number[]): Came {
  const seat = w.ground.toAct;
  const ends = touches(w.plies, entry, seat);
  const by = entry.do === 'undo' ? 'undo' : !ends ? 'other' : here.includes(seat as number) ? 'own' : 'bot';
  return { by, move: entry.move, ends };
}

/** What became of a draft, now that a turn has begun; null where that can be seen. */
export function fate({ phase, steps, aim, aside }: Work, { by, moves, sent }: Overtaken): Why | null {
  const why = (key: string): Why => ({ key, args: {} });
  const left = phase.is === 'person' ? movesOf(steps, aim).length : 0;
  if (phase.is === 'over') return why('page.draft.over');
  if (by === 'own') return why('page.draft.elsewhere');
  if (by === 'bot') return why('page.draft.bot');
  if (by === 'undo') return why(aside ? 'page.draft.undo.waits' : left >= moves ? 'page.draft.undo.kept' : left ? 'page.draft.undo.part' : 'page.draft.undo.gone');
  if (aside) return null; // why the turn does not go on is said where that is seen
  if (left >= moves) return sent ? why('page.draft.kept') : null;
  return why(left ? 'page.draft.part' : 'page.draft.gone');
}

/** What is to be said of a draft that had to wait and is back, where it does not fit. */
export function missing({ steps, aim }: Work, moves: number): Why | null {
  const left = movesOf(steps, aim).length;
  return left >= moves ? null : { key: left ? 'page.draft.back.part' : 'page.draft.back.gone', args: {} };
}
