/** One sitting: a game as somebody sees it, and the turn that is being made up
 * in this browser's own engine. It asks the engine everything and knows no rule.
 * Where the game lives (in this browser, on a server) others add. */
import { rulesShop, stopThinking } from '../engine/shop.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import { Refused, type Actor, type Event, type GameInfo, type Line, type Move, type News, type Score, type Settings, type Viewer } from '../engine/protocol.ts';
import type { Choice, Face, Hand, Heard, Planned, Scene } from '../games/face.ts';
import { announce } from '../app/announce.svelte.ts';
import { play as sound } from '../app/sound.ts';
import { learn, say, tell } from '../words/words.svelte.ts';
import type { Moment } from './history.ts';
import type { Player } from './kept.ts';
import { longest, since, stops, tempo, type Missed } from './recap.ts';
import type { Sight } from './thought.ts';

/** One move that was made, with all that came of it. */
export interface Ply {
  seat: Actor;
  move: Move;
  turn: number; // the number of the turn it belongs to
  events: Event[]; // for whoever may hear them
  forced: boolean; // there was no other choice
}

/** A step of the draft, with the choices there were. */
interface Step {
  choices: Choice[];
  ply: Ply;
}

/** Why something cannot be done, shown beside the spot. */
export interface Slip {
  text: string;
  rule: string | undefined;
  at: { x: number; y: number } | null; // on the screen; null for beside Confirm
}

/** Where the pointer was, or the element that was tried. */
export type Spot = { x: number; y: number } | Element | null;

/** The game in words and numbers. */
interface Read {
  told: Heard[];
  sheet: Line[];
  now: Score[];
}

/** A second press within so many milliseconds still belongs to the turn before. */
const doubleClick = 400;

export type Phase = 'loading' | 'person' | 'bot' | 'hand-over' | 'interlude' | 'recap' | 'over' | 'broken';

export abstract class Table {
  phase: Phase = $state('loading');
  shown: Phase = $state('loading'); // the phase that the view belongs to
  private fault: Error | null = $state.raw(null); // what broke, in phase 'broken'
  viewer: Viewer = $state('watcher');
  toAct: Actor | null = $state(null);
  actor: number | null = $state(null); // whose turn it is, until it is confirmed

  view: unknown = $state.raw(null); // as the viewer sees it, with the draft
  ground: unknown = $state.raw(null); // the same before the draft: what title and season go by
  choices: Choice[] = $state.raw([]);
  held: Move | null = $state.raw(null);
  draft: Move[] = $state.raw([]);
  before: Score[] = $state.raw([]);
  now: Score[] = $state.raw([]);
  sheet: Line[] = $state.raw([]);
  cards: unknown = $state.raw(null); // what stands on the cards, where views only number them
  tale: Event[] = $state.raw([]); // the turn that is being made, so far
  told: Heard[] = $state.raw([]); // the whole game as the viewer heard it, turn by turn
  recent: Heard[] = $state.raw([]);
  moves = $state(0); // confirmed, up to what is shown
  protected common: Read = $state.raw({ told: [], sheet: [], now: [] }); // what everybody may read
  plan: Planned[] = $state.raw([]); // what a hint would do, as far as it is still to be done
  peeked: Choice | null = $state.raw(null); // what the pointer hovers over
  slip: Slip | null = $state.raw(null);
  interlude: string | null = $state(null); // the score part that is being counted
  nextPerson: number | null = $state(null); // who gets the screen, in phase 'hand-over'
  missed: Missed | null = $state.raw(null); // what others did while the viewer was away, and was not shown yet

  hand!: Hand; // taken when it is known who sits at this screen
  names: string[] = $state.raw([]);
  people: number[] = $state.raw([]); // the seats of those at this screen

  protected readonly engine: Engine = rulesShop().engine();
  protected plies: Ply[] = []; // confirmed
  protected steps: Step[] = []; // the draft
  protected aim: Choice | null = null; // a choice that turns something open: it is not made before Confirm
  protected turn = 0;
  protected turnBegan = 0; // the turn's number when the draft was empty
  protected run = 0; // counts what makes a running wait obsolete
  protected hurry = false; // a bot's turn is being skipped
  protected wake: (() => void) | null = null;
  protected closed = false;
  private recapped = false; // enough was shown of what was missed
  private confirmedAt = -Infinity; // when a turn was last confirmed, on the clock of the page
  protected busy: Promise<void> = Promise.resolve(); // what people do, one after the other

  constructor(
    readonly face: Face,
    readonly info: GameInfo,
  ) {}

  // --- what depends on where the game lives ---------------------------------

  /** What hints are drawn from: the same game is advised the same. */
  abstract readonly seed: string;
  /** Who sits where. */
  abstract readonly players: readonly Player[];
  /** How far the guided first game has come; null without one. */
  abstract guide: number | null;
  /** How many hints were given. */
  abstract readonly hints: number;
  /** Whether a hint may be asked for now. */
  abstract readonly hintable: boolean;
  /** Whether hints are given at this table at all. */
  abstract readonly advised: boolean;
  /** Whether nobody but the person at this screen sees what chance turns up. */
  protected abstract readonly alone: boolean;
  /** Whether the game ended before its time: nobody else wanted to go on. */
  abstract readonly cutShort: boolean;
  /** Whether somebody resigned. */
  gaveUp(_seat: number): boolean {
    return false;
  }
  /** What is being waited for, where nothing can be skipped; '' else. */
  abstract readonly waiting: string;
  /** Where the game can be looked at again, or '' for nowhere yet. */
  abstract readonly replay: string;
  /** The scores from turn to turn, once the game is over. */
  abstract history(): Promise<Moment[]>;
  /** The same players once more. It tells why not where that cannot be. */
  abstract again(): Promise<string>;
  /** The draft is confirmed: it is a part of the game from now on. */
  protected abstract leave(): Promise<void>;
  /** Goes on after it was confirmed. */
  protected abstract proceed(): Promise<void>;
  /** Whether there is a turn of one's own before this one that can be taken back. */
  protected abstract takeable(): boolean;
  /** Takes that turn back. */
  protected abstract takeBack(): Promise<void>;
  /** Brings another engine to where the game was after so many plies. */
  protected abstract standAt(engine: Engine, made: number): Promise<News>;
  /** Makes a ply once more in an engine that stands before it. */
  protected retell(engine: Engine, { seat, move }: Ply): Promise<News> {
    return engine.ask('play', { seat, move });
  }
  /** The position was looked at. */
  protected abstract looked(): void;
  /** A hint was given. */
  abstract hinted(): void;
  /** The next person has the screen before them. */
  takeScreen(): Promise<void> {
    return Promise.resolve();
  }

  /** What boards draw. */
  readonly scene: Scene = $derived.by(() => ({
    view: this.view,
    viewer: this.viewer,
    toAct: this.actor,
    mine: this.phase === 'person',
    choices: this.phase === 'person' ? this.choices : [],
    held: this.held,
    draft: this.draft,
    plan: this.phase === 'person' ? this.plan : [],
    recent: this.recent,
    names: this.names,
    sheet: this.sheet,
    before: this.before,
    now: this.now,
    cards: this.cards,
  }));

  /** Scores with what is aimed at or hovered over, seat by seat. */
  readonly projected: (number | null)[] = $derived.by(() => {
    const facts = this.peeked?.facts ?? (this.aimed ? this.aimed.facts : null);
    return this.now.map((score, seat) => {
      if (facts?.totals) return facts.totals[seat];
      if (facts?.total !== undefined && seat === this.actor) return facts.total;
      return score.total;
    });
  });
  private aimed: Choice | null = $state.raw(null); // aim, for those who watch

  /** What may be read on the screen: while the viewer's secret is covered, no
   * more than anybody knows. */
  readonly read: Read = $derived.by(() => (this.hand.covered ? this.common : { told: this.told, sheet: this.sheet, now: this.now }));

  /** Whether the turn is made up and only has to be confirmed. */
  complete = $state(false);

  /** Whether confirming turns something open. */
  opens = $state(false);

  /** Whether that cannot be taken back: the move itself turns it open, or other
   * people at the table see what chance turns up. */
  readonly final: boolean = $derived.by(() => this.opens && (this.aimed !== null || !this.alone));

  /** What broke, in words; those of refusals are among the later ones. */
  get trouble(): string {
    if (!this.fault) return '';
    return this.fault instanceof Refused ? tell(this.fault.why.key, this.fault.why.args, this.names) : say('engine.broken');
  }

  protected canTakeBack = $state(false); // there is a turn of one's own before this one

  /** Whether there is something to take back. */
  readonly undoable: boolean = $derived.by(() => this.phase === 'person' && (this.draft.length > 0 || this.canTakeBack));

  /** Leaves the table: nothing goes on behind the page's back. */
  close() {
    if (this.closed) return;
    this.closed = true;
    this.run++;
    this.wake?.();
    stopThinking();
    this.engine.leave();
  }

  // --- what people do ---------------------------------------------------

  /** Makes a choice, as far as the rules allow it: it stands as a ghost until
   * Confirm. Where a finished turn waits, it takes the place of its last step. */
  try(move: Move, spot: Spot = null): Promise<boolean> {
    if (this.phase !== 'person') return Promise.resolve(false);
    return this.oneByOne(async () => {
      if (this.phase !== 'person') return false;
      this.slip = null;
      await words();
      const stood = this.complete ? (this.aim?.move ?? this.steps.at(-1)!.ply.move) : null;
      if (stood) await this.back();
      try {
        await this.step(move);
        sound('place');
        return true;
      } catch (e) {
        if (!(e instanceof Refused)) throw e;
        if (stood) await this.step(stood);
        this.refuse(e, spot);
        return false;
      } finally {
        await this.look();
      }
    });
  }

  /** Makes a choice and confirms it: for buttons that say what they do. */
  async commit(move: Move, spot: Spot = null): Promise<void> {
    if (await this.try(move, spot)) await this.confirm();
  }

  /** Takes back the last step; against bots alone, when there is none, one's last turn. */
  undo(): Promise<void> {
    if (this.phase !== 'person') return Promise.resolve();
    return this.oneByOne(async () => {
      if (this.phase !== 'person') return;
      this.slip = null;
      if (this.steps.length || this.aim) {
        let forced: boolean;
        do {
          forced = !this.aim && this.steps.at(-1)!.ply.forced;
          await this.back();
        } while (forced && this.steps.length);
        if (!this.steps.length) this.hand.reset();
        await this.look();
        announce(say('page.undone'));
      } else if (this.canTakeBack) await this.takeBack();
    });
  }

  /** Takes back the whole draft. */
  restart(): Promise<void> {
    if (this.phase !== 'person') return Promise.resolve();
    return this.oneByOne(async () => {
      if (this.phase !== 'person') return;
      this.slip = null;
      while (this.steps.length || this.aim) await this.back();
      this.hand.reset();
      await this.look();
      announce(say('page.restarted'));
    });
  }

  /** Makes the draft another one, as far as the rules allow it. What both have in
   * common stays. */
  redraft(moves: Move[]): Promise<void> {
    if (this.phase !== 'person') return Promise.resolve();
    return this.oneByOne(async () => {
      if (this.phase !== 'person') return;
      this.slip = null;
      while (this.aim || this.steps.some(({ ply }, i) => !moves[i] || !same(ply.move, moves[i]))) await this.back();
      if (!this.steps.length) {
        await this.look();
        this.hand.reset();
        this.hand.drop();
      }
      await this.make(moves);
      sound('place');
      await this.look();
      announce(this.hand.prompt.text);
    });
  }

  /** What the person to move knows, for whoever is to advise them: where the turn
   * is made up, as it was before. */
  async sight(): Promise<Sight> {
    const sight = await this.seenBy(this.viewer as number);
    if (this.complete) sight.then.splice(sight.then.length - this.steps.length);
    return sight;
  }

  /** Ends the thought about a hint, while there is one. */
  thinking: (() => void) | null = null;

  /** Ends the turn, or says what is missing. */
  confirm(spot: Spot = null): Promise<void> {
    if (this.phase !== 'person') return Promise.resolve();
    const { next } = this.hand;
    if (next && !this.complete && performance.now() - this.confirmedAt >= doubleClick) return this.try(next, spot).then(() => {});
    return this.oneByOne(async () => {
      if (this.phase !== 'person') return;
      this.slip = null;
      if (!this.complete && performance.now() - this.confirmedAt < doubleClick) return;
      if (!this.complete) {
        this.slip = { text: this.hand.missing, rule: undefined, at: point(spot) };
        announce(this.hand.missing, true);
        return;
      }
      this.confirmedAt = performance.now();
      this.missed = null;
      await this.leave();
    }).then(() => void this.proceed());
  }

  /** Lets the bots' moves come without a pause until somebody is to move. */
  skip() {
    this.hurry = true;
    this.wake?.();
  }

  /** The counting has been seen. */
  endInterlude() {
    this.interlude = null;
    this.wake?.();
  }

  /** Shows what others did since the viewer's last turn, within eight seconds. */
  recap(): Promise<void> {
    return this.oneByOne(async () => {
      const { phase, plies, viewer } = this;
      if (!this.missed || this.closed) return;
      this.missed = this.slip = null;
      this.recapped = false;
      this.phase = 'recap';
      const engine = rulesShop().engine();
      try {
        const { from } = since(plies, viewer);
        const shown = stops(plies, from);
        let { toAct } = await this.standAt(engine, from);
        await this.glimpse(engine, from, toAct);
        const began = performance.now(); // what comes before it is not looked at, however slow the machine
        for (let made = from, i = 0; i < shown.length; i++) {
          await this.wait(began + tempo(shown.length) * (i + 1) - performance.now());
          if (this.recapped || this.closed) break;
          if (performance.now() - began > longest) i = shown.length - 1; // late: on to where the game is
          const before = made;
          for (; made < shown[i]; made++) ({ toAct } = await this.retell(engine, plies[made]));
          await this.glimpse(engine, made, toAct);
          this.speak(plies.slice(before, made).flatMap((ply) => ply.events));
        }
        if (!this.recapped && !this.closed) await this.wait(tempo(shown.length));
      } catch {
        if (!this.closed) this.deny(say('page.recap.lost'));
      } finally {
        engine.leave();
        this.phase = phase;
        if (!this.closed) await this.look();
      }
    });
  }

  /** What was missed has been seen, or need not be. */
  endRecap() {
    this.recapped = true;
    this.missed = null;
    if (this.phase === 'recap') this.wake?.();
    else this.looked();
  }

  peek(choice: Choice | null) {
    this.peeked = choice;
  }

  /** Says no without asking the rules: for what is no move at all. */
  deny(text: string, spot: Spot = null) {
    this.slip = { text, rule: undefined, at: point(spot) };
    announce(text, true);
  }

  protected refuse(e: Refused, spot: Spot) {
    const text = tell(e.why.key, e.why.args, this.names);
    this.slip = { text, rule: e.rule, at: point(spot) };
    sound('refuse');
    announce(e.rule ? `${text} ${say('page.rule', { rule: e.rule })}` : text, true);
  }

  // --- the draft ----------------------------------------------------------

  /** Makes one step, and those that follow because there is no other. */
  protected async step(move: Move) {
    const choice = this.choices.find((c) => same(c.move, move));
    if (choice?.facts.reveals) {
      this.aim = choice;
      return;
    }
    await this.play(move);
    for (;;) {
      if (this.finished()) return;
      const choices = await this.ask();
      if (choices.length !== 1 || choices[0].facts.reveals) return;
      await this.play(choices[0].move, choices, true);
    }
  }

  /** Makes the steps of a draft that do not stand yet, as far as they fit; what
   * follows by itself is not made twice. */
  protected async make(draft: Move[]) {
    for (const [i, move] of draft.entries()) {
      if (i < this.steps.length) continue;
      if (this.finished() || this.aim) return;
      try {
        await this.step(move);
      } catch (e) {
        if (!(e instanceof Refused)) throw e;
        return;
      }
      if (!this.finished()) this.choices = await this.ask();
    }
  }

  protected async play(move: Move, choices = this.choices, forced = false) {
    const seat = this.toAct as number;
    const turn = this.turn;
    const news = await this.engine.ask('play', { seat, move });
    this.steps.push({ choices, ply: { seat, move, turn, events: news.events, forced } });
    this.hear(news);
  }

  /** Takes back one step of the draft. */
  protected async back() {
    if (this.aim) {
      this.aim = null;
      return;
    }
    const { toAct } = await this.engine.ask('undo', {});
    const step = this.steps.pop()!;
    this.turn = step.ply.turn;
    this.toAct = toAct[0] ?? null;
    this.choices = step.choices;
  }

  /** Whether nothing more can be added to the draft before it is confirmed. */
  protected finished(): boolean {
    return this.steps.length > 0 && (this.turn !== this.turnBegan || this.toAct !== this.steps[0].ply.seat);
  }

  // --- how the game goes on -----------------------------------------------

  /** The game as a seat knows it. */
  protected async seenBy(seat: number): Promise<Sight> {
    const { view, then } = await this.engine.ask('record', { seat });
    return { ...this.rules, seat, view, then };
  }
  /** Which game it is, for an engine. */
  protected abstract readonly rules: Settings;

  /** Shows what is being counted until it has been seen. False where something
   * else came meanwhile. */
  protected async showCounting(events: Event[], run: number): Promise<boolean> {
    const part = this.face.interlude(events);
    if (part) {
      this.phase = 'interlude';
      await this.look();
      this.interlude = part;
      this.speak(events);
      await this.wait(Infinity);
      if (run !== this.run) return false;
      this.phase = 'bot';
    } else this.speak(events);
    return true;
  }

  /** Asks what may be done. */
  protected async ask(): Promise<Choice[]> {
    const { moves, facts } = await this.engine.ask('moves', { facts: true });
    return moves.map((move, i) => ({ move, facts: facts[i] }));
  }

  /** Looks at the position again, as the viewer sees it. */
  protected async look() {
    const finished = this.finished();
    const goesOn = this.phase === 'person' && !finished && !this.aim && this.steps.length > 0;
    const choices = goesOn ? await this.ask() : this.choices; // shown together with the view they belong to
    const { view, now, sheet, common } = await this.readOut(this.engine, this.plies);
    if (this.face.cards) this.cards ??= (await this.engine.ask('cards', {})).printed;
    this.view = view;
    if (!this.steps.length) this.ground = view;
    this.choices = choices;
    this.now = now;
    const secret = this.phase === 'interlude' && this.info.secrets; // what was secret is shown by the counting
    if (!this.steps.length && !secret) this.before = now;
    this.sheet = sheet;
    const acts = this.steps.length ? this.steps[0].ply.seat : this.toAct;
    this.actor = typeof acts === 'number' ? acts : null;
    this.aimed = this.aim;
    this.draft = this.aim ? [...this.steps.map((s) => s.ply.move), this.aim.move] : this.steps.map((s) => s.ply.move);
    this.complete = finished || this.aim !== null;
    this.opens = this.aim !== null || (finished && this.toAct === 'chance');
    this.held = this.complete ? (this.draft.at(-1) ?? null) : null;
    if (finished) this.choices = this.steps.at(-1)!.choices;
    this.peeked = null;
    this.common = common;
    const begun = this.plies.findLastIndex((ply) => ply.turn !== this.turnBegan) + 1;
    this.tale = [...this.plies.slice(begun), ...this.steps.map((step) => step.ply)].flatMap((ply) => ply.events);
    this.recall(this.plies);
    this.shown = this.phase;
    this.canTakeBack = this.phase === 'person' && this.takeable();
    this.looked();
  }

  /** Shows where another engine stands, after so many plies: an earlier moment. */
  private async glimpse(engine: Engine, made: number, [acts]: Actor[]) {
    const plies = this.plies.slice(0, made);
    const { view, now, sheet, common } = await this.readOut(engine, plies);
    await this.face.ready?.(view);
    this.view = this.ground = view;
    this.now = this.before = now;
    this.sheet = sheet;
    this.common = common;
    this.actor = typeof acts === 'number' ? acts : null;
    this.aimed = this.peeked = this.held = null;
    this.draft = [];
    this.complete = this.opens = false;
    this.recall(plies);
    this.shown = 'recap';
  }

  /** A position as the viewer may know it, and as everybody may. */
  private async readOut(engine: Engine, plies: readonly Ply[]) {
    const seat = this.viewer;
    const [{ view }, standing, { lines: sheet }, everybody, { lines: open }] = await Promise.all([
      engine.ask('view', { seat }),
      engine.ask('standing', { seat }),
      engine.ask('sheet', { seat }),
      engine.ask('standing', { seat: 'watcher' }),
      engine.ask('sheet', { seat: 'watcher' }),
    ]);
    const common: Read = { told: this.hearing('watcher', plies), sheet: open, now: everybody.seats };
    return { view, now: standing.seats, sheet, common };
  }

  /** Tells the game up to a moment, as the viewer heard it. */
  private recall(plies: readonly Ply[]) {
    const turns = this.hearing(this.viewer, plies);
    const mine = turns.findLastIndex((t) => t.seat === this.viewer);
    this.told = turns;
    this.recent = turns.slice(typeof this.viewer === 'number' ? mine + 1 : -1);
    this.moves = plies.length;
  }

  /** Those plies as somebody heard them, turn by turn. */
  private hearing(viewer: Viewer, plies: readonly Ply[]): Heard[] {
    const turns: Heard[] = [];
    let turn = -1;
    for (const ply of plies) {
      const events = ply.events.filter((e) => e.to === 'all' || e.to.includes(viewer));
      if (!events.length) continue;
      const seat = typeof ply.seat === 'number' ? ply.seat : null;
      if (ply.turn !== turn) turns.push({ seat, events: [] });
      turn = ply.turn;
      turns.at(-1)!.seat ??= seat;
      turns.at(-1)!.events.push(...events);
    }
    return turns;
  }

  protected hear(news: News) {
    this.toAct = news.toAct[0] ?? null;
    this.turn = news.turn;
  }

  /** Tells a screen reader what happened. */
  protected speak(events: Event[]) {
    const heard = events.filter((e) => e.to === 'all' || (!this.hand.covered && e.to.includes(this.viewer)));
    if (heard.length) void words().then(() => announce(heard.map((e) => tell(e.key, e.args, this.names)).join(' ')));
  }

  /** A pause that can be cut short. */
  protected wait(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(done, ms) : 0;
      const table = this;
      function done() {
        clearTimeout(timer);
        table.wake = null;
        resolve();
      }
      this.wake = done;
    });
  }

  /** One thing at a time: clicks that come while the engine answers wait. Whoever
   * goes on does not wait for a hint any longer. */
  protected oneByOne<T>(what: () => Promise<T>): Promise<T> {
    this.thinking?.();
    const done = this.busy.then(what);
    this.busy = done.then(
      () => {},
      () => {},
    );
    return done.catch((e) => this.broke(e)) as Promise<T>;
  }

  protected async guard(what: () => Promise<void>) {
    try {
      await what();
    } catch (e) {
      this.broke(e as Error);
    }
  }

  protected broke(e: Error) {
    if (this.closed) return; // we left the table
    this.fault = e;
    this.phase = this.shown = 'broken';
  }
}

/** What follows and what is refused is told in words that the first board does not
 * need; where they cannot be had it is told as well as it can be. */
const words = () => learn('rest').catch(() => {});

/** Whether two moves are the same one. */
export function same(a: Move, b: Move): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));
}

function point(spot: Spot): Slip['at'] {
  if (!(spot instanceof Element)) return spot;
  const box = spot.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
