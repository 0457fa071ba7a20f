/** The view of GrandBois, as docs/engine.md describes it, and how places on the
 * grid relate to each other. */
import type { Choice } from '../../table/face.ts';
import type { Facts, Move, SheetLine, Viewer } from '../../engine/protocol.ts';

/** A place on the grid: x to the right, y down, from the start tile's top left. */
export interface Place {
  x: number;
  y: number;
}

export interface TileView {
  tile: number;
  spaces: string[]; // clockwise from the top left: "clearing", "bear", "fox-2"
}

export interface LaidView extends TileView, Place {
  seat: number;
  turn: number;
  tower: boolean;
}

export interface SpaceView extends Place {
  shows: string;
  tile: number; // on top, 0 for the start tile
  tower: number | null; // whose tower stands there
}

export interface PlayerView {
  tower: string;
  towers: number; // not yet placed
  dealt: number;
  clans: string[] | null; // null where the viewer may not know
}

export interface View {
  seats: number;
  viewer: Viewer;
  expert: boolean;
  clans: string[];
  asked: 'deal' | 'reveal' | 'place' | 'tower' | 'over';
  toAct: number | 'chance' | null;
  turn: number;
  passes: number;
  clearing: Place | null;
  players: PlayerView[];
  forest: SpaceView[];
  laid: LaidView[];
  river: TileView[];
  pile: TileView[];
}

/** How many tiles lie in the river. */
export const riverPlaces = 4;

/** A tile on its way into the forest. */
export type Placement = Move & { do: 'place'; tile: number; turn: number } & Place;

export interface PlaceFacts extends Facts {
  covers: (Place & { shows: string })[];
  adds: number;
  tower: boolean;
}

/** Where the four spaces of a tile lie, clockwise from its top left. */
export const corners: readonly Place[] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
];

/** The spaces of a tile after some clockwise quarter turns. */
export function turned(spaces: readonly string[], turn: number): string[] {
  return spaces.map((_, i) => spaces[(i - turn + 4) % 4]);
}

export function key({ x, y }: Place): string {
  return `${x},${y}`;
}

export function isPlacement(move: Move | null | undefined): move is Placement {
  return move?.do === 'place';
}

export function placement(tile: number, { x, y }: Place, turn: number): Placement {
  return { do: 'place', tile, x, y, turn };
}

/** What a space shows: the clan and how many of its animals. */
export function read(shows: string): { kind: string; count: number } {
  const [kind, count] = shows.split('-');
  return { kind, count: Number(count ?? 1) };
}

/** The box around a list of places; the far sides are beyond the last of them. */
export function bounds(places: readonly Place[], margin = 0) {
  let [left, top, right, bottom] = [0, 0, 2, 2];
  for (const { x, y } of places) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + 1);
    bottom = Math.max(bottom, y + 1);
  }
  return { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin };
}

/** The spaces that a line of the score sheet speaks of. */
export function spacesOf(line: SheetLine): Place[] {
  return ((line.args.spaces ?? []) as [number, number][]).map(([x, y]) => ({ x, y }));
}

/** The placements that are allowed, found by tile, turn and place. A tile can
 * have hundreds of them, and a pointer asks with every step. */
export class Placements {
  private readonly found = new Map<string, Choice>();
  private readonly listed = new Map<number, Choice[][]>();

  constructor(choices: readonly Choice[]) {
    for (const choice of choices) {
      if (!isPlacement(choice.move)) continue;
      const { tile, turn } = choice.move;
      this.found.set(`${tile} ${turn} ${key(choice.move)}`, choice);
      let turns = this.listed.get(tile);
      if (!turns) this.listed.set(tile, (turns = [[], [], [], []]));
      turns[turn].push(choice);
    }
  }

  at(tile: number, place: Place, turn: number): Choice | undefined {
    return this.found.get(`${tile} ${turn} ${key(place)}`);
  }

  /** Those of a tile the way it is turned. */
  of(tile: number, turn: number): Choice[] {
    return this.listed.get(tile)?.[turn] ?? [];
  }

  /** Those of a tile in all turns. */
  ways(tile: number): number {
    return (this.listed.get(tile) ?? []).reduce((sum, turn) => sum + turn.length, 0);
  }

  /** The next way round that is allowed at a place, after `turn`; none if there is no other. */
  nextTurn(tile: number, place: Place, turn: number, by: 1 | -1 = 1): number | undefined {
    for (let i = 1; i < 4; i++) {
      const next = (turn + by * i + 8) % 4;
      if (this.at(tile, place, next)) return next;
    }
    return undefined;
  }

  /** Places of a tile where it only fits another way round, with the way. */
  others(tile: number, turn: number): Choice[] {
    const here = new Set(this.of(tile, turn).map((c) => key(c.move as Placement)));
    const list: Choice[] = [];
    for (let i = 1; i < 4; i++) {
      for (const choice of this.of(tile, (turn + i) % 4)) {
        const at = key(choice.move as Placement);
        if (here.has(at)) continue;
        here.add(at);
        list.push(choice);
      }
    }
    return list;
  }
}

/** The placement whose tile lies nearest under a point, with its middle at most
 * `reach` spaces away. The point is in spaces. */
export function nearest(list: readonly Choice[], point: Place, reach: number): Choice | undefined {
  let best: Choice | undefined;
  let least = reach;
  for (const choice of list) {
    const { x, y } = choice.move as Placement;
    const far = Math.hypot(x + 1 - point.x, y + 1 - point.y);
    if (far <= least) [best, least] = [choice, far];
  }
  return best;
}

/** Where a tile lies exactly if its middle is under a point. */
export function exact({ x, y }: Place): Place {
  return { x: Math.round(x - 1), y: Math.round(y - 1) };
}
