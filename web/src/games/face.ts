/** What a game brings to the page: how it is drawn and aimed at. A face is fed
 * views, choices and facts by the table and adds no rule to them. */
import type { Component } from 'svelte';
import type { Event, Facts, Line, Move, Score, Viewer } from '../engine/protocol.ts';
import type { Table } from '../table/table.svelte.ts';

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
  sheet: Line[]; // the score sheet with the draft
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

/** What a table needs only after the first look at the board. */
export interface More {
  /** What to look at beside the board: regions, trails, wind, clan. */
  Side?: Component<PartProps>;
  /** The scoring at a glance, one key away. */
  Aid: Component<Record<string, never>>;
  /** What a seat keeps secret, for a replay of a game that is over. */
  Secret?: Component<{ view: unknown; seat: number }>;
  /** The guide of a first game. */
  coach: CoachMark[];
}
