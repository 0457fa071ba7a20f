/** One sitting at this browser: people and bots, a game, the turn that is being
 * made up. It asks the engine everything and knows no rule. */
import { rulesShop, stopThinking } from '../engine/shop.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import { Refused, type Actor, type Event, type GameInfo, type Line, type Move, type News, type Score, type Viewer } from '../engine/protocol.ts';
import type { Choice, Face, Hand, Heard, Planned, Scene } from '../games/face.ts';
import { pauses, settings } from '../app/settings.svelte.ts';
import { announce } from '../app/announce.svelte.ts';
import { play as sound } from '../app/sound.ts';
import { say, tell } from '../words/words.svelte.ts';
import { keep, type Kept } from './kept.ts';
import { namesOf } from './names.ts';
import { think, type Sight } from './thought.ts';

/** One move that was made, with all that came of it. */
interface Ply {
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

/** How long a bot may think, in milliseconds: far more than any needs on a
 * machine of today, so that on a slow one it plays worse rather than never. */
const patience = 4000;

/** A second press within so many milliseconds still belongs to the turn before. */
const doubleClick = 400;

export type Phase = 'loading' | 'person' | 'bot' | 'hand-over' | 'interlude' | 'over' | 'broken';

export class Table {
  phase: Phase = $state('loading');
  shown: Phase = $state('loading'); // the phase that the view belongs to
  trouble = $state(''); // what broke, in phase 'broken'
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
  told: Heard[] = $state.raw([]); // the whole game as the viewer heard it, turn by turn
  recent: Heard[] = $state.raw([]);
  moves = $state(0); // confirmed, up to what is shown
  private common: Read = $state.raw({ told: [], sheet: [], now: [] }); // what everybody may read
  plan: Planned[] = $state.raw([]); // what a hint would do, as far as it is still to be done
  peeked: Choice | null = $state.raw(null); // what the pointer hovers over
  slip: Slip | null = $state.raw(null);
  interlude: string | null = $state(null); // the score part that is being counted
  nextPerson: number | null = $state(null); // who gets the screen, in phase 'hand-over'
  kept: Kept;

  readonly hand: Hand;
  readonly names: string[];
  readonly people: number[]; // the seats of those at this screen

  private readonly engine: Engine = rulesShop().engine();
  private plies: Ply[] = []; // confirmed
  private steps: Step[] = []; // the draft
  private aim: Choice | null = null; // a choice that turns something open: it is not made before Confirm
  private turn = 0;
  private turnBegan = 0; // the turn's number when the draft was empty
  private run = 0; // counts what makes a running wait obsolete
  private hurry = false; // a bot's turn is being skipped
  private wake: (() => void) | null = null;
  private closed = false;
  private confirmedAt = -Infinity; // when a turn was last confirmed, on the clock of the page
  private saved = ''; // what was kept last, so that nothing is kept twice
  private busy: Promise<void> = Promise.resolve(); // what people do, one after the other

  constructor(
    kept: Kept,
    readonly face: Face,
    readonly info: GameInfo,
  ) {
    this.kept = kept;
    this.names = namesOf(kept.players, face.seatNames(kept.players.length));
    this.people = kept.players.flatMap((p, i) => (p.kind === 'person' ? [i] : []));
    this.hand = face.hand(this);
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
  readonly final: boolean = $derived.by(() => this.opens && (this.aimed !== null || this.people.length > 1));

  /** Whether a hint may be asked for: against bots alone, at one's own turn. */
  readonly hintable: boolean = $derived.by(() => this.people.length === 1 && this.phase === 'person' && this.shown === 'person');

  private canTakeBack = $state(false); // there is a turn of one's own before this one

  /** Whether there is something to take back. */
  readonly undoable: boolean = $derived.by(() => this.phase === 'person' && (this.draft.length > 0 || this.canTakeBack));

  /** Opens the game where it was left. */
  async open() {
    await this.guard(async () => {
      const { game, version, options, seed, players, line, draft, result, hints } = this.kept;
      this.saved = JSON.stringify([line, draft, result, hints]);
      const news = await this.engine.ask('new', { game, version, options, seats: players.length, chance: 'manual', seed });
      this.hear(news);
      for (const { seat, move } of line) {
        const turn = this.turn;
        const news = await this.engine.ask('play', { seat, move });
        this.plies.push({ seat, move, turn, events: news.events, forced: false });
        this.hear(news);
      }
      if (typeof this.toAct === 'number' && this.kept.players[this.toAct].kind === 'person') {
        if (this.people.length === 1 || !this.info.secrets) this.viewer = this.toAct;
      } else if (this.people.length === 1) this.viewer = this.people[0];
      this.lostDraft = draft;
      await this.begin();
      void this.proceed();
    });
  }
  private lostDraft: Move[] = []; // of a turn whose owner has to be asked for first

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
    return this.alone(async () => {
      if (this.phase !== 'person') return false;
      this.slip = null;
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
    return this.alone(async () => {
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
    return this.alone(async () => {
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
    return this.alone(async () => {
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

  /** A hint was given. */
  hinted() {
    this.kept.hints++;
    this.save();
  }

  /** Ends the turn, or says what is missing. */
  confirm(spot: Spot = null): Promise<void> {
    if (this.phase !== 'person') return Promise.resolve();
    return this.alone(async () => {
      if (this.phase !== 'person') return;
      this.slip = null;
      if (!this.complete && performance.now() - this.confirmedAt < doubleClick) return;
      if (!this.complete) {
        this.slip = { text: this.hand.missing, rule: undefined, at: point(spot) };
        announce(this.hand.missing, true);
        return;
      }
      this.confirmedAt = performance.now();
      if (this.aim) {
        const { move } = this.aim;
        this.aim = null;
        await this.play(move);
      }
      this.plies.push(...this.steps.map((s) => s.ply));
      const events = this.steps.flatMap((s) => s.ply.events);
      this.steps = [];
      await this.settle(events);
    }).then(() => void this.proceed());
  }

  /** The next person has the screen before them. */
  takeScreen(): Promise<void> {
    return this.alone(async () => {
      if (this.nextPerson === null) return;
      this.viewer = this.nextPerson;
      this.nextPerson = null;
      await this.begin();
    });
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

  peek(choice: Choice | null) {
    this.peeked = choice;
  }

  /** Says no without asking the rules: for what is no move at all. */
  deny(text: string, spot: Spot = null) {
    this.slip = { text, rule: undefined, at: point(spot) };
    announce(text, true);
  }

  private refuse(e: Refused, spot: Spot) {
    const text = tell(e.why.key, e.why.args, this.names);
    this.slip = { text, rule: e.rule, at: point(spot) };
    sound('refuse');
    announce(e.rule ? `${text} ${say('page.rule', { rule: e.rule })}` : text, true);
  }

  // --- the draft ----------------------------------------------------------

  /** Makes one step, and those that follow because there is no other. */
  private async step(move: Move) {
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
  private async make(draft: Move[]) {
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

  private async play(move: Move, choices = this.choices, forced = false) {
    const seat = this.toAct as number;
    const turn = this.turn;
    const news = await this.engine.ask('play', { seat, move });
    this.steps.push({ choices, ply: { seat, move, turn, events: news.events, forced } });
    this.hear(news);
  }

  /** Takes back one step of the draft. */
  private async back() {
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
  private finished(): boolean {
    return this.steps.length > 0 && (this.turn !== this.turnBegan || this.toAct !== this.steps[0].ply.seat);
  }

  /** A whole turn of the person's own, with what bots and chance did after it. */
  private async takeBack() {
    const me = this.toAct;
    const turn = this.plies.findLast((p) => p.seat === me)?.turn;
    const first = this.plies.findIndex((p) => p.seat === me && p.turn === turn);
    if (first < 0) return;
    for (let i = this.plies.length; i > first; i--) await this.engine.ask('undo', {});
    this.turn = this.plies[first].turn;
    this.toAct = me;
    this.plies.length = first;
    this.thought = null;
    this.hand.reset();
    this.save();
    await this.begin();
    announce(say('page.taken-back'));
  }

  // --- how the game goes on -----------------------------------------------

  /** Lets chance and bots play until a person is to move or the game is over. */
  private async proceed() {
    if (this.closed || this.phase === 'broken') return;
    const run = ++this.run;
    await this.guard(async () => {
      for (;;) {
        if (run !== this.run || this.phase === 'person' || this.phase === 'hand-over' || this.phase === 'over') break;
        if (this.toAct === null) return await this.finish();
        if (this.toAct === 'chance') {
          const turn = this.turn;
          const news = await this.engine.ask('draw', {});
          if (run !== this.run) return;
          this.plies.push({ seat: 'chance', move: news.move, turn, events: news.events, forced: true });
          this.hear(news);
          if (!(await this.settle(news.events, run))) return;
        } else if (!(await this.botMove(run))) return;
      }
      this.hurry = false;
    });
  }

  /** One move of a bot, after a pause that lets people see what happens. It thinks
   * once, and then does all that it thought of. */
  private async botMove(run: number): Promise<boolean> {
    const seat = this.toAct as number;
    const turn = this.turn;
    const began = performance.now();
    if (this.thought?.seat !== seat || this.thought.turn !== turn || !this.thought.line.length) {
      const { players, seed } = this.kept;
      const asked = { player: players[seat].bot, seed: `${seed} ${this.plies.length}`, ms: patience };
      const line = await think(await this.seenBy(seat), asked, ({ line, move }) => line ?? [move]);
      if (run !== this.run) return false;
      this.thought = { seat, turn, line };
    }
    const [move, ...rest] = this.thought.line;
    const inTurn = this.plies.at(-1)?.turn === turn && this.plies.at(-1)?.seat === seat;
    const pause = pauses[settings.pace] * (inTurn ? 0.45 : 1);
    if (!this.hurry) await this.wait(pause - (performance.now() - began));
    if (run !== this.run) return false;
    const news = await this.engine.ask('play', { seat, move });
    this.thought.line = rest;
    this.plies.push({ seat, move, turn, events: news.events, forced: false });
    this.hear(news);
    sound('place');
    return this.settle(news.events, run);
  }
  private thought: { seat: number; turn: number; line: Move[] } | null = null; // what a bot is about to do

  /** The game as a seat knows it. */
  private async seenBy(seat: number): Promise<Sight> {
    const { game, version, options, players } = this.kept;
    const { view, then } = await this.engine.ask('record', { seat });
    return { game, version, options, seats: players.length, seat, view, then };
  }

  /** After a confirmed move: keeps the game, shows it, and sees who is next. */
  private async settle(events: Event[], run = ++this.run): Promise<boolean> {
    this.save();
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
    await this.begin();
    return run === this.run;
  }

  /** A turn begins, or goes on after chance. */
  private async begin() {
    this.steps = [];
    this.aim = null;
    this.choices = []; // those of the turn before belong to another view
    this.turnBegan = this.turn;
    const seat = this.toAct;
    const mine = typeof seat === 'number' && this.kept.players[seat].kind === 'person';
    if (mine && this.viewer !== seat && this.info.secrets && this.people.length > 1) {
      this.viewer = 'watcher';
      this.nextPerson = seat;
      this.phase = 'hand-over';
    } else if (mine) {
      this.viewer = seat;
      this.phase = 'person';
      this.hurry = false;
    } else {
      if (this.info.secrets && this.people.length > 1 && seat !== 'chance' && !this.ours(seat)) this.viewer = 'watcher';
      this.phase = seat === null ? 'over' : 'bot';
    }
    this.hand.reset();
    if (this.phase === 'person') {
      this.choices = await this.ask();
      if (this.lostDraft.length) {
        await this.look(); // at where the turn began
        await this.pickUp();
      }
    }
    await this.look();
    if (this.phase === 'over') await this.finish();
    if (this.phase === 'person') announce(this.hand.prompt.text);
  }

  /** Makes the steps again that were not confirmed when the game was left. */
  private async pickUp() {
    const draft = this.lostDraft;
    this.lostDraft = [];
    await this.make(draft);
  }

  private ours(seat: Actor | null): boolean {
    return typeof seat === 'number' && seat === this.viewer;
  }

  private async finish() {
    this.phase = 'over';
    if (this.kept.result) return;
    const { seats } = await this.engine.ask('standing', {});
    this.kept.result = { totals: seats.map((s) => s.total ?? 0), ranks: seats.map((s) => s.rank) };
    this.save();
    sound('end');
  }

  /** Asks what may be done. */
  private async ask(): Promise<Choice[]> {
    const { moves, facts } = await this.engine.ask('moves', { facts: true });
    return moves.map((move, i) => ({ move, facts: facts[i] }));
  }

  /** Looks at the position again, as the viewer sees it. */
  private async look() {
    const finished = this.finished();
    const goesOn = this.phase === 'person' && !finished && !this.aim && this.steps.length > 0;
    const choices = goesOn ? await this.ask() : this.choices; // shown together with the view they belong to
    const seat = this.viewer;
    const [{ view }, standing, { lines }, everybody, { lines: openLines }] = await Promise.all([
      this.engine.ask('view', { seat }),
      this.engine.ask('standing', { seat }),
      this.engine.ask('sheet', { seat }),
      this.engine.ask('standing', { seat: 'watcher' }),
      this.engine.ask('sheet', { seat: 'watcher' }),
    ]);
    this.view = view;
    if (!this.steps.length) this.ground = view;
    this.choices = choices;
    this.now = standing.seats;
    const secret = this.phase === 'interlude' && this.info.secrets; // what was secret is shown by the counting
    if (!this.steps.length && !secret) this.before = standing.seats;
    this.sheet = lines;
    const acts = this.steps.length ? this.steps[0].ply.seat : this.toAct;
    this.actor = typeof acts === 'number' ? acts : null;
    this.aimed = this.aim;
    this.draft = this.aim ? [...this.steps.map((s) => s.ply.move), this.aim.move] : this.steps.map((s) => s.ply.move);
    this.complete = finished || this.aim !== null;
    this.opens = this.aim !== null || (finished && this.toAct === 'chance');
    this.held = this.complete ? (this.draft.at(-1) ?? null) : null;
    if (finished) this.choices = this.steps.at(-1)!.choices;
    this.peeked = null;
    const turns = this.hearing(seat);
    this.told = turns;
    this.common = { told: this.hearing('watcher'), sheet: openLines, now: everybody.seats };
    this.moves = this.plies.length;
    this.shown = this.phase;
    const mine = turns.findLastIndex((t) => t.seat === seat);
    this.recent = turns.slice(typeof seat === 'number' ? mine + 1 : -1);
    this.canTakeBack = this.phase === 'person' && this.people.length === 1 && this.plies.some((p) => p.seat === this.toAct);
    this.save();
  }

  /** The game as somebody heard it, turn by turn. */
  private hearing(viewer: Viewer): Heard[] {
    const turns: Heard[] = [];
    let turn = -1;
    for (const ply of this.plies) {
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

  private hear(news: News) {
    this.toAct = news.toAct[0] ?? null;
    this.turn = news.turn;
  }

  /** Tells a screen reader what happened. */
  private speak(events: Event[]) {
    const heard = events.filter((e) => e.to === 'all' || (!this.hand.covered && e.to.includes(this.viewer)));
    if (heard.length) announce(heard.map((e) => tell(e.key, e.args, this.names)).join(' '));
  }

  private save() {
    if (this.closed) return;
    this.kept.line = this.plies.map(({ seat, move }) => ({ seat, move }));
    this.kept.draft = this.lostDraft.length ? this.lostDraft : this.steps.map((s) => s.ply.move);
    const text = JSON.stringify([this.kept.line, this.kept.draft, this.kept.result, this.kept.hints]);
    if (text === this.saved) return;
    this.saved = text;
    if (!keep(this.kept)) this.deny(say('page.no-room'));
  }

  /** A pause that can be cut short. */
  private wait(ms: number): Promise<void> {
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
  private alone<T>(what: () => Promise<T>): Promise<T> {
    this.thinking?.();
    const done = this.busy.then(what);
    this.busy = done.then(
      () => {},
      () => {},
    );
    return done.catch((e) => this.broke(e)) as Promise<T>;
  }

  private async guard(what: () => Promise<void>) {
    try {
      await what();
    } catch (e) {
      this.broke(e as Error);
    }
  }

  private broke(e: Error) {
    if (this.closed) return; // we left the table
    this.trouble = e instanceof Refused ? tell(e.why.key, e.why.args, this.names) : say('engine.broken');
    this.phase = this.shown = 'broken';
  }
}

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
