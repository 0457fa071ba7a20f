/** What a sitting is made of: its phases, what it still has to do, and the few things
 * that every part of the reducer does to it. */
import type { Event, SheetLine, Move, Score, Viewer } from '../engine/protocol.ts';
import type { Effect, Entry, Input, Question, Seating, Spot, Stand, Terms, Why } from './inputs.ts';
import { finished, type Choice, type Ground, type Ply, type Step } from './plies.ts';
import type { Missed } from './recap.ts';
import { laid, nothing, type Shown } from './shown.ts';

export type Phase =
  | { readonly is: 'loading' }
  | { readonly is: 'person' } // somebody at this screen makes up a turn
  | { readonly is: 'sent'; readonly key: string; readonly after: number; readonly seat: number; readonly moves: readonly Move[]; readonly tries: number; readonly wait: number } // it is on its way; `wait` is what ends before it is sent again, or missed where it was taken; 0 while it is sent
  | { readonly is: 'bot' } // others are to act, or chance
  | { readonly is: 'hand-over'; readonly next: number } // to somebody else at this screen
  | { readonly is: 'interlude'; readonly part: string } // points are being counted
  | { readonly is: 'recap'; readonly back: Phase } // what was missed is shown
  | { readonly is: 'over' }
  | { readonly is: 'broken'; readonly why: Why | null };

/** Something to be done, with all that it needs to go on after an answer. */
export type Task =
  | { readonly is: 'back'; readonly to: number } // takes the draft back to so many steps
  | { readonly is: 'moves' } // asks what may be done
  | { readonly is: 'make'; readonly want: readonly Move[]; readonly or?: Or } // makes the draft this one, as far as the rules allow it
  | { readonly is: 'look' } // shows where the game is
  | { readonly is: 'linger'; readonly share: number; readonly since: number } // lets people follow
  | { readonly is: 'new'; readonly seed: string; readonly line: readonly Pick<Entry, 'seat' | 'move'>[] }
  | { readonly is: 'play'; readonly entry: Entry; readonly own: boolean; readonly overtaken: number }
  | { readonly is: 'draw' }
  | { readonly is: 'retrace'; readonly entry: Entry; readonly many: number } // takes back what was confirmed
  | { readonly is: 'log'; readonly to: number } // reads what happened up to an entry
  | { readonly is: 'stand'; readonly stand: Stand; readonly from: number; readonly again: boolean; readonly made: boolean; readonly blind?: boolean } // takes a table over as it was shown, once the log is read
  | { readonly is: 'open'; readonly stand: Stand }
  | { readonly is: 'await' } // the table is to be shown anew
  | { readonly is: 'settle'; readonly events: Event[]; readonly overtaken: number } // something was confirmed
  | { readonly is: 'counting' } // until it has been seen
  | { readonly is: 'begin'; readonly before: Phase['is']; readonly overtaken?: number; readonly why?: Why }
  | { readonly is: 'begun'; readonly before: Phase['is']; readonly overtaken: number; readonly why: Why | null }
  | { readonly is: 'recap'; readonly from: number; readonly stops: readonly number[]; readonly at: number; readonly began: number }
  | { readonly is: 'do'; readonly effects: readonly Effect[] };

/** What is done where the rules refuse a move that somebody tried. */
export interface Or {
  readonly n: number;
  readonly spot: Spot;
  readonly stood: Move | null; // what it was to take the place of
}

export interface Sitting {
  readonly terms: Terms;
  readonly seating: Seating;
  readonly viewer: Viewer;
  readonly phase: Phase;

  readonly plies: readonly Ply[]; // confirmed
  readonly number: number; // of the last entry that was taken
  readonly turn: number; // the turn after it
  readonly ground: Ground; // the position before the draft
  readonly depth: number; // plies that the engine can take back
  readonly steps: readonly Step[]; // the draft, as it stands in the engine
  readonly aim: Choice | null; // a choice that turns something open: it is not made before Confirm
  readonly choices: readonly Choice[] | null; // after the draft; null where they were not asked for
  readonly waiting: readonly Move[]; // a draft that is made again when it is our turn
  readonly unanswered: string; // the key of a draft that was on its way when the table was shown to us as somebody else
  readonly heard: readonly Event[]; // of a turn of which the rest is still to be told

  readonly tasks: readonly Task[];
  readonly asked: { readonly id: number; readonly move?: Move; readonly forced?: boolean } | null;
  readonly queue: readonly Input[];
  readonly ids: number; // given so far
  readonly wanted: number; // the id of a look that was asked for; 0 for none

  readonly line: readonly Move[]; // what a bot is about to do
  readonly thinking: number; // the id of its thought; 0 for none
  readonly since: number | null; // when it was asked
  readonly hurry: boolean; // others' moves are being skipped
  readonly confirmedAt: number;

  readonly attending: boolean; // somebody looks at the table
  readonly away: boolean; // nobody has since something may have happened
  readonly known: number; // the last entry that somebody saw
  readonly missed: Missed | null; // what others did meanwhile
  readonly result: Score[] | null;
  readonly lastSheet: SheetLine[] | null;
  readonly up: boolean; // the line to where the game lives
  readonly shown: Shown;
}

/** A sitting before it is opened. `first` is how the game lies on the table before
 * anything has happened, where that is known: it is shown until the engine is there. */
export function sitDown(terms: Terms, seating: Seating, viewer: Viewer = seating.here.length === 1 ? seating.here[0] : 'watcher', first: unknown = null): Sitting {
  return {
    terms, seating, viewer,
    phase: { is: 'loading' },
    plies: [], number: -1, turn: 0, ground: { toAct: null, turn: 0 }, depth: 0,
    steps: [], aim: null, choices: null, waiting: [], unanswered: '', heard: [],
    tasks: [], asked: null, queue: [], ids: 0, wanted: 0,
    line: [], thinking: 0, since: null, hurry: false, confirmedAt: -Infinity,
    attending: false, away: true, known: -1, missed: null, result: null, lastSheet: null, up: true,
    shown: first === null ? nothing : laid(first, terms.settings.seats!),
  }; // prettier-ignore
}

/** A sitting while one input is worked in. */
export type Work = { -readonly [Name in keyof Sitting]: Sitting[Name] } & { out: Effect[]; at: number };

/** Whether the draft is a whole turn. */
export const complete = ({ ground, steps, aim }: Pick<Sitting, 'ground' | 'steps' | 'aim'>) => aim !== null || finished(ground, steps);

/** Whether there is a turn of one's own before this one that can be taken back. */
export function takeable({ terms, seating, plies, phase, viewer }: Sitting): boolean {
  return phase.is === 'person' && terms.takesBack && seating.here.length === 1 && plies.some((ply) => ply.seat === viewer);
}

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

/** Writes an entry into the log. It gives the events that were told with it. */
export function note(w: Work, entry: Entry, engine: { events: Event[]; after: Ground } | null = null): Event[] {
  const { number, seat, move } = entry;
  const beside = entry.do !== 'move' && entry.do !== 'chance';
  const events = entry.events ?? engine?.events ?? [];
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
