/** What was played and what is being drafted, as lists. */
import type { Actor, Event, Facts, Move, Viewer } from '../engine/protocol.ts';

/** A move that is allowed now, with what the rules say of it. */
export interface Choice {
  move: Move;
  facts: Facts;
}

/** Somebody's turn as the viewer heard it. */
export interface Heard {
  seat: number | null; // whose turn it was; null for chance
  events: Event[];
}

/** Who is to act in a position, and which turn it is. */
export interface Ground {
  toAct: Actor | null; // null when the game is over
  turn: number;
}

/** One move that was made, with all that came of it. */
export interface Ply {
  number: number; // of its entry in the log
  beside: boolean; // it tells of people, not of the game
  seat: Actor;
  move: Move;
  turn: number; // the number of the turn it belongs to
  events: Event[]; // for whoever may hear them
}

/** A step of the draft, with the choices there were. */
export interface Step {
  choices: readonly Choice[];
  move: Move;
  events: Event[];
  forced: boolean; // there was no other choice
  after: Ground;
}

/** Whether two moves are the same one. */
export function same(a: Move, b: Move): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

/** Whether nothing more can be added to a draft before it is confirmed. */
export function finished(ground: Ground, steps: readonly Step[]): boolean {
  const last = steps.at(-1)?.after;
  return last !== undefined && (last.turn !== ground.turn || last.toAct !== ground.toAct);
}

/** How many moves two drafts begin with that are the same. */
export function common(steps: readonly Step[], moves: readonly Move[]): number {
  const other = steps.findIndex(({ move }, i) => !moves[i] || !same(move, moves[i]));
  return other < 0 ? steps.length : other;
}

/** How many steps are left when the last that was chosen is taken back, with those
 * that followed it by themselves. */
export function oneLess(steps: readonly Step[]): number {
  let left = steps.length;
  while (left > 1 && steps[left - 1].forced) left--;
  return Math.max(0, left - 1);
}

/** The plies as somebody heard them, turn by turn. */
export function hearing(plies: readonly Ply[], viewer: Viewer): Heard[] {
  const turns: Heard[] = [];
  let turn = NaN;
  for (const ply of plies) {
    const events = ply.events.filter((e) => e.to === 'all' || e.to.includes(viewer));
    if (!events.length) continue;
    const seat = typeof ply.seat === 'number' ? ply.seat : null;
    if (ply.turn !== turn) turns.push({ seat, events: [] });
    turn = ply.turn;
    turns.at(-1)!.seat ??= seat;
    turns.at(-1)!.events.push(...events);
  }
  return turns;
}

/** The number of the last entry that changed the game; -1 before its start. */
export function lastOfGame(plies: readonly Ply[]): number {
  return plies.findLast((p) => !p.beside || p.move.do === 'undo' || p.move.do === 'start')?.number ?? -1;
}
