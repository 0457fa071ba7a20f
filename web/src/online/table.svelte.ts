/** A game that lives on the server. What happens comes by the stream, to us as to
 * everyone; what is confirmed here is sent, again and again until it is answered. */
import { go } from '../app/route.svelte.ts';
import type { Engine } from '../engine/engine.ts';
import { Refused, type GameInfo, type Move, type Upshot, type Settings } from '../engine/protocol.ts';
import type { Face } from '../table/face.ts';
import type { Effect } from '../table/inputs.ts';
import type { Kept, Player } from '../table/kept.ts';
import { namesOf } from '../table/names.ts';
import { lastOfGame, type Ply } from '../table/plies.ts';
import { Shell, type Home } from '../table/shell.svelte.ts';
import { say, tell } from '../words/words.svelte.ts';
import { ask, backoff, busy, hex, insist, passing, Problem, waitAfter } from './client.ts';
import { turnsSince } from './back.ts';
import { hush, isTold } from './doorbell.ts';
import { draftOf, dropDraft, keepDraft } from './draft.ts';
import { entryOf, notTaken, seatingOf, standOf, whyOf, type Extra } from './hear.ts';
import { yourTurn } from './bell.svelte.ts';
import { me } from './me.svelte.ts';
import { lastSeen } from './memory.ts';
import { following } from '../table/sides.ts';
import { playersOf } from './players.ts';
import type { Sides, Wish } from './api.gen.ts';
import type { Clock, Look, News, People, Present, Sight, Told, Who } from './told.ts';

export class OnlineTable implements Home {
  readonly id: string;
  readonly table: Shell;
  readonly settings: Look['settings'];
  you: number | null = $state(null);
  company: People = $state.raw({ phase: 'lobby', seats: [], asks: [], hints: false });
  who: (Who | null)[] = $state.raw([]);
  readonly players: Player[] = $derived.by(() => playersOf(this.company, this.who, this.info));
  readonly names: string[] = $derived.by(() => namesOf(this.players, this.face.seatNames(this.players.length))); // in the language that is spoken
  people: number[] = $state.raw([]);
  present: Present = $state.raw({ seats: [], watchers: 0 });
  clock: Clock | null = $state.raw(null);
  next = $state(''); // the table of the rematch
  sides: Sides | null = $state.raw(null); // how the games of both sides stand
  called = $state(false); // to the rematch, by somebody else and just now
  invite = $state(''); // what the link says, since somebody was sent away
  private latest: { number: number; you: number | null; company: People }; // as it was told last, taken or not
  private exported: Promise<Kept> | null = null;
  private keptPath = $state('');
  private stop = new AbortController();
  private sends = new AbortController(); // ends the waiting for an answer to what was sent
  private leaving = false; // for the rematch, by our own wish

  constructor(
    sight: Sight,
    private readonly face: Face,
    private readonly info: GameInfo,
  ) {
    this.id = sight.table;
    this.settings = sight.look.settings;
    this.meet(sight);
    this.latest = { number: sight.look.number, you: this.you, company: this.company };
    this.table = new Shell(face, info, this, { settings: this.rules, draws: false, thinks: false, takesBack: this.settings.undo !== 'none' }, seatingOf(this.company, this.you), this.you ?? 'watcher');
    document.addEventListener('visibilitychange', this.turnTo);
  }

  private get rules(): Settings {
    const { game, version, options, seats } = this.settings;
    return { game, version: version ?? 1, options: (options ?? {}) as Record<string, unknown>, seats };
  }

  /** Opens the game as it stands. */
  async open(sight: Sight): Promise<void> {
    this.turnTo();
    this.table.dispatch({ is: 'look', stand: this.standOf(sight), draft: draftOf(this.id, sight.look.last), again: true, id: 0 });
    await this.table.ready();
    await this.table.opened;
    void this.meetAgain();
  }

  close() {
    document.removeEventListener('visibilitychange', this.turnTo);
    this.stop.abort();
    this.sends.abort();
    this.table.close();
  }

  // --- what the page asks of where the game lives -----------------------------

  readonly hints = 0;
  readonly guide = null;
  hinted() {}

  get seed() {
    return this.id;
  }

  get advised() {
    return this.you !== null && this.company.hints;
  }

  get alone() {
    return this.company.seats.filter((s) => s.held === 'person').length < 2;
  }

  get cutShort() {
    return this.company.phase === 'over' && this.table.toAct !== null;
  }

  gaveUp(seat: number) {
    return this.company.seats[seat]?.held === 'resigned';
  }

  get waiting() {
    const { sending, phase, behind, toAct, names } = this.table;
    if (sending) return sending.busy ? say('page.online.busy') : sending.tries ? say('page.online.sending-again') : say('page.online.sending');
    if (phase !== 'bot' || behind) return '';
    if (this.company.phase === 'paused') return say('page.online.paused');
    return typeof toAct === 'number' ? say('page.online.waits', { seat: toAct }, names) : say('page.online.draws');
  }

  get replay() {
    return this.keptPath;
  }

  /** Whether another game of both sides comes after this one. */
  get follows() {
    return !!this.settings.following && this.company.phase === 'over' && !this.cutShort;
  }

  /** Its table, '' as long as it is not set. */
  get following() {
    return following(this.sides, this.id);
  }

  get onward() {
    return this.follows ? say('page.sides.go', { n: this.settings.side! + 1 }) : '';
  }

  /** The scores from turn to turn. The whole game is kept here with them, so that
   * it can be looked at again without the server. */
  async history() {
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
    if (this.follows) return this.goOn();
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

  /** Goes to the next game of both sides, which is there a moment after the end. */
  private async goOn(): Promise<string> {
    try {
      if (!this.following) await this.findSides();
    } catch (e) {
      return this.wordsOf(e);
    }
    if (!this.following) return say('page.online.sides.soon');
    go(`/t/${this.following}`);
    return '';
  }

  /** Asks how the games of both sides stand. */
  private async findSides() {
    this.sides = (await ask('GET /api/tables/{table}', { at: { table: this.id } })).sides ?? null;
  }

  /** The game as my seat has lived through it: the server remembers more than this
   * window has seen. It is taken only if it leads to where we are. */
  async seenBy(seat: number) {
    const { table } = this;
    const at = lastOfGame(table.sitting.plies);
    try {
      const record = await ask('GET /api/tables/{table}/record', { at: { table: this.id } });
      const then = record.last === at ? record.then : record.then.filter(({ number }) => number <= at);
      if (record.seat === seat && lastOfGame(table.sitting.plies) === at && (record.last === at || (then.at(-1)?.number ?? record.from) === at)) {
        const drafted = table.sitting.steps.map(({ move }) => ({ seat, move }));
        return { ...this.rules, seat, view: record.view, then: [...then.map((h) => ({ seat: h.seat, move: h.move as Move })), ...drafted] };
      }
    } catch {
      // What this window has seen must do.
    }
    return { ...this.rules, seat, ...(await table.engine.ask('record', { seat })) };
  }

  async standAt(engine: Engine, plies: readonly Ply[]): Promise<Upshot> {
    return this.openAt(engine, plies.findLast((p) => !p.beside || p.move.do === 'start')?.number ?? 0);
  }

  /** What was turned open is not in what we heard before: then the server is asked. */
  async retell(engine: Engine, { number, beside, seat, move }: Ply): Promise<Upshot> {
    try {
      if (!beside) return await engine.ask('play', { seat, move });
    } catch (e) {
      if (!(e instanceof Refused)) throw e;
    }
    return this.openAt(engine, number);
  }

  private async openAt(engine: Engine, number: number): Promise<Upshot> {
    const { view } = await ask('GET /api/tables/{table}/entries/{number}', { at: { table: this.id, number } });
    return engine.ask('open', { ...this.rules, seat: this.table.viewer, view, then: [] });
  }

  // --- what the stream tells ---------------------------------------------------

  tell(news: News) {
    if (news.name === 'look') this.table.dispatch({ is: 'look', stand: this.standOf(news.data), again: true, id: 0 });
    else if (news.name === 'entry') {
      this.table.dispatch({ is: 'entry', entry: this.entryOf(news.data) });
      if (this.you !== null && isTold() && !news.data.toAct.includes(this.you)) void hush(this.id); // played elsewhere: there is nothing to be told any more
    } else if (news.name === 'present') this.present = news.data;
    else if (news.name === 'who') {
      this.who = news.data.who;
    } else if (news.name === 'sides') {
      this.sides = news.data.sides;
    } else if (news.name === 'next') {
      this.next = news.data.next;
      this.called = this.you !== null && !this.leaving;
    }
  }

  /** Whether the connection to the server stands. */
  connected(up: boolean) {
    this.table.dispatch({ is: 'connection', up });
  }

  private standOf(sight: Sight) {
    const you = typeof sight.you === 'number' ? sight.you : null;
    this.latest = { number: sight.look.number, you, company: sight.look.people };
    return standOf(sight.look, you, { sight });
  }

  private entryOf(told: Told) {
    if (told.people && told.number > this.latest.number) this.latest = { ...this.latest, number: told.number, company: told.people }; // what is read of the log may be older
    return entryOf(told, { ...this.latest, info: this.info, pieces: this.face.seatNames(this.settings.seats) });
  }

  /** Who came before they sat down counts among those connected from now on. */
  private async meetAgain() {
    try {
      this.present = (await ask('GET /api/tables/{table}', { at: { table: this.id } })).present;
    } catch {
      // The next who comes or goes is told.
    }
  }

  /** Who is here, as a look tells it. */
  private meet(sight: Sight) {
    if (this.you !== null && typeof sight.you !== 'number') void me.check().catch(() => {}); // signed out, maybe in another window
    this.you = typeof sight.you === 'number' ? sight.you : null;
    this.people = this.you === null ? [] : [this.you];
    this.company = sight.look.people;
    this.clock = sight.look.clock ?? null;
    this.who = sight.who;
    this.present = sight.present;
    this.next = sight.next ?? '';
    this.sides = sight.sides ?? null;
    this.invite = sight.invite ?? '';
  }

  /** Somebody looks at the table, or has stopped to. */
  private readonly turnTo = () => {
    this.table.dispatch({ is: 'attend', here: !document.hidden, known: lastSeen.of(this.id) ?? -1 });
    if (!document.hidden) void hush(this.id);
  };

  // --- what the sitting wants done ------------------------------------------------

  carry(effect: Effect) {
    switch (effect.do) {
      case 'send':
        return void this.send(effect);
      case 'take-back':
        return void this.request('POST /api/tables/{table}/undo', {});
      case 'fetch':
        return void this.fetch(effect.from).then((entries) => this.table.dispatch({ is: 'entries', id: effect.id, entries }));
      case 'fetch-look':
        return void this.look(effect);
      case 'took':
        return this.took(effect.more as Extra | undefined);
      case 'seen':
        return lastSeen.keep(this.id, effect.number);
      case 'turn':
        return yourTurn(tell(`${this.face.name}.name`));
      case 'keep': {
        const { phase, plies, shown } = this.table.sitting;
        if (phase.is === 'person') keepDraft(this.id, lastOfGame(plies), shown.draft);
        return;
      }
      case 'over':
        dropDraft(this.id);
        if (this.settings.side) this.findSides().catch(() => {}); // it is told besides
        if (this.table.sheet.some((line) => line.points.includes(null))) void this.uncover();
    }
  }

  /** Sends a draft once. What was not answered may be sent again, by the same key. */
  private async send({ key, after, moves, tries }: Extract<Effect, { do: 'send' }>) {
    const { table } = this;
    this.sends.abort(); // the one before hangs on a line that is no more
    const { signal } = (this.sends = new AbortController());
    try {
      const answer: { number?: number } | undefined = await ask('POST /api/tables/{table}/moves', { at: { table: this.id }, key, body: { after, moves }, stop: signal });
      if (typeof answer?.number === 'number') table.dispatch({ is: 'accepted', key });
      else table.dispatch({ is: 'unheard', key, ms: backoff(tries) }); // something in between has answered, not the server
    } catch (e) {
      if (signal.aborted) return;
      if (passing(e)) return table.dispatch({ is: 'unheard', key, ms: waitAfter(e, tries), busy: busy(e) });
      if (!(e instanceof Problem)) return table.dispatch({ is: 'broke', why: null });
      // Whoever was signed out is shown the table as nobody, and told so then.
      if (e.status === 401 && !(await me.check().catch(() => false))) return table.dispatch({ is: 'unheard', key, ms: backoff(tries) });
      table.dispatch({ is: 'refused', key, why: notTaken(e) });
    }
  }

  /** Takes a turn back that the server cannot take yet, to change it. */
  unsend() {
    this.sends.abort();
    this.table.dispatch({ is: 'unsend' });
  }

  /** Entries from a number on; none where they may not be seen any more. */
  private async fetch(from: number) {
    try {
      const { entries } = await insist('GET /api/tables/{table}/entries', { at: { table: this.id }, query: { from } }, { stop: this.stop.signal });
      return (entries as unknown as Told[]).map((told) => this.entryOf(told));
    } catch {
      return [];
    }
  }

  /** The server is asked how things stand. */
  private async look({ again, id }: Extract<Effect, { do: 'fetch-look' }>) {
    try {
      const sight = await insist('GET /api/tables/{table}', { at: { table: this.id } }, { stop: this.stop.signal });
      this.table.dispatch({ is: 'look', stand: this.standOf(sight), again, id });
    } catch (e) {
      if (again) this.table.dispatch({ is: 'broke', why: e instanceof Problem ? whyOf(e) : null });
    }
  }

  /** What was told with an entry or a look holds now. */
  private took(more: Extra = {}) {
    if (more.sight) return this.meet(more.sight);
    if (more.clock !== undefined) this.clock = more.clock;
    if (more.who) this.who = more.who;
    if (more.people) this.company = more.people;
  }

  /** A game that ended before its time has secrets left; the server keeps them no
   * longer, and so the sheet can tell all. */
  private async uncover() {
    try {
      this.table.dispatch({ is: 'sheet', lines: await (await import('../table/history.ts')).lastSheet(await this.whole()) });
    } catch {
      // Then it says "?", as it should.
    }
  }

  // --- what people ask of each other -------------------------------------------------

  get retractable(): boolean {
    void this.table.moves;
    return this.company.phase === 'play' && this.settings.undo !== 'none' && this.you !== null && this.table.sitting.plies.some((p) => p.seat === this.you) && !this.asking('undo');
  }

  /** Who asks for something, if anybody does. */
  asking(what: string): People['asks'][number] | undefined {
    return this.company.asks.find((a) => a.for === what);
  }

  /** How many turns an entry lies back, and how many of them are mine. */
  sinceEntry(to: number): { turns: number; yours: number } {
    void this.table.moves;
    return turnsSince(this.table.sitting.plies, to, this.you);
  }

  /** Asks for something at the table, and says why not. */
  async request(
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
      if (!this.stop.signal.aborted) this.table.deny(this.wordsOf(e));
      return false;
    }
  }

  /** Says yes or no to what somebody asks for. */
  async answer(what: Wish, yes: boolean) {
    try {
      await insist('POST /api/tables/{table}/answer', { at: { table: this.id }, body: { for: what, yes } }, { stop: this.stop.signal });
    } catch (e) {
      if (!this.stop.signal.aborted) this.table.deny(this.wordsOf(e));
    }
  }

  wordsOf(e: unknown): string {
    return e instanceof Problem ? e.words(this.names) : say('page.online.lost');
  }
}
