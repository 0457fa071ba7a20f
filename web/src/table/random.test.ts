/** Two people at a table of a server, on a bad line: what they do, what is told and
 * what is answered comes in any order, is lost, late or told twice. Whatever the
 * order, some things hold after every single input, and all is well in the end. */
import { expect, test } from 'vitest';
import type { Move, Viewer } from '../engine/protocol.ts';
import type { Effect } from './inputs.ts';
import { Ledger } from './ledger.ts';
import { finished, same } from './plies.ts';
import { Client } from './testing/client.ts';
import { Model } from './testing/model.ts';
import { choices, lay, look, toAct, type TinyView } from './testing/tiny.ts';

/** Numbers from a seed. */
function dice(seed: number) {
  let state = (seed * 2654435761) >>> 0;
  return (n: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
}

/** A window of somebody at the table: its sitting, its stream and its requests. */
class Window {
  readonly client: Client;
  stream: number[] = []; // entries that are on their way
  told = 0; // the next entry that the server tells it
  up = true;
  you: Viewer = 'watcher'; // who the server last said we are
  stranger = false; // it does not say so any more
  sent = new Map<string, string>(); // bodies by key
  keys = 0;
  posts: { key: string; after: number; seat: number; moves: Move[]; tries: number }[] = [];
  answers: (() => void)[] = []; // of the server, on their way

  constructor(
    readonly model: Model,
    readonly seat: number,
  ) {
    this.client = new Client([seat]);
    this.shown();
  }

  /** The stream begins anew, with the table as we may see it now. */
  shown() {
    const stand = this.model.stand(this.model.viewer(this.seat));
    this.you = stand.viewer;
    this.client.hear({ is: 'look', stand, again: true, id: 0 });
    this.told = this.model.number + 1;
    this.stream = [];
    this.stranger = false;
  }

  /** What the server has to tell goes on its way. */
  listen() {
    if (this.up) while (this.told <= this.model.number) this.stream.push(this.told++);
  }

  /** What the sitting wanted of the server goes on its way. */
  ask(what: Effect) {
    const { client, model, seat } = this;
    if (what.do === 'send') {
      const body = JSON.stringify([what.seat, what.after, what.moves]);
      must((this.sent.get(what.key) ?? body) === body, 'a key stands for two drafts');
      must((what.tries === 0) === !this.sent.has(what.key), 'what is sent again does not carry its key again');
      this.sent.set(what.key, body);
      this.posts.push(what);
    } else if (what.do === 'fetch') {
      const entries = Array.from({ length: Math.min(3, model.number + 1 - what.from) }, (_, i) => model.told(what.from + i, this.you));
      this.answers.push(() => client.hear({ is: 'entries', id: what.id, entries }));
    } else if (what.do === 'fetch-look') {
      const stand = model.stand(model.viewer(seat));
      this.answers.push(() => {
        this.you = stand.viewer;
        client.hear({ is: 'look', stand, again: what.again, id: what.id });
      });
    }
  }
}

function must(holds: boolean, why: string) {
  if (!holds) throw new Error(why);
}
const alike = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What holds after every input. */
function holds(model: Model, { client, seat }: Window) {
  const { sitting: s, engine } = client;
  must(s.phase.is !== 'broken', 'a table breaks');
  const ground = (s.steps.length ? engine.past.at(-s.steps.length) : engine.view) as TinyView;
  if (!s.asked && s.phase.is !== 'loading') {
    // The draft stands in the engine, on the position that it was made for.
    must(engine.past.length === s.depth + s.steps.length, 'the engine is elsewhere');
    must(toAct(ground) === s.ground.toAct && ground.turn === s.ground.turn, 'a draft on a position that is not there');
    must(s.phase.is === 'person' || s.phase.is === 'sent' || s.tasks.length > 0 || !s.steps.length, 'somebody has a draft whose turn it is not');
  }
  const idle = !s.asked && !s.tasks.length && !s.queue.length;
  const inStep = idle && s.number === model.number && s.viewer === model.viewer(seat);
  if (!inStep) return;
  must(alike(ground, model.now), 'the position is not that of the server');
  must(!s.aside || !model.inForce().some(({ entry }) => entry.seat === s.aside!.seat && model.log[entry.number - 1].after.turn === s.aside!.turn), 'a draft waits for a turn that was made');
  if (s.phase.is === 'person') {
    must(!s.aside, 'a draft waits for another turn');
    must(model.owner === seat, 'a turn has two owners');
    must(s.shown.phase === 'person', 'a turn that is not shown');
    must(alike(s.shown.draft, [...s.steps.map((step) => step.move), ...(s.aim ? [s.aim.move] : [])]), 'a draft that is not shown as it is');
    must(finished(s.ground, s.steps) || s.aim !== null || alike(s.choices!.map((c) => c.move), choices(engine.view!)), 'choices of another position');
  } else if (s.phase.is === 'bot') must(model.owner !== seat, 'who may act cannot');
}

function sitting(seed: number, most: number) {
  const roll = dice(seed);
  const model = new Model();
  const windows = [new Window(model, 0), new Window(model, 1), ...(seed % 3 ? [] : [new Window(model, 0)])];
  const confirmed: { key: string; moves: Move[] }[] = [];

  const act = (w: Window) => {
    const { client } = w;
    const n = ++client.n;
    const any = client.sitting.choices ?? [];
    const move = roll(6) && any.length ? any[roll(any.length)].move : [lay(1 + roll(4)), look, { do: 'rest' }][roll(3)];
    switch (client.situation === 'made up' && roll(2) ? 4 : roll(12)) {
      case 0:
        return client.hear({ is: 'undo', n });
      case 1:
        return client.hear({ is: 'restart', n });
      case 2:
        return client.hear({ is: 'redraft', n, moves: [lay(1 + roll(3)), lay(1 + roll(3))] });
      case 3:
        return client.hear({ is: 'recap', n });
      case 4: {
        const key = `${w.seat}/${windows.indexOf(w)}/${++w.keys}`;
        return client.hear({ is: 'confirm', n, key, next: null, spot: null });
      }
      default:
        return client.hear({ is: 'try', n, move, spot: null });
    }
  };

  /** One thing that can happen to a window. */
  const happen = (w: Window, calm: boolean): boolean => {
    const { client } = w;
    for (const what of client.pending.filter((e) => e.do === 'send' || e.do === 'fetch' || e.do === 'fetch-look')) w.ask(what);
    client.pending = client.pending.filter((e) => e.do !== 'send' && e.do !== 'fetch' && e.do !== 'fetch-look' && e.do !== 'take-back');
    w.listen();
    const able: (() => void)[] = [];
    if (client.pending.some((e) => e.do === 'ask')) able.push(() => client.answer());
    for (const name of ['wait', 'linger'] as const)
      if (client.pending.some((e) => e.do === name)) able.push(() => client.hear({ is: 'wake', id: client.take(name)!.id }));
    if (client.pending.some((e) => e.do === 'frame')) able.push(() => client.hear({ is: 'frame', id: client.take('frame')!.id, seen: null, toAct: null }));
    if (w.up && w.stream.length)
      able.push(() => {
        const number = w.stream.shift()!;
        for (let times = calm ? 1 : 1 + +!roll(6); times; times--) client.hear({ is: 'entry', entry: model.told(number, w.you) }); // now and then twice
      });
    if (w.answers.length) able.push(() => w.answers.splice(roll(w.answers.length), 1)[0]());
    if (w.posts.length)
      able.push(() => {
        const post = w.posts.splice(roll(w.posts.length), 1)[0];
        const { key, after, seat, moves } = post;
        const fate = calm ? 9 : roll(10);
        if (fate < 2) return w.answers.push(() => client.hear({ is: 'unheard', key, ms: 1, busy: fate > 0 })); // it never came, or was not taken yet
        const outcome = model.post(key, seat, after, moves);
        if (!('why' in outcome)) confirmed.push({ key, moves });
        if (fate < 4) return w.answers.push(() => client.hear({ is: 'unheard', key, ms: 1 })); // it was done, and nobody heard
        w.answers.push(() => client.hear('why' in outcome ? { is: 'refused', key, why: outcome.why } : { is: 'accepted', key }));
      });
    if (client.sitting.phase.is === 'interlude') able.push(() => client.hear({ is: 'counted' }));
    if (!able.length) return false;
    able[roll(able.length)]();
    holds(model, w);
    return true;
  };

  for (let i = 0; i < most; i++) {
    const w = windows[roll(windows.length)];
    switch (roll(32)) {
      case 0:
        model.pause(!roll(4));
        break;
      case 1:
        if (!roll(3)) model.undo();
        break;
      case 2:
        model.chatter();
        break;
      case 3: // the line breaks, and comes back where it was or with a look
        if (w.up && roll(3)) break;
        if (w.up) {
          w.up = false;
          w.client.hear({ is: 'connection', up: false });
          w.told -= w.stream.length;
          w.stream = [];
        } else {
          w.up = true;
          if (w.stranger || !roll(3)) w.shown();
          else if (!roll(3)) w.told = Math.max(1, w.told - roll(3)); // it tells something twice
          w.client.hear({ is: 'connection', up: true });
        }
        break;
      case 4:
        if (roll(8)) break;
        model.out[model.out.has(w.seat) ? 'delete' : 'add'](w.seat);
        for (const other of windows.filter(({ seat }) => seat === w.seat)) {
          other.up = false; // a stream ends with who it was for
          other.stranger = true;
          other.stream = [];
          other.client.hear({ is: 'connection', up: false });
        }
        break;
      case 12: // time runs out, a bot plays, and who was away is back
        if (roll(2)) break;
        if (roll(2)) model.timeout();
        else {
          const moves = model.standIn();
          if (moves.length) confirmed.push({ key: `bot ${model.number}`, moves });
          else model.back();
        }
        break;
      case 5:
        w.client.hear([{ is: 'skip' }, { is: 'attend', here: !roll(2), known: roll(10) }, { is: 'end-recap' }, { is: 'answer', id: 9999, replies: [] }, { is: 'wake', id: 0 }, { is: 'unsend' }][roll(6)] as never);
        break;
      case 6:
      case 7:
      case 8:
      case 9:
      case 10:
      case 11:
        act((roll(4) && windows.find(({ seat, up }) => up && seat === model.owner)) || w);
        break;
      default:
        for (const other of windows) for (let n = roll(4); n; n--) happen(other, false);
    }
    holds(model, w);
  }

  // All becomes calm: everybody is signed in, connected, and hears everything.
  model.out.clear();
  model.pause(false);
  model.back();
  for (const w of windows) {
    w.up = true;
    w.client.hear({ is: 'connection', up: true });
    w.shown();
  }
  for (let more = true, i = 0; more; i++) {
    expect(i, 'it comes to rest').toBeLessThan(5000);
    more = false;
    for (const w of windows) while (happen(w, true)) more = true;
  }
  const force = model.inForce().map(({ entry: { seat, move } }) => ({ seat, move }));
  for (const { client, seat } of windows) {
    const s = client.sitting;
    expect(s.number).toBe(model.number);
    expect(s.plies.filter((p) => !p.beside).map(({ seat, move }) => ({ seat, move }))).toEqual(force);
    expect(s.phase.is).toBe(model.going === 'over' ? 'over' : model.owner === seat ? 'person' : 'bot');
    expect([...client.done.keys()].sort((a, b) => a - b), 'every act ends once').toEqual(Array.from({ length: client.n }, (_, i) => i + 1));
  }
  // Whoever is to act does, and it counts.
  if (model.owner !== null) {
    const w = windows.find(({ seat }) => seat === model.owner)!;
    const before = model.number;
    w.client.hear({ is: 'restart', n: ++w.client.n });
    w.client.settle();
    for (let i = 0; i < 3 && w.client.situation !== 'made up'; i++) {
      w.client.hear({ is: 'try', n: ++w.client.n, move: w.client.sitting.choices![0].move, spot: null });
      w.client.settle();
    }
    w.client.hear({ is: 'confirm', n: ++w.client.n, key: 'the last', next: null, spot: null });
    while (happen(w, true));
    expect(model.number).toBeGreaterThan(before);
    expect(w.client.sitting.number).toBe(model.number);
  }
  // What was confirmed took effect once: as many moves as drafts that were taken.
  const taken = new Map(confirmed.map(({ key, moves }) => [key, moves]));
  const made = model.log.filter(({ entry }) => entry.do === 'move').map(({ entry }) => entry.move);
  const drafted = [...taken.values()].flat();
  expect(made.length).toBe(drafted.length);
  expect(made.every((move, i) => same(move, drafted[i]))).toBe(true);
  return { turns: model.now.turn, log: model.log.length };
}

test('whatever comes in whatever order', () => {
  let [turns, log] = [0, 0];
  for (let seed = 1; seed <= 300; seed++) {
    try {
      const end = sitting(seed, 60 + (seed % 7) * 60);
      turns += end.turns;
      log += end.log;
    } catch (e) {
      (e as Error).message = `seed ${seed}: ${(e as Error).message}`;
      throw e;
    }
  }
  expect(turns).toBeGreaterThan(500); // they did play
  expect(log).toBeGreaterThan(4000);
});

/** A game that is kept here, played by one person and a bot or by two people, one of
 * whom must not see what the other has. */
function kept(seed: number) {
  const roll = dice(seed);
  const here = seed % 2 ? [0] : [0, 1];
  const client = new Client(here, { draws: true, thinks: true, secrets: seed % 4 === 0 });
  const ledger = new Ledger();
  client.hear({ is: 'attend', here: true, known: seed % 3 ? Infinity : -1 });
  client.hear({ is: 'open', seed: 'seed', line: [], draft: [] });
  for (let i = 0; client.sitting.phase.is !== 'over'; i++) {
    must(i < 4000, 'a game that does not end');
    const { sitting: s, engine } = client;
    must(s.phase.is !== 'broken', 'a table breaks');
    if (!s.asked && s.phase.is !== 'loading') {
      must(engine.past.length === s.depth + s.steps.length && s.depth === s.plies.length, 'the engine is elsewhere');
      const idle = !s.tasks.length && !s.queue.length;
      const seat = s.ground.toAct;
      if (idle && s.phase.is === 'person') must(here.includes(seat as number) && s.viewer === seat, 'a turn of somebody else');
      if (idle && s.phase.is === 'bot') must(!here.includes(seat as number), 'who may act cannot');
      if (idle && s.phase.is === 'hand-over') must(s.viewer === 'watcher' && s.phase.next === seat, 'a secret lies open');
    }
    const what = client.pending.find((e) => e.do === 'send' || e.do === 'take-back') ?? (client.pending.length && roll(3) ? client.pending[roll(client.pending.length)] : null); // what is sent here is taken at once
    client.pending = client.pending.filter((effect) => effect !== what);
    if (what?.do === 'ask') client.hear({ is: 'answer', id: what.id, replies: what.questions.map((question) => engine.ask(question)) });
    else if (what?.do === 'wait' || what?.do === 'linger') client.hear({ is: 'wake', id: what.id });
    else if (what?.do === 'frame') client.hear({ is: 'frame', id: what.id, seen: null, toAct: null });
    else if (what?.do === 'think') client.hear({ is: 'thought', id: what.id, line: [choices(engine.view!)[roll(choices(engine.view!).length)]] });
    else if (what?.do === 'send') ledger.send(what, client.sitting.number).forEach((told) => client.hear(told));
    else if (what?.do === 'take-back') ledger.takeBack(what, client.sitting.number).forEach((told) => client.hear(told));
    else if (!what) {
      const n = ++client.n;
      const any = s.choices ?? [];
      const r = roll(10);
      if (s.phase.is === 'hand-over') client.hear({ is: 'take-screen', n });
      else if (s.phase.is === 'interlude') client.hear({ is: roll(2) ? 'counted' : 'skip' });
      else if (r === 0) client.hear({ is: 'undo', n });
      else if (r === 1) client.hear({ is: 'redraft', n, moves: [lay(1 + roll(3)), lay(1 + roll(3))] });
      else if (r === 2) client.hear({ is: 'recap', n });
      else if (r < 6 || !any.length) client.hear({ is: 'confirm', n, key: String(n), next: null, spot: null });
      else client.hear({ is: 'try', n, move: any[roll(any.length)].move, spot: null });
    }
  }
  // What is kept leads to the same place.
  const again = new Client(here, { draws: true, thinks: true });
  again.hear({ is: 'open', seed: 'seed', line: client.sitting.plies.map(({ seat, move }) => ({ seat, move })), draft: [] });
  again.settle();
  must(alike(again.engine.view, client.engine.view) && again.sitting.phase.is === 'over', 'a game that is another when it is opened again');
}

test('a game that is kept here goes on to its end, whatever people press', () => {
  for (let seed = 1; seed <= 120; seed++) {
    try {
      kept(seed);
    } catch (e) {
      (e as Error).message = `seed ${seed}: ${(e as Error).message}`;
      throw e;
    }
  }
});
