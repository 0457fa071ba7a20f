/** What a sitting is made of: its phases, and what it still has to do. */
import type { Event, SheetLine, Move, Score, Viewer } from '../engine/protocol.ts';
import type { Effect, Entry, Input, Seating, Spot, Stand, Terms, Why } from './inputs.ts';
import { finished, type Choice, type Ground, type Ply, type Step } from './plies.ts';
import type { Missed } from './recap.ts';
import { laid, nothing, type Shown } from './shown.ts';

export type Phase =
  | { readonly is: 'loading' }
  | { readonly is: 'person' } // somebody at this screen makes up a turn
  | { readonly is: 'sent'; readonly key: string; readonly after: number; readonly seat: number; readonly moves: readonly Move[]; readonly tries: number; readonly wait: number; readonly busy: number } // it is on its way; `wait` is what ends before it is sent again, or missed where it was taken; 0 while it is sent; `busy`: it was not taken yet, and is sent again after so many milliseconds
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
  | { readonly is: 'look'; readonly quiet?: true } // shows where the game is; quiet: once the draft lies on it
  | { readonly is: 'linger'; readonly share: number; readonly since: number } // lets people follow
  | { readonly is: 'new'; readonly seed: string; readonly line: readonly Pick<Entry, 'seat' | 'move'>[]; readonly draft: readonly Move[] }
  | { readonly is: 'play'; readonly entry: Entry; readonly own: boolean; readonly overtaken: Overtaken | null }
  | { readonly is: 'draw' }
  | { readonly is: 'retrace'; readonly entry: Entry; readonly many: number; readonly overtaken: Overtaken | null } // takes back what was confirmed
  | { readonly is: 'log'; readonly to: number } // reads what happened up to an entry
  | { readonly is: 'stand'; readonly stand: Stand; readonly from: number; readonly again: boolean; readonly blind?: boolean; readonly draft?: readonly Move[]; readonly here: readonly number[]; readonly came: Came | null } // takes a table over as it was shown, once the log is read; `came` is what the log says came between a draft and its turn, `here` who could act by then
  | { readonly is: 'open'; readonly stand: Stand; readonly draft?: readonly Move[]; readonly blind?: boolean }
  | { readonly is: 'await' } // the table is to be shown anew
  | { readonly is: 'settle'; readonly events: Event[]; readonly overtaken: Overtaken | null } // something was confirmed
  | { readonly is: 'counting' } // until it has been seen
  | { readonly is: 'begin'; readonly before: Phase['is']; readonly overtaken?: Overtaken | null; readonly why?: Why | null }
  | { readonly is: 'begun'; readonly before: Phase['is']; readonly overtaken: Overtaken | null; readonly why: Why | null; readonly back: number } // back: moves of the draft that was put back; 0 where none was
  | { readonly is: 'recap'; readonly from: number; readonly stops: readonly number[]; readonly at: number; readonly began: number }
  | { readonly is: 'do'; readonly effects: readonly Effect[] };

/** A draft that was put aside: it is for one turn of one seat, and for no other. */
export interface Draft {
  readonly seat: number;
  readonly turn: number;
  readonly moves: readonly Move[];
}

/** What came between a draft and its turn: a step back, somebody else's hand at the
 * same seat (the same person in another window, or a bot), or anything else. */
export interface Came {
  readonly by: 'undo' | 'own' | 'bot' | 'other';
  readonly move: Move;
  readonly ends: boolean; // the draft is for nothing any more
}

/** A draft that something came in between of. */
export interface Overtaken {
  readonly by: Came['by'];
  readonly moves: number; // that it had
  readonly sent: boolean;
}

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
  readonly aside: Draft | null; // it is made again when its turn goes on
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
  readonly bare: Shown | null; // what is to be shown once the draft lies on it
}

/** A sitting before it is opened. `first` is how the game lies on the table before
 * anything has happened, where that is known: it is shown until the engine is there. */
export function sitDown(terms: Terms, seating: Seating, viewer: Viewer = seating.here.length === 1 ? seating.here[0] : 'watcher', first: unknown = null): Sitting {
  return {
    terms, seating, viewer,
    phase: { is: 'loading' },
    plies: [], number: -1, turn: 0, ground: { toAct: null, turn: 0 }, depth: 0,
    steps: [], aim: null, choices: null, aside: null, heard: [],
    tasks: [], asked: null, queue: [], ids: 0, wanted: 0,
    line: [], thinking: 0, since: null, hurry: false, confirmedAt: -Infinity,
    attending: false, away: true, known: -1, missed: null, result: null, lastSheet: null, up: true,
    shown: first === null ? nothing : laid(first, terms.settings.seats!), bare: null,
  }; // prettier-ignore
}

/** Whether the draft is a whole turn. */
export const complete = ({ ground, steps, aim }: Pick<Sitting, 'ground' | 'steps' | 'aim'>) => aim !== null || finished(ground, steps);

/** Whether there is a turn of one's own before this one that can be taken back. */
export function takeable({ terms, seating, plies, phase, viewer }: Sitting): boolean {
  return phase.is === 'person' && terms.takesBack && seating.here.length === 1 && plies.some((ply) => ply.seat === viewer);
}
