/** What a person at Tree Society points with: which card is under the cursor,
 * which one is looked at closely, and which part of the table a phone shows. */
import { capital, say } from '../../words/words.svelte.ts';
import type { Choice, Hand, Prompt, Spot, Table } from '../../table/face.ts';
import type { FruitType } from './art.ts';
import { asks, cellsOf, meant, ownZones, wants, type Cell } from './cells.ts';
import { bare, Printed } from './deck.ts';
import { phone } from './phone.svelte.ts';
import type { Aim, Deck, FruitCard, GuildCard, RestFacts, SaleFacts, View } from './view.ts';
import { actionWords, effectWords, fruitName, saleWords } from './words.ts';

export type Tab = 'market' | 'mine' | 'others';

/** A card that is looked at closely. */
export interface Looked {
  guild: GuildCard | null;
  fruit: FruitCard | null;
  level: number;
  at: string; // the cell it lies in, or '' for somebody else's
}

export class SocietyHand implements Hand {
  tab: Tab = $state('market');
  looked: Looked | null = $state.raw(null);
  opened: number | null = $state(null); // whose section is open in full
  lit: FruitType | null = $state(null); // the fruit whose price is asked for
  cursor = $state(''); // the cell of the keyboard
  focus: (() => void) | null = null; // brings the focus to the cursor

  constructor(private readonly table: Table) {}

  get view(): View {
    return this.table.view as View;
  }

  get deck(): Printed {
    return Printed.of((this.table.cards ?? bare) as Deck);
  }

  get choices(): Choice[] {
    return this.table.scene.choices;
  }

  /** Whose section lies below the markets: of whoever looks, or of whoever moves. */
  get seat(): number {
    return typeof this.table.viewer === 'number' ? this.table.viewer : this.view.actor;
  }

  readonly cells: Cell[] = $derived.by(() => (this.view ? cellsOf(this.view, this.deck, this.choices, this.seat) : []));

  find(does: string): Choice | null {
    return this.choices.find((c) => c.move.do === does) ?? null;
  }

  /** What is to be done, in a word: a phase, `use`, `room` where that needs a discard
   * first, or the verb of a choice. */
  get asked(): string {
    const { view } = this;
    if (view.phase !== 'build') return view.phase;
    if (view.job?.stage === 'asked') return wants(view) ? 'room' : 'use';
    return asks(view) || 'free';
  }

  /** Where nothing waits, Confirm rests. */
  get next(): { do: 'rest' } | null {
    return this.table.scene.mine && this.asked === 'free' && !this.table.complete ? { do: 'rest' } : null;
  }

  /** The part of the table where what is asked for lies. */
  get wanted(): Tab {
    if (['sell', 'raise', 'discard', 'room'].includes(this.asked)) return 'mine';
    if (!['free', 'build'].includes(this.asked) || this.find('found')) return 'market';
    return this.find('raise') ? 'mine' : 'market';
  }

  get covered(): boolean {
    return false;
  }

  // --- what is said -----------------------------------------------------

  get prompt(): Prompt {
    const { view } = this;
    if (this.table.complete) return { text: this.confirm, detail: this.table.opens ? capital(this.reveals) : '' };
    switch (this.asked) {
      case 'draft':
        return { text: say('page.treesociety.ask.draft'), detail: say('page.treesociety.ask.draft.detail', { n: view.players[this.seat].row.length + 1 }) };
      case 'sell':
        if (view.phase === 'sell') return { text: say('page.treesociety.ask.sell'), detail: this.sale ?? say('page.treesociety.ask.sell.detail') };
        return { text: say('page.treesociety.ask.extra'), detail: this.sale ?? this.because };
      case 'use':
      case 'room': {
        const { card, level } = view.job!;
        const used = this.deck.card(card);
        const what = effectWords(used, level);
        if (this.asked === 'use') return { text: say('page.treesociety.ask.use', { card: used.name, level }), detail: what };
        return { text: say('page.treesociety.ask.room', { card: used.name }), detail: say('page.treesociety.ask.room.detail', { what }) };
      }
      case 'free':
        return { text: say('page.treesociety.ask.free'), detail: this.restWords };
      case 'rest':
        return { text: say('page.treesociety.ask.rest'), detail: say('page.treesociety.ask.rest.detail') };
      case 'take':
        return { text: say('page.treesociety.ask.take'), detail: this.because };
      case 'row':
      case 'refresh':
        return { text: say('page.treesociety.ask.row'), detail: this.because };
      case 'discard':
        return { text: say('page.treesociety.ask.discard'), detail: this.because };
      case 'found':
        return { text: say('page.treesociety.ask.found'), detail: this.because };
      case 'raise':
        return { text: say('page.treesociety.ask.raise'), detail: this.because };
      case 'build':
        return { text: say('page.treesociety.ask.build'), detail: this.because };
      case 'draw-fruit':
        return { text: view.job?.kept ? say('page.treesociety.ask.keep.fruits') : say('page.treesociety.ask.keep.fruit'), detail: this.because };
      case 'draw-guild':
        return { text: view.job?.kept ? say('page.treesociety.ask.keep.guilds') : say('page.treesociety.ask.keep.guild'), detail: this.because };
    }
    return { text: say('page.treesociety.ask.free'), detail: '' };
  }

  /** What a hovered sale would pay, and who adds to it. */
  private get sale(): string | null {
    const { peeked } = this.table;
    return peeked?.move.do === 'sell' ? saleWords(peeked.facts as SaleFacts, this.table.names, this.seat) : null;
  }

  /** Why something is asked: what the card says, or the fruit action. */
  private get because(): string {
    const { action, job } = this.view;
    if (action?.state === 'begun') return say('page.treesociety.by.action', { what: actionWords(this.deck.fruit(action.fruit)) });
    if (!job) return '';
    const card = this.deck.card(job.card);
    return say('page.treesociety.by.card', { card: card.name, what: effectWords(card, job.level) });
  }

  /** What rest takes and gives. */
  get restWords(): string {
    const rest = this.find('rest');
    if (!rest) return '';
    const { lost, chest, purse, unused } = rest.facts as RestFacts;
    return say('page.treesociety.rest', { lost, chest, purse, unused: unused && !phone.small ? 'yes' : 'no' }); // a phone shows it right below
  }

  get missing(): string {
    if (this.asked === 'room') return say('page.treesociety.missing.room');
    return this.asked === 'use' ? say('page.treesociety.missing.use') : this.prompt.text;
  }

  get confirm(): string {
    const { held } = this.table;
    if (held) {
      const { do: does, card, row } = held as Aim;
      if (this.view.phase !== 'build') return say('page.treesociety.confirm.end');
      if (does === 'take') return say('page.treesociety.confirm.take', { fruit: fruitName(this.deck.fruit(card!)) });
      if (does === 'row') return say('page.treesociety.confirm.row', { row });
      return say('page.treesociety.confirm.on');
    }
    if (this.next) {
      const rest = this.find('rest');
      const lost = rest ? (rest.facts as RestFacts).lost : 0;
      return phone.small ? say('page.treesociety.confirm.rest.short', { lost }) : say('page.treesociety.confirm.rest', { lost });
    }
    if (this.asked === 'use') return say('page.treesociety.confirm.decide');
    if (this.asked === 'room') return say('page.treesociety.confirm.room');
    if (this.asked === 'sell') return say('page.treesociety.confirm.sell');
    return ['rest', 'take', 'draft'].includes(this.asked) ? say('page.treesociety.confirm.fruit') : say('page.treesociety.confirm.choose');
  }

  get reveals(): string {
    const { view } = this;
    if (view.draws) return say('page.treesociety.reveals.drawn', { n: view.draws });
    if (view.phase === 'build' && view.filling) return say('page.treesociety.reveals.guilds');
    return say('page.treesociety.reveals.market');
  }

  // --- what is done -----------------------------------------------------

  /** Points at a card: makes the move that this means. What is no move, or loses
   * a card unasked, is looked at closely instead. */
  async point(cell: Cell, spot: Spot) {
    this.cursor = cell.at;
    const unasked = cell.zone === 'completed' && asks(this.view) !== 'discard';
    if (!this.table.scene.mine || !cell.move || unasked) return this.look(cell);
    await this.table.try(cell.move, spot);
  }

  look({ guild, fruit, level, at }: Pick<Cell, 'guild' | 'fruit' | 'level' | 'at'>) {
    if (guild || fruit) this.looked = { guild, fruit, level, at };
  }

  peek(cell: Cell | null) {
    this.lit = cell?.fruit?.type ?? null;
    this.table.peek(cell?.choice && cell.choice.move.do !== 'discard' ? cell.choice : null);
  }

  take(n: number) {
    const zone = this.view.shown.length ? 'shown' : this.asked === 'sell' ? 'fruit' : 'stall';
    const cell = this.cells.find((c) => c.at === `${zone}-${n - 1}`);
    if (cell) void this.point(cell, document.querySelector(`[data-cell="${cell.at}"]`));
  }

  drop(): boolean {
    if (!this.looked) return false;
    this.looked = null;
    return true;
  }

  key(e: KeyboardEvent): boolean {
    if (e.key === 'n' || e.key === 'N') this.step(e.key === 'n' ? 1 : -1);
    else if (e.key === 'i') {
      const cell = this.cells.find((c) => c.at === this.cursor);
      if (!cell) return false;
      this.look(cell);
    } else return false;
    return true;
  }

  /** The next card that may be chosen. */
  private step(by: 1 | -1) {
    const { cells } = this;
    const here = cells.findIndex((c) => c.at === this.cursor);
    for (let i = 1; i <= cells.length; i++) {
      const cell = cells[(((here + by * i) % cells.length) + cells.length) % cells.length];
      if (!meant(cell, this.view)) continue;
      return this.show(cell);
    }
    if (this.table.scene.mine) this.table.deny(this.missing);
  }

  /** Brings a card into sight, and the focus to it. */
  show(cell: Cell) {
    this.cursor = cell.at;
    this.tab = ownZones.includes(cell.zone) ? 'mine' : 'market';
    this.focus?.();
  }

  reset() {
    this.looked = null;
    this.lit = null;
  }
}
