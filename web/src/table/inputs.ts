/** What a sitting hears and what it wants done: everything that comes in and goes
 * out of the reducer, as data. */
import type { Actor, Event, SheetLine, Move, Phrase, Requests, Score, Settings, Viewer } from '../engine/protocol.ts';

/** What holds as long as one sits at a table. */
export interface Terms {
  settings: Settings; // which game it is, for an engine
  secrets: boolean; // a seat may know what others may not
  cards: boolean; // what stands on the cards is asked for
  counts: (events: Event[]) => string | null; // the score part that events bring to an end
  draws: boolean; // chance is drawn here; else it is told
  thinks: boolean; // bots think here; else their moves are told
  takesBack: boolean; // a turn of one's own may be taken back, or asked back
}

/** Who may act at this screen. */
export interface Seating {
  here: readonly number[]; // seats that people at this screen hold now
  going: 'play' | 'paused' | 'over';
}

/** Something that happened. Where the game lives it has a number, and is told in this
 * order, each once or more often. */
export interface Entry {
  number: number;
  do: string; // 'move', 'chance', 'undo'; anything else is about people
  seat: Actor;
  move: Move;
  to?: number; // of an undo: the last entry that stands
  turn: number | null; // the number of the turn that comes after it; null where the engine tells
  events: Event[] | null; // likewise
  look?: Stand; // the table anew: from what was known it cannot be gone on
  seating?: Seating; // where somebody sits otherwise than before
  more?: unknown; // for whoever told it, when it is taken
}

/** A table as it was shown to us. */
export interface Stand {
  number: number; // of the last entry that is in it
  view: unknown;
  viewer: Viewer;
  seating: Seating;
  result: Score[] | null; // once it is over, as it was counted
  more?: unknown;
}

/** Why not. */
export interface Why extends Phrase {
  rule?: string;
  title?: string; // in words, where the page may not have any for the key
}

export type Spot = { x: number; y: number } | null;

/** A request to the engine, and what it answers. */
export type Question = { [Name in keyof Requests]: { do: Name } & Requests[Name][0] }[keyof Requests];
export type Reply = { ok: true } | { ok: false; why: Why };

/** A position as the engine tells it: as the viewer may know it, and as everybody may. */
export interface Seen {
  view: unknown;
  now: Score[];
  sheet: SheetLine[];
  common: { sheet: SheetLine[]; now: Score[] };
  cards: unknown; // what stands on the cards, where that was asked for
}

/** What people do. `n` is the number of the act: whoever did it hears how it ended. */
export type Act =
  | { is: 'try'; n: number; move: Move; spot: Spot }
  | { is: 'confirm'; n: number; key: string; next: Move | null; spot: Spot } // the key makes it harmless to send it again; `next` is what Confirm makes where the turn is not made up
  | { is: 'undo'; n: number }
  | { is: 'restart'; n: number }
  | { is: 'redraft'; n: number; moves: Move[] }
  | { is: 'take-screen'; n: number }
  | { is: 'recap'; n: number };

/** What happens to a sitting. */
export type Happening =
  | Act
  | { is: 'open'; seed: string; line: { seat: Actor; move: Move }[]; draft: Move[]; result?: Score[] } // a game that is kept here; `result` where it was counted otherwise than the rules do
  | { is: 'look'; stand: Stand; draft?: Move[]; again: boolean; id: number } // `again`: what was known leads no further; `id`: that it was asked for by, and newer entries may have come before it; 0 where it was told
  | { is: 'entry'; entry: Entry }
  | { is: 'entries'; id: number; entries: Entry[] } // that were asked for
  | { is: 'answer'; id: number; replies: Reply[] } // of the engine
  | { is: 'thought'; id: number; line: Move[] } // what a bot is about to do
  | { is: 'frame'; id: number; seen: Seen | null; toAct: Actor | null } // how things stood; null where that cannot be had
  | { is: 'accepted'; key: string } // a draft that was sent, by whoever keeps the log
  | { is: 'refused'; key: string; why: Why }
  | { is: 'unheard'; key: string; ms: number; busy?: boolean } // nobody answered, or somebody who cannot take it yet (busy); after so long it may be sent again
  | { is: 'unsend' } // whoever sent a turn that was not taken yet wants it back
  | { is: 'connection'; up: boolean }
  | { is: 'wake'; id: number }
  | { is: 'skip' } // bots' moves come without a pause until somebody is to move
  | { is: 'counted' } // what was counted has been seen
  | { is: 'end-recap' }
  | { is: 'attend'; here: boolean; known: number } // somebody looks at the table, or does not any more; up to which entry they know it
  | { is: 'sheet'; lines: SheetLine[] } // of a game that is over, with all that was secret
  | { is: 'broke'; why: Why | null };

export type Input = Happening & { at: number }; // in milliseconds, on a clock that never goes back

/** What is to be done. */
export type Effect =
  | { do: 'ask'; id: number; questions: Question[] } // the engine, in this order
  | { do: 'send'; key: string; after: number; seat: number; moves: Move[]; tries: number }
  | { do: 'take-back'; to: number } // a turn of one's own, to after an entry
  | { do: 'fetch'; id: number; from: number } // entries, from a number on
  | { do: 'fetch-look'; id: number; again: boolean }
  | { do: 'think'; id: number; seat: number; made: number }
  | { do: 'frame'; id: number; made: number } // how things stood after so many plies
  | { do: 'frames-end' }
  | { do: 'wait'; id: number; ms: number }
  | { do: 'linger'; id: number; share: number; since: number } // a share of the pace that somebody has set, from a moment on
  | { do: 'keep' } // what was confirmed or drafted is another than before
  | { do: 'seen'; number: number } // everything up to this entry
  | { do: 'took'; more: unknown } // an entry, or a table anew: what else was told with it holds now
  | { do: 'done'; n: number; ok: boolean } // an act of somebody
  | { do: 'hand'; what: 'reset' | 'drop' }
  | { do: 'slip'; why: Why | 'missing' | null; spot: Spot }
  | { do: 'sound'; name: 'place' | 'refuse' | 'end' }
  | { do: 'say'; key: 'page.undone' | 'page.restarted' | 'page.taken-back' | 'prompt' }
  | { do: 'tell'; events: Event[] }
  | { do: 'turn' } // it has become somebody's turn who waited for it
  | { do: 'over' };
