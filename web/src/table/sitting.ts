/** One sitting, as a pure reducer: a state and an input give a state and effects.
 * It knows every phase of a game at a screen, asks the engine everything and knows
 * no rule. Where the game lives (in this browser, on a server) is not known here:
 * both tell entries and take drafts, and what differs is data (Terms, Seating).
 *
 * What belongs together is a list of tasks in the state. Each asks the engine one
 * thing at most and waits for the answer to its own id, so an answer that comes for
 * anything else changes nothing. While there are tasks, what people do and what is
 * told waits in the queue, in its order, and is judged when its turn has come. */
import type { Event, Line, Move, News, Score, Viewer } from '../engine/protocol.ts';
import type { Act, Effect, Entry, Input, Question, Reply, Seating, Spot, Stand, Terms, Why } from './inputs.ts';
import { common, finished, oneLess, same, type Choice, type Ground, type Ply, type Step } from './plies.ts';
import { longest, since, stops, tempo, type Missed } from './recap.ts';
import { glimpse, movesOf, nothing, questions, recall, seen, show, type Shown } from './shown.ts';

/** A second press within so many milliseconds still belongs to the turn before. */
const doubleClick = 400;

/** What may wait to be shown before it is shown at once. */
const backlog = 24;

export type Phase =
  | { readonly is: 'loading' }
  | { readonly is: 'person' } // somebody at this screen makes up a turn
  | { readonly is: 'sent'; readonly key: string; readonly after: number; readonly seat: number; readonly moves: readonly Move[]; readonly tries: number; readonly wait: number } // it is on its way; `wait` is what ends before it is sent again, 0 while it is sent
  | { readonly is: 'bot' } // others are to act, or chance
  | { readonly is: 'hand-over'; readonly next: number } // to somebody else at this screen
  | { readonly is: 'interlude'; readonly part: string } // points are being counted
  | { readonly is: 'recap'; readonly back: Phase } // what was missed is shown
  | { readonly is: 'over' }
  | { readonly is: 'broken'; readonly why: Why | null };

/** Something to be done, with all that it needs to go on after an answer. */
type Task =
  | { readonly is: 'back'; readonly to: number } // takes the draft back to so many steps
  | { readonly is: 'moves' } // asks what may be done
  | { readonly is: 'make'; readonly want: readonly Move[]; readonly or?: Or } // makes the draft this one, as far as the rules allow it
  | { readonly is: 'look' } // shows where the game is
  | { readonly is: 'linger'; readonly share: number; readonly since: number } // lets people follow
  | { readonly is: 'new'; readonly seed: string; readonly line: readonly Pick<Entry, 'seat' | 'move'>[] }
  | { readonly is: 'play'; readonly entry: Entry; readonly own: boolean; readonly overtaken: number }
  | { readonly is: 'draw' }
  | { readonly is: 'retrace'; readonly entry: Entry; readonly many: number } // takes back what was confirmed
  | { readonly is: 'log'; readonly to: number } // reads what happened up to an entry
  | { readonly is: 'stand'; readonly stand: Stand; readonly from: number; readonly again: boolean; readonly made: boolean } // takes a table over as it was shown, once the log is read
  | { readonly is: 'open'; readonly stand: Stand }
  | { readonly is: 'await' } // the table is to be shown anew
  | { readonly is: 'settle'; readonly events: Event[]; readonly overtaken: number } // something was confirmed
  | { readonly is: 'counting' } // until it has been seen
  | { readonly is: 'begin'; readonly before: Phase['is']; readonly overtaken?: number; readonly why?: Why }
  | { readonly is: 'begun'; readonly before: Phase['is']; readonly overtaken: number; readonly why: Why | null }
  | { readonly is: 'recap'; readonly from: number; readonly stops: readonly number[]; readonly at: number; readonly began: number }
  | { readonly is: 'do'; readonly effects: readonly Effect[] };

/** What is done where the rules refuse a move that somebody tried. */
interface Or {
  readonly n: number;
  readonly spot: Spot;
  readonly stood: Move | null; // what it was to take the place of
}

export interface Sitting {
  readonly terms: Terms;
  readonly seating: Seating;
  readonly viewer: Viewer;
  readonly phase: Phase;

  readonly plies: readonly Ply[]; // confirmed
  readonly number: number; // of the last entry that was taken
  readonly turn: number; // the turn after it
  readonly ground: Ground; // the position before the draft
  readonly depth: number; // plies that the engine can take back
  readonly steps: readonly Step[]; // the draft, as it stands in the engine
  readonly aim: Choice | null; // a choice that turns something open: it is not made before Confirm
  readonly choices: readonly Choice[] | null; // after the draft; null where they were not asked for
  readonly waiting: readonly Move[]; // a draft that is made again when it is our turn
  readonly heard: readonly Event[]; // of a turn of which the rest is still to be told

  readonly tasks: readonly Task[];
  readonly asked: { readonly id: number; readonly move?: Move; readonly forced?: boolean } | null;
  readonly queue: readonly Input[];
  readonly ids: number; // given so far
  readonly wanted: number; // the id of a look that was asked for; 0 for none

  readonly line: readonly Move[]; // what a bot is about to do
  readonly thinking: number; // the id of its thought; 0 for none
  readonly since: number | null; // when it was asked
  readonly hurry: boolean; // others' moves are being skipped
  readonly confirmedAt: number;

  readonly attending: boolean; // somebody looks at the table
  readonly away: boolean; // nobody has since something may have happened
  readonly known: number; // the last entry that somebody saw
  readonly missed: Missed | null; // what others did meanwhile
  readonly result: Score[] | null;
  readonly lastSheet: Line[] | null;
  readonly up: boolean; // the line to where the game lives
  readonly shown: Shown;
}

export function sitDown(terms: Terms, seating: Seating, viewer: Viewer = seating.here.length === 1 ? seating.here[0] : 'watcher'): Sitting {
  return {
    terms, seating, viewer,
    phase: { is: 'loading' },
    plies: [], number: -1, turn: 0, ground: { toAct: null, turn: 0 }, depth: 0,
    steps: [], aim: null, choices: null, waiting: [], heard: [],
    tasks: [], asked: null, queue: [], ids: 0, wanted: 0,
    line: [], thinking: 0, since: null, hurry: false, confirmedAt: -Infinity,
    attending: false, away: true, known: -1, missed: null, result: null, lastSheet: null, up: true,
    shown: nothing,
  }; // prettier-ignore
}

/** A sitting while one input is worked in. */
type Work = { -readonly [Name in keyof Sitting]: Sitting[Name] } & { out: Effect[]; at: number };

export function step(sitting: Sitting, input: Input): [Sitting, Effect[]] {
  const w: Work = { ...sitting, out: [], at: input.at };
  hear(w, input);
  run(w);
  const { out, at: _, ...next } = w;
  return [next, out];
}

/** Whether the draft is a whole turn. */
export const complete = ({ ground, steps, aim }: Pick<Sitting, 'ground' | 'steps' | 'aim'>) => aim !== null || finished(ground, steps);

/** Whether there is a turn of one's own before this one that can be taken back. */
export function takeable({ terms, seating, plies, phase, viewer }: Sitting): boolean {
  return phase.is === 'person' && terms.takesBack && seating.here.length === 1 && plies.some((ply) => ply.seat === viewer);
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
      if (w.phase.is === 'sent' && w.phase.wait && input.id === w.phase.wait) return send(w);
      return awaited && woken(w);
    case 'thought':
      if (input.id === w.thinking) [w.thinking, w.line] = [0, input.line];
      return;
    case 'accepted':
      if (w.phase.is === 'sent' && w.phase.key === input.key) w.phase = { ...w.phase, tries: 0, wait: 0 };
      return;
    case 'unheard':
      if (w.phase.is !== 'sent' || w.phase.key !== input.key || w.phase.wait) return;
      w.phase = { ...w.phase, tries: w.phase.tries + 1, wait: ++w.ids };
      return void w.out.push({ do: 'wait', id: w.ids, ms: input.ms });
    case 'line': {
      const lost = input.up && !w.up; // what was on its way may never arrive
      w.up = input.up;
      if (!input.up || w.phase.is !== 'sent' || !(lost || w.phase.wait)) return;
      if (!w.phase.wait) w.phase = { ...w.phase, tries: w.phase.tries + 1 };
      return send(w);
    }
    case 'skip':
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
    case 'entry':
      if (input.entry.number <= newest(w)) return; // known already
      break;
    case 'look':
      if (input.id && input.id !== w.wanted) return; // we were shown the table since we asked
      w.wanted = 0;
      w.queue = w.queue.filter((q) => q.is !== 'entry' || (input.id && q.entry.number > input.stand.number)); // the look has them
      if (w.tasks[0]?.is === 'linger') done(w);
  }
  w.queue = [...w.queue, input];
}

/** The number of the last entry that we have, taken or not. */
function newest({ queue, number }: Work): number {
  const last = queue.findLast((q) => q.is === 'entry' || q.is === 'look');
  return last?.is === 'entry' ? last.entry.number : last?.is === 'look' ? last.stand.number : number;
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

/** The first task is done, and others may come in its place. */
function done(w: Work, ...instead: Task[]) {
  w.tasks = [...instead, ...w.tasks.slice(1)];
  w.asked = null;
}

function ask(w: Work, questions: Question[], what: { move?: Move; forced?: boolean } = {}): true {
  w.asked = { id: ++w.ids, ...what };
  w.out.push({ do: 'ask', id: w.ids, questions });
  return true;
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
  w.tasks = [...lingering(w, entry, w.since ?? w.at), { is: 'play', entry, own: false, overtaken: 0 }];
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
      w.waiting = input.draft;
      w.tasks = [{ is: 'new', seed: input.seed, line: input.line }];
      return;
    case 'refused':
      if (w.phase.is !== 'sent' || w.phase.key !== input.key) return; // the stream was faster
      w.waiting = w.phase.moves;
      w.phase = { is: 'bot' };
      w.tasks = [{ is: 'back', to: 0 }, { is: 'begin', before: 'person', why: input.why }];
      return fetchLook(w, false);
    default:
      if ('n' in input) act(w, input);
  }
}

/** Somebody at this screen does something. */
function act(w: Work, input: Act) {
  const end = (ok: boolean) => void w.out.push({ do: 'done', n: input.n, ok });
  if (input.is === 'take-screen') {
    if (w.phase.is !== 'hand-over') return end(false);
    w.viewer = w.phase.next;
    w.tasks = [{ is: 'begin', before: 'hand-over' }, { is: 'do', effects: [{ do: 'done', n: input.n, ok: true }] }];
    return;
  }
  if (input.is === 'recap') {
    if (!w.missed || w.phase.is === 'loading') return end(false);
    const { from } = since(w.plies, w.viewer);
    w.missed = null;
    w.phase = { is: 'recap', back: w.phase };
    w.out.push({ do: 'slip', why: null, spot: null });
    w.tasks = [{ is: 'recap', from, stops: stops(w.plies, from), at: -1, began: 0 }, { is: 'look' }, { is: 'do', effects: [{ do: 'done', n: input.n, ok: true }] }];
    return;
  }
  if (w.phase.is !== 'person') return end(false);
  w.out.push({ do: 'slip', why: null, spot: null });
  const draft = movesOf(w.steps, w.aim);
  const after = (...effects: Effect[]): Task[] => [{ is: 'look' }, { is: 'do', effects: [...effects, { do: 'done', n: input.n, ok: true }] }];
  switch (input.is) {
    case 'try':
      return attempt(w, input);
    case 'undo': {
      if (!draft.length) {
        if (takeable(w)) w.out.push({ do: 'take-back', to: ownTurn(w) });
        return end(takeable(w));
      }
      const to = w.aim ? w.steps.length : oneLess(w.steps);
      w.tasks = [{ is: 'back', to }, ...hands(to ? [] : ['reset']), ...after({ do: 'say', key: 'page.undone' })];
      return;
    }
    case 'restart':
      w.tasks = [{ is: 'back', to: 0 }, ...hands(['reset']), ...after({ do: 'say', key: 'page.restarted' })];
      return;
    case 'redraft': {
      const to = common(w.steps, input.moves);
      const bare: Task[] = to ? [] : [{ is: 'look' }, ...hands(['reset', 'drop'])];
      w.tasks = [{ is: 'back', to }, ...bare, { is: 'make', want: input.moves }, ...after({ do: 'sound', name: 'place' }, { do: 'say', key: 'prompt' })];
      return;
    }
    case 'confirm': {
      const again = w.at - w.confirmedAt < doubleClick;
      if (!complete(w)) {
        if (again) return end(false);
        if (input.next) return attempt(w, { n: input.n, move: input.next, spot: input.spot });
        w.out.push({ do: 'slip', why: 'missing', spot: input.spot });
        return end(false);
      }
      w.confirmedAt = w.at;
      w.missed = null;
      w.heard = [];
      w.phase = { is: 'sent', key: input.key, after: w.number, seat: w.ground.toAct as number, moves: draft, tries: 0, wait: 0 };
      w.shown = { ...w.shown, phase: 'sent' };
      send(w);
      return end(true);
    }
  }
}

const hands = (what: ('reset' | 'drop')[]): Task[] => (what.length ? [{ is: 'do', effects: what.map((what) => ({ do: 'hand', what })) }] : []);

/** Makes a choice; where a finished turn waits, it takes the place of its last step. */
function attempt(w: Work, { n, move, spot }: { n: number; move: Move; spot: Spot }) {
  const stood = complete(w) ? (w.aim?.move ?? w.steps.at(-1)!.move) : null;
  const keep = stood && !w.aim ? w.steps.slice(0, -1) : w.steps;
  w.tasks = [{ is: 'back', to: keep.length }, { is: 'make', want: [...movesOf(keep, null), move], or: { n, spot, stood } }, { is: 'look' }, { is: 'do', effects: [{ do: 'sound', name: 'place' }, { do: 'done', n, ok: true }] }];
}

/** The entry before the viewer's last turn. */
function ownTurn({ plies, viewer }: Work): number {
  const turn = plies.findLast((ply) => ply.seat === viewer)!.turn;
  return plies.find((ply) => ply.seat === viewer && ply.turn === turn)!.number - 1;
}

/** Sends the draft, again with the same key. */
function send(w: Work) {
  if (w.phase.is !== 'sent') return;
  const { key, after, seat, moves, tries } = (w.phase = { ...w.phase, wait: 0 });
  w.out.push({ do: 'send', key, after, seat, moves: [...moves], tries });
}

/** The draft leaves the engine before anybody is asked whose turn it is: it waits
 * until it is our turn again, unless the turn was made, here or in another window.
 * The answer is how much of a draft was overtaken. */
function putAside(w: Work, made: Move | null = null): number {
  const rest = movesOf(w.steps, w.aim);
  const draft = w.phase.is === 'sent' ? w.phase.moves : rest;
  if (made) w.waiting = [];
  else if (draft.length) w.waiting = draft;
  if (w.phase.is === 'sent' || w.phase.is === 'person') [w.phase, w.shown] = [{ is: 'bot' }, { ...w.shown, phase: 'bot' }];
  return made && (!rest.length || same(rest[0], made)) ? 0 : draft.length;
}

function takeEntry(w: Work, entry: Entry) {
  if (entry.number <= w.number) return;
  if (entry.number !== w.number + 1) return anew(w); // something was not told
  w.out.push({ do: 'took', more: entry.more });
  const own = entry.do === 'move' && w.seating.here.includes(entry.seat as number);
  const before = w.phase.is;
  if (entry.seating) w.seating = entry.seating;
  if (entry.look) {
    const events = note(w, entry);
    const overtaken = putAside(w, own ? entry.move : null);
    w.tasks = [{ is: 'open', stand: entry.look }, { is: 'settle', events, overtaken }];
  } else if (own && w.steps.length && same(w.steps[0].move, entry.move)) confirmed(w, entry);
  else if (entry.do === 'move' || entry.do === 'chance') {
    const overtaken = putAside(w, own ? entry.move : null);
    w.tasks = [{ is: 'back', to: 0 }, ...(before === 'bot' ? lingering(w, entry) : []), { is: 'play', entry, own, overtaken }];
  } else if (entry.do === 'undo') {
    const many = w.plies.filter((ply) => !ply.beside && ply.number > entry.to!).length;
    if (many > w.depth) return anew(w);
    putAside(w);
    w.tasks = [{ is: 'back', to: 0 }, { is: 'retrace', entry, many }];
  } else {
    w.out.push({ do: 'tell', events: note(w, entry) });
    reseat(w);
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
    w.tasks = [{ is: 'settle', events: all, overtaken: 0 }];
  } else {
    w.heard = all; // the rest of it follows
    if (w.phase.is !== 'sent') w.tasks = [{ is: 'look' }];
  }
}

/** Somebody sits otherwise than before, or nothing but the log has changed: the game
 * itself is where it was. A draft that is on its way is not touched. */
function reseat(w: Work) {
  w.shown = recall(w.shown, w);
  if (w.phase.is === 'sent' || w.phase.is === whose(w).is) {
    w.out.push({ do: 'keep' });
    return attend(w);
  }
  const before = w.phase.is;
  putAside(w);
  w.tasks = [{ is: 'back', to: 0 }, { is: 'begin', before }];
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
  if (draft) w.waiting = draft;
  if (from < w.number) [w.plies, w.number, w.turn] = [[], -1, 0]; // another history than the one we saw
  w.tasks = [{ is: 'log', to: stand.number }, { is: 'stand', stand, from, again: again || from < 0, made: false }];
}

/** Writes an entry into the log. It gives the events that were told with it. */
function note(w: Work, entry: Entry, engine: { events: Event[]; after: Ground } | null = null): Event[] {
  const { number, seat, move } = entry;
  const beside = entry.do !== 'move' && entry.do !== 'chance';
  const events = entry.events ?? engine?.events ?? [];
  if (entry.do === 'undo') w.plies = w.plies.filter((ply) => ply.beside || ply.number <= entry.to!);
  if (events.length || !beside) w.plies = [...w.plies, { number, beside, seat, move, turn: beside ? -2 - number : w.turn, events }];
  w.number = number;
  w.turn = entry.turn ?? engine?.after.turn ?? w.turn;
  return events;
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
function begin(w: Work, { before, overtaken = 0, why = null }: { before: Phase['is']; overtaken?: number; why?: Why | null }) {
  const seat = w.ground.toAct;
  w.phase = whose(w);
  if (w.phase.is === 'person') w.viewer = seat as number;
  else if (w.terms.secrets && w.seating.here.length > 1 && seat !== 'chance' && seat !== w.viewer) w.viewer = 'watcher';
  if (w.phase.is === 'hand-over') w.viewer = 'watcher';
  w.choices = null;
  w.out.push({ do: 'hand', what: 'reset' });
  const begun: Task[] = [{ is: 'look' }, { is: 'begun', before, overtaken, why }];
  if (w.phase.is !== 'person') return done(w, ...begun);
  w.hurry = false;
  const want = w.waiting;
  w.waiting = [];
  done(w, { is: 'moves' }, ...(want.length ? [{ is: 'look' } as const, { is: 'make', want } as const] : []), ...begun);
}

/** What is said when a turn has begun. */
function begun(w: Work, { before, overtaken, why }: Extract<Task, { is: 'begun' }>) {
  const mine = w.phase.is === 'person';
  if (why) w.out.push({ do: 'slip', why, spot: null });
  else if (overtaken) {
    const kept = mine ? movesOf(w.steps, w.aim).length : 0;
    const key = kept >= overtaken ? 'page.online.overtaken.kept' : kept ? 'page.online.overtaken.part' : 'page.online.overtaken';
    w.out.push({ do: 'slip', why: { key, args: {} }, spot: null });
  }
  if (w.phase.is === 'over') {
    w.out.push({ do: 'over' });
    if (before !== 'over' && before !== 'loading') w.out.push({ do: 'sound', name: 'end' });
  }
  if (mine && before !== 'person') {
    w.out.push({ do: 'say', key: 'prompt' });
    if (before !== 'loading') w.out.push({ do: 'turn' });
  }
}

function broke(w: Work, why: Why | null) {
  w.phase = { is: 'broken', why };
  w.shown = { ...w.shown, phase: 'broken' };
  for (const q of w.queue) if ('n' in q) w.out.push({ do: 'done', n: q.n, ok: false });
  for (const task of w.tasks) if (task.is === 'do') w.out.push(...task.effects.filter((effect) => effect.do === 'done').map((effect) => ({ ...effect, ok: false })));
  [w.queue, w.tasks, w.asked] = [[], [], null];
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
  const last = replies.at(-1) as unknown as News & { move: Move };
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
    case 'look':
      w.shown = show(w.shown, { ...w, phase: w.phase.is }, seen(replies), { veiled: w.phase.is === 'interlude' && w.terms.secrets, result: w.result });
      if (w.lastSheet) w.shown = { ...w.shown, sheet: w.lastSheet };
      w.out.push({ do: 'keep' });
      attend(w);
      return done(w);
    case 'new':
      w.ground = { toAct: last.toAct[0] ?? null, turn: (replies[0] as unknown as News).turn };
      w.turn = w.ground.turn;
      task.line.forEach(({ seat, move }, i) => {
        const { events, toAct, turn } = replies[i + 1] as unknown as News;
        note(w, { number: i, do: seat === 'chance' ? 'chance' : 'move', seat, move, turn: null, events: null }, { events, after: { toAct: toAct[0] ?? null, turn } });
      });
      [w.depth, w.ground] = [task.line.length, after];
      return done(w, { is: 'begin', before: 'loading' });
    case 'draw':
    case 'play': {
      const entry: Entry = task.is === 'play' ? task.entry : { number: w.number + 1, do: 'chance', seat: 'chance', move: last.move, turn: null, events: null };
      const events = note(w, entry, { events: last.events, after });
      w.ground = after;
      w.depth++;
      if (entry.do === 'move' && !(task.is === 'play' && task.own)) w.out.push({ do: 'sound', name: 'place' });
      return done(w, { is: 'settle', events: [...w.heard, ...events], overtaken: task.is === 'play' ? task.overtaken : 0 });
    }
    case 'retrace': {
      const { turn } = w.plies.find((ply) => !ply.beside && ply.number > task.entry.to!)!;
      w.ground = { toAct: after.toAct, turn };
      w.depth -= task.many;
      [w.line, w.thinking, w.missed] = [[], 0, null];
      note(w, { ...task.entry, turn });
      w.out.push({ do: 'keep' });
      return done(w, { is: 'begin', before: 'person' }, { is: 'do', effects: [{ do: 'say', key: 'page.taken-back' }] });
    }
    case 'open': {
      const { viewer, seating, result, number } = task.stand;
      Object.assign(w, { viewer, seating, result, ground: after, depth: 0, steps: [], aim: null, choices: null, turn: after.turn, number: Math.max(w.number, number) });
      return done(w);
    }
  }
}

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
  const mine = w.phase.is === 'sent' || w.steps.length || w.aim ? w.ground.toAct : null;
  let { again, made } = stand;
  const fresh = entries.filter(({ number }) => number > w.number && number <= log.to);
  for (const entry of fresh) {
    if (entry.do === 'move' || entry.do === 'chance' || entry.do === 'undo') again = true;
    if (entry.do === 'move' && entry.seat === mine) made = true;
    note(w, entry);
  }
  w.asked = null;
  if (!fresh.length) w.number = log.to; // they cannot be had
  w.tasks = [log, { ...stand, again, made }, ...rest];
}

/** The log is read up to a look. Where the game has not changed, what is under way
 * here goes on. */
function standing(w: Work, { stand, from, again, made }: Extract<Task, { is: 'stand' }>) {
  w.out.push({ do: 'took', more: stand.more });
  const same = stand.viewer === w.viewer && from >= 0 && w.phase.is !== 'loading';
  const changed = w.plies.some((ply) => ply.number > from && (!ply.beside || ply.move.do === 'undo'));
  if (same && ((w.phase.is === 'sent' && !changed) || !again)) {
    w.seating = stand.seating;
    w.tasks = w.tasks.slice(1);
    return reseat(w);
  }
  const before = w.phase.is;
  putAside(w);
  if (made) w.waiting = []; // our turn was made, here or elsewhere: it is no draft any more
  done(w, { is: 'open', stand }, { is: 'begin', before });
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

// --- what was missed ----------------------------------------------------------------

/** How things stood at a moment is there to be shown. */
function framed(w: Work, { seen, toAct }: Extract<Input, { is: 'frame' }>) {
  const [task] = w.tasks as [Extract<Task, { is: 'recap' }>];
  if (!seen) {
    w.out.push({ do: 'slip', why: { key: 'page.recap.lost', args: {} }, spot: null });
    return endRecap(w);
  }
  const made = task.at < 0 ? task.from : task.stops[task.at];
  const before = task.at < 1 ? task.from : task.stops[task.at - 1];
  const began = task.at < 0 ? w.at : task.began; // what comes before it is not looked at, however slow the machine
  w.shown = glimpse(w.shown, w.viewer, w.plies.slice(0, made), toAct, seen);
  w.out.push({ do: 'tell', events: w.plies.slice(before, made).flatMap((ply) => ply.events) });
  const each = tempo(task.stops.length);
  const until = task.at < task.stops.length - 1 ? began + each * (task.at + 2) : w.at + each;
  w.asked = { id: ++w.ids };
  w.tasks = [{ ...task, began }, ...w.tasks.slice(1)];
  w.out.push({ do: 'wait', id: w.ids, ms: Math.max(0, until - w.at) });
}

function endRecap(w: Work) {
  if (w.phase.is === 'recap') w.phase = w.phase.back;
  w.missed = null;
  w.out.push({ do: 'frames-end' });
  done(w);
}

/** Who was away is offered what they did not see; what is seen is remembered. */
function attend(w: Work) {
  const { viewer, plies, known } = w;
  if (!w.attending || w.shown.phase === 'loading' || w.phase.is === 'recap') return;
  if (w.away || w.missed) {
    const missed = typeof viewer === 'number' && w.phase.is !== 'over' ? since(plies, viewer) : null;
    w.missed = missed && plies.slice(missed.from).some((ply) => typeof ply.seat === 'number' && ply.number > known) ? missed : null;
    w.away = false;
  }
  if (w.missed || (w.known === w.number && w.known >= 0)) return;
  w.known = w.number;
  w.out.push({ do: 'seen', number: w.number });
}
