/** What a person at GrandBois holds: a tile of the river and the way it is
 * turned, and whether their clan lies open. */
import type { Choice, Hand, Prompt, Spot, Table } from '../../table/face.ts';
import { instruct } from '../../app/announce.svelte.ts';
import { say } from '../../words/words.svelte.ts';
import { isPlacement, Placements, placement, type Place, type PlaceFacts, type Placement, type TileView, type View } from './view.ts';
import { outcome } from './words.ts';

/** The forest on the screen, for those who drag a tile to it or look for a place. */
export interface Ground {
  /** A tile is carried over a point of the screen. */
  carry(x: number, y: number): void;
  /** It is let go there. True if that was in the forest. */
  release(x: number, y: number): boolean;
  /** Brings the cursor into sight and the focus to it. */
  focus(): void;
}

export class GrandboisHand implements Hand {
  ground: Ground | null = null;
  cursor: Place = $state({ x: 0, y: 0 }); // of the keyboard
  lit: Place[] = $state.raw([]); // spaces that somebody wants to see
  private chosen: number | null = $state(null); // a tile of the river
  private way = $state(0); // its clockwise quarter turns
  private open: boolean = $state(false); // the clan lies open

  constructor(private readonly table: Table) {
    this.open = this.alone;
  }

  private get view(): View | null {
    return this.table.view as View | null;
  }

  private get choices(): Choice[] {
    return this.table.scene.choices;
  }

  /** Where the tiles of the river may go. */
  readonly placements: Placements = $derived.by(() => new Placements(this.choices));

  /** The tile that lies in the forest and waits for Confirm, or for a tower. */
  readonly ghost: Placement | null = $derived.by(() => this.table.draft.findLast(isPlacement) ?? null);

  readonly tower: Choice | null = $derived.by(() => this.choices.find((c) => c.move.do === 'tower') ?? null);
  readonly noTower: Choice | null = $derived.by(() => this.choices.find((c) => c.move.do === 'no-tower') ?? null);
  readonly pass: Choice | null = $derived.by(() => this.choices.find((c) => c.move.do === 'pass') ?? null);

  /** Whether a tile is to be placed. */
  get placing(): boolean {
    return this.table.scene.mine && this.choices.some((c) => c.move.do === 'place');
  }

  get tile(): number | null {
    return this.ghost?.tile ?? this.chosen;
  }

  get turn(): number {
    return this.ghost?.turn ?? this.way;
  }

  /** The tile in hand as it was revealed. */
  get piece(): TileView | null {
    return this.view?.river.find((t) => t.tile === this.tile) ?? null;
  }

  // --- the clan ---------------------------------------------------------

  /** Whether nobody else looks at this screen. */
  get alone(): boolean {
    return this.table.people.length === 1;
  }

  get covered(): boolean {
    if (typeof this.table.viewer !== 'number' || this.view?.asked === 'over' || this.table.phase === 'over') return false;
    return !this.open;
  }

  show(open: boolean) {
    this.open = open;
    if (!open) this.lit = [];
  }

  // --- what is said -----------------------------------------------------

  get prompt(): Prompt {
    const { peeked } = this.table;
    if (this.pass) return { text: say('page.grandbois.ask.pass'), detail: say('page.grandbois.ask.pass.why') };
    if (this.tower) return { text: say('page.grandbois.ask.tower'), detail: this.towerDetail(this.tower) };
    if (isPlacement(peeked?.move)) {
      return { text: say('page.grandbois.ask.where', { tile: peeked.move.tile }), detail: this.placeDetail(peeked) };
    }
    if (this.ghost) {
      const { tile } = this.ghost;
      const choice = this.placements.at(tile, this.ghost, this.ghost.turn);
      return { text: say('page.grandbois.ask.confirm', { tile }), detail: choice ? this.placeDetail(choice) : '' };
    }
    if (this.chosen !== null) {
      const here = this.placements.of(this.chosen, this.way).length;
      const all = this.placements.ways(this.chosen);
      return { text: say('page.grandbois.ask.where', { tile: this.chosen }), detail: say('page.grandbois.fits', { here, all }) };
    }
    return { text: say('page.grandbois.ask.take'), detail: say('page.grandbois.ask.take.how') };
  }

  private placeDetail(choice: Choice): string {
    const facts = choice.facts as PlaceFacts;
    return facts.tower ? `${outcome(facts)} ${say('page.grandbois.tower.follows')}` : outcome(facts);
  }

  /** What stands around the clearing; whose it is, only while the clan lies open. */
  private towerDetail({ facts }: Choice): string {
    if (this.covered || facts.points === undefined) return say('page.grandbois.ask.tower.covered');
    return say('page.grandbois.ask.tower.around', { own: facts.own, others: facts.others });
  }

  get missing(): string {
    if (this.pass) return say('page.grandbois.missing.pass');
    if (this.tower) return say('page.grandbois.missing.tower');
    if (this.chosen !== null) return say('page.grandbois.missing.place', { tile: this.chosen });
    return say('page.grandbois.missing.tile');
  }

  get confirm(): string {
    const { held } = this.table;
    if (isPlacement(held)) return say('page.grandbois.confirm.place', { tile: held.tile });
    if (held) return say('page.grandbois.confirm');
    if (this.pass) return say('page.grandbois.confirm.pass');
    if (this.tower) return say('page.grandbois.confirm.tower');
    return say(this.chosen !== null ? 'page.grandbois.confirm.where' : 'page.grandbois.confirm.tile');
  }

  /** A draft that waits for chance turns up a tile; one that is only aimed at
   * ends the game. */
  get reveals(): string {
    return this.table.toAct === 'chance' ? say('page.grandbois.reveals.tile') : say('page.grandbois.reveals.clans');
  }

  // --- what is done -----------------------------------------------------

  take(n: number) {
    const tile = this.view?.river[n - 1]?.tile;
    if (tile !== undefined) void this.hold(tile);
  }

  /** Takes a tile of the river; the one in hand already is turned. */
  async hold(tile: number) {
    this.table.slip = null;
    if (!this.placing) {
      if (this.table.scene.mine) this.table.deny(this.missing);
      return;
    }
    if (tile === this.tile) return this.turnBy(1);
    if (this.ghost) await this.table.undo();
    this.chosen = tile;
    this.way = 0;
    const all = this.placements.ways(tile);
    instruct(`${say('page.grandbois.ask.where', { tile })} ${say('page.grandbois.fits', { here: this.placements.of(tile, 0).length, all })}`);
  }

  /** Turns the tile in hand; one that lies in the forest, to the next way that is allowed there. */
  async turnBy(by: 1 | -1, spot: Spot = null): Promise<void> {
    if (!this.placing) return;
    if (this.ghost) {
      const { tile, turn } = this.ghost;
      const next = this.placements.nextTurn(tile, this.ghost, turn, by);
      if (next === undefined) this.table.deny(say('page.grandbois.turn.only'), spot);
      else await this.aim(this.ghost, next, spot);
    } else if (this.chosen !== null) {
      this.table.slip = null;
      this.table.peek(null);
      this.way = (this.way + by + 4) % 4;
      instruct(say('page.grandbois.turned', { turn: this.way, here: this.placements.of(this.chosen, this.way).length }));
    } else this.table.deny(say('page.grandbois.missing.tile'), spot);
  }

  /** Lays the tile in hand somewhere, whether that is allowed or not: the rules answer. */
  async aim(place: Place, turn: number, spot: Spot): Promise<boolean> {
    const { tile } = this;
    if (tile === null || !this.placing) {
      if (this.table.scene.mine) this.table.deny(this.missing, spot);
      return false;
    }
    const done = await this.table.try(placement(tile, place, turn), spot);
    if (done) {
      [this.chosen, this.way] = [tile, turn];
      this.cursor = { x: place.x, y: place.y };
      instruct(`${this.prompt.text} ${this.prompt.detail}`);
    }
    return done;
  }

  /** Moves the cursor to the next place for the tile in hand, row by row. */
  private step(by: 1 | -1) {
    const { tile } = this;
    if (tile === null || !this.placing) return this.table.deny(this.missing);
    const order = (a: Place, b: Place) => a.y - b.y || a.x - b.x;
    const list = this.placements.of(tile, this.turn).map((c) => c.move as Placement).sort(order);
    if (!list.length) return this.table.deny(say('page.grandbois.fits', { here: 0, all: this.placements.ways(tile) }));
    const next = by > 0 ? list.find((p) => order(p, this.cursor) > 0) ?? list[0] : list.findLast((p) => order(p, this.cursor) < 0) ?? list.at(-1)!;
    this.cursor = { x: next.x, y: next.y };
    this.ground?.focus();
  }

  drop(): boolean {
    if (this.ghost) {
      const { tile, turn } = this.ghost;
      void this.table.undo().then(() => {
        if (this.placing) [this.chosen, this.way] = [tile, turn];
      });
      return true;
    }
    if (this.chosen === null) return false;
    this.chosen = null;
    this.table.peek(null);
    return true;
  }

  key(e: KeyboardEvent): boolean {
    switch (e.key) {
      case 'r':
      case 'R':
        void this.turnBy(e.key === 'r' ? 1 : -1);
        return true;
      case 'n':
      case 'N':
        this.step(e.key === 'n' ? 1 : -1);
        return true;
      case 'c':
      case 'C':
        if (!e.repeat) this.clanKey();
        return true;
    }
    return false;
  }

  /** With one person C covers the clan and shows it; with several it shows it while it is held. */
  private clanKey() {
    if (typeof this.table.viewer !== 'number') return;
    if (this.alone) return this.show(!this.open);
    this.show(true);
    const cover = (e: Event) => {
      if (e instanceof KeyboardEvent && e.key.toLowerCase() !== 'c') return;
      this.show(false);
      removeEventListener('keyup', cover);
      removeEventListener('blur', cover);
    };
    addEventListener('keyup', cover);
    addEventListener('blur', cover);
  }

  reset() {
    this.chosen = null;
    this.way = 0;
    this.lit = [];
    if (!this.alone) this.open = false;
  }
}
