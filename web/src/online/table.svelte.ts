/** A game that lives on the server. The draft is made in this browser's own
 * engine, from what the seat knows; Confirm sends it, and what happens comes by
 * the stream, to us as to everyone. */
import { announce } from '../app/announce.svelte.ts';
import { go } from '../app/route.svelte.ts';
import { pauses, settings } from '../app/settings.svelte.ts';
import { play as sound } from '../app/sound.ts';
import type { Engine } from '../engine/engine.ts';
import { Refused, type Event, type GameInfo, type Line, type Move, type News as Came, type Score, type Settings } from '../engine/protocol.ts';
import type { Face } from '../games/face.ts';
import type { Moment } from '../table/history.ts';
import type { Kept, Player } from '../table/kept.ts';
import { namesOf } from '../table/names.ts';
import { since } from '../table/recap.ts';
import { same, Table, type Ply } from '../table/table.svelte.ts';
import { say, tell } from '../words/words.svelte.ts';
import { ask, freshKey, hex, insist, Problem } from './client.ts';
import { turnsBack, type Numbered } from './back.ts';
import { draftOf, dropDraft, keepDraft } from './draft.ts';
import { yourTurn } from './bell.svelte.ts';
import { seen } from './memory.ts';
import { playersOf } from './players.ts';
import { toldOf } from './then.ts';
import type { Clock, Look, News, People, Present, Sight, Told, Who } from './told.ts';

/** A draft on its way to the server. */
interface Sent {
  key: string;
  after: number;
  moves: Move[];
}

/** What may wait to be shown before it is shown at once. */
const backlog = 24;

export class OnlineTable extends Table {
  readonly id: string;
  settings: Look['settings'];
  you: number | null = $state(null);
  company: People = $state.raw({ phase: 'lobby', seats: [], asks: [], hints: false });
  who: (Who | null)[] = $state.raw([]);
  present: Present = $state.raw({ seats: [], watchers: 0 });
  clock: Clock | null = $state.raw(null);
  next = $state(''); // the table of the rematch
  called = $state(false); // to the rematch, by somebody else and just now
  invite = $state(''); // what the link says, since somebody was sent away
  troubled = $state(false); // a draft was sent and not answered yet, more than once
  sent: Sent | null = $state.raw(null);
  private number = -1; // of the last entry that is shown
  private lastTurn = 0;
  private inbox: Told[] = $state.raw([]);
  private draining = false;
  private result: Score[] | null = null; // as the server counted it
  private sheetAfter: Line[] | null = null; // the same, line by line: what was secret is so no more
  private exported: Promise<Kept> | null = null;
  private keptPath = $state('');
  private stop = new AbortController();
  private waitingDraft: Move[] = []; // that was overtaken, until it is our turn again
  private leaving = false; // for the rematch, by our own wish
  private away = true; // nobody has looked at the table since something may have happened

  constructor(sight: Sight, face: Face, info: GameInfo) {
    super(face, info);
    this.id = sight.table;
    this.settings = sight.look.settings;
    this.meet(sight);
    this.hand = face.hand(this);
    document.addEventListener('visibilitychange', this.turnTo);
  }

  // --- what the table asks of where the game lives --------------------------

  players: Player[] = $state.raw([]);

  get seed() {
    return this.id;
  }

  get guide(): number | null {
    return null;
  }

  set guide(_: number | null) {}

  get hints() {
    return 0;
  }

  hinted() {}

  get advised() {
    return this.you !== null && this.company.hints;
  }

  get hintable() {
    return this.advised && this.phase === 'person' && this.shown === 'person';
  }

  protected get alone() {
    return this.company.seats.filter((s) => s.held === 'person').length < 2;
  }

  get cutShort() {
    return this.company.phase === 'over' && this.toAct !== null;
  }

  override gaveUp(seat: number) {
    return this.company.seats[seat]?.held === 'resigned';
  }

  get waiting() {
    if (this.sent) return this.troubled ? say('page.online.sending-again') : say('page.online.sending');
    if (this.phase !== 'bot' || this.inbox.length) return '';
    if (this.company.phase === 'paused') return say('page.online.paused');
    return typeof this.toAct === 'number' ? say('page.online.waits', { seat: this.toAct }, this.names) : say('page.online.draws');
  }

  get replay() {
    return this.keptPath;
  }

  protected get rules(): Settings {
    const { game, version, options, seats } = this.settings;
    return { game, version: version ?? 1, options: (options ?? {}) as Record<string, unknown>, seats };
  }

  /** The scores from turn to turn. The whole game is kept here with them, so that
   * it can be looked at again without the server. */
  async history(): Promise<Moment[]> {
    const kept = await this.whole();
    this.keptPath = `/replay/${this.id}`;
    return (await import('../table/history.ts')).scoresOverTime(kept);
  }

  /** The game from the first move to the last, once it is over. */
  private whole(): Promise<Kept> {
    this.exported ??= import('./exported.ts').then(({ exported }) => exported(this.id));
    this.exported.catch(() => (this.exported = null)); // asked for again
    return this.exported;
  }

  async again(): Promise<string> {
    this.leaving = true;
    try {
      const { table } = await ask('POST /api/tables/{table}/rematch', { at: { table: this.id } });
      await ask('POST /api/tables/{table}/sit', { at: { table }, body: { nonce: hex(16) } }).catch(() => {}); // we sit there already, or the lobby says why not
      go(`/t/${table}`);
      return '';
    } catch (e) {
      this.leaving = false;
      return this.wordsOf(e);
    }
  }

  /** The game as my seat has lived through it: the server remembers more than this
   * window has seen. It is taken only if it leads to where we are. */
  protected override async seenBy(seat: number) {
    const at = this.lastGame();
    try {
      const record = await ask('GET /api/tables/{table}/record', { at: { table: this.id } });
      const then = record.last === at ? record.then : record.then.filter(({ number }) => number <= at);
      if (record.seat === seat && this.lastGame() === at && (record.last === at || (then.at(-1)?.number ?? record.from) === at)) {
        const drafted = this.steps.map(({ ply }) => ({ seat, move: ply.move }));
        return { ...this.rules, seat, view: record.view, then: [...then.map((h) => ({ seat: h.seat, move: h.move as Move })), ...drafted] };
      }
    } catch {
      // What this window has seen must do.
    }
    return super.seenBy(seat);
  }

  // --- coming in ------------------------------------------------------------

  /** Opens the game as it stands. */
  async open(sight: Sight): Promise<void> {
    await this.guard(async () => {
      await this.catchUp(sight.look.number);
      this.waitingDraft = draftOf(this.id, sight.look.last);
      await this.stand(sight.look);
      await this.begin();
    });
    void this.meetAgain();
  }

  /** Reads the log up to an entry. */
  private async catchUp(number: number) {
    while (this.number < number) {
      const reply = await insist('GET /api/tables/{table}/entries', { at: { table: this.id }, query: { from: this.number + 1 } }, { stop: this.stop.signal });
      const entries = reply.entries as unknown as Told[];
      if (!entries.length) return;
      for (const told of entries) if (told.number <= number) this.note(told);
      if (entries.at(-1)!.number > number) return;
    }
  }

  /** Who came before they sat down counts among those connected from now on. */
  private async meetAgain() {
    try {
      this.present = (await ask('GET /api/tables/{table}', { at: { table: this.id } })).present;
    } catch {
      // The next who comes or goes is told.
    }
  }

  /** Takes the position over as it was shown to us. */
  private async stand(look: Look) {
    this.steps = [];
    this.aim = null;
    this.clock = look.clock ?? null;
    this.company = look.people;
    this.rename();
    this.result = look.people.phase === 'over' ? (look.standing!.seats as unknown as Score[]) : null;
    const { game, version, options, seats } = this.rules;
    this.hear(await this.engine.ask('open', { game, version, options, seats, seat: this.viewer, view: look.view, then: [] }));
  }

  /** Who is here, as a look tells it. */
  private meet(sight: Sight) {
    this.you = typeof sight.you === 'number' ? sight.you : null;
    this.viewer = this.you ?? 'watcher';
    this.people = this.you === null ? [] : [this.you];
    this.company = sight.look.people;
    this.who = sight.who;
    this.present = sight.present;
    this.next = sight.next ?? '';
    this.invite = sight.invite ?? '';
    this.rename();
  }

  private rename() {
    this.players = playersOf(this.company, this.who, this.info);
    this.names = namesOf(this.players, this.face.seatNames(this.players.length));
  }

  override close() {
    document.removeEventListener('visibilitychange', this.turnTo);
    this.stop.abort();
    super.close();
  }

  // --- what the stream tells -------------------------------------------------

  tell(news: News) {
    if (news.name === 'look') void this.startOver(news.data);
    else if (news.name === 'entry') this.take(news.data);
    else if (news.name === 'present') this.present = news.data;
    else if (news.name === 'who') {
      this.who = news.data.who;
      this.rename();
    } else if (news.name === 'next') {
      this.next = news.data.next;
      this.called = this.you !== null && !this.leaving;
    }
  }

  private take(told: Told) {
    if (told.number <= (this.inbox.at(-1)?.number ?? this.number)) return; // known already
    this.inbox = [...this.inbox, told];
    void this.drain();
  }

  /** Everything was shown anew: what we knew leads no further. */
  private startOver(sight: Sight): Promise<void> {
    this.inbox = [];
    this.wake?.();
    return this.oneByOne(async () => {
      if (sight.look.number < this.number) {
        this.plies = []; // another history than the one we saw
        this.number = -1;
      }
      const draft = this.sent?.moves ?? this.draftMoves();
      const changed = this.plies.length;
      await this.catchUp(sight.look.number);
      if (this.sent && this.plies.length === changed) return; // ours is still on its way
      this.sent = null;
      this.meet(sight);
      this.waitingDraft = draft;
      await this.stand(sight.look);
      await this.begin();
    });
  }

  /** Shows what has come, one after the other. */
  private async drain() {
    if (this.draining) return;
    this.draining = true;
    try {
      while (this.inbox.length && !this.closed && this.phase !== 'broken') {
        const told = this.inbox[0];
        await this.oneByOne(async () => {
          if (this.inbox[0] !== told) return; // started over meanwhile
          await this.show(told);
        });
        if (this.inbox[0] === told) this.inbox = this.inbox.slice(1);
      }
      this.hurry = false;
    } finally {
      this.draining = false;
    }
  }

  private async show(told: Told) {
    if (told.number !== this.number + 1) await this.catchUp(told.number - 1);
    const { entry } = told;
    const game = entry.do === 'move' || entry.do === 'chance';
    const own = entry.do === 'move' && entry.seat === this.you;
    if (told.clock) this.clock = told.clock;
    if (told.who) this.who = told.who;
    if (told.people) this.company = told.people;
    if (told.people || told.who) this.rename();
    if (own && !told.look && this.steps.length && same(this.steps[0].ply.move, entry.move!)) {
      this.note(told);
      this.steps.shift();
      if (this.steps.length || this.aim) return; // the rest of it follows
      this.sent = null;
      this.troubled = false;
      return this.settle(told.events, []);
    }
    if (game && !told.look) {
      const draft = await this.rollBack();
      await this.linger(told);
      const seat = entry.do === 'chance' ? 'chance' : entry.seat!;
      try {
        this.hear(await this.engine.ask('play', { seat, move: entry.move! }));
      } catch (e) {
        if (!(e instanceof Refused)) throw e;
        return this.lookAgain(); // what we knew and what is do not fit
      }
      this.note(told);
      if (!own) sound('place');
      return this.settle(told.events, own ? [] : draft);
    }
    if (told.look) {
      const draft = own ? [] : this.draftMoves();
      this.note(told);
      this.sent = null;
      this.troubled = false;
      await this.stand(told.look);
      return this.settle(told.events, draft);
    }
    this.note(told);
    this.speak(told.events);
    if (told.people && this.phaseNow() !== this.phase && !this.sent) {
      this.waitingDraft = await this.rollBack();
      return this.begin();
    }
    await this.look();
  }

  /** The server is asked how things stand. */
  private async lookAgain() {
    const sight = await insist('GET /api/tables/{table}', { at: { table: this.id } }, { stop: this.stop.signal });
    await this.catchUp(sight.look.number);
    this.inbox = this.inbox.filter((told) => told.number > sight.look.number);
    this.sent = null;
    this.meet(sight);
    await this.stand(sight.look);
    await this.begin();
  }

  /** Others' moves come so that they can be followed. */
  private async linger({ entry }: Told) {
    if (this.hurry || document.hidden || this.inbox.length > backlog || entry.do === 'chance') return;
    const before = this.plies.findLast((p) => !(p as Numbered).beside);
    const inTurn = before?.seat === entry.seat && before?.turn === this.lastTurn;
    await this.wait(pauses[settings.pace] * (inTurn ? 0.45 : 0.7));
  }

  /** Writes an entry into the log. */
  private note(told: Told) {
    const { number, entry, turn } = told;
    if (number <= this.number) return;
    const events = toldOf(told, this.company, this.info, this.face.seatNames(this.players.length));
    const beside = entry.do !== 'move' && entry.do !== 'chance';
    if (entry.do === 'undo') this.plies = this.plies.filter((p) => (p as Numbered).beside || (p as Numbered).number <= entry.to!);
    const ply: Numbered = {
      number,
      beside,
      seat: entry.do === 'move' ? entry.seat! : 'chance',
      move: entry.move ?? { do: entry.do },
      turn: beside ? -2 - number : this.lastTurn,
      events,
      forced: false,
    };
    if (events.length || !beside) this.plies.push(ply);
    this.number = number;
    this.lastTurn = turn;
  }

  private draftMoves(): Move[] {
    return this.aim ? [...this.steps.map((s) => s.ply.move), this.aim.move] : this.steps.map((s) => s.ply.move);
  }

  /** Takes the draft out of the engine. */
  private async rollBack(): Promise<Move[]> {
    const draft = this.draftMoves();
    if (this.sent) this.sent = null;
    while (this.steps.length || this.aim) await this.back();
    return draft;
  }

  private async settle(events: Event[], draft: Move[]) {
    const run = ++this.run;
    if (draft.length) this.waitingDraft = draft;
    if (!(await this.showCounting(events, run))) return;
    await this.begin(draft.length > 0);
  }

  private phaseNow() {
    if (this.company.phase === 'over' || this.toAct === null) return 'over';
    const mine = this.company.phase === 'play' && this.toAct === this.you && this.company.seats[this.you!]?.held === 'person';
    return mine ? 'person' : 'bot';
  }

  /** A turn begins, or goes on after chance. */
  private async begin(overtaken = false) {
    const before = this.phase;
    this.steps = [];
    this.aim = null;
    this.choices = [];
    this.turnBegan = this.turn;
    this.phase = this.phaseNow();
    this.hand.reset();
    let kept = -1; // steps of an older draft that still fit
    const draft = this.waitingDraft;
    if (this.phase === 'person') {
      this.hurry = false;
      this.waitingDraft = [];
      this.choices = await this.ask();
      if (draft.length) {
        await this.look();
        await this.make(draft);
        kept = this.draftMoves().length;
      }
    }
    await this.look();
    if (overtaken) this.deny(kept === draft.length ? say('page.online.overtaken.kept') : kept > 0 ? say('page.online.overtaken.part') : say('page.online.overtaken'));
    if (this.phase === 'over') {
      dropDraft(this.id);
      if (before !== 'over' && before !== 'loading') sound('end');
    }
    if (this.phase === 'person' && before !== 'person') {
      announce(this.hand.prompt.text);
      if (before !== 'loading') yourTurn(tell(`${this.face.name}.name`));
    }
  }

  protected looked() {
    if (this.result) this.now = this.before = this.result;
    if (this.sheetAfter) this.sheet = this.sheetAfter;
    else if (this.phase === 'over' && this.sheet.some((line) => line.points.includes(null))) void this.uncover();
    if (this.phase === 'person') keepDraft(this.id, this.lastGame(), this.draft);
    this.turnTo();
  }

  /** Somebody looks at the table, or has stopped to. Who was away is offered
   * what they did not see; what is seen is remembered. */
  private readonly turnTo = () => {
    if (document.hidden) {
      this.away = true;
      return;
    }
    if (this.shown === 'loading') return;
    if (this.away || this.missed) this.missed = this.unseen();
    this.away = false;
    if (!this.missed) seen.keep(this.id, this.number);
  };

  /** A game that ended before its time has secrets left; the server keeps them no
   * longer, and so the sheet can tell all. */
  private async uncover() {
    try {
      this.sheetAfter = await (await import('../table/history.ts')).lastSheet(await this.whole());
      if (this.phase === 'over') this.sheet = this.sheetAfter;
    } catch {
      // Then it says "?", as it should.
    }
  }

  private unseen() {
    if (this.you === null || this.phase === 'over') return null;
    const known = seen.of(this.id) ?? -1;
    const missed = since(this.plies, this.you);
    const fresh = this.plies.slice(missed.from).some((p) => typeof p.seat === 'number' && (p as Numbered).number > known);
    return fresh ? missed : null;
  }

  protected async standAt(engine: Engine, made: number): Promise<Came> {
    const before = this.plies.slice(0, made) as Numbered[];
    const at = before.findLast((p) => !p.beside || p.move.do === 'start')?.number ?? 0;
    return this.openAt(engine, at);
  }

  /** What was turned open is not in what we heard before: then the server is asked. */
  protected override async retell(engine: Engine, ply: Ply): Promise<Came> {
    const { number, beside } = ply as Numbered;
    try {
      if (!beside) return await super.retell(engine, ply);
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
    }
    return this.openAt(engine, number);
  }

  private async openAt(engine: Engine, number: number): Promise<Came> {
    const { view } = await ask('GET /api/tables/{table}/entries/{number}', { at: { table: this.id, number } });
    return engine.ask('open', { ...this.rules, seat: this.viewer, view, then: [] });
  }

  /** The number of the last entry that changed the game. */
  private lastGame(): number {
    return (this.plies.findLast((p) => !(p as Numbered).beside || p.move.do === 'undo' || p.move.do === 'start') as Numbered | undefined)?.number ?? -1;
  }

  // --- what people do ----------------------------------------------------------

  /** Sends the draft. It stands as it is until the stream tells what came of it. */
  protected async leave() {
    this.sent = { key: freshKey(), after: this.number, moves: this.draftMoves() };
    this.phase = 'bot';
    await this.look();
  }

  protected async proceed() {
    const sent = this.sent;
    if (!sent) return;
    try {
      await insist(
        'POST /api/tables/{table}/moves',
        { at: { table: this.id }, key: sent.key, body: { after: sent.after, moves: sent.moves } },
        { stop: this.stop.signal, troubled: () => (this.troubled = true) },
      );
      this.troubled = false;
    } catch (e) {
      this.troubled = false;
      if (this.closed) return;
      await this.oneByOne(async () => {
        if (this.sent !== sent) return; // the stream was faster
        this.sent = null;
        if (e instanceof Problem && e.key === 'table.overtaken') {
          this.waitingDraft = await this.rollBack();
          return this.lookAgain().then(() => this.deny(say('page.online.overtaken')));
        }
        this.phase = this.phaseNow();
        await this.look();
        this.deny(this.wordsOf(e));
      });
    }
  }

  /** Whether I may ask to take a turn back. */
  protected takeable() {
    return this.settings.undo !== 'none' && this.you !== null && this.plies.some((p) => p.seat === this.you);
  }

  get retractable(): boolean {
    void this.moves;
    return this.company.phase === 'play' && this.takeable() && !this.asking('undo');
  }

  /** Who asks for something, if anybody does. */
  asking(what: string): People['asks'][number] | undefined {
    return this.company.asks.find((a) => a.for === what);
  }

  /** How many turns an entry lies back, and how many of them are mine. */
  sinceEntry(to: number): { turns: number; yours: number } {
    void this.moves;
    return turnsBack(this.plies as Numbered[], to, this.you);
  }

  protected async takeBack() {
    await this.wish('POST /api/tables/{table}/undo', {});
  }

  /** Asks for something at the table, and says why not. */
  async wish(
    what:
      | 'POST /api/tables/{table}/undo'
      | 'POST /api/tables/{table}/pause'
      | 'POST /api/tables/{table}/resume'
      | 'POST /api/tables/{table}/abandon'
      | 'POST /api/tables/{table}/resign'
      | 'POST /api/tables/{table}/leave'
      | 'POST /api/tables/{table}/return',
    body?: Record<string, never>,
  ): Promise<boolean> {
    try {
      await insist(what, { at: { table: this.id }, ...(body ? { body } : {}) } as never, { stop: this.stop.signal });
      return true;
    } catch (e) {
      if (!this.closed) this.deny(this.wordsOf(e));
      return false;
    }
  }

  /** Says yes or no to what somebody asks for. */
  async answer(what: string, yes: boolean) {
    try {
      await insist('POST /api/tables/{table}/answer', { at: { table: this.id }, body: { for: what, yes } }, { stop: this.stop.signal });
    } catch (e) {
      if (!this.closed) this.deny(this.wordsOf(e));
    }
  }

  wordsOf(e: unknown): string {
    return e instanceof Problem ? e.words(this.names) : say('page.online.lost');
  }
}
