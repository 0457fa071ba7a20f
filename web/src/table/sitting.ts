/** One sitting, as a pure reducer: a state and an input give a state and effects.
 * It knows every phase of a game at a screen, asks the engine everything and knows
 * no rule. Where the game lives (in this browser, on a server) is not known here:
 * both tell entries and take drafts, and what differs is data (Terms, Seating).
 *
 * What belongs together is a list of tasks in the state. Each waits for the answer to
 * its own id, so an answer that comes for anything else changes nothing. While there are tasks, what people do and what is
 * told waits in the queue, in its order, and is judged when its turn has come. */
import type { Move, Upshot } from '../engine/protocol.ts';
import { act, send } from './acts.ts';
import { cameBy, fate, missing, putAside } from './aside.ts';
import type { Effect, Entry, Input, Reply, Why } from './inputs.ts';
import { attend, endRecap, framed } from './missed.ts';
import { finished, same, type Choice, type Ground } from './plies.ts';
import { longest } from './recap.ts';
import { movesOf, questions, recall, seen, show } from './shown.ts';
import type { Draft, Phase, Sitting, Task } from './state.ts';
import { ask, broke, done, note, type Work } from './work.ts';

export { complete, sitDown, takeable, type Phase, type Sitting } from './state.ts';

/** What may wait to be shown before it is shown at once. */
const backlog = 24;

/** So many milliseconds after a turn was taken, its entries are overdue. */
const overdue = 5000;

export function step(sitting: Sitting, input: Input): [Sitting, Effect[]] {
  const w: Work = { ...sitting, out: [], at: input.at };
  hear(w, input);
  run(w);
  const { out, at: _, ...next } = w;
  return [next, out];
}

/** Takes an input in: what concerns no position at once, all else in its order. */
function hear(w: Work, input: Input) {
  if (w.phase.is === 'broken') return void ('n' in input && w.out.push({ do: 'done', n: input.n, ok: false }));
  const awaited = 'id' in input && input.id === w.asked?.id;
  switch (input.is) {
    case 'answer':
      return awaited && answered(w, input.replies);
    case 'entries':
      return awaited && logged(w, input.entries);
    case 'frame':
      return awaited && framed(w, input);
    case 'wake':
      if (w.phase.is === 'sent' && w.phase.wait && input.id === w.phase.wait) {
        if (!w.phase.tries) { // it was said to be taken, and nothing came of it
          w.phase = { ...w.phase, tries: 1 };
          fetchLook(w, false);
        }
        return send(w);
      }
      return awaited && woken(w);
    case 'thought':
      if (input.id === w.thinking) [w.thinking, w.line] = [0, input.line];
      return;
    case 'accepted':
      if (w.phase.is !== 'sent' || w.phase.key !== input.key) return;
      w.phase = { ...w.phase, tries: 0, wait: ++w.ids, busy: 0 };
      return void w.out.push({ do: 'wait', id: w.ids, ms: overdue });
    case 'unheard':
      if (w.phase.is !== 'sent' || w.phase.key !== input.key || w.phase.wait) return;
      w.phase = { ...w.phase, tries: w.phase.tries + 1, wait: ++w.ids, busy: input.busy ? input.ms : 0 };
      return void w.out.push({ do: 'wait', id: w.ids, ms: input.ms });
    case 'connection': {
      const lost = input.up && !w.up; // what was on its way may never arrive
      w.up = input.up;
      if (!input.up || w.phase.is !== 'sent' || !(lost || w.phase.wait)) return;
      if (!w.phase.wait || !w.phase.tries) w.phase = { ...w.phase, tries: w.phase.tries + 1 };
      return send(w);
    }
    case 'unsend':
      if (w.phase.is !== 'sent' || !w.phase.busy) return; // nobody knows yet what came of it
      break;
    case 'skip':
      if (w.phase.is === 'person') return; // there is nothing to skip
      w.hurry = true;
      return w.tasks[0]?.is === 'linger' ? done(w) : undefined;
    case 'counted':
      if (w.tasks[0]?.is !== 'counting') return;
      w.phase = { is: 'bot' };
      return done(w);
    case 'end-recap':
      if (w.phase.is === 'recap') return endRecap(w);
      w.missed = null;
      return attend(w);
    case 'attend':
      w.attending = input.here;
      if (input.here) w.known = input.known;
      else w.away = true;
      return attend(w);
    case 'sheet':
      w.lastSheet = input.lines;
      w.shown = { ...w.shown, sheet: input.lines };
      return;
    case 'broke':
      return broke(w, input.why);
    case 'look':
      if (input.id && input.id !== w.wanted) return; // we were shown the table since we asked
      w.wanted = 0;
      w.queue = w.queue.filter((q) => q.is !== 'entry' || (input.id && q.entry.number > input.stand.number)); // the look has them
      if (w.tasks[0]?.is === 'linger') done(w);
  }
  w.queue = [...w.queue, input];
}

/** Goes on as far as it can be gone without an answer. */
function run(w: Work) {
  while (!w.asked && w.phase.is !== 'broken') {
    if (w.tasks.length) {
      if (!perform(w, w.tasks[0])) return;
    } else if (w.queue.length) {
      const [input, ...rest] = w.queue;
      w.queue = rest;
      handle(w, input);
    } else if (!idle(w)) return;
  }
}

/** Nobody is to act, so chance draws or a bot thinks, where that is done here. */
function idle(w: Work): boolean {
  const { terms, ground, phase, seating } = w;
  if (phase.is !== 'bot' || seating.going !== 'play') return false;
  if (ground.toAct === 'chance' && terms.draws) {
    w.tasks = [{ is: 'draw' }];
    return true;
  }
  if (typeof ground.toAct !== 'number' || !terms.thinks) {
    w.hurry = false;
    return false;
  }
  const [move, ...rest] = w.line;
  if (!move) {
    if (!w.thinking) {
      w.since = w.at;
      w.out.push({ do: 'think', id: (w.thinking = ++w.ids), seat: ground.toAct, made: w.plies.length });
    }
    return false;
  }
  w.line = rest;
  const entry: Entry = { number: w.number + 1, do: 'move', seat: ground.toAct, move, turn: null, events: null };
  w.tasks = [...lingering(w, entry, w.since ?? w.at), { is: 'play', entry, own: false, overtaken: null }];
  w.since = null;
  return true;
}

/** Others' moves come so that they can be followed. */
function lingering(w: Work, entry: Entry, since = w.at): Task[] {
  if (w.hurry || entry.do !== 'move' || w.queue.filter((q) => q.is === 'entry').length > backlog) return [];
  const before = w.plies.findLast((ply) => !ply.beside);
  const inTurn = before?.seat === entry.seat && before.turn === w.turn;
  return [{ is: 'linger', share: inTurn ? 0.45 : w.terms.thinks ? 1 : 0.7, since }];
}

// --- what people do, and what is told ------------------------------------------

function handle(w: Work, input: Input) {
  switch (input.is) {
    case 'entry':
      return takeEntry(w, input.entry);
    case 'look':
      return takeLook(w, input);
    case 'open':
      w.result = input.result ?? null;
      w.tasks = [{ is: 'new', seed: input.seed, line: input.line, draft: input.draft }];
      return;
    case 'refused':
      if (w.phase.is !== 'sent' || w.phase.key !== input.key) return; // the stream was faster
      putAside(w, null);
      w.tasks = [{ is: 'back', to: 0 }, { is: 'begin', before: 'person', why: input.why }];
      return fetchLook(w, false);
    case 'unsend':
      if (w.phase.is !== 'sent') return; // it was taken meanwhile, or refused
      putAside(w, null);
      w.tasks = [{ is: 'back', to: 0 }, { is: 'begin', before: 'sent' }];
      return;
    default:
      if ('n' in input) act(w, input);
  }
}

function takeEntry(w: Work, entry: Entry) {
  if (entry.number <= w.number) return; // known already
  if (entry.number !== w.number + 1) return anew(w); // something was not told
  w.out.push({ do: 'took', more: entry.more });
  const { here } = w.seating;
  const own = entry.do === 'move' && here.includes(entry.seat as number);
  const came = cameBy(w, entry, here);
  const before = w.phase.is;
  if (entry.seating) w.seating = entry.seating;
  if (entry.look) {
    const overtaken = putAside(w, came);
    const events = note(w, entry);
    w.tasks = [{ is: 'open', stand: entry.look }, { is: 'settle', events, overtaken }];
  } else if (own && w.steps.length && same(w.steps[0].move, entry.move)) confirmed(w, entry);
  else if (entry.do === 'move' || entry.do === 'chance') {
    const overtaken = putAside(w, came);
    w.tasks = [{ is: 'back', to: 0 }, ...(before === 'bot' ? lingering(w, entry) : []), { is: 'play', entry, own, overtaken }];
  } else if (entry.do === 'undo') {
    const many = w.plies.filter((ply) => !ply.beside && ply.number > entry.to!).length;
    if (!many || many > w.depth) return anew(w);
    const overtaken = putAside(w, came);
    w.tasks = [{ is: 'back', to: 0 }, { is: 'retrace', entry, many, overtaken }];
  } else {
    w.out.push({ do: 'tell', events: note(w, entry) });
    reseat(w, entry.do === 'timeout' ? { key: 'page.online.ran-out', args: { moves: movesOf(w.steps, w.aim).length } } : null);
  }
}

/** What we sent, or would have, was made: it is no draft any more. */
function confirmed(w: Work, entry: Entry) {
  const [first, ...rest] = w.steps;
  w.steps = rest;
  w.ground = first.after;
  w.depth++;
  const events = note(w, entry, first);
  const all = [...w.heard, ...events];
  if (!rest.length && !w.aim) {
    w.phase = { is: 'bot' };
    w.tasks = [{ is: 'settle', events: all, overtaken: null }];
  } else {
    w.heard = all; // the rest of it follows
    if (w.phase.is !== 'sent') w.tasks = [{ is: 'look' }];
  }
}

/** Somebody sits otherwise than before, or nothing but the log has changed: the game
 * itself is where it was. A draft that is on its way is not touched. `why` is said
 * where a turn does not go on because of it. */
function reseat(w: Work, why: Why | null = null) {
  w.shown = recall(w.shown, w);
  if (w.phase.is === 'sent' || w.phase.is === whose(w).is) {
    w.out.push({ do: 'keep' });
    return attend(w);
  }
  const before = w.phase.is;
  const overtaken = putAside(w, null);
  w.tasks = [{ is: 'back', to: 0 }, { is: 'begin', before, overtaken, why }];
}

/** From what we know it cannot be gone on: the table is shown to us anew. */
function anew(w: Work) {
  fetchLook(w, true);
  w.tasks = [{ is: 'await' }];
}

function fetchLook(w: Work, again: boolean) {
  w.wanted = ++w.ids;
  w.out.push({ do: 'fetch-look', id: w.ids, again });
}

function takeLook(w: Work, { stand, again, draft }: Extract<Input, { is: 'look' }>) {
  if (stand.number < w.number && !again) return; // we know more by now
  const from = stand.number < w.number ? -1 : w.number;
  if (from < w.number) [w.plies, w.number, w.turn] = [[], -1, 0]; // another history than the one we saw
  w.tasks = [{ is: 'log', to: stand.number }, { is: 'stand', stand, from, again: again || from < 0, draft, here: w.seating.here, came: null }];
}

// --- whose turn it is ------------------------------------------------------------

/** Who is to act, by the position before any draft. */
function whose({ ground, seating, terms, viewer }: Pick<Work, 'ground' | 'seating' | 'terms' | 'viewer'>): Phase {
  const seat = ground.toAct;
  if (seat === null || seating.going === 'over') return { is: 'over' };
  if (seating.going !== 'play' || seat === 'chance' || !seating.here.includes(seat)) return { is: 'bot' };
  return terms.secrets && seating.here.length > 1 && viewer !== seat ? { is: 'hand-over', next: seat } : { is: 'person' };
}

/** A turn begins, or goes on after chance. No draft stands. */
function begin(w: Work, { before, overtaken = null, why = null }: Extract<Task, { is: 'begin' }>) {
  const { toAct: seat, turn } = w.ground;
  w.phase = whose(w);
  if (w.phase.is === 'person') w.viewer = seat as number;
  else if (w.terms.secrets && w.seating.here.length > 1 && seat !== 'chance' && seat !== w.viewer) w.viewer = 'watcher';
  if (w.phase.is === 'hand-over') w.viewer = 'watcher';
  w.choices = null;
  w.out.push({ do: 'hand', what: 'reset' });
  const begun = (back: number): Task[] => [{ is: 'look' }, { is: 'begun', before, overtaken, why, back }];
  if (w.phase.is !== 'person') return done(w, ...begun(0));
  w.hurry = false;
  const draft = w.aside?.seat === seat && w.aside.turn === turn ? w.aside : null; // one for another turn is for nothing
  w.aside = null;
  done(w, { is: 'moves' }, ...(draft ? [{ is: 'look', quiet: true } as const, { is: 'make', want: draft.moves } as const] : []), ...begun(draft?.moves.length ?? 0));
}

/** What is said when a turn has begun. */
function begun(w: Work, { before, overtaken, why, back }: Extract<Task, { is: 'begun' }>) {
  const mine = w.phase.is === 'person';
  const said = why ?? (overtaken ? fate(w, overtaken) : missing(w, back));
  if (said || back) w.out.push({ do: 'slip', why: said, spot: null }); // what was said of a draft holds no more when it is back
  if (w.phase.is === 'over') {
    w.out.push({ do: 'over' });
    if (before !== 'over' && before !== 'loading') w.out.push({ do: 'sound', name: 'end' });
  }
  if (mine && before !== 'person') {
    w.out.push({ do: 'say', key: 'prompt' });
    if (before !== 'loading') w.out.push({ do: 'turn' });
  }
}

// --- tasks -------------------------------------------------------------------------

/** Begins a task, or goes on with it. False where it waits for people. */
function perform(w: Work, task: Task): boolean {
  const { terms, steps, viewer } = w;
  switch (task.is) {
    case 'back':
      w.aim = null;
      if (steps.length > task.to) return ask(w, [{ do: 'undo' }]);
      break;
    case 'moves':
      return ask(w, [{ do: 'moves', facts: true }]);
    case 'make':
      return make(w, task);
    case 'look':
      return ask(w, questions(viewer, terms.cards && w.shown.cards === null));
    case 'linger':
      w.asked = { id: ++w.ids };
      w.out.push({ do: 'linger', id: w.ids, share: task.share, since: task.since });
      return true;
    case 'new':
      return ask(w, [{ do: 'new', ...terms.settings, chance: 'manual', seed: task.seed }, ...task.line.map(({ seat, move }) => ({ do: 'play' as const, seat, move }))]);
    case 'play':
      return ask(w, [{ do: 'play', seat: task.entry.seat, move: task.entry.move }]);
    case 'draw':
      return ask(w, [{ do: 'draw' }]);
    case 'retrace':
      if (task.many) return ask(w, Array.from({ length: task.many }, () => ({ do: 'undo' })));
      break;
    case 'log':
      if (w.number >= task.to) break;
      w.asked = { id: ++w.ids };
      w.out.push({ do: 'fetch', id: w.ids, from: w.number + 1 });
      return true;
    case 'stand':
      standing(w, task);
      return true;
    case 'open':
      return ask(w, [{ do: 'open', ...terms.settings, seat: task.stand.viewer, view: task.stand.view, then: [] }]);
    case 'await': {
      const look = w.queue.findIndex((q) => q.is === 'look');
      if (look < 0) return false;
      w.queue = [w.queue[look], ...w.queue.filter((q, i) => i !== look && (i > look || q.is !== 'entry'))];
      break;
    }
    case 'settle':
      settle(w, task);
      return true;
    case 'counting':
      return false;
    case 'begin':
      begin(w, task);
      return true;
    case 'begun':
      begun(w, task);
      break;
    case 'recap':
      w.asked = { id: ++w.ids };
      w.out.push({ do: 'frame', id: w.ids, made: task.at < 0 ? task.from : task.stops[task.at] });
      return true;
    case 'do':
      w.out.push(...task.effects);
  }
  done(w);
  return true;
}

/** The engine has answered what the first task asked. */
function answered(w: Work, replies: Reply[]) {
  const [task] = w.tasks;
  const asked = w.asked!;
  const no = replies.find((reply) => !reply.ok);
  w.asked = null;
  if (no && task.is === 'make') return refusedBy(w, task, no.why);
  if (no && task.is === 'play' && !w.terms.draws) return anew(w); // what we knew and what is do not fit
  if (no) return broke(w, no.why);
  const last = replies.at(-1) as unknown as Upshot & { move: Move };
  const after: Ground = { toAct: last.toAct?.[0] ?? null, turn: last.turn };
  switch (task.is) {
    case 'back':
      w.choices = w.steps.at(-1)!.choices;
      w.steps = w.steps.slice(0, -1);
      return;
    case 'moves':
      w.choices = choicesOf(replies[0]);
      return done(w);
    case 'make':
      if (!asked.move) return void (w.choices = choicesOf(replies[0]));
      w.steps = [...w.steps, { choices: w.choices!, move: asked.move, events: last.events, forced: asked.forced!, after }];
      w.choices = null;
      return;
    case 'look': {
      const shown = show(w.bare ?? w.shown, { ...w, phase: w.phase.is }, seen(replies), { veiled: w.phase.is === 'interlude' && w.terms.secrets, result: w.result });
      if (task.quiet) {
        w.bare = shown;
        return done(w);
      }
      [w.shown, w.bare] = [w.lastSheet ? { ...shown, sheet: w.lastSheet } : shown, null];
      w.out.push({ do: 'keep' });
      attend(w);
      return done(w);
    }
    case 'new':
      w.ground = { toAct: last.toAct[0] ?? null, turn: (replies[0] as unknown as Upshot).turn };
      w.turn = w.ground.turn;
      task.line.forEach(({ seat, move }, i) => {
        const { events, toAct, turn } = replies[i + 1] as unknown as Upshot;
        note(w, { number: i, do: seat === 'chance' ? 'chance' : 'move', seat, move, turn: null, events: null }, { events, after: { toAct: toAct[0] ?? null, turn } });
      });
      [w.depth, w.ground] = [task.line.length, after];
      w.aside = draftOf(after, task.draft);
      return done(w, { is: 'begin', before: 'loading' });
    case 'draw':
    case 'play': {
      const entry: Entry = task.is === 'play' ? task.entry : { number: w.number + 1, do: 'chance', seat: 'chance', move: last.move, turn: null, events: null };
      const events = note(w, entry, { events: last.events, after });
      w.ground = after;
      w.depth++;
      if (entry.do === 'move' && !(task.is === 'play' && task.own)) w.out.push({ do: 'sound', name: 'place' });
      return done(w, { is: 'settle', events: [...w.heard, ...events], overtaken: task.is === 'play' ? task.overtaken : null });
    }
    case 'retrace': {
      const { turn } = w.plies.find((ply) => !ply.beside && ply.number > task.entry.to!)!;
      w.ground = { toAct: after.toAct, turn };
      w.depth -= task.many;
      w.heard = [];
      [w.line, w.thinking, w.missed] = [[], 0, null];
      note(w, { ...task.entry, turn });
      w.out.push({ do: 'keep' });
      return done(w, { is: 'begin', before: 'person', overtaken: task.overtaken }, { is: 'do', effects: [{ do: 'say', key: 'page.taken-back' }] });
    }
    case 'open': {
      const { viewer, seating, result, number } = task.stand;
      Object.assign(w, { viewer, seating, result, ground: after, depth: 0, steps: [], aim: null, choices: null, heard: [], turn: after.turn, number: Math.max(w.number, number) });
      if (task.blind && w.aside?.turn !== after.turn) w.aside = null; // it was made, for all that is known
      w.aside = draftOf(after, task.draft ?? []) ?? w.aside;
      return done(w);
    }
  }
}

/** A draft that was kept with the position that it is for. */
const draftOf = ({ toAct, turn }: Ground, moves: readonly Move[]): Draft | null => (typeof toAct === 'number' && moves.length ? { seat: toAct, turn, moves } : null);

const choicesOf = (reply: Reply): Choice[] => {
  const { moves, facts } = reply as unknown as { moves: Move[]; facts: Choice['facts'][] };
  return moves.map((move, i) => ({ move, facts: facts[i] }));
};

/** Makes the next step of a draft, or those that follow because there is no other. */
function make(w: Work, { want }: Extract<Task, { is: 'make' }>): true {
  const { steps, choices } = w;
  const play = (move: Move, forced: boolean) => ask(w, [{ do: 'play', seat: w.ground.toAct!, move }], { move, forced });
  if (w.aim || finished(w.ground, steps)) done(w);
  else if (!choices) return ask(w, [{ do: 'moves', facts: true }]);
  else if (steps.length && choices.length === 1 && !choices[0].facts.reveals) return play(choices[0].move, true);
  else {
    const next = want[steps.length];
    const choice = next && choices.find(({ move }) => same(move, next));
    if (next && !choice?.facts.reveals) return play(next, false);
    if (choice) w.aim = choice;
    done(w);
  }
  return true;
}

/** The rules do not allow a step. What somebody tried is explained to them, and what
 * stood there stands again; of a draft that is made again the rest is left out. */
function refusedBy(w: Work, { want, or }: Extract<Task, { is: 'make' }>, why: Why) {
  if (!or) return done(w);
  const { n, spot, stood } = or;
  w.out.push({ do: 'slip', why, spot }, { do: 'sound', name: 'refuse' });
  const again: Task[] = stood ? [{ is: 'make', want: [...want.slice(0, -1), stood] }, { is: 'look' }] : [];
  w.tasks = [...again, { is: 'do', effects: [{ do: 'done', n, ok: false }] }];
}

/** Entries have come that were asked for: they are what happened before a look. */
function logged(w: Work, entries: Entry[]) {
  const [log, stand, ...rest] = w.tasks as [Extract<Task, { is: 'log' }>, Extract<Task, { is: 'stand' }>, ...Task[]];
  let { again, here, came } = stand;
  const fresh = entries.filter(({ number }) => number > w.number && number <= log.to);
  for (const entry of fresh) {
    if (entry.do === 'move' || entry.do === 'chance' || entry.do === 'undo') again = true;
    const what = cameBy(w, entry, here);
    if (!came?.ends && what.by !== 'other') came = what;
    if (entry.seating) here = entry.seating.here;
    note(w, entry);
  }
  w.asked = null;
  const blind = !fresh.length; // they cannot be had: nobody knows what has changed
  if (blind) w.number = log.to;
  w.tasks = [log, { ...stand, again: again || blind, here, came, blind }, ...rest];
}

/** The log is read up to a look. Where the game has not changed, what is under way
 * here goes on. */
function standing(w: Work, { stand, from, again, blind, draft, came }: Extract<Task, { is: 'stand' }>) {
  w.out.push({ do: 'took', more: stand.more });
  const same = stand.viewer === w.viewer && from >= 0 && w.phase.is !== 'loading';
  const changed = w.plies.some((ply) => ply.number > from && (!ply.beside || ply.move.do === 'undo'));
  if (same && ((w.phase.is === 'sent' && !changed && !blind) || !again)) {
    w.seating = stand.seating;
    w.result = stand.result;
    w.tasks = w.tasks.slice(1);
    return reseat(w);
  }
  const before = w.phase.is;
  const out = before !== 'loading' && typeof w.viewer === 'number' && stand.viewer !== w.viewer;
  const why = out ? { key: 'page.online.signed-out', args: { seat: w.viewer } } : null;
  const overtaken = putAside(w, came);
  done(w, { is: 'open', stand, draft, blind }, { is: 'begin', before, overtaken, why });
}

/** Something was confirmed: it is kept, shown, and where points are counted that is
 * looked at before it goes on. */
function settle(w: Work, { events, overtaken }: Extract<Task, { is: 'settle' }>) {
  w.heard = [];
  w.out.push({ do: 'keep' });
  const part = w.terms.counts(events);
  const tell: Effect = { do: 'tell', events };
  const next: Task = { is: 'begin', before: 'bot', overtaken };
  if (part) {
    w.phase = { is: 'interlude', part };
    return done(w, { is: 'look' }, { is: 'do', effects: [tell] }, { is: 'counting' }, next);
  }
  w.out.push(tell);
  done(w, next);
}

/** A pause is over. */
function woken(w: Work) {
  const [task] = w.tasks;
  if (task.is !== 'recap') return done(w);
  const last = task.stops.length - 1;
  if (task.at >= last) return endRecap(w);
  done(w, { ...task, at: w.at - task.began > longest ? last : task.at + 1 }); // late: on to where the game is
}
