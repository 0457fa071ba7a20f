/** A game that this browser keeps: people at one screen, and bots that think in
 * workers of their own. What is sent is taken at once. */
import type { Engine } from '../engine/engine.ts';
import type { GameInfo, Upshot, Settings } from '../engine/protocol.ts';
import { say } from '../words/words.svelte.ts';
import type { Face } from './face.ts';
import type { Effect } from './inputs.ts';
import { keep, type Kept } from './kept.ts';
import { Ledger } from './ledger.ts';
import { namesOf } from './names.ts';
import type { Ply } from './plies.ts';
import type { Sided } from './sided.svelte.ts';
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
  sided: Sided | null = $state.raw(null); // what one of both sides has besides

  constructor(
    readonly kept: Kept,
    private readonly face: Face,
    info: GameInfo,
    first: object | null = null, // how it lies on the table, where nothing has happened yet
    readonly anew = () => {}, // opens it once more: more has changed than a sitting hears of
  ) {
    this.guided = kept.guide;
    this.people = kept.players.flatMap((p, i) => (p.kind === 'person' ? [i] : []));
    this.table = new Shell(face, info, this, { settings: this.rules, draws: true, thinks: true, takesBack: true }, { here: this.people, going: kept.cut ? 'over' : 'play' }, undefined, first);
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
    if (this.kept.side) this.sided = await (await import('./sided.svelte.ts')).sidedOf(this);
    this.table.dispatch({ is: 'open', seed, line, draft, result: this.sided?.result });
    await this.table.ready();
    await this.table.opened;
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
    return this.sided?.onward;
  }
  get cutShort() {
    return !!this.kept.cut;
  }

  gaveUp = (seat: number) => !!this.kept.out?.[seat];

  hinted() {
    this.kept.hints++;
    this.save();
  }

  async history() {
    return (await import('./history.ts')).scoresOverTime(this.kept);
  }

  async again() {
    if (this.sided) await this.finish(); // what comes next goes by what this came to
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
    this.kept.result ??= { totals: seats.map((s) => s.total ?? 0), ranks: seats.map((s) => s.rank ?? 0) };
    this.sided?.ended();
    this.save();
  }

  save() {
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
