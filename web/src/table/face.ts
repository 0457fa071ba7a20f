/** What the table asks of a game: how it is drawn and aimed at. A face is fed
 * views, choices and facts by the table and adds no rule to them. */
import type { Component } from 'svelte';
import type { Actor, Event, GameInfo, SheetLine, Move, Score, Viewer } from '../engine/protocol.ts';
import type { Moment } from './history.ts';
import type { Player } from './kept.ts';
import type { Choice, Heard } from './plies.ts';
import type { Missed } from './recap.ts';
import type { Read } from './shown.ts';
import type { SeatGame } from './thought.ts';

export type { Choice, Heard };

/** Where the pointer was, or the element that was tried. */
export type Spot = { x: number; y: number } | Element | null;

/** Why something cannot be done, shown beside the spot. */
export interface Slip {
  text: string;
  rule: string | undefined;
  at: { x: number; y: number } | null; // on the screen; null for beside Confirm
  lasting?: boolean; // it tells of more than the step at hand, and stays when that is over
}

/** What a table is at, as the page shows it. A turn that was sent and not taken
 * yet is nobody's here: it is shown as others' are. */
export type Phase = 'loading' | 'person' | 'bot' | 'hand-over' | 'interlude' | 'recap' | 'over' | 'broken';

/** A table as the page reads it and as people act at it, wherever the game lives. */
export interface Table {
  readonly face: Face;
  readonly info: GameInfo;
  readonly version: number; // of the rules that are played
  readonly hand: Hand;
  readonly seed: string; // what hints are drawn from: the same game is advised the same
  readonly names: string[];
  readonly people: readonly number[]; // the seats of those at this screen
  readonly players: readonly Player[];

  readonly phase: Phase;
  readonly shown: Phase; // the phase that the view belongs to
  readonly trouble: string; // what broke, in words
  readonly viewer: Viewer;
  readonly toAct: Actor | null;
  readonly actor: number | null; // whose turn it is, until it is confirmed
  readonly scene: Scene;
  readonly view: unknown; // as the viewer sees it, with the draft
  readonly ground: unknown; // the same before the draft: what title and season go by
  readonly choices: Choice[];
  readonly first: readonly Choice[]; // what could be chosen before the draft
  readonly instead: { draft: Move[]; choices: readonly Choice[] } | null; // what could be chosen in place of its last step, and what it follows
  readonly held: Move | null;
  readonly draft: Move[];
  readonly before: Score[];
  readonly now: Score[];
  readonly sheet: SheetLine[];
  readonly cards: unknown; // what stands on the cards, where views only number them
  readonly tale: Event[]; // the turn that is being made, so far
  readonly told: Heard[]; // the whole game as the viewer heard it, turn by turn
  readonly recent: Heard[];
  readonly moves: number; // confirmed, up to what is shown
  readonly read: Read; // what may be read on the screen
  readonly peeked: Choice | null; // what the pointer hovers over
  readonly projected: (number | null)[]; // scores with what is aimed at or hovered over
  readonly complete: boolean; // the turn is made up and only has to be confirmed
  readonly opens: boolean; // confirming turns something open
  readonly final: boolean; // and that cannot be taken back
  readonly undoable: boolean;
  readonly interlude: string | null; // the score part that is being counted
  readonly nextPerson: number | null; // who gets the screen, in phase 'hand-over'
  readonly missed: Missed | null; // what others did while the viewer was away
  readonly waiting: string; // what is being waited for, where nothing can be skipped; '' else
  plan: Planned[]; // what a hint would do, as far as it is still to be done
  slip: Slip | null;
  thinking: (() => void) | null; // ends the thought about a hint, while there is one
  readonly acted: Promise<boolean> | null; // what was done last: kept once it stands, or was refused

  readonly hints: number; // that were given
  readonly hintable: boolean; // one may be asked for now
  readonly advised: boolean; // hints are given at this table at all
  guide: number | null; // how far the guided first game has come; null without one
  readonly cutShort: boolean; // the game ended before its time
  readonly replay: string; // where the game can be looked at again, or '' for nowhere yet
  readonly onward?: string; // what "again" is called where it is something else

  try(move: Move, spot?: Spot): Promise<boolean>;
  commit(move: Move, spot?: Spot): Promise<void>;
  undo(): Promise<void>;
  restart(): Promise<void>;
  redraft(moves: Move[]): Promise<void>;
  confirm(spot?: Spot): Promise<void>;
  deny(text: string, spot?: Spot): void;
  peek(choice: Choice | null): void;
  skip(): void;
  endInterlude(): void;
  recap(): Promise<void>;
  endRecap(): void;
  takeScreen(): Promise<void>;
  hinted(): void;
  record(): Promise<SeatGame>;
  gaveUp(seat: number): boolean;
  history(): Promise<Moment[]>;
  again(): Promise<string>;
}

/** A move that a hint would make, with its number in the plan. */
export interface Planned {
  move: Move;
  n: number;
}

/** What a board draws: a position as somebody sees it, and nothing to do with
 * how it came about. Boards of a replay get the same without choices. */
export interface Scene {
  view: unknown; // as docs/engine.md describes it, game by game
  viewer: Viewer;
  toAct: number | null; // whose move it is; null for chance, and at the end
  mine: boolean; // a person at this screen is to move
  choices: Choice[]; // what the acting person may do now, or what may stand in place of `held`
  held: Move | null; // the choice that stands as a ghost and waits for Confirm
  draft: Move[]; // all unconfirmed moves of this turn, `held` the last of them
  plan: Planned[]; // what a hint would do next; boards and trays mark it, not by colour alone
  recent: Heard[]; // what happened since the viewer's last turn; boards mark it
  names: string[]; // what the seats are called
  sheet: SheetLine[]; // the score sheet with the draft
  before: Score[]; // the scores when the turn began
  now: Score[]; // the scores with the draft
  cards: unknown; // what stands on the cards, for games whose views only number them
}

export interface Prompt {
  text: string; // one sentence: what to do now
  detail: string; // one line of consequence, or ''
}

/** What a person holds and aims with: which tree, tile or turn is chosen before
 * it becomes a move. Lives as long as the table; is emptied when a turn begins. */
export interface Hand {
  readonly prompt: Prompt;
  /** What Confirm says when it is pressed too early. */
  readonly missing: string;
  /** What is written on Confirm: what it does, and what is left to do. */
  readonly confirm: string;
  /** The move that Confirm makes, and names, where the turn is not made up yet. */
  readonly next?: Move | null;
  /** What Confirm turns open, in a few words; asked only where it does. */
  readonly reveals: string;
  /** Whether the viewer's own score must stay covered on the screen. */
  readonly covered: boolean;
  /** Takes number n of the tray, from 1. */
  take(n: number): void;
  /** Lets go of what is held. False if there was nothing. */
  drop(): boolean;
  /** A key that the board itself did not use. True if it did something. */
  key(e: KeyboardEvent): boolean;
  /** A turn begins, or was taken back. */
  reset(): void;
}

export interface PartProps {
  table: Table;
  hand: Hand;
}

export interface BoardProps {
  scene: Scene;
  /** Where a choice or an attempt goes; null at a replay. */
  table: Table | null;
  hand: Hand | null;
}

/** A short word to a newcomer, shown once its moment has come. */
export interface CoachMark {
  key: string; // its sentence in the locale files
  at: string; // a CSS selector of what it points to
  when: (table: Table) => boolean;
  awaited?: boolean; // those after it do not come before it has been shown
}

export interface Face {
  name: string;
  /** Colours of the table around the board, as a class name. */
  tone(view: unknown): string;
  /** The title in the bar: "Autumn · round 3 of 8". */
  title(view: unknown): string;
  /** What the scores stand for while they are no more than a forecast: "if summer
   * came now"; '' where they are what they are. */
  forecast?(view: unknown): string;
  /** The names of the seats before anybody has chosen one. */
  seatNames(seats: number): string[];
  hand(table: Table): Hand;
  Board: Component<BoardProps>;
  /** What is taken in hand: trees, tiles. Left column; on phones below the board. */
  Tray: Component<PartProps>;
  /** The colour of each seat for lines and bars, light and dark alike readable on paper. */
  colours: string[];
  /** The sign of a seat: leaf, tower. */
  Sign: Component<{ seat: number; size?: number }>;
  /** What a seat has, in a line below its name. */
  Seat?: Component<{ table: Table; seat: number }>;
  /** Whether views only number the cards, and what stands on them is asked for. */
  cards?: true;
  /** The score part that events bring to an end, to be shown line by line; or null. */
  interlude(events: Event[]): string | null;
  /** Fetches what a board of this position needs and a first board does not, before it is shown. */
  ready?(view: unknown): Promise<unknown> | null;
  /** The rest, loaded when the first board stands. */
  more(): Promise<More>;
}

/** The games that can be played, each with its face. */
export interface Shelf {
  readonly names: readonly string[];
  /** The face of a game, with its words. */
  find(game: string): Promise<Face>;
}

/** What a table needs only after the first look at the board. */
export interface More {
  /** What to look at beside the board: regions, trails, wind, clan. */
  Side?: Component<PartProps>;
  /** The scoring at a glance, one key away. */
  Aid: Component<{ version: number }>; // of the rules that are played
  /** What is called out when the last round has begun, in a few words; '' before. */
  last?(view: unknown): string;
  /** What a seat keeps secret, for a replay of a game that is over. */
  Secret?: Component<{ view: unknown; seat: number }>;
  /** The guide of a first game. */
  coach: CoachMark[];
}
