/** The few things that every part of the reducer does to a sitting. */
import type { Actor, Event, Move } from '../engine/protocol.ts';
import type { Effect, Entry, Question, Why } from './inputs.ts';
import type { Ground, Ply } from './plies.ts';
import type { Sitting, Task } from './state.ts';

/** A sitting while one input is worked in. */
export type Work = { -readonly [Name in keyof Sitting]: Sitting[Name] } & { out: Effect[]; at: number };

/** The first task is done, and others may come in its place. */
export function done(w: Work, ...instead: Task[]) {
  w.tasks = [...instead, ...w.tasks.slice(1)];
  w.asked = null;
}

export function ask(w: Work, questions: Question[], what: { move?: Move; forced?: boolean } = {}): true {
  w.asked = { id: ++w.ids, ...what };
  w.out.push({ do: 'ask', id: w.ids, questions });
  return true;
}

/** Whether an entry makes a turn of a seat, or takes one back: a draft of that seat is
 * for nothing then. */
export function touches(plies: readonly Ply[], entry: Entry, seat: Actor | null): boolean {
  if (entry.do === 'undo') return plies.some((ply) => !ply.beside && ply.seat === seat && ply.number > entry.to!);
  return entry.do === 'move' && entry.seat === seat;
}

/** Writes an entry into the log. It gives the events that were told with it. */
export function note(w: Work, entry: Entry, engine: { events: Event[]; after: Ground } | null = null): Event[] {
  const { number, seat, move } = entry;
  const beside = entry.do !== 'move' && entry.do !== 'chance';
  const events = entry.events ?? engine?.events ?? [];
  if (w.aside && touches(w.plies, entry, w.aside.seat)) w.aside = null;
  if (entry.do === 'undo') w.plies = w.plies.filter((ply) => ply.beside || ply.number <= entry.to!);
  if (events.length || !beside) w.plies = [...w.plies, { number, beside, seat, move, turn: beside ? -2 - number : w.turn, events }];
  w.number = number;
  w.turn = entry.turn ?? engine?.after.turn ?? w.turn;
  return events;
}

export function broke(w: Work, why: Why | null) {
  w.phase = { is: 'broken', why };
  w.shown = { ...w.shown, phase: 'broken' };
  for (const q of w.queue) if ('n' in q) w.out.push({ do: 'done', n: q.n, ok: false });
  for (const task of w.tasks) if (task.is === 'do') w.out.push(...task.effects.filter((effect) => effect.do === 'done').map((effect) => ({ ...effect, ok: false })));
  [w.queue, w.tasks, w.asked] = [[], [], null];
}
