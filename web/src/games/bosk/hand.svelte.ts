/** What a person holds in Bosk: a tree to plant, a side for the wind, or a tree
 * and a tile before they become leaves. */
import type { Line } from '../../engine/protocol.ts';
import type { Choice, Hand, Prompt } from '../face.ts';
import type { Spot, Table } from '../../table/table.svelte.ts';
import { capital, say, tell } from '../../words/words.svelte.ts';
import { contest } from './words.ts';
import { directions, haves, nameOf, placeOf, regionLine, samePlace, tiles, trailLine, type Direction, type Place, type Season, type Tile, type View } from './view.ts';

/** What the board offers now: what its targets are. */
export type Task = 'plant' | 'wind' | 'shed' | 'leaf' | 'squirrel' | null;

export class BoskHand implements Hand {
  private readonly table: Table;
  private chosenValue: number | null = $state(null);
  private chosenTree: Place | null = $state.raw(null);
  private chosenTile: Tile | null = $state(null);

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
  private swapping = false;

  constructor(table: Table) {
    this.table = table;
  }

  readonly covered = false;

  readonly view: View = $derived.by(() => this.table.view as View);
  readonly me: number = $derived.by(() => typeof this.table.viewer === 'number' ? this.table.viewer : 0);
  readonly mine: boolean = $derived.by(() => this.table.phase === 'person');

  /** The position and the choices when the turn began, before any draft. */
  private first: { view: View; choices: Choice[] } | null = null;
  private readonly beginning: { view: View; choices: Choice[] } = $derived.by(() => {
    if (!this.first || !this.table.draft.length) this.first = { view: this.view, choices: this.table.choices };
    return this.first;
  });

  /** The position before the draft: its round and its wind hold until Confirm. */
  readonly began: View = $derived(this.beginning.view);
  readonly season: Season = $derived(this.mine ? this.began.season : this.view.season);

  readonly task: Task = $derived.by(() => this.mine && this.table.choices.length ? (this.table.choices[0].move.do as Task) : null);

  /** What the trees and tiles of this turn may become, whatever has been laid. */
  readonly sheds: Choice[] = $derived(this.beginning.choices.filter((c) => c.move.do === 'shed'));

  /** The shed that stands in the draft. */
  private readonly shed = $derived.by(() => this.table.draft[0]?.do === 'shed' ? this.table.draft[0] : null);

  /** Values of trees that can be planted, with how many there are. */
  readonly stock: Map<number, number> = $derived.by(() => {
    const stock = new Map<number, number>();
    for (const value of this.began.players[this.me]?.hand ?? []) stock.set(value, (stock.get(value) ?? 0) + 1);
    return stock;
  });

  readonly value: number | null = $derived.by(() => {
    if (this.chosenValue !== null && this.stock.has(this.chosenValue)) return this.chosenValue;
    return this.stock.size === 1 ? [...this.stock.keys()][0] : null;
  });

  /** The tree that sheds: in the draft, chosen, or the only one that may. */
  readonly tree: Place | null = $derived.by(() => {
    if (this.shed) return this.shed.at as Place;
    if (this.chosenTree) return this.chosenTree;
    const may = this.sheds.map((c) => placeOf(c.move)!);
    return may.length && may.every((at) => samePlace(at, may[0])) ? may[0] : null;
  });

  readonly tile: Tile | null = $derived.by(() => {
    if (this.shed) return this.shed.tile as Tile;
    if (this.chosenTile !== null) return this.chosenTile;
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
      case 'squirrel':
        await this.table.try({ do: this.task, to: at }, spot);
    }
  }

  async blow(side: Direction, spot: Spot = null) {
    await this.table.try({ do: 'wind', side }, spot);
  }

  async pickTree(at: Place, spot: Spot = null) {
    if (!this.view.trees.some((t) => samePlace(t.at, at)) && !this.began.trees.some((t) => samePlace(t.at, at))) return this.table.deny(this.missing, spot);
    const may = this.sheds.some((c) => samePlace(placeOf(c.move), at));
    // A tree that may not shed is tried with any tile, so that the rules say why.
    if (!may) return void (await this.refused(at, this.tile ?? this.began.players[this.me].tiles[0], spot));
    await this.swap(at, this.tile, spot);
  }

  async pickTile(tile: Tile, spot: Spot = null) {
    if (!this.sheds.length) return;
    if (!this.began.players[this.me].tiles.includes(tile)) return void (await this.refused(this.tree ?? placeOf(this.sheds[0].move)!, tile, spot));
    await this.swap(this.tree, tile, spot);
  }

  /** Hears from the rules why a tree or a tile cannot be chosen; what stands, stays. */
  private async refused(at: Place, tile: Tile, spot: Spot) {
    const draft = [...this.table.draft];
    const [tree, kept] = [this.chosenTree, this.chosenTile];
    if (draft.length) await this.table.restart();
    await this.table.try({ do: 'shed', at, tile }, spot);
    const { slip } = this.table;
    [this.chosenTree, this.chosenTile] = [tree, kept];
    for (const move of draft) if (!this.table.complete && this.table.draft.length <= draft.indexOf(move)) await this.table.try(move);
    this.table.slip = slip;
  }

  /** Puts another tree or tile in place of what was chosen. The leaves that lie
   * already fall again as far as they still can. */
  private async swap(at: Place | null, tile: Tile | null, spot: Spot) {
    if (this.swapping) return;
    this.swapping = true;
    try {
      const leaves = samePlace(at, this.tree) ? this.table.draft.filter((m) => m.do === 'leaf') : [];
      if (this.table.draft.length === 1 && !this.table.complete) await this.table.undo();
      else if (this.table.draft.length) await this.table.restart();
      this.chosenTree = at;
      this.chosenTile = tile;
      this.hovered = null;
      if (!at || tile === null) return;
      if (!(await this.table.try({ do: 'shed', at, tile }, spot))) return;
      for (const leaf of leaves) {
        if (this.table.draft.some((m) => m.do === 'leaf' && samePlace(m.to as Place, leaf.to as Place))) continue;
        if (this.table.complete || this.targets.get(nameOf(leaf.to as Place))?.move.do !== 'leaf') return;
        await this.table.try(leaf);
      }
    } finally {
      this.swapping = false;
    }
  }

  /** Takes leaves back until the one at a place is the last to have been laid. */
  async rewind(at: Place) {
    while (this.laid.some((p) => samePlace(p, at)) && !samePlace(this.laid.at(-1), at)) {
      const before = this.table.draft.length;
      await this.table.undo();
      if (this.table.draft.length >= before) return;
    }
  }

  take(n: number) {
    if (this.task === 'plant') this.holdValue(n);
    else if (this.task === 'wind' && directions[n - 1]) void this.blow(directions[n - 1]);
    else if (this.sheds.length && tiles[n - 1]) void this.pickTile(tiles[n - 1]);
  }

  drop(): boolean {
    const held = this.chosenValue !== null || this.chosenTree !== null || this.chosenTile !== null;
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
    this.chosenTree = null;
    this.chosenTile = null;
    this.hovered = null;
    this.side = null;
    this.dragging = false;
  }

  // --- what is said about it ----------------------------------------------

  readonly prompt: Prompt = $derived.by(() => this.mine && this.view ? { text: this.ask(), detail: this.detail() } : { text: '', detail: '' });

  private ask(): string {
    const { table } = this;
    const { wind } = this.began;
    const blows = wind?.blows ?? 'north';
    switch (this.task) {
      case 'plant':
        if (table.complete) return say('page.bosk.ask.planted', { tree: this.value, at: this.heldAt });
        return this.value === null ? say('page.bosk.ask.tree') : say('page.bosk.ask.crossing', { tree: this.value });
      case 'wind':
        return table.complete ? say('page.bosk.ask.wind-set', { wind: table.held!.side }) : say('page.bosk.ask.wind');
    }
    if (table.complete) {
      if (this.tile === 'squirrel') return this.heldAt && table.held!.do === 'squirrel' ? say('page.bosk.ask.sits', { to: this.heldAt }) : say('page.bosk.ask.stays');
      return say('page.bosk.ask.fallen', { laid: this.laid.length });
    }
    if (this.task === 'leaf' && this.view.path) {
      const { laid, active } = this.view.path;
      return say('page.bosk.ask.leaf', { n: laid + 1, of: laid + active, wind: blows });
    }
    if (this.task === 'squirrel') return say('page.bosk.ask.squirrel', { wind: blows });
    if (this.tree && this.tile === null) return say('page.bosk.ask.tile');
    if (this.tile !== null && !this.tree) return say('page.bosk.ask.which', { asks: wind?.tree ?? 'any' });
    return say('page.bosk.ask.shed', { asks: wind?.tree ?? 'any' });
  }

  /** One line of consequence: of what is hovered over, else of what was laid last. */
  private detail(): string {
    const { table } = this;
    const over = this.hovered && !samePlace(this.hovered, this.heldAt) ? this.targets.get(nameOf(this.hovered)) : undefined;
    const { wind } = this.began;
    switch (this.task) {
      case 'plant': {
        const at = over ? placeOf(over.move) : this.heldAt;
        if (over && this.value !== null) return say('page.bosk.sums', { row: at![0], column: at![1], rows: over.facts.row, columns: over.facts.column });
        if (!at || !table.complete) return say('page.bosk.left.trees', { n: this.began.players[this.me].hand.length });
        return this.lines([trailLine(table.sheet, 'row', at[0]), trailLine(table.sheet, 'column', at[1])]);
      }
      case 'wind':
        return say('page.bosk.wind.turns');
      case 'leaf':
        if (over) return say('page.bosk.costs', { to: placeOf(over.move), region: over.facts.region, price: over.facts.price, back: (over.facts.price as number) - 1, left: over.facts.left });
        break;
      case 'squirrel':
        if (over) return say('page.bosk.sits', { to: placeOf(over.move), region: over.facts.region, covers: over.facts.covers });
        break;
      case 'shed':
        if (!table.complete && wind) return say('page.bosk.blows', { wind: wind.blows, round: this.began.round });
    }
    const last = table.held?.do === 'squirrel' ? this.heldAt : this.laid.at(-1);
    if (last) return this.lines([regionLine(table.sheet, this.regionAt(last))]);
    return this.task === 'leaf' ? say('page.bosk.paths') : this.task === 'squirrel' ? say('page.bosk.runs') : '';
  }

  private lines(lines: (Line | undefined)[]): string {
    return lines.flatMap((line) => (line ? [contest(line, this.me, this.table.names)] : [])).join('  ');
  }

  regionAt([row, column]: Place): string {
    return this.view.regions[this.view.board[row]?.[column]] ?? '';
  }

  readonly missing: string = $derived.by(() => {
    switch (this.task) {
      case 'plant':
        return this.value === null ? say('page.bosk.missing.tree') : say('page.bosk.missing.crossing', { tree: this.value });
      case 'wind':
        return say('page.bosk.missing.wind');
      case 'leaf':
        return say('page.bosk.missing.leaves', { n: this.active });
      case 'squirrel':
        return say('page.bosk.missing.squirrel');
      case 'shed':
        if (this.tree && this.tile === null) return say('page.bosk.missing.tile');
        if (this.tile !== null && !this.tree) return say('page.bosk.missing.which');
        return say('page.bosk.missing.shed');
      default:
        return '';
    }
  });

  readonly confirm: string = $derived.by(() => {
    if (!this.table.complete && this.task === 'leaf') return say('page.bosk.confirm.left', { n: this.active });
    if (!this.table.complete) return say('page.bosk.confirm');
    if (this.task === 'plant') return say('page.bosk.confirm.plant', { tree: this.value });
    if (this.task === 'wind') return say('page.bosk.confirm.wind');
    return say('page.bosk.confirm');
  });

  /** How a trail or region stands, in words, for whoever cannot see it. */
  told(line: Line): string {
    return haves(line)
      .flatMap((n, seat) => (n ? [tell('page.bosk.has', { seat, n, points: line.points[seat] ?? 0 }, this.table.names)] : []))
      .map(capital)
      .join(' · ');
  }
}
