/** A table on the page: the reactive fields of a sitting, and the hands that carry
 * out what it wants done. It decides nothing: sitting.ts does. */
import { untrack } from 'svelte';
import { announce } from '../app/announce.svelte.ts';
import { pauses, settings } from '../app/settings.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import { rulesShop, stopThinking } from '../engine/shop.svelte.ts';
import { Refused, type Event, type GameInfo, type SheetLine, type Move, type Upshot, type Score, type Viewer } from '../engine/protocol.ts';
import { known, learn, say, tell } from '../words/words.svelte.ts';
import type { Choice, Face, Hand, Heard, Phase, Planned, Scene, Slip, Spot, Table } from './face.ts';
import type { Moment } from './history.ts';
import type { Act, Effect, Happening, Input, Question, Reply, Seating, Terms, Why } from './inputs.ts';
import type { Player } from './kept.ts';
import type { Ply } from './plies.ts';
import { questions, seen, type Read } from './shown.ts';
import type { step } from './sitting.ts';
import { complete, sitDown, takeable, type Sitting } from './state.ts';
import type { SeatGame } from './thought.ts';

/** Where a game lives: in this browser, or on a server. It tells the sitting what
 * happens there, takes what is sent, and knows who plays. */
export interface Home {
  readonly seed: string;
  readonly names: string[];
  readonly people: readonly number[];
  readonly players: readonly Player[];
  readonly hints: number;
  readonly advised: boolean;
  readonly alone: boolean; // nobody but the person at this screen sees what chance turns up
  readonly cutShort: boolean;
  readonly waiting: string;
  readonly replay: string;
  readonly onward?: string;
  guide: number | null;
  gaveUp(seat: number): boolean;
  hinted(): void;
  history(): Promise<Moment[]>;
  again(): Promise<string>;
  /** The game as a seat knows it. */
  seenBy(seat: number): Promise<SeatGame>;
  /** Brings another engine to where the game was after so many plies. */
  standAt(engine: Engine, plies: readonly Ply[]): Promise<Upshot>;
  /** Makes a ply once more in an engine that stands before it. */
  retell(engine: Engine, ply: Ply): Promise<Upshot>;
  /** Does what is to be done where the game lives. */
  carry(effect: Effect): void;
}

type Doing = Act extends infer One ? (One extends Act ? Omit<One, 'n'> : never) : never;

export class Shell implements Table {
  private state: Sitting = $state.raw(null!);
  plan: Planned[] = $state.raw([]);
  slip: Slip | null = $state.raw(null);
  peeked: Choice | null = $state.raw(null); // what the pointer hovers over
  thinking: (() => void) | null = null;
  acted: Promise<boolean> | null = null;
  readonly hand: Hand;
  readonly version: number;
  readonly engine: Engine = rulesShop().engine();
  /** Hears every input with what came of it: for whoever records a sitting. */
  trace: ((input: Input, effects: Effect[]) => void) | null = null;

  private step: typeof step | null = null; // the reducer: a table that is only laid does without
  private inbox: Input[] = []; // what the sitting is still to be told
  private working = false;
  closed = false;
  private acts = new Map<number, (ok: boolean) => void>();
  private count = 0;
  private timers = new Set<ReturnType<typeof setTimeout>>();
  private wording: Promise<void> = Promise.resolve(); // what is being put into words
  private frames: { engine: Engine; made: number; toAct: Upshot['toAct'] } | null = null; // an earlier moment
  private open: () => void = () => {};
  /** The game stands as it was left, or broke. */
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));

  constructor(
    readonly face: Face,
    readonly info: GameInfo,
    private readonly home: Home,
    terms: Omit<Terms, 'secrets' | 'cards' | 'counts'>,
    seating: Seating,
    viewer?: Viewer,
    first: unknown = null,
  ) {
    this.state = sitDown({ ...terms, secrets: info.secrets, cards: face.cards === true, counts: (events) => face.interlude(events) }, seating, viewer, first);
    this.version = terms.settings.version;
    this.hand = face.hand(this);
  }

  /** The sitting as it is, for where the game lives. */
  get sitting(): Sitting {
    return this.state;
  }

  // --- what components read ---------------------------------------------------

  /** A turn is somebody's as soon as they can see it. */
  readonly phase: Phase = $derived.by(() => {
    const { phase, shown } = this.state;
    return phase.is === 'sent' || (phase.is === 'person' && shown.phase !== 'person') ? 'bot' : phase.is;
  });
  readonly shown: Phase = $derived(this.state.shown.phase === 'sent' ? 'bot' : (this.state.shown.phase as Phase));
  readonly sending: { tries: number; busy: number } | null = $derived.by(() => (this.state.phase.is === 'sent' ? this.state.phase : null));
  readonly viewer: Viewer = $derived(this.state.viewer);
  readonly toAct = $derived((this.state.steps.at(-1)?.after ?? this.state.ground).toAct);
  readonly actor: number | null = $derived(this.state.shown.actor);
  readonly view: unknown = $derived(this.state.shown.view);
  readonly ground: unknown = $derived(this.state.shown.ground);
  readonly choices: Choice[] = $derived(this.state.shown.choices as Choice[]);
  readonly first = $derived(this.state.shown.first);
  readonly instead = $derived(this.state.shown.instead);
  readonly held: Move | null = $derived(this.state.shown.held);
  readonly draft: Move[] = $derived(this.state.shown.draft);
  readonly before: Score[] = $derived(this.state.shown.before);
  readonly now: Score[] = $derived(this.state.shown.now);
  readonly sheet: SheetLine[] = $derived(this.state.shown.sheet);
  readonly cards: unknown = $derived(this.state.shown.cards);
  readonly tale: Event[] = $derived(this.state.shown.tale);
  readonly told: Heard[] = $derived(this.state.shown.told);
  readonly recent: Heard[] = $derived(this.state.shown.recent);
  readonly moves: number = $derived(this.state.shown.moves);
  readonly complete: boolean = $derived(this.state.shown.complete);
  readonly opens: boolean = $derived(this.state.shown.opens);
  readonly missed = $derived(this.state.missed);
  readonly interlude: string | null = $derived.by(() => (this.state.phase.is === 'interlude' && this.state.shown.phase === 'interlude' ? this.state.phase.part : null));
  readonly nextPerson: number | null = $derived.by(() => (this.state.phase.is === 'hand-over' ? this.state.phase.next : null));
  private readonly common: Read = $derived(this.state.shown.common);
  private readonly aimed: Choice | null = $derived(this.state.shown.aimed);
  private readonly takeable: boolean = $derived(takeable(this.state));
  /** Whether something that happened is still to be shown. */
  readonly behind: boolean = $derived(this.state.tasks.length > 0 || this.state.queue.some((q) => q.is === 'entry'));

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
    const facts = this.peeked?.facts ?? this.aimed?.facts;
    return this.now.map((score, seat) => {
      if (facts?.totals) return facts.totals[seat];
      if (facts?.total !== undefined && seat === this.actor) return facts.total;
      return score.total;
    });
  });

  /** What may be read on the screen: while the viewer's secret is covered, no
   * more than anybody knows. */
  readonly read: Read = $derived.by(() => (this.hand.covered ? this.common : { told: this.told, sheet: this.sheet, now: this.now }));

  /** Whether what Confirm turns open cannot be taken back: the move itself turns it
   * open, or other people at the table see what chance turns up. */
  readonly final: boolean = $derived.by(() => this.opens && (this.aimed !== null || !this.home.alone));
  readonly undoable: boolean = $derived.by(() => this.phase === 'person' && (this.draft.length > 0 || this.takeable));

  get trouble(): string {
    const { phase } = this.state;
    return phase.is !== 'broken' ? '' : phase.why ? this.words(phase.why) : say('engine.broken');
  }

  // --- what where the game lives says --------------------------------------------

  get seed() {
    return this.home.seed;
  }
  get names() {
    return this.home.names;
  }
  get people() {
    return this.home.people;
  }
  get players() {
    return this.home.players;
  }
  get hints() {
    return this.home.hints;
  }
  get advised() {
    return this.home.advised;
  }
  get hintable() {
    return this.home.advised && this.phase === 'person' && this.shown === 'person';
  }
  get cutShort() {
    return this.home.cutShort;
  }
  get waiting() {
    return this.home.waiting;
  }
  get replay() {
    return this.home.replay;
  }
  get onward() {
    return this.home.onward;
  }
  get guide() {
    return this.home.guide;
  }
  set guide(step) {
    this.home.guide = step;
  }
  gaveUp = (seat: number) => this.home.gaveUp(seat);
  hinted = () => this.home.hinted();
  history = () => this.home.history();
  again = () => this.home.again();

  // --- what people do -----------------------------------------------------------

  try(move: Move, spot: Spot = null): Promise<boolean> {
    return this.turn({ is: 'try', move, spot: point(spot) });
  }

  /** Makes a choice and confirms it: for buttons that say what they do. */
  async commit(move: Move, spot: Spot = null): Promise<void> {
    if (await this.try(move, spot)) await this.confirm();
  }

  /** Takes back the last step; where there is none and that may be, one's last turn. */
  async undo(): Promise<void> {
    await this.turn({ is: 'undo' });
  }

  async restart(): Promise<void> {
    await this.turn({ is: 'restart' });
  }

  /** Makes the draft another one, as far as the rules allow it. What both have in
   * common stays. */
  async redraft(moves: Move[]): Promise<void> {
    await this.turn({ is: 'redraft', moves });
  }

  /** Ends the turn, or says what is missing. */
  async confirm(spot: Spot = null): Promise<void> {
    await this.turn({ is: 'confirm', key: freshKey(), next: this.hand.next ?? null, spot: point(spot) });
  }

  /** The next person has the screen before them. */
  async takeScreen(): Promise<void> {
    await this.act({ is: 'take-screen' });
  }

  /** Shows what others did since the viewer's last turn. */
  async recap(): Promise<void> {
    await this.act({ is: 'recap' });
  }

  /** What was missed has been seen, or need not be. */
  endRecap = () => this.dispatch({ is: 'end-recap' });

  /** Lets the bots' moves come without a pause until somebody is to move. */
  skip = () => this.dispatch({ is: 'skip' });

  /** The counting has been seen. */
  endInterlude = () => this.dispatch({ is: 'counted' });

  peek(choice: Choice | null) {
    this.peeked = choice;
  }

  /** Says no without asking the rules: for what is no move at all. */
  deny(text: string, spot: Spot = null) {
    this.slip = { text, rule: undefined, at: point(spot) };
    announce(text, true);
  }

  /** What the person to move knows, for whoever is to advise them: where the turn
   * is made up, as it was before. */
  async record(): Promise<SeatGame> {
    const record = await this.home.seenBy(this.viewer as number);
    const { steps } = this.state;
    if (complete(this.state)) record.then.splice(record.then.length - steps.length);
    return record;
  }

  /** Leaves the table: nothing goes on behind the page's back. */
  close() {
    if (this.closed) return;
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const end of this.acts.values()) end(false);
    this.acts.clear();
    this.frames?.engine.leave();
    stopThinking();
    this.engine.leave();
    this.open();
  }

  /** Something of the turn. Whoever goes on does not wait for a hint any longer. */
  private turn(what: Doing): Promise<boolean> {
    if (this.phase !== 'person') return Promise.resolve(false);
    this.thinking?.();
    return this.act(what);
  }

  private act(what: Doing): Promise<boolean> {
    if (this.closed) return Promise.resolve(false);
    return (this.acted = new Promise((resolve) => {
      const n = ++this.count;
      this.acts.set(n, resolve);
      this.dispatch({ ...what, n } as Act);
    }));
  }

  // --- the reducer, and what it wants done --------------------------------------

  /** Fetches the reducer, and tells it what has happened meanwhile. */
  async ready(): Promise<void> {
    this.step ??= (await import('./sitting.ts')).step;
    this.work();
  }

  /** Tells the sitting what has happened. */
  dispatch(what: Happening) {
    if (this.closed) return;
    this.inbox.push({ ...what, at: performance.now() });
    this.work();
  }

  private work() {
    const { step } = this;
    if (!step || this.working) return;
    this.working = true;
    try {
      untrack(() => {
        for (let input = this.inbox.shift(); input && !this.closed; input = this.inbox.shift()) this.take(step, input);
      });
    } finally {
      this.working = false;
    }
  }

  private take(reduce: typeof step, input: Input) {
    const before = this.state;
    const [next, effects] = reduce(before, input);
    this.state = next;
    if (next.shown !== before.shown) this.peeked = null;
    this.trace?.(input, effects);
    for (const effect of effects) {
      try {
        this.carry(effect);
      } catch (error) {
        reportError(error); // what follows it is not its fault
      }
    }
    if (next.phase.is !== 'loading' && !next.asked && !next.tasks.length) this.open();
  }

  private carry(effect: Effect) {
    switch (effect.do) {
      case 'ask':
        return void this.ask(effect.questions).then(
          async (replies) => {
            const i = this.face.ready ? effect.questions.findIndex((question) => question.do === 'view') : -1;
            const view = replies[i]?.ok ? (replies[i] as { view?: unknown }).view : null;
            if (view) await Promise.resolve(this.face.ready!(view)).catch(() => {}); // parts say themselves that they are missing
            this.dispatch({ is: 'answer', id: effect.id, replies });
          },
          () => this.dispatch({ is: 'broke', why: null }),
        );
      case 'wait':
        return this.wait(effect.id, effect.ms);
      case 'linger': {
        const unseen = document.hidden && !this.state.terms.thinks; // who looks elsewhere follows nothing
        return this.wait(effect.id, unseen ? 0 : pauses[settings.pace] * effect.share - (performance.now() - effect.since));
      }
      case 'frame':
        return void this.frame(effect.made).then(
          (frame) => this.dispatch({ is: 'frame', id: effect.id, ...frame }),
          () => this.dispatch({ is: 'frame', id: effect.id, seen: null, toAct: null }),
        );
      case 'frames-end':
        this.frames?.engine.leave();
        this.frames = null;
        return;
      case 'done':
        return void this.wording.then(() => {
          this.acts.get(effect.n)?.(effect.ok);
          this.acts.delete(effect.n);
        });
      case 'hand':
        return void (effect.what === 'reset' ? this.hand.reset() : this.hand.drop());
      case 'slip':
        if (effect.why === null) this.slip = null;
        else if (effect.why === 'missing') this.deny(this.hand.missing, effect.spot);
        else this.explain(effect.why, effect.spot);
        return;
      case 'sound':
        return void import('../app/sound.ts').then(({ play }) => play(effect.name), () => {}); // it can be missed
      case 'say':
        return announce(effect.key === 'prompt' ? this.hand.prompt.text : say(effect.key));
      case 'tell':
        return this.speak(effect.events);
      default:
        this.home.carry(effect);
    }
  }

  /** Asks the engine, in this order. A no is an answer too. */
  private ask(questions: Question[]): Promise<Reply[]> {
    return Promise.all(
      questions.map(({ do: name, ...what }) =>
        this.engine.ask(name, what as never).then(
          (answer): Reply => ({ ...(answer as object), ok: true }),
          (e): Reply => {
            if (e instanceof Refused) return { ok: false, why: e.why };
            throw e;
          },
        ),
      ),
    );
  }

  private wait(id: number, ms: number) {
    const wake = () => this.dispatch({ is: 'wake', id });
    if (ms <= 0) return wake();
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      wake();
    }, ms);
    this.timers.add(timer);
  }

  /** How things stood after so many plies, in an engine of its own. */
  private async frame(made: number) {
    const { plies, viewer } = this.state;
    if (!this.frames || this.frames.made > made) {
      const engine = this.frames?.engine ?? rulesShop().engine();
      this.frames = { engine, made, toAct: [] };
      this.frames.toAct = (await this.home.standAt(engine, plies.slice(0, made))).toAct;
    }
    const { frames } = this;
    for (; frames.made < made; frames.made++) frames.toAct = (await this.home.retell(frames.engine, plies[frames.made])).toAct;
    const replies = await Promise.all(questions(viewer, false).map(({ do: name, ...what }) => frames.engine.ask(name, what as never)));
    const look = seen(replies as unknown as Reply[]);
    await this.face.ready?.(look.view);
    return { seen: look, toAct: frames.toAct[0] ?? null };
  }

  /** Why not, beside the spot and read out. */
  private explain(why: Why, spot: Slip['at']) {
    const show = () => {
      const text = this.words(why);
      this.slip = { text, rule: why.rule, at: spot, lasting: spot === null };
      announce(why.rule ? `${text} ${say('page.rule', { rule: why.rule })}` : text, true);
    };
    if (known(why.key)) show();
    else this.wording = words().then(show);
  }

  private words({ key, args, title }: Why): string {
    return known(key) || !title ? tell(key, args, this.names) : title;
  }

  /** Tells a screen reader what happened. */
  private speak(events: Event[]) {
    const heard = events.filter((e) => e.to === 'all' || (!this.hand.covered && e.to.includes(this.viewer)));
    if (heard.length) void words().then(() => announce(heard.map((e) => tell(e.key, e.args, this.names)).join(' ')));
  }
}

/** What follows and what is refused is told in words that the first board does not
 * need; where they cannot be had, or not soon, it is told as well as it can be. */
const words = () => Promise.race([learn('rest'), new Promise<void>((resolve) => setTimeout(resolve, 2000))]).catch(() => {});

/** A name for a draft by which it is known when it is sent again. */
function freshKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, '0')).join('');
}

function point(spot: Spot): Slip['at'] {
  if (!(spot instanceof Element)) return spot;
  const box = spot.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
