// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { Crew, Rounds, workers, type Shop } from './crew.ts';
import { Engine } from './engine.ts';
import { InProcess } from './inprocess.ts';
import type { Actor, Errand, Report } from './protocol.ts';

// Time passes a hundred times more slowly: no thought is cut short, however busy
// the machine is that tests.
const now = performance.now.bind(performance);
performance.now = () => now() / 100;

const program = new InProcess();
const numbers = new Set(Array.from({ length: 16 }, (_, i) => i));

/** Numbers that seem to come by chance, the same in every run. */
function chance(seed: number) {
  let state = seed;
  return (below: number) => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % below;
}

/** A worker that can be killed: the real engine, but for the thread around it. Its
 * answers come after some others, as luck has it. */
class Worker implements Shop {
  alive = true;
  errands = 0; // that it was given
  judged = 0; // those of them that a net judges
  private readonly held = new Set<number>();
  private fails: ((e: Error) => void)[] = [];

  constructor(
    private readonly luck = chance(1),
    /** What becomes of a line before it is answered: `die` kills the worker. */
    private readonly before: (line: { do: string }, worker: Worker) => 'die' | 'sleep' | void = () => {},
  ) {}

  number() {
    const [number] = numbers;
    numbers.delete(number);
    this.held.add(number);
    return number;
  }
  engine() {
    return new Engine(this, this.number());
  }
  free(number: number) {
    if (this.held.delete(number)) numbers.add(number);
  }
  end(why = new Error('ended')) {
    this.alive = false;
    for (const number of this.held) this.free(number);
    for (const fail of this.fails) fail(why);
  }
  line(game: string, engine: number, line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (!this.alive) return reject(new Error('dead'));
      this.fails.push(reject);
      const what = JSON.parse(line);
      if (what.do === 'errand') this.errands++;
      if (what.errand?.net) this.judged++;
      const fate = this.before(what, this);
      if (fate === 'die') return this.end(new Error('killed'));
      if (fate === 'sleep') return;
      let turns = this.luck(6);
      const answer = () => {
        if (turns-- > 0) return void Promise.resolve().then(answer);
        if (this.alive) program.line(game, engine, line).then(resolve, reject);
      };
      answer();
    });
  }
}

/** A game as the seat to act knows it after some moves. */
async function sight(game: string, moves: number) {
  const set = { game, seats: 2, options: {}, version: 1 };
  const worker = new Worker();
  const table = worker.engine();
  let { toAct }: { toAct: Actor[] } = await table.ask('new', { ...set, chance: 'manual', seed: 'oak' });
  for (let i = 0; i < moves || toAct[0] === 'chance'; i++) {
    if (toAct[0] === 'chance') ({ toAct } = await table.ask('draw', {}));
    else for (const move of (await table.ask('think', { player: 'level:1', seed: String(i) })).line) ({ toAct } = await table.ask('play', { seat: toAct[0], move }));
  }
  const seat = toAct[0] as number;
  const record = await table.ask('record', { seat });
  worker.end();
  return { ...set, seat, ...record };
}

const asked = { player: 'level:9', seed: 'ash', ms: 600_000 };

/** What a crew thinks. */
async function together(seen: Awaited<ReturnType<typeof sight>>, crew: Crew, player = asked.player) {
  const engine = crew.engine();
  try {
    await engine.ask('open', seen);
    return await engine.ask('think', { ...asked, player });
  } finally {
    engine.leave();
  }
}

/** What one worker thinks. */
async function alone(seen: Awaited<ReturnType<typeof sight>>) {
  const crew = new Crew(() => new Worker(), 1);
  return together(seen, crew).finally(() => crew.end());
}

afterEach(() => {
  vi.useRealTimers();
  expect(numbers.size).toBe(16); // every engine was left
});

test('as many workers as cores, one at least and four at most', () => {
  expect([undefined, 0, 1, 2, 3, 4, 16].map((cores) => workers(cores))).toEqual([1, 1, 1, 2, 3, 4, 4]);
});

// In GrandBois of two level 10 judges by a net.
test.for([['bosk', 'level:9'], ['grandbois', 'level:10'], ['treesociety', 'level:9']])('%s: one, two, three and seven workers think the same (%s)', async ([game, player]) => {
  const seen = await sight(game, 8);
  const thoughts = [];
  for (const size of [1, 2, 3, 7]) {
    const hired: Worker[] = [];
    const crew = new Crew(() => (hired.push(new Worker(chance(size + hired.length))), hired.at(-1)!), size);
    thoughts.push(await together(seen, crew, player));
    expect(hired.length).toBe(size);
    if (size > 1) for (const worker of hired) expect(worker.errands).toBeGreaterThan(1);
    for (const worker of hired) expect(worker.judged).toBe(game === 'grandbois' ? worker.errands : 0);
    crew.end();
  }
  expect(thoughts[0].cut).toBeUndefined();
  for (const thought of thoughts) expect(thought).toEqual(thoughts[0]);
});

test('workers that die cost nothing but time, whenever they do', async () => {
  const seen = await sight('bosk', 18);
  const thought = await alone(seen);
  for (const [when, dies] of [
    ['before it has opened the game', (what: { do: string }) => what.do === 'open'],
    ['with its first errand', (what: { do: string }) => what.do === 'errand'],
    ['with its fifth errand', (what: { do: string }, worker: Worker) => what.do === 'errand' && worker.errands === 5],
  ] as const) {
    const hired: Worker[] = [];
    const hire = () => {
      const mortal = hired.length === 1 || hired.length === 2;
      hired.push(new Worker(chance(hired.length), (what, worker) => (mortal && dies(what, worker) ? 'die' : undefined)));
      return hired.at(-1)!;
    };
    const crew = new Crew(hire, 4);
    expect(await together(seen, crew), when).toEqual(thought);
    expect(hired.map((worker) => worker.alive), when).toEqual([true, false, false, true]);
    expect(await together(seen, crew), 'the next thought').toEqual(thought);
    expect(hired.length, 'who died was replaced').toBe(6);
    crew.end();
  }
});

test('an engine in which was played on has help from where it is', async () => {
  const seen = await sight('bosk', 4);
  const thoughts = [];
  for (const size of [1, 3]) {
    const crew = new Crew(() => new Worker(chance(size)), size);
    const engine = crew.engine();
    await engine.ask('open', seen);
    const { line } = await engine.ask('think', { player: 'level:1', seed: 'ash' });
    let toAct: Actor[] = [seen.seat];
    for (const move of line) ({ toAct } = await engine.ask('play', { seat: toAct[0], move }));
    expect(toAct).not.toEqual([seen.seat]);
    await engine.ask('undo', {});
    thoughts.push(await engine.ask('think', asked));
    await expect(engine.ask('think', { ...asked, player: 'nobody' })).rejects.toThrow('bot.player');
    engine.leave();
    crew.end();
  }
  expect(thoughts[1]).toEqual(thoughts[0]);
});

test('workers are started when a level needs them, and ended when none has for a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // the engine has its clock
  const seen = await sight('bosk', 18);
  const hired: Worker[] = [];
  const crew = new Crew(() => (hired.push(new Worker()), hired.at(-1)!), 3);
  const engine = crew.engine();
  await engine.ask('open', seen);
  await engine.ask('think', { player: 'level:3', seed: 'ash' });
  expect(hired.length, 'for a quick level').toBe(1);
  await engine.ask('think', asked);
  await engine.ask('think', asked);
  expect(hired.length, 'for a slow one').toBe(3);
  vi.advanceTimersByTime(59_000);
  expect(hired.every((worker) => worker.alive)).toBe(true);
  await engine.ask('think', asked);
  vi.advanceTimersByTime(59_000);
  expect(hired.every((worker) => worker.alive), 'less than a while after the last').toBe(true);
  vi.advanceTimersByTime(2_000);
  expect(hired.map((worker) => worker.alive)).toEqual([true, false, false]);
  await engine.ask('think', asked);
  expect(hired.length, 'needed again').toBe(5);
  engine.leave();
  crew.end();
});

test('ending ends at once, wherever a thought is', async () => {
  const seen = await sight('bosk', 18);
  for (const [doing, size] of [['think', 1], ['think', 3], ['errand', 3], ['think-on', 3]] as const) {
    const hired: Worker[] = [];
    let crew: Crew;
    const hire = () => {
      hired.push(new Worker(chance(1), (what) => (what.do === doing ? (crew.end(), 'sleep') : undefined)));
      return hired.at(-1)!;
    };
    crew = new Crew(hire, size);
    await expect(together(seen, crew)).rejects.toThrow('ended');
    expect(hired.some((worker) => worker.alive), doing).toBe(false);
    expect([crew.alive, crew.broke]).toEqual([false, false]);
  }
});

test('where the first worker dies there is no thought, and the crew is said to be broken', async () => {
  const seen = await sight('bosk', 18);
  let first = true;
  const crew = new Crew(() => {
    const mortal = first;
    first = false;
    return new Worker(chance(1), (what, worker) => (mortal && what.do === 'errand' && worker.errands === 3 ? 'die' : undefined));
  }, 3);
  await expect(together(seen, crew)).rejects.toThrow('killed');
  expect([crew.alive, crew.broke]).toEqual([false, true]);
  crew.end();
});

test('where the first worker hangs it is given up, wherever that is, and the crew is said to be broken', async () => {
  const seen = await sight('bosk', 18);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (const [doing, size] of [['think', 1], ['think', 3], ['think-on', 3], ['errand', 2]] as const) {
    const hired: Worker[] = [];
    let asleep = () => {};
    const sleeps = new Promise<void>((resolve) => (asleep = resolve));
    const crew = new Crew(() => {
      const first = !hired.length;
      hired.push(new Worker(chance(1), (what) => (!first ? (doing === 'errand' && what.do === 'open' ? 'die' : undefined) : what.do === doing ? (asleep(), 'sleep') : undefined)));
      return hired.at(-1)!;
    }, size);
    const thought = together(seen, crew);
    thought.catch(() => {});
    await sleeps;
    for (let i = 0; i < 200; i++) await Promise.resolve();
    vi.advanceTimersByTime(asked.ms + 14_000);
    expect(crew.alive, doing).toBe(true);
    vi.advanceTimersByTime(1_000);
    await expect(thought, doing).rejects.toThrow('hangs');
    expect([crew.alive, crew.broke]).toEqual([false, true]);
    crew.end();
  }
});

// --- who does which errand ----------------------------------------------------

const list = (...numbers: number[]): Errand[] => numbers.map((number) => ({ number, ms: 1000 }));
const sorted = (reports: Report[]) => reports.map((r) => r.number).sort((a, b) => a - b);
const turns = async (n = 20) => {
  for (let i = 0; i < n; i++) await Promise.resolve();
};

/** Somebody who does an errand when told to. */
class Hand {
  given: Errand[] = [];
  private ends: [(done: { report: Report }) => void, (e: Error) => void][] = [];
  work = (errand: Errand) => {
    this.given.push(errand);
    return new Promise<{ report: Report }>((...ends) => this.ends.push(ends));
  };
  async report(more = {}) {
    this.ends.shift()![0]({ report: { number: this.given[this.given.length - this.ends.length - 1].number, ...more } });
    await turns();
  }
  async die() {
    this.ends.shift()![1](new Error('died'));
    await turns();
  }
  get numbers() {
    return this.given.map((errand) => errand.number);
  }
}

test('every errand is given to one, and reports come together when all are there', async () => {
  const [own, other] = [new Hand(), new Hand()];
  const rounds = new Rounds(own.work);
  const joined = rounds.join(other.work);
  let reports: Report[] | undefined;
  void rounds.run(list(0, 1, 2)).then((all) => (reports = all));
  await turns();
  expect([own.numbers, other.numbers]).toEqual([[0], [1]]);
  await other.report();
  expect(other.numbers).toEqual([1, 2]);
  await other.report();
  expect(reports).toBeUndefined();
  await own.report();
  expect(sorted(reports!)).toEqual([0, 1, 2]);
  void rounds.run(list(3)).then((all) => (reports = all));
  await turns();
  expect(own.numbers.length + other.numbers.length).toBe(4);
  await (own.numbers.includes(3) ? own : other).report();
  expect(sorted(reports!)).toEqual([3]);
  rounds.over();
  await joined;
});

test('an errand that waited for a worker has less time left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const own = new Hand();
  const rounds = new Rounds(own.work);
  vi.advanceTimersByTime(5000); // before the round: nobody waited for it
  const run = rounds.run(list(0, 1, 2));
  await turns();
  vi.advanceTimersByTime(400);
  await own.report();
  vi.advanceTimersByTime(700);
  await own.report();
  await own.report();
  expect(own.given.map((errand) => errand.ms)).toEqual([1000, 600, 1]);
  await run;
  rounds.over();
});

test('the errand of who dies is somebody else’s', async () => {
  const [own, other] = [new Hand(), new Hand()];
  const rounds = new Rounds(own.work);
  const joined = rounds.join(other.work);
  const run = rounds.run(list(0, 1));
  await turns();
  await own.report();
  await other.die();
  await expect(joined).rejects.toThrow('died');
  expect(own.numbers).toEqual([0, 1]);
  await own.report();
  expect(sorted(await run)).toEqual([0, 1]);
  rounds.over();
});

test('who is late is not waited for; both reports are one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const [own, other] = [new Hand(), new Hand()];
  const rounds = new Rounds(own.work);
  const joined = rounds.join(other.work);
  let run = rounds.run(list(0, 1));
  await turns();
  vi.advanceTimersByTime(100);
  await own.report(); // an errand takes 100 ms
  vi.advanceTimersByTime(399);
  await turns();
  expect(own.numbers, 'it may take four times as long').toEqual([0]);
  vi.advanceTimersByTime(1);
  await turns();
  expect(own.numbers).toEqual([0, 1]);
  await own.report({ by: 'own' });
  expect(await run).toEqual([{ number: 0 }, { number: 1, by: 'own' }]);
  run = rounds.run(list(2, 3));
  await turns();
  await other.report({ by: 'other' }); // of the round before: nobody needs it
  expect(other.numbers).toEqual([1, 3]);
  await own.report();
  await other.report();
  expect(sorted(await run)).toEqual([2, 3]);
  // Here the late one is quicker in the end.
  run = rounds.run(list(4, 5));
  await turns();
  await own.report();
  vi.advanceTimersByTime(10_000);
  await turns();
  expect(own.numbers.filter((n) => n === 5).length + other.numbers.filter((n) => n === 5).length).toBe(2);
  await other.report({ by: 'other' });
  expect(sorted(await run)).toEqual([4, 5]);
  rounds.over();
  await joined;
});

test('what is reported meanwhile is nobody’s errand any more, and who dies of it leaves nothing behind', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const [own, one, two] = [new Hand(), new Hand(), new Hand()];
  const rounds = new Rounds(own.work);
  const joined = rounds.join(one.work);
  void rounds.join(two.work);
  const run = rounds.run(list(0, 1, 2, 3));
  await turns();
  expect([own.numbers, one.numbers, two.numbers]).toEqual([[0], [1], [2]]);
  await own.report();
  await own.report();
  expect(own.numbers).toEqual([0, 3]);
  vi.advanceTimersByTime(10_000); // two are late, and one can help
  await turns();
  expect(own.numbers).toEqual([0, 3, 1]);
  await two.report(); // before anybody else has begun it
  await own.report();
  expect(sorted(await run)).toEqual([0, 1, 2, 3]);
  expect(own.numbers, 'nothing was begun that was done').toEqual([0, 3, 1]);
  const next = rounds.run(list(4));
  await turns();
  await one.die(); // of an errand that another has done
  await expect(joined).rejects.toThrow('died');
  await (own.numbers.includes(4) ? own : two).report();
  expect(await next).toEqual([{ number: 4 }]);
  expect(own.numbers.length + two.numbers.length).toBe(5);
  rounds.over();
});

test('without the one who thinks there is no thought', async () => {
  const own = new Hand();
  const rounds = new Rounds(own.work);
  const run = rounds.run(list(0));
  await turns();
  await own.die();
  await expect(run).rejects.toThrow('died');
  await expect(rounds.run(list(1))).rejects.toThrow('died');
  rounds.over();
});
