/** What the stream tells: the types of the API, in which moves and events are those
 * of the engine. */
import type { Actor, Event, Move, Phrase } from '../engine/protocol.ts';
import type * as api from './api.gen.ts';
import type { Clock, Look, People, Present, Said, Sight, Summary, Who } from './api.gen.ts';

/** An entry of the log as it may be heard. */
export type Entry = Omit<api.Entry, 'move'> & { move?: Move };

/** An entry with what came of it. */
export type Told = Omit<api.Told, 'entry' | 'events' | 'toAct'> & { entry: Entry; events: Event[]; toAct: Actor[] };

export type Events = Omit<api.Events, 'entry'> & { entry: Told };

/** A piece of news, by its name. */
export type News = { [Name in keyof Events]: { name: Name; data: Events[Name] } }[keyof Events];

export type { Clock, Look, People, Phrase, Present, Said, Sight, Summary, Who };
