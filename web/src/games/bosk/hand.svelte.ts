/** What a person holds in Bosk: a tree to plant, a side for the wind, or a tree
 * and a tile before they become leaves. */
import type { Move, SheetLine } from '../../engine/protocol.ts';
import type { Choice, Hand, Prompt, Spot, Table } from '../../table/face.ts';
import { capital, say, tell } from '../../words/words.svelte.ts';
import { contest, placed } from './words.ts';
import { directions, haves, nameOf, placeOf, samePlace, tiles, type Direction, type Place, type Season, type Tile, type View } from './view.ts';

/** What the board offers now: what its targets are. */
export type Task = 'plant' | 'wind' | 'shed' | 'leaf' | 'squirrel' | null;

/** What is said in a season. */
export interface SeasonWords {
  ask(hand: BoskHand): string;
  detail(hand: BoskHand): string;
  missing(hand: BoskHand): string;
  confirm(hand: BoskHand): string;
}

/** What a hand needs of the later seasons. They draw with it, so it does not know
 * them: they are handed to it. */
export interface Later {
  readonly year: { laterWords: SeasonWords } | null; // null before it has come
  readonly lost: boolean; // it could not be fetched
  come(): Promise<{
    pickTree(hand: BoskHand, at: Place, spot: Spot): Promise<void>;
    pickTile(hand: BoskHand, tile: Tile, spot: Spot): Promise<void>;
    rewind(hand: BoskHand, at: Place): Promise<void>;
  }>;
}

export class BoskHand implements Hand {
  private chosenValue: number | null = $state(null);
  /** What is to shed, as far as it was chosen. */
  chosen: { tree: Place | null; tile: Tile | null } = $state.raw({ tree: null, tile: null });

  hovered: Place | null = $state.raw(null); // the target under the pointer, or nudged to
  side: Direction | null = $state(null); // the wind that is hovered over
  names = $state(false); // regions are named on the board
  small = $state(false); // cells are too small for fingers
  dragging = $state(false); // a tree is being dragged from the tray
  counted = $state(0); // lines of the interlude that have been shown

  /** Set by the board: brings the focus to the next or previous legal target. */
  jump: ((by: 1 | -1) => void) | null = null;
  /** Set by the board: moves the ghost, or blows the next leaf, that way. */
  nudge: ((way: Place) => void) | null = null;

  constructor(
    readonly table: Table,
    private readonly plantWords: SeasonWords,
    private readonly seasons: Later,
  ) {}

  readonly covered = false;
  readonly reveals = ''; // nothing is ever hidden

  readonly view: View = $derived.by(() => this.table.view as View);
  readonly me: number = $derived.by(() => typeof this.table.viewer === 'number' ? this.table.viewer : 0);
  readonly mine: boolean = $derived.by(() => this.table.phase === 'person');

  /** The position before the draft: its round and its wind hold until Confirm. */
  readonly began: View = $derived.by(() => this.table.ground as View);
  readonly season: Season = $derived(this.mine ? this.began.season : this.view.season);

  readonly task: Task = $derived.by(() => this.mine && this.table.choices.length ? (this.table.choices[0].move.do as Task) : null);

  /** What the trees and tiles of this turn may become, whatever has been laid. */
  readonly sheds: Choice[] = $derived.by(() => this.table.first.filter((c) => c.move.do === 'shed'));

  /** The shed that stands in the draft. */
  private readonly shed = $derived.by(() => this.table.draft[0]?.do === 'shed' ? this.table.draft[0] : null);

  /** Values of trees that can be planted, with how many there are. */
  readonly stock: Map<number, number> = $derived.by(() => {
    const stock = new Map<number, number>();
    for (const value of this.began.players[this.me]?.hand ?? []) stock.set(value, (stock.get(value) ?? 0) + 1);
    return stock;
  });

  /** The value in hand: the one chosen, that of the ghost, or the only one left. */
  readonly value: number | null = $derived.by(() => {
    const { held } = this.table;
    if (this.chosenValue !== null && this.stock.has(this.chosenValue)) return this.chosenValue;
    if (held?.do === 'plant') return held.tree as number;
    return this.stock.size === 1 ? [...this.stock.keys()][0] : null;
  });

  /** The tree that sheds: in the draft, chosen, or the only one that may. */
  readonly tree: Place | null = $derived.by(() => {
    if (this.shed) return this.shed.at as Place;
    if (this.chosen.tree) return this.chosen.tree;
    const may = this.sheds.map((c) => placeOf(c.move)!);
    return may.length && may.every((at) => samePlace(at, may[0])) ? may[0] : null;
  });

  readonly tile: Tile | null = $derived.by(() => {
    if (this.shed) return this.shed.tile as Tile;
    if (this.chosen.tile !== null) return this.chosen.tile;
    const left = this.began.players[this.me]?.tiles ?? [];
    return this.mine && left.length === 1 ? left[0] : null;
  });

  /** The choices that the board shows as targets, by their place. */
  readonly targets: Map<string, Choice> = $derived.by(() => {
    const targets = new Map<string, Choice>();
    for (const choice of this.table.scene.choices) {
      const { move } = choice;
      const at = placeOf(move);
      if (!at) continue;
      if (move.do === 'plant' && this.value !== null && move.tree !== this.value) continue;
      if (move.do === 'shed' && this.tile !== null && move.tile !== this.tile) continue;
      targets.set(nameOf(at), choice);
    }
    return targets;
  });

  /** Where the last leaf may lie instead, while the next one is asked for: what
   * could be chosen before it. */
  readonly siblings: Map<string, Choice> = $derived.by(() => {
    const siblings = new Map<string, Choice>();
    if (this.task !== 'leaf' || this.table.complete || !this.laid.length) return siblings;
    for (const choice of this.table.instead?.choices ?? []) {
      const at = choice.move.do === 'leaf' ? placeOf(choice.move) : null;
      if (at && !this.targets.has(nameOf(at)) && !this.laid.some((laid) => samePlace(laid, at))) siblings.set(nameOf(at), choice);
    }
    return siblings;
  });

  /** What a hint would do next. */
  readonly advised: Move | null = $derived.by(() => this.table.scene.plan[0]?.move ?? null);

  /** Leaves laid in this draft, in order. */
  readonly laid: Place[] = $derived.by(() => this.table.draft.filter((m) => m.do === 'leaf').map((m) => m.to as Place));

  /** Active leaves left; none once the turn is made up. */
  readonly active: number = $derived(this.view.path?.active ?? 0);

  // --- what people do ---------------------------------------------------

  /** Takes a tree of a value; a ghost that stands becomes one of that value. */
  holdValue(value: number, spot: Spot = null) {
    if (this.task !== 'plant') return;
    if (!this.stock.has(value)) return void this.table.try({ do: 'plant', tree: value, at: this.heldAt ?? [1, 1] }, spot);
    this.chosenValue = value;
    if (this.heldAt) void this.table.try({ do: 'plant', tree: value, at: this.heldAt }, spot);
  }

  /** The place of the ghost. */
  get heldAt(): Place | null {
    return this.table.held ? placeOf(this.table.held) : null;
  }

  /** Tries a place of the board as whatever it can be now. */
  async aim(at: Place, spot: Spot = null): Promise<void> {
    switch (this.task) {
      case 'plant':
        if (this.value === null) return this.table.deny(this.missing, spot);
        await this.table.try({ do: 'plant', tree: this.value, at }, spot);
        return;
      case 'shed':
        return this.pickTree(at, spot);
      case 'leaf':
        if (this.targets.has(nameOf(at)) || !(await this.reaim(at))) await this.table.try({ do: 'leaf', to: at }, spot);
        return;
      case 'squirrel':
        await this.table.try({ do: 'squirrel', to: at }, spot);
    }
  }

  /** Lays the last leaf somewhere else, where it could have been laid. False where
   * it could not. */
  private async reaim(at: Place): Promise<boolean> {
    const choice = this.siblings.get(nameOf(at));
    if (choice) await this.table.redraft([...this.table.instead!.draft, choice.move]);
    return !!choice;
  }

  async blow(side: Direction, spot: Spot = null) {
    await this.table.try({ do: 'wind', side }, spot);
  }

  async pickTree(at: Place, spot: Spot = null) {
    await (await this.year(spot))?.pickTree(this, at, spot);
  }

  async pickTile(tile: Tile, spot: Spot = null) {
    await (await this.year(spot))?.pickTile(this, tile, spot);
  }

  /** Takes leaves back until the one at a place is the last to have been laid. */
  async rewind(at: Place) {
    await (await this.year(null))?.rewind(this, at);
  }

  /** What the later seasons need; where it cannot be had, that is said. */
  private year(spot: Spot) {
    return this.seasons.come().catch(() => this.table.deny(say('page.part.lost'), spot));
  }

  take(n: number) {
    if (this.task === 'plant') this.holdValue(n);
    else if (this.task === 'wind' && directions[n - 1]) void this.blow(directions[n - 1]);
    else if (this.sheds.length && tiles[n - 1]) void this.pickTile(tiles[n - 1]);
  }

  drop(): boolean {
    const held = this.chosenValue !== null || this.chosen.tree !== null || this.chosen.tile !== null;
    if (this.table.draft.length) return false;
    this.chosenValue = null;
    this.reset();
    return held;
  }

  key(e: KeyboardEvent): boolean {
    if (e.key === 'g' || e.key === 'G') this.names = !this.names;
    else if ((e.key === 'n' || e.key === 'N') && this.jump) this.jump(e.key === 'N' ? -1 : 1);
    else return false;
    return true;
  }

  reset() {
    this.chosen = { tree: null, tile: null };
    this.hovered = null;
    this.side = null;
    this.dragging = false;
  }

  // --- what is said about it ----------------------------------------------

  private get words() {
    return this.season === 'spring' ? this.plantWords : this.seasons.year?.laterWords;
  }

  readonly prompt: Prompt = $derived.by(() => (this.mine && this.view ? { text: this.words?.ask(this) ?? say(this.seasons.lost ? 'page.part.lost' : 'page.table.loading'), detail: this.words?.detail(this) ?? '' } : { text: '', detail: '' }));
  readonly missing: string = $derived.by(() => (this.task && this.words?.missing(this)) ?? '');
  readonly confirm: string = $derived.by(() => this.words?.confirm(this) ?? '');

  /** How two trails stand for me: in short, since who has how much is drawn. */
  places(lines: (SheetLine | undefined)[]): string {
    return lines.flatMap((line) => (line ? [placed(line, this.me)] : [])).join(' ');
  }

  /** How a region stands for me and everybody else. */
  contest(line: SheetLine | undefined): string {
    return line ? contest(line, this.me, this.table.names) : '';
  }

  regionAt([row, column]: Place): string {
    return this.view.regions[this.view.board[row]?.[column]] ?? '';
  }

  /** How a trail or region stands, in words, for whoever cannot see it. */
  told(line: SheetLine): string {
    return haves(line)
      .flatMap((n, seat) => (n ? [tell('page.bosk.has', { seat, n, points: line.points[seat] ?? 0 }, this.table.names)] : []))
      .map(capital)
      .join(' · ');
  }
}
