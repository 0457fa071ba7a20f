/** A game that this browser keeps: people at one screen, and bots that think in
 * its second worker. */
import type { Engine } from '../engine/engine.ts';
import { type Actor, type Event, type GameInfo, type Move, type News, type Settings } from '../engine/protocol.ts';
import type { Face } from '../games/face.ts';
import { pauses, settings } from '../app/settings.svelte.ts';
import { announce } from '../app/announce.svelte.ts';
import { play as sound } from '../app/sound.ts';
import { say } from '../words/words.svelte.ts';
import { again } from './again.ts';
import type { Moment } from './history.ts';
import { keep, type Kept } from './kept.ts';
import { namesOf } from './names.ts';
import { since } from './recap.ts';
import { Table } from './table.svelte.ts';
import { think } from './thought.ts';

/** How long a bot may think, in milliseconds: far more than any needs on a
 * machine of today, so that on a slow one it plays worse rather than never. */
const patience = 4000;

/** Whoever was away for so long, in milliseconds, may want to see what bots did. */
const absence = 10 * 60_000;

export class LocalTable extends Table {
  readonly kept: Kept;
  private saved = ''; // what was kept last, so that nothing is kept twice
  private lostDraft: Move[] = []; // of a turn whose owner has to be asked for first
  private thought: { seat: number; turn: number; line: Move[] } | null = null; // what a bot is about to do
  private guided: number | null = $state(null);
  private readonly left: number; // when somebody was last here

  constructor(kept: Kept, face: Face, info: GameInfo) {
    super(face, info);
    this.kept = kept;
    this.guided = kept.guide;
    this.left = kept.touched;
    this.names = namesOf(kept.players, face.seatNames(kept.players.length));
    this.people = kept.players.flatMap((p, i) => (p.kind === 'person' ? [i] : []));
    this.hand = face.hand(this);
  }

  get seed() {
    return this.kept.seed;
  }

  get players() {
    return this.kept.players;
  }

  get guide() {
    return this.guided;
  }

  set guide(step: number | null) {
    this.guided = this.kept.guide = step;
    keep(this.kept);
  }

  get hints() {
    return this.kept.hints;
  }

  hinted() {
    this.kept.hints++;
    this.save();
  }

  /** Hints are for those who play against bots alone. */
  get advised() {
    return this.people.length === 1;
  }

  get hintable() {
    return this.advised && this.phase === 'person' && this.shown === 'person';
  }

  protected get alone() {
    return this.people.length === 1;
  }

  get cutShort() {
    return false;
  }

  get waiting() {
    return '';
  }

  get replay() {
    return `/replay/${this.kept.id}`;
  }

  protected get rules(): Settings {
    const { game, version, options, players } = this.kept;
    return { game, version, options, seats: players.length };
  }

  async history(): Promise<Moment[]> {
    return (await import('./history.ts')).scoresOverTime(this.kept);
  }

  async again() {
    return again(this.kept);
  }

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
      if (this.alone && this.phase === 'person' && this.guided === null && Date.now() - this.left > absence) {
        const missed = since(this.plies, this.viewer);
        if (missed.turns) this.missed = missed;
      }
      void this.proceed();
    });
  }

  protected async standAt(engine: Engine, made: number): Promise<News> {
    const { game, version, options, seed, players } = this.kept;
    let news = await engine.ask('new', { game, version, options, seats: players.length, chance: 'manual', seed });
    for (const { seat, move } of this.plies.slice(0, made)) news = await engine.ask('play', { seat, move });
    return news;
  }

  protected async leave() {
    if (this.aim) {
      const { move } = this.aim;
      this.aim = null;
      await this.play(move);
    }
    this.plies.push(...this.steps.map((s) => s.ply));
    const events = this.steps.flatMap((s) => s.ply.events);
    this.steps = [];
    await this.settle(events);
  }

  /** The next person has the screen before them. */
  override takeScreen(): Promise<void> {
    return this.oneByOne(async () => {
      if (this.nextPerson === null) return;
      this.viewer = this.nextPerson;
      this.nextPerson = null;
      await this.begin();
    });
  }

  protected takeable() {
    return this.people.length === 1 && this.plies.some((p) => p.seat === this.toAct);
  }

  /** A whole turn of the person's own, with what bots and chance did after it. */
  protected async takeBack() {
    const me = this.toAct;
    const turn = this.plies.findLast((p) => p.seat === me)?.turn;
    const first = this.plies.findIndex((p) => p.seat === me && p.turn === turn);
    if (first < 0) return;
    for (let i = this.plies.length; i > first; i--) await this.engine.ask('undo', {});
    this.turn = this.plies[first].turn;
    this.toAct = me;
    this.plies.length = first;
    this.thought = null;
    this.missed = null;
    this.hand.reset();
    this.save();
    await this.begin();
    announce(say('page.taken-back'));
  }

  /** Lets chance and bots play until a person is to move or the game is over. */
  protected async proceed() {
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

  /** After a confirmed move: keeps the game, shows it, and sees who is next. */
  private async settle(events: Event[], run = ++this.run): Promise<boolean> {
    this.save();
    if (!(await this.showCounting(events, run))) return false;
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
    this.kept.result = { totals: seats.map((s) => s.total ?? 0), ranks: seats.map((s) => s.rank ?? 0) };
    this.save();
    sound('end');
  }

  protected looked() {
    this.save();
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
}
