/** A server as a sitting knows it: it keeps a log, takes drafts once by their keys,
 * refuses with reasons, and tells everybody what happened. */
import type { Move, Viewer } from '../../engine/protocol.ts';
import type { Entry, Seating, Stand, Why } from '../inputs.ts';
import { choices, play, start, toAct, type TinyView } from './tiny.ts';

interface Line {
  entry: Omit<Entry, 'look' | 'seating'>;
  after: TinyView;
  going: Seating['going'];
  look: boolean; // whoever hears it must begin anew
  away: number[]; // seats at which a bot plays until somebody is back
}

export type Outcome = { number: number } | { why: Why };

export class Model {
  log: Line[] = [];
  readonly keys = new Map<string, { body: string; outcome: Outcome }>();
  out = new Set<number>(); // seats whose people are signed out
  private away = new Set<number>(); // whose time ran out
  private draws = 0;

  constructor(readonly seats = 2) {
    this.write({ do: 'start', seat: 'chance', move: { do: 'start' } }, start(seats), 'play', true);
  }

  get number() {
    return this.log.length - 1;
  }
  get now(): TinyView {
    return this.log.at(-1)!.after;
  }
  get going() {
    return this.log.at(-1)!.going;
  }
  /** Whose turn it is, of those who are there. */
  get owner(): number | null {
    const seat = toAct(this.now);
    return this.going === 'play' && typeof seat === 'number' && !this.out.has(seat) && !this.away.has(seat) ? seat : null;
  }

  /** Makes the moves of a draft, all or none; again by the same key it does nothing. */
  post(key: string, seat: number, after: number, moves: Move[]): Outcome {
    const body = JSON.stringify([seat, after, moves]);
    const known = this.keys.get(key);
    if (known) return known.body === body ? known.outcome : { why: { key: 'server.key', args: {} } };
    const outcome = this.judge(seat, after, moves);
    if (!('why' in outcome)) this.keys.set(key, { body, outcome });
    return outcome;
  }

  private judge(seat: number, after: number, moves: Move[]): Outcome {
    if (this.out.has(seat)) return { why: { key: 'server.who', args: {} } };
    if (this.away.has(seat)) return { why: { key: 'table.ran-out', args: {} } };
    if (this.going === 'paused') return { why: { key: 'table.paused', args: {} } };
    const since = this.log.slice(after + 1).find(({ entry }) => ['move', 'chance', 'undo'].includes(entry.do));
    if (since) return { why: since.entry.do === 'chance' ? { key: 'table.overtaken', args: {} } : { key: 'table.overtaken.by', args: { seat: 0 } } };
    return this.make(seat, moves);
  }

  private make(seat: number, moves: Move[]): Outcome {
    let view = this.now;
    const made: { move: Move; view: TinyView; events: Entry['events'] }[] = [];
    for (const move of moves) {
      const next = play(view, seat, move);
      if (!next) return { why: { key: 'tiny.refused', args: {}, rule: '1.1' } };
      view = next.view;
      made.push({ move, view, events: next.events });
    }
    for (const { move, view, events } of made) this.write({ do: 'move', seat, move }, view, 'play', move.do === 'look', events);
    if (toAct(this.now) === 'chance') {
      const move: Move = { do: 'draw', card: this.draws++ % 3 };
      const next = play(this.now, 'chance', move)!;
      this.write({ do: 'chance', seat: 'chance', move }, next.view, 'play', false, next.events);
    }
    return { number: this.number };
  }

  pause(on: boolean) {
    if (this.going === (on ? 'play' : 'paused')) this.write({ do: on ? 'pause' : 'resume', seat: 'chance', move: { do: 'pause' } }, this.now, on ? 'paused' : 'play', false);
  }

  /** The time of whoever is to act runs out: a bot plays for them until they are back. */
  timeout(): boolean {
    const seat = toAct(this.now);
    if (this.going !== 'play' || typeof seat !== 'number' || this.away.has(seat)) return false;
    this.away.add(seat);
    this.write({ do: 'timeout', seat: 'chance', move: { do: 'timeout' } }, this.now, 'play', false, [{ key: 'tiny.ran-out', args: { seat }, to: 'all' }]);
    return true;
  }

  /** The bot makes the turn of whoever is away. It tells which moves that were. */
  standIn(): Move[] {
    const seat = toAct(this.now);
    if (this.going !== 'play' || typeof seat !== 'number' || !this.away.has(seat)) return [];
    const { turn } = this.now;
    const moves: Move[] = [];
    while (this.now.turn === turn) {
      const [move] = choices(this.now);
      this.make(seat, [move]);
      moves.push(move);
    }
    return moves;
  }

  /** Who was away is back. */
  back() {
    if (!this.away.size || this.going !== 'play') return;
    this.away.clear();
    this.write({ do: 'return', seat: 'chance', move: { do: 'return' } }, this.now, 'play', false);
  }

  /** Somebody says something: it changes nothing. */
  chatter() {
    this.write({ do: 'ask', seat: 'chance', move: { do: 'ask' } }, this.now, this.going, false, [{ key: 'tiny.asks', args: {}, to: 'all' }]);
  }

  /** Takes back the last turn, or so many. */
  undo(turns = 1): boolean {
    const force = this.inForce();
    const last = force.findLast(({ entry }) => entry.do === 'move');
    if (!last || this.going !== 'play') return false;
    const turn = (line: Line) => (this.log[line.entry.number - 1]?.after.turn ?? 0);
    const first = force.find((line) => line.entry.do === 'move' && turn(line) >= turn(last) + 1 - turns)!;
    const to = first.entry.number - 1;
    this.write({ do: 'undo', seat: 'chance', move: { do: 'undo' }, to }, this.log[to].after, 'play', true, [{ key: 'tiny.undone', args: {}, to: 'all' }]);
    return true;
  }

  /** The entries that stand. */
  inForce(): Line[] {
    let lines: Line[] = [];
    for (const line of this.log) {
      if (line.entry.do === 'undo') lines = lines.filter(({ entry }) => entry.number <= line.entry.to!);
      else if (['move', 'chance'].includes(line.entry.do)) lines.push(line);
    }
    return lines;
  }

  private write(what: Pick<Entry, 'do' | 'seat' | 'move' | 'to'>, after: TinyView, going: Seating['going'], look: boolean, events: Entry['events'] = []) {
    this.log.push({ entry: { ...what, number: this.log.length, turn: after.turn, events }, after, going: after.turn >= 8 ? 'over' : going, look, away: [...this.away] });
  }

  /** An entry as somebody hears it, at a seat or as a watcher. */
  told(number: number, viewer: Viewer): Entry {
    const { entry, going, look, away } = this.log[number];
    const seated = number === 0 || this.log[number - 1].going !== going || String(this.log[number - 1].away) !== String(away) || look;
    const { seating, ...stand } = this.stand(viewer, number);
    return { ...structuredClone(entry), ...(look ? { look: { ...stand, seating } } : {}), ...(seated ? { seating } : {}) };
  }

  /** Who somebody at a seat is for the server. */
  viewer(seat: number): Viewer {
    return this.out.has(seat) ? 'watcher' : seat;
  }

  /** The table as somebody sees it now, or saw it. */
  stand(viewer: Viewer, number = this.number): Stand {
    const { after, going, away } = this.log[number];
    return { number, view: structuredClone(after), viewer, seating: { here: viewer === 'watcher' || away.includes(viewer) ? [] : [viewer], going }, result: null };
  }
}

