/** A position of Bosk as somebody sees it: docs/engine.md in types. */
import type { Species } from '../species.ts';
import type { Move, SheetLine } from '../../engine/protocol.ts';

/** Row and column: squares from 0, crossings of trails from 1. */
export type Place = readonly [number, number];
export type Season = 'spring' | 'summer' | 'autumn' | 'winter';
export type Direction = 'north' | 'east' | 'south' | 'west';
export type { Species };
export type Tile = number | 'squirrel';
export type Ask = number | 'any'; // the tree that a round asks for

export interface View {
  seats: number;
  season: Season;
  turn: number;
  round: number; // of autumn, from 1; 0 before
  start: number;
  toAct: number | null;
  asks: Ask[];
  wind: { side: Direction; blows: Direction; tree: Ask; all: Direction[] } | null;
  board: string[]; // one letter a square
  regions: Record<string, string>; // what the letters mean
  players: Player[];
  trees: Tree[];
  squares: Square[];
  trails: { rows: number[][]; columns: number[][] };
  path: Path | null;
}

export interface Player {
  species: Species;
  hand: number[];
  tiles: Tile[];
  played: Tile | null;
  supply: number;
  summer: number;
  winter: number;
}

export interface Tree {
  seat: number;
  tree: number;
  at: Place;
}

export interface Square {
  at: Place;
  seat: number; // whose leaf or squirrel is on top
  leaves: number;
  squirrel: boolean;
}

export interface Path {
  from: Place;
  tile: Tile;
  active: number;
  laid: number;
  last: Place | null;
}

export const directions: readonly Direction[] = ['north', 'east', 'south', 'west'];

/** The leaf tiles, each at the number by which it counts. */
export const tiles: readonly Tile[] = ['squirrel', 2, 3, 4, 5, 6, 7, 8];

export const values: readonly number[] = [1, 2, 3, 4];

/** One step with the wind. */
export const ahead: Record<Direction, Place> = { north: [-1, 0], east: [0, 1], south: [1, 0], west: [0, -1] };

export function samePlace(a: Place | null | undefined, b: Place | null | undefined): boolean {
  return !!a && !!b && a[0] === b[0] && a[1] === b[1];
}

export function nameOf(at: Place): string {
  return `${at[0]},${at[1]}`;
}

/** Where a move goes: the crossing or the square. */
export function placeOf(move: Move): Place | null {
  return ((move.at ?? move.to) as Place | undefined) ?? null;
}

/** The line of the score sheet that tells of a trail. */
export function trailLine(sheet: SheetLine[], way: 'row' | 'column', trail: number): SheetLine | undefined {
  return sheet.find((l) => l.key === `bosk.sheet.${way}` && l.args.trail === trail);
}

export function regionLine(sheet: SheetLine[], region: string): SheetLine | undefined {
  return sheet.find((l) => l.key === 'bosk.sheet.region' && l.args.region === region);
}

/** What each seat has on a trail or in a region. */
export function haves(line: SheetLine): number[] {
  return line.args.have as number[];
}
