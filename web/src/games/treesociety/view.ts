/** A position of Tree Society as everybody sees it, and the cards it is played
 * with: docs/engine.md in types. */
import type { Facts, Move, Phrase } from '../../engine/protocol.ts';
import type { FruitType, Guild } from './art.ts';

export type Action = 'sell' | 'row' | 'take' | 'chest' | 'build';
export type RowName = 'top' | 'bottom';
export type Phase = 'start' | 'market' | 'fruit-market' | 'fruit' | 'draft' | 'sell' | 'build' | 'rest' | 'refill' | 'over';

/** A guild in progress. */
export interface ProgressView {
  card: number;
  level: number; // where its marker stands, 1 or 2
}

export interface PlayerView {
  purse: number;
  chest: number;
  keeps: number; // coins at rest
  income: number; // coins at rest, wherever they go
  row: number[]; // fruit, face up
  pile: number[]; // fruit sold
  progress: (ProgressView | null)[]; // by place, null for a free one
  completed: number[];
  banners: number[]; // of completed cards, by guild
  all: number; // their sum
}

/** The fruit action of this turn. */
export interface ActionView {
  fruit: number;
  action: Action;
  coins: number; // of "chest"
  state: 'waiting' | 'begun' | 'used';
}

/** An effect that waits or is being done. */
export interface JobView {
  stage: 'asked' | 'doing' | 'demanded';
  card: number;
  level: number;
  clause: number;
  verb: string; // of that clause; nothing where use or skip is asked
  price: number | string | null; // of a demanded level, as things are; in version 1 the words that cut has since
  cut?: string; // "half", "free", "less 2" or nothing
  drawn: boolean;
  kept?: number; // where a draw keeps several: how many so far
  by?: { card: number; level: number }; // demanded: the draw that goes on afterwards
}

/** What a sale of a type would pay, and who adds to it. */
export interface PriceView {
  type: FruitType;
  market: number;
  seats: number[];
  bonus: number; // of the seat whose turn it is
  sold: boolean; // in this turn already
}

/** What a level would cost the seat whose turn it is. */
export interface QuoteView {
  card: number;
  level: number;
  cost: number; // as printed
  less: number; // what the reduction takes off
  by: number | 'action' | 'effect' | null; // what reduces it
  top: number; // the coin for the top row
  price: number; // all in all
  short: number; // coins that the purse lacks for it
  place: boolean; // there is one for it
  first: boolean; // it has a mandatory effect, which may change all this
}

export interface View {
  seats: number;
  guilds: Guild[];
  startingCards: boolean;
  draft: boolean;
  banners: number; // that trigger the end
  phase: Phase;
  asked: string;
  toAct: number | 'chance' | null;
  actor: number;
  turn: number;
  round: number;
  end: ('banners' | 'fruit')[];
  last: number | null; // the round after which it ends
  players: PlayerView[];
  market: Record<RowName, (number | null)[]>;
  deck: number[];
  discards: number[];
  stall: (number | null)[]; // the fruit market
  orchard: number[];
  sold: number[]; // fruit sold in this turn
  action: ActionView | null;
  job: JobView | null;
  shown: number[]; // cards that an effect has revealed
  fruit: boolean; // they are fruit
  draws: number; // how many it still reveals
  filling: boolean; // the guild market is being filled
  waiting?: number[]; // guilds that were kept together, whose effects come next
  prices: PriceView[];
  quotes: QuoteView[];
}

/** Whether chance still gives what the game begins with: where that will lie, room
 * is kept. */
export const dealing = ({ phase }: View): boolean => ['start', 'market', 'fruit-market', 'fruit'].includes(phase);

// --- cards --------------------------------------------------------------------

/** A number, or so many for every few of something. */
export type Quantity = number | { times: number; of: string; per?: number; most?: number; guild?: Guild; type?: FruitType; in?: string };

/** A clause or a lasting rule of an effect. */
export interface Clause {
  verb: string;
  amount?: Quantity;
  to?: string;
  more?: number;
  from?: string;
  other?: boolean;
  rows?: number;
  count?: number;
  keep?: number; // of the drawn cards, where it is not one
  levels?: number[]; // that may be built, where not all may
  half?: boolean;
  less?: number;
  free?: boolean;
  guild?: Guild;
  build?: string;
  type?: FruitType;
}

export interface Effect {
  first?: Clause[];
  do?: Clause[];
  while?: Clause[];
}

export interface CardLevel {
  cost: number;
  effect?: Effect;
  points: Quantity;
}

/** A level in words. */
export interface LevelWords {
  effect?: Phrase[];
  points: Phrase;
}

export interface GuildCard {
  id: number;
  name: string;
  guild: Guild;
  banners: number;
  start?: boolean;
  levels: CardLevel[];
  words: LevelWords[];
}

export interface FruitCard {
  id: number;
  type: FruitType;
  action: Action;
  leaf?: boolean;
  crowd?: boolean;
  coins?: number;
  words: Phrase; // its action
}

/** All that stands on the cards of a box. */
export interface Deck {
  cards: GuildCard[];
  fruits: FruitCard[];
}

// --- moves ----------------------------------------------------------------------

export type Aim = Move & { card?: number; row?: RowName };

export interface SaleFacts extends Facts {
  coins: number;
  seats: number[];
  market: number;
  leaf: number;
  bonus: number;
  more: number;
}

export interface RestFacts extends Facts {
  lost: number;
  income: number;
  chest: number; // coins that move to the purse
  purse: number; // in it afterwards
  unused: boolean; // the fruit action would be lost
}

export interface BuildFacts extends Facts {
  level: number;
  price: number;
  left: number;
  first: boolean;
  effect: boolean;
}
