/** Games as this browser keeps them: the log of each, from which everything
 * else is computed again. */
import { storage as own } from '../app/storage.ts';
import type { Actor, Move, Phrase } from '../engine/protocol.ts';

export interface Player {
  kind: 'person' | 'bot';
  name: string; // '' for the name of the seat
  bot: string; // who thinks, for the engine; '' for people
  mark?: string; // what a person is said to be, beside the name: a guest
  called?: Phrase; // what a bot is called, as the engine said when it sat down
}

/** A move that was made, in a game that is kept here. */
export interface PlayedMove {
  seat: Actor;
  move: Move;
}

/** What a game of both sides came to, seat by seat. */
export interface Past {
  totals: number[];
  ranks: number[];
  out: number[]; // 1 for the first to resign, and so on; 0 for who did not
}

/** How a game of both sides belongs to the others; sides.ts says whether it makes sense. */
export interface Side {
  first: string; // the id of the first of them
  n: number; // which one it is, from 1
  before: Past[]; // what those before it came to, by the seats of this one
}

export interface Kept {
  id: string;
  game: string;
  version: number;
  options: Record<string, unknown>;
  seed: string;
  players: Player[];
  line: PlayedMove[]; // confirmed, chance's outcomes among them
  draft: Move[]; // of the turn that is being made up
  began: number; // when, in milliseconds
  touched: number;
  hints: number; // that were given
  guide: number | null; // how far the guided first game has come; null without one
  result: { totals: number[]; ranks: number[] } | null; // once it is over; ranks of 0 where nobody won
  side?: Side; // it is one of both sides
  out?: number[]; // who has resigned, as in Past
  cut?: true; // that ended it
  online?: true; // it was played on the server
  you?: number | null; // the seat of whoever keeps it, there; null for a watcher
}

const prefix = 'copse.game.';

/** Keeps a game. It tells whether there was room for it. Where there is none,
 * the oldest finished games go, but only if that makes enough; those that others
 * of both sides follow stay. */
export function keep(game: Kept, storage: Storage = own): boolean {
  game.touched = Date.now();
  const text = JSON.stringify(game);
  const fits = () => {
    try {
      storage.setItem(prefix + game.id, text);
      return true;
    } catch {
      return false;
    }
  };
  if (fits()) return true;
  const gone: Kept[] = [];
  for (const old of all(storage).reverse()) {
    if (!old.result || old.id === game.id || (old.side && old.side.n < old.players.length)) continue;
    gone.push(old);
    forget(old.id, storage);
    if (fits()) return true;
  }
  for (const old of gone) storage.setItem(prefix + old.id, JSON.stringify(old));
  return false;
}

export function find(id: string, storage: Storage = own): Kept | null {
  return read(storage.getItem(prefix + id));
}

export function forget(id: string, storage: Storage = own) {
  storage.removeItem(prefix + id);
}

/** All games that are kept, the last one touched first. */
export function all(storage: Storage = own): Kept[] {
  const games: Kept[] = [];
  for (let i = 0; i < storage.length; i++) {
    const key = storage.key(i)!;
    const game = key.startsWith(prefix) ? read(storage.getItem(key)) : null;
    if (game) games.push(game);
  }
  return games.sort((a, b) => b.touched - a.touched);
}

/** Calls back when another tab has changed a game. */
export function onOtherTab(id: string, changed: () => void): () => void {
  const listen = (e: StorageEvent) => {
    if (e.key === prefix + id) changed();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

/** A game as it was kept, or null for what is none. */
function read(text: string | null): Kept | null {
  try {
    const game = JSON.parse(text ?? 'null') as Kept | null;
    if (!game || typeof game.id !== 'string' || typeof game.game !== 'string' || typeof game.seed !== 'string') return null;
    if (!Array.isArray(game.players) || !Array.isArray(game.line) || !Array.isArray(game.draft)) return null;
    if (!game.players.every((p) => p && (p.kind === 'person' || p.kind === 'bot') && typeof p.name === 'string' && typeof p.bot === 'string')) return null;
    const isMove = (move: unknown) => move && typeof move === 'object';
    if (!game.line.every((entry) => isMove(entry?.move))) return null;
    if (!game.draft.every(isMove)) game.draft = [];
    if (!Number.isFinite(game.began) || !Number.isFinite(game.touched)) return null;
    if (game.result && !(Array.isArray(game.result.totals) && Array.isArray(game.result.ranks))) return null;
    for (const player of game.players) if (typeof player.called?.key !== 'string') delete player.called;
    if (!Number.isInteger(game.hints) || game.hints < 0) game.hints = 0; // games of old have none
    if (!Number.isInteger(game.guide) || game.guide! < 0) game.guide = null;
    return game;
  } catch {
    return null;
  }
}
