/** What the engine says and hears: docs/engine.md in types. */
import type { Args } from '../words/speech.ts';

export type Seat = number;
export type Viewer = Seat | 'watcher';
export type Actor = Seat | 'chance';

/** A move as the wire carries it. Only boards look inside, to draw it. */
export type Move = { do: string } & Record<string, unknown>;

/** What a screen shows of a move; `reveals` where it turns a secret open. */
export type Facts = Args & { reveals?: true; totals?: number[]; total?: number };

export interface Event extends Phrase {
  to: 'all' | Viewer[];
}

/** A key with its arguments: words in whichever language is spoken. */
export interface Phrase {
  key: string;
  args: Args;
}

export type Fault = Phrase;

export interface Refusal extends Fault {
  rule: string;
}

/** What a request that changes the game led to. */
export interface Upshot {
  toAct: Actor[];
  turn: number;
  events: Event[];
}

export interface Score {
  total: number | null;
  parts: Record<string, number | null>;
  rank: number | null; // null where a game ended without a winner
}

export interface Standing {
  over: boolean;
  seats: Score[];
  ties?: Tie[]; // when all is over
}

/** Which rule put one of two seats with the same total before the other, or that
 * they share the rank. */
export interface Tie extends Phrase {
  seat: Seat;
  other: Seat;
}

/** A line of the score sheet: points by seat, null where the viewer cannot know. */
export interface SheetLine {
  part: string;
  key: string;
  args: Args;
  points: (number | null)[];
}

export interface GameOption {
  name: string;
  kind: 'flag' | 'number' | 'words' | 'box';
  default: unknown;
  choices?: readonly (number | string)[]; // of numbers: one of these; of words: as many of these as the default has
}

/** A player that can be sat against: who it is for the engine, what it is
 * called, and one sentence about how it plays. */
export interface Level {
  player: string;
  name: Phrase;
  about: Phrase;
}

export interface GameInfo {
  name: string;
  seats: number[];
  options: GameOption[];
  version: number;
  parts: string[];
  secrets: boolean;
  levels: Level[]; // the weakest first
}

export interface Settings {
  game: string;
  seats: number;
  options: Record<string, unknown>;
  version: number;
}

/** What one seat saw first, and every move since as it heard it. */
export interface SeatRecord {
  view: unknown;
  then: { seat: Actor; move: Move }[];
}

/** Why a turn is worth what it is, in points. */
export interface Reason extends Phrase {
  points: number;
}

/** A turn that was thought of. */
export interface Option {
  move: Move;
  line: Move[];
  margin: number; // the lead in the end, as it is expected
  win?: number; // the chance of winning, where games were played out to see
  reasons: Reason[]; // they add up to margin less what the lead is now
}

export interface Thought {
  move: Move;
  line: Move[]; // all that it would do now, `move` first
  now: number; // the lead as it stands
  options: Option[]; // the best first
  cut?: true; // time was up
}

/** A part of a thought that anyone can do who has opened the same game; what is
 * in it else is the engine's business. */
export interface Errand {
  number: number;
  /** The net that judges, by its sum. */
  net?: number;
  /** For so many milliseconds whoever thinks waits for the report. */
  ms: number;
}

/** What was found on an errand. */
export interface Report {
  number: number;
}

/** Requests by their name, with what they ask and what they answer. */
export interface Requests {
  new: [Partial<Settings> & { chance: 'manual'; seed: string }, Upshot];
  open: [Settings & { seat: Viewer } & SeatRecord, Upshot];
  cards: [{ game?: string }, { printed: unknown }];
  moves: [{ facts: boolean }, { toAct: Actor[]; moves: Move[]; facts: Facts[] }];
  play: [{ seat: Actor; move: Move }, Upshot];
  draw: [object, Upshot & { move: Move }];
  undo: [object, { toAct: Actor[] }];
  view: [{ seat: Viewer | 'all' }, { view: unknown }]; // all: the secrets of every seat, for a game that is over
  record: [{ seat: Viewer }, SeatRecord];
  standing: [{ seat?: Viewer }, Standing];
  sheet: [{ seat?: Viewer }, { lines: SheetLine[] }];
  think: [{ player: string; ms?: number; seed?: string; errands?: number }, Thought & { errands?: Errand[] }];
  'think-on': [{ reports: Report[] }, Thought & { errands?: Errand[] }];
  errand: [{ player: string; seed: string; errand: Errand }, { report: Report }];
}

/** The engine's no to a request: the rules refuse the move, or it made no sense. */
export class Refused extends Error {
  constructor(readonly why: Refusal | Fault) {
    super(why.key);
  }

  /** The rule that says no, where one does. */
  get rule(): string | undefined {
    return 'rule' in this.why ? this.why.rule : undefined;
  }
}
