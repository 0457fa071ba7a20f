/** What the stream tells: docs/api.md in types. */
import type { Actor, Event, Move, Phrase } from '../engine/protocol.ts';
import type { Clock, Look, People, Present, Sight, Summary, Who } from './api.gen.ts';

/** An entry of the log as it may be heard. */
export interface Entry {
  at: number;
  do: string;
  seat?: Actor;
  move?: Move;
  to?: number;
  for?: string;
}

/** An entry with what came of it. */
export interface Told {
  table: string;
  number: number;
  entry: Entry;
  events: Event[];
  toAct: Actor[];
  turn: number;
  clock?: Clock;
  people?: People;
  who?: (Who | null)[];
  look?: Look;
}

/** Something that was said. */
export interface Said {
  table: string;
  number: number;
  at: number;
  seat?: number;
  by?: Who;
  phrase?: string;
  text?: string;
}

export interface Events {
  look: Sight & { again: boolean };
  entry: Told;
  chat: Said;
  present: Present & { table: string };
  who: { table: string; who: (Who | null)[] };
  next: { table: string; next: string };
  gone: { table: string };
  mine: Summary;
  beat: { now: number };
}

/** A piece of news, by its name. */
export type News = { [Name in keyof Events]: { name: Name; data: Events[Name] } }[keyof Events];

export type { Clock, Look, People, Phrase, Present, Sight, Summary, Who };
