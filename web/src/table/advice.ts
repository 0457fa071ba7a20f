/** What the strongest level would do in one's place, and why: a hint. */
import type { Engine } from '../engine/engine.ts';
import type { Event, Move, Option, Reason } from '../engine/protocol.ts';
import { language } from '../words/words.svelte.ts';
import { think } from './thought.ts';
import type { Table } from './face.ts';
import { same } from './plies.ts';

/** A way to make the turn. */
export interface Way {
  line: Move[];
  told: Event[][]; // what each move of the line does, as the log would tell it
  win: number | null; // from 0 to 1
  sum: Sum | null; // null where there was nothing to weigh
}

/** Points as they are shown, in tenths: the lead now, what is added, and what it
 * comes to in the end. */
export interface Sum {
  now: number;
  reasons: { reason: Reason; tenths: number }[];
  lead: number;
}

export interface Advice {
  asked: Move[]; // the draft when it was asked for
  base: Move[]; // what stands of it before the line
  ways: Way[]; // the best first
  cut: boolean; // time was up
  again: boolean; // it was given before, or is about what was
}

/** How long a hint may take, in milliseconds; whoever waits can end it sooner. */
const patience = 20_000;

/** Asks for advice about the rest of the turn; about all of it where that is made
 * up. Whoever asks the same again is told the same. */
export async function advise(table: Table): Promise<Advice> {
  const { draft: asked, complete } = table;
  const base = complete ? [] : asked;
  const given = givenIn(table);
  const known = given.get(name(base));
  if (known) return { ...known, asked, again: true };
  const again = [...given.values()].some(({ base, ways }) => name([...base, ...ways[0].line]) === name(asked));
  const advice = { ...(await weigh(table, base)), asked, base, again };
  given.set(name(base), advice);
  return advice;
}

/** Thinks about what to do after a part of the turn. */
async function weigh(table: Table, base: Move[]): Promise<Pick<Advice, 'ways' | 'cut'>> {
  const { seed, moves } = table;
  const game = await table.record();
  const who = { player: table.info.levels.at(-1)!.player, seed: `${seed} ${moves} ${base.length}`, ms: patience };
  return think(game, who, async (thought, engine) => {
    const teller = new Teller(table, engine);
    // Where there is one move alone nobody weighs it: what comes after it counts.
    const forced: Move[] = [];
    while (!thought.options.length) {
      forced.push(...thought.line);
      if (!(await teller.play(thought.line))) return { ways: [{ line: forced, told: teller.told, win: null, sum: null }], cut: false };
      thought = await engine.ask('think', who);
    }
    const { now, options, cut } = thought;
    const ways: Way[] = [];
    for (const option of options) {
      const told = await teller.tell(option.line);
      ways.push({ line: [...forced, ...option.line], told, win: option.win ?? null, sum: sumOf(now, option) });
    }
    return { ways, cut: cut === true };
  });
}

/** What was advised in a turn, by the draft that stood before it. */
const memory = new WeakMap<Table, { turn: string; given: Map<string, Advice> }>();

const name = (draft: Move[]) => JSON.stringify(draft);

function givenIn(table: Table): Map<string, Advice> {
  const turn = `${table.moves} ${JSON.stringify(table.ground)}`;
  let known = memory.get(table);
  if (known?.turn !== turn) memory.set(table, (known = { turn, given: new Map() }));
  return known.given;
}

/** Puts moves into words by playing them, in an engine that knows no more than
 * the seat they are for. */
class Teller {
  told: Event[][] = []; // of the moves that stand
  private readonly seat: number;

  constructor(
    private readonly table: Table,
    private readonly engine: Engine,
  ) {
    this.seat = table.viewer as number;
  }

  /** Plays moves that stand. Whether the seat is still to move. */
  async play(line: Move[]): Promise<boolean> {
    let goesOn = true;
    for (const move of line) {
      const { events, toAct } = await this.engine.ask('play', { seat: this.seat, move });
      this.told.push(this.own(events));
      goesOn = toAct[0] === this.seat;
    }
    return goesOn;
  }

  /** What stands, and what a line would do after it; the line is taken back. */
  async tell(line: Move[]): Promise<Event[][]> {
    const before = this.told.length;
    await this.play(line);
    const told = this.told;
    for (let i = before; i < told.length; i++) await this.engine.ask('undo', {});
    this.told = told.slice(0, before);
    return told;
  }

  /** What a move does itself, without what follows from the end of a turn. */
  private own(events: Event[]): Event[] {
    const others = events.findIndex((e) => e.args.seat !== this.seat || this.table.face.interlude([e]) !== null);
    return others < 0 ? events : events.slice(0, others);
  }
}

/** Rounds to tenths so that the column adds up before everybody's eyes: what
 * rounding leaves over goes to the last reason, which is the remainder anyway.
 * What comes to nothing is left out. */
export function sumOf(now: number, { margin, reasons }: Pick<Option, 'margin' | 'reasons'>): Sum {
  const tenths = (points: number) => Math.round(points * 10) + 0; // no −0
  const sum: Sum = { now: tenths(now), reasons: reasons.map((reason) => ({ reason, tenths: tenths(reason.points) })), lead: tenths(margin) };
  const last = sum.reasons.at(-1);
  if (last) last.tenths += sum.lead - sum.reasons.reduce((all, r) => all + r.tenths, sum.now);
  sum.reasons = sum.reasons.filter((r) => r.tenths || r === last);
  return sum;
}

/** Where the draft stands in a way: how many of its moves are made. Null where
 * somebody went another way, and the advice is no longer about this turn. */
export function made({ asked, base }: Pick<Advice, 'asked' | 'base'>, line: Move[], draft: Move[]): number | null {
  const whole = [...base, ...line];
  if (draft.length >= base.length && draft.every((move, i) => whole[i] && same(move, whole[i]))) return draft.length - base.length;
  return draft.length === asked.length && draft.every((move, i) => same(move, asked[i])) ? 0 : null;
}

/** "+3.4": points with their sign, always to the tenth, so that columns align. */
export function signed(tenths: number): string {
  return new Intl.NumberFormat(language(), { minimumFractionDigits: 1, signDisplay: 'exceptZero' }).format(tenths / 10).replace('-', '−');
}

/** "58%": a chance; nothing is certain before it has happened. */
export function percent(chance: number): string {
  const format = new Intl.NumberFormat(language(), { style: 'percent' });
  const near = Math.min(0.99, Math.max(0.01, chance));
  return (chance > 0.99 ? '> ' : chance < 0.01 ? '< ' : '') + format.format(near);
}
