/** A game that this browser keeps: people at one screen, and bots that think in
 * workers of their own. What is sent is taken at once. */
import type { Engine } from '../engine/engine.ts';
import type { GameInfo, Score, Upshot, Settings } from '../engine/protocol.ts';
import { say } from '../words/words.svelte.ts';
import type { Face } from './face.ts';
import type { Effect } from './inputs.ts';
import { keep, stopped, type Kept } from './kept.ts';
import { Ledger } from './ledger.ts';
import { namesOf } from './names.ts';
import type { Ply } from './plies.ts';
import { Shell, type Home } from './shell.svelte.ts';
import { movesOf } from './shown.ts';

/** How long a bot may think, in milliseconds: far more than any needs on a
 * machine of today, so that on a slow one it plays worse rather than never. */
const patience = 4000;

/** Whoever was away for so long, in milliseconds, may want to see what bots did. */
const absence = 10 * 60_000;

export class Local implements Home {
  readonly table: Shell;
  readonly names: string[] = $derived.by(() => namesOf(this.kept.players, this.face.seatNames(this.kept.players.length))); // in the language that is spoken
  readonly people: number[];
  readonly waiting = '';
  private readonly ledger = new Ledger();
  private saved = ''; // what was kept last, so that nothing is kept twice
  private guided: number | null = $state(null);
  over = $state(false); // and what it came to is kept
  private sides: typeof import('./sides.ts') | null = $state.raw(null); // for a game of both sides
  /** Opens the table anew, since more has changed than a sitting hears of. */
  anew: () => void = () => {};

  constructor(
    readonly kept: Kept,
    private readonly face: Face,
    info: GameInfo,
    first: object | null = null, // how it lies on the table, where nothing has happened yet
  ) {
    this.guided = kept.guide;
    this.over = kept.result !== null;
    this.people = kept.players.flatMap((p, i) => (p.kind === 'person' ? [i] : []));
    this.table = new Shell(face, info, this, { settings: this.rules, draws: true, thinks: true, takesBack: true }, { here: this.people, going: stopped(kept) ? 'over' : 'play' }, undefined, first);
  }

  private get rules(): Settings {
    const { game, version, options, players } = this.kept;
    return { game, version, options, seats: players.length };
  }

  /** Opens the game where it was left. */
  async open(): Promise<void> {
    const { seed, line, draft, result, hints, touched } = this.kept;
    this.saved = JSON.stringify([line, draft, result, hints]);
    const missed = this.alone && this.guided === null && Date.now() - touched > absence;
    this.table.dispatch({ is: 'attend', here: true, known: missed ? -1 : Infinity });
    if (this.kept.side) this.sides = await import('./sides.ts');
    const resigned = result && this.kept.out ? await import('./history.ts') : null;
    const scores = await resigned?.lastScores(this.kept);
    this.table.dispatch({ is: 'open', seed, line, draft, ...(scores ? { result: scores.map((score, seat) => ({ ...score, rank: result!.ranks[seat] })) } : {}) });
    await this.table.ready();
    await this.table.opened;
    if (resigned) this.table.dispatch({ is: 'sheet', lines: await resigned.lastSheet(this.kept) });
  }

  close() {
    this.table.close();
  }

  get seed() {
    return this.kept.seed;
  }
  get players() {
    return this.kept.players;
  }
  get hints() {
    return this.kept.hints;
  }
  get guide() {
    return this.guided;
  }
  set guide(step) {
    this.guided = this.kept.guide = step;
    keep(this.kept);
  }

  /** Hints are for those who play against bots alone. */
  get advised() {
    return this.alone;
  }
  get alone() {
    return this.people.length === 1;
  }
  get replay() {
    return `/replay/${this.kept.id}`;
  }

  get onward() {
    return this.over && this.sides ? this.sides.onward(this.kept) : '';
  }
  get cutShort() {
    return stopped(this.kept);
  }

  gaveUp = (seat: number) => !!this.kept.out?.[seat];

  /** Who would resign now: whoever plays alone, or else whose turn it is; null for nobody. */
  get resigner(): number | null {
    const { phase, toAct } = this.table;
    const seat = this.alone ? this.people[0] : toAct;
    return this.over || phase === 'over' || phase === 'loading' || typeof seat !== 'number' || !this.people.includes(seat) ? null : seat;
  }

  /** Gives one of both sides up for somebody. It tells why not where that cannot be. */
  async resign(seat: number): Promise<string> {
    const [{ resigned, ranked }, { lastScores }] = await Promise.all([import('./resign.ts'), import('./history.ts')]);
    if (this.table.closed || this.kept.result) return '';
    this.save();
    const next = resigned(this.kept, seat);
    if (stopped(next)) next.result = resultOf(await lastScores(next), (ranks) => ranked(ranks, next.out!));
    if (!keep(next)) return say('page.no-room');
    this.anew();
    return '';
  }

  hinted() {
    this.kept.hints++;
    this.save();
  }

  async history() {
    return (await import('./history.ts')).scoresOverTime(this.kept);
  }

  async again() {
    if (this.kept.side) await this.finish(); // what comes next goes by what this came to
    return (await import('./again.ts')).again(this.kept);
  }

  async seenBy(seat: number) {
    return { ...this.rules, seat, ...(await this.table.engine.ask('record', { seat })) };
  }

  async standAt(engine: Engine, plies: readonly Ply[]): Promise<Upshot> {
    const news = await engine.ask('new', { ...this.rules, chance: 'manual', seed: this.kept.seed });
    return (await Promise.all(plies.map((ply) => this.retell(engine, ply)))).at(-1) ?? news;
  }

  retell(engine: Engine, { seat, move }: Ply): Promise<Upshot> {
    return engine.ask('play', { seat, move });
  }

  carry(effect: Effect) {
    switch (effect.do) {
      case 'send':
        return this.ledger.send(effect, this.table.sitting.number).forEach((what) => this.table.dispatch(what));
      case 'take-back':
        return this.ledger.takeBack(effect, this.table.sitting.number).forEach((what) => this.table.dispatch(what));
      case 'think':
        return void this.think(effect.seat, effect.made).then(
          (line) => this.table.dispatch({ is: 'thought', id: effect.id, line }),
          () => this.table.dispatch({ is: 'broke', why: null }),
        );
      case 'keep':
        return this.save();
      case 'over':
        return void this.finish().catch(() => this.table.dispatch({ is: 'broke', why: null }));
    }
  }

  /** What a bot is about to do: it thinks once, and then does all that it thought of. */
  private async think(seat: number, made: number) {
    const { players, seed } = this.kept;
    const [game, { think }] = await Promise.all([this.seenBy(seat), import('./thought.ts')]);
    return think(game, { player: players[seat].bot, seed: `${seed} ${made}`, ms: patience }, ({ line, move }) => line ?? [move]);
  }

  private async finish() {
    if (this.kept.result) return;
    const { seats } = await this.table.engine.ask('standing', {});
    const { out } = this.kept;
    const rank = out && (await import('./resign.ts')).ranked;
    if (this.table.closed || this.kept.result) return;
    this.kept.result = resultOf(seats, (ranks) => rank?.(ranks, out!) ?? ranks);
    this.over = true;
    this.save();
    if (out) this.anew(); // the rules do not know who has resigned
  }

  private save() {
    if (this.table.closed) return;
    const { plies, aside, ground, steps, aim } = this.table.sitting;
    this.kept.line = plies.map(({ seat, move }) => ({ seat, move }));
    this.kept.draft = aside?.turn === ground.turn ? [...aside.moves] : movesOf(steps, aim);
    const text = JSON.stringify([this.kept.line, this.kept.draft, this.kept.result, this.kept.hints]);
    if (text === this.saved) return;
    this.saved = text;
    if (!keep(this.kept)) this.table.deny(say('page.no-room'));
  }
}

const resultOf = (seats: Score[], rank: (ranks: number[]) => number[]): NonNullable<Kept['result']> => ({ totals: seats.map((s) => s.total ?? 0), ranks: rank(seats.map((s) => s.rank ?? 0)) });
