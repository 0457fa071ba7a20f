/** Thinking together: one worker thinks, and divides what is most of the work
 * into errands, which all workers of a crew do. What an errand finds depends on
 * nobody's speed, so the thought is the same with any number of workers, also
 * where one dies or is late and another does its errands. */
import { Engine, type Workshop } from './engine.ts';
import type { Errand, Report, Requests, SeatRecord, Settings, Thought, Viewer } from './protocol.ts';

/** A worker as a crew needs it. */
export type Shop = Pick<Workshop, 'engine' | 'number' | 'line' | 'free' | 'alive' | 'end'>;

/** Errands at a time for each worker: many, so that all end at about the same
 * time, but each long enough to be worth a message. */
const piecesEach = 8;

/** How long an errand may take, in milliseconds and compared with the longest that
 * was done, before another worker does it too. */
const late = { least: 250, times: 4 };

/** How long the one that thinks may be silent, in milliseconds, beyond the time that it
 * was given: then it hangs, and is given up. */
const silence = 15_000;

/** How long workers that have nothing to do are kept, in milliseconds. */
const rest = 60_000;

/** How many workers think at a time: one for each core, but few enough for the
 * memory of a phone, where each takes some 15 MB. */
export const workers = (cores = 1): number => Math.max(1, Math.min(cores, 4));

/** Players whose thoughts are divided, as far as was seen: for them helpers are
 * called before there are errands. */
const divided = new Set<string>();

/** Workers that think. The first is there from the beginning; the others are
 * started when a thought needs them, and ended when none has for a while. */
export class Crew {
  private readonly leader: Shop;
  private helpers: Shop[] = [];
  private thoughts = 0; // under way
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  /** @param hire starts a worker
   * @param size how many workers there are at most */
  constructor(
    private readonly hire: () => Shop,
    readonly size: number,
  ) {
    this.leader = hire();
  }

  /** Another engine, with a game of its own, that has help when it thinks. */
  engine(): Engine {
    return new Thinker(this, this.leader);
  }

  get alive(): boolean {
    return !this.ended && this.leader.alive;
  }

  /** Whether it died, and was not ended. */
  get broke(): boolean {
    return !this.ended && !this.leader.alive;
  }

  /** Ends every thought at once. */
  end() {
    this.ended = true;
    this.leader.end();
    this.dismiss();
  }

  /** Has an engine think about the game that lies open in it. */
  async think(leader: Pick<Engine, 'ask'>, open: () => Promise<Opened>, asked: Requests['think'][0]): Promise<Thought> {
    const { seed } = asked;
    if (this.size === 1 || seed === undefined) return this.within(asked, leader.ask('think', asked)); // without a seed nobody could help
    const who = { player: asked.player, seed };
    const round = new Rounds((errand) => leader.ask('errand', { ...who, errand }));
    clearTimeout(this.timer);
    this.thoughts++;
    let called = false;
    const call = async () => {
      called = true;
      const record = await open();
      for (const shop of this.hired()) void help(shop, record, who, round);
    };
    try {
      if (divided.has(who.player)) await call(); // they open the game while the first thinks
      let answer = await this.within(asked, leader.ask('think', { ...asked, ...who, errands: piecesEach * this.size }));
      while (answer.errands) {
        divided.add(who.player);
        if (!called) await call();
        const reports = await this.within(asked, round.run(answer.errands));
        answer = await this.within(asked, leader.ask('think-on', { reports }));
      }
      return answer;
    } finally {
      round.over();
      if (--this.thoughts === 0) this.timer = setTimeout(() => this.dismiss(), rest);
    }
  }

  /** An answer of the one that thinks. Where it hangs it is ended, as if it had died. */
  private within<T>({ ms = 60_000 }: { ms?: number }, answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.leader.end(new Error('the one that thinks hangs')), ms + silence);
    return answer.finally(() => clearTimeout(timer));
  }

  /** All helpers; those that died are replaced. */
  private hired(): Shop[] {
    this.helpers = this.helpers.filter((shop) => shop.alive);
    while (this.helpers.length < this.size - 1) this.helpers.push(this.hire());
    return this.helpers;
  }

  private dismiss() {
    clearTimeout(this.timer);
    for (const shop of this.helpers) shop.end();
    this.helpers = [];
  }
}

/** What an engine is given to open. */
type Opened = Settings & { seat: Viewer } & SeatRecord;

/** An engine that has help when it thinks. */
class Thinker extends Engine {
  private opened: Opened | undefined;
  private moved = false; // since it was opened

  constructor(
    private readonly crew: Crew,
    shop: Shop,
  ) {
    super(shop, shop.number());
  }

  override async ask<Name extends keyof Requests>(name: Name, what: Requests[Name][0]): Promise<Requests[Name][1]> {
    if (name === 'think' && this.opened) return this.crew.think({ ask: (name, what) => super.ask(name, what) }, () => this.record(), what as Requests['think'][0]);
    const answer = await super.ask(name, what);
    if (name === 'open') [this.opened, this.moved] = [what as Opened, false];
    if (name === 'new') this.opened = undefined; // it is nobody's alone
    if (name === 'play' || name === 'draw' || name === 'undo') this.moved = true;
    return answer;
  }

  /** The game as the seat knows it now. */
  private async record(): Promise<Opened> {
    const opened = this.opened!;
    return this.moved ? { ...opened, ...(await super.ask('record', { seat: opened.seat })) } : opened;
  }
}

/** Has a worker take part until a thought is over. Should it break, the others do
 * without it. */
async function help(shop: Shop, record: Opened, who: { player: string; seed: string }, rounds: Rounds) {
  let engine: Engine | undefined;
  try {
    engine = shop.engine();
    await engine.ask('open', record);
    await rounds.join((errand) => engine!.ask('errand', { ...who, errand }));
  } catch {
    shop.end(); // whatever it was, nobody asks it again
  } finally {
    engine?.leave();
  }
}

type Do = (errand: Errand) => Promise<{ report: Report }>;

/** The rounds of a thought: errands that are to be done, and who does them. */
export class Rounds {
  private needed = new Map<number, { errand: Errand; since: number }>(); // errands without a report, and since when somebody does them
  private waiting: Errand[] = []; // those that are to be begun
  private reports: Report[] = [];
  private begun = 0; // when the round was
  private idle = new Set<() => void>(); // who waits for an errand
  private done: (reports: Report[]) => void = () => {};
  private failed: (e: unknown) => void = () => {};
  private longest = 0; // time that an errand took
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private broken: unknown; // why nothing comes of it any more

  /** @param own does errands where the thought is thought: without it there is no thought */
  constructor(own: Do) {
    this.join(own).catch((e) => this.failed((this.broken = e)));
  }

  /** Has all errands of a round done. */
  run(errands: Errand[]): Promise<Report[]> {
    return new Promise((resolve, reject) => {
      if (this.broken) return reject(this.broken);
      this.needed = new Map(errands.map((errand) => [errand.number, { errand, since: Infinity }]));
      this.waiting = [...errands];
      this.reports = [];
      this.begun = performance.now();
      this.done = resolve;
      this.failed = reject;
      this.wake();
    });
  }

  /** The thought is there, or nobody waits for it any more. */
  over() {
    this.ended = true;
    clearTimeout(this.timer);
    this.wake();
  }

  /** Does errands until the thought is over. It throws what `work` throws, and the
   * errand is then somebody else's. */
  async join(work: Do): Promise<void> {
    while (!this.ended) {
      const errand = this.waiting.shift();
      if (!errand) {
        this.watch();
        await new Promise<void>((wake) => this.idle.add(wake));
        continue;
      }
      const since = performance.now();
      this.needed.get(errand.number)!.since = since;
      try {
        // What waited for a worker has less time left.
        const { report } = await work({ ...errand, ms: Math.max(1, Math.round(errand.ms - (since - this.begun))) });
        this.longest = Math.max(this.longest, performance.now() - since);
        this.take(report);
      } catch (e) {
        this.again([errand]);
        throw e;
      }
    }
  }

  /** Takes a report, the first of each errand. */
  private take(report: Report) {
    if (!this.needed.delete(report.number)) return;
    this.waiting = this.waiting.filter((errand) => errand.number !== report.number);
    this.reports.push(report);
    if (!this.needed.size) this.done(this.reports);
  }

  /** Has errands begun once more, if there is still no report of them. */
  private again(errands: Errand[]) {
    this.waiting.push(...errands.filter((errand) => this.needed.has(errand.number) && !this.waiting.includes(errand)));
    this.wake();
  }

  private wake() {
    const all = [...this.idle];
    this.idle.clear();
    for (const wake of all) wake();
  }

  /** Somebody is idle: what takes too long they will do too. */
  private watch() {
    clearTimeout(this.timer);
    if (!this.needed.size) return;
    const patience = Math.max(late.least, late.times * this.longest);
    this.timer = setTimeout(() => {
      const now = performance.now();
      this.again([...this.needed.values()].filter(({ since }) => now - since >= patience).map(({ errand }) => errand));
    }, patience);
  }
}
