/** A tiny game with all that a sitting must cope with, and its engine: turns of
 * several steps, steps that follow by themselves, a choice that turns something
 * open, chance, moves that are refused. It answers as the real engine does.
 *
 * A turn is one or two stones. A stone is 1, 2 or 3, and not the one laid last. After
 * a 3 there is nothing left but to rest, which makes itself; else one lays another, or
 * looks under the cloth: then chance says what lies there. Eight turns are a game;
 * after the fourth the stones are counted. */
import type { Actor, Event, Move, Settings } from '../../engine/protocol.ts';
import type { Question, Reply, Terms } from '../inputs.ts';

export interface TinyView {
  seats: number;
  turn: number;
  laid: number[]; // in order
  begun: number | null; // the first stone of this turn
  drawing: boolean;
  cloth: number[]; // what chance has shown
}

export const turns = 8;
export const settings: Settings = { game: 'tiny', version: 1, options: {}, seats: 2 };
export const lay = (stone: number): Move => ({ do: 'lay', stone });
export const look: Move = { do: 'look' };
const rest: Move = { do: 'rest' };

export const toAct = (v: TinyView): Actor | null => (v.turn >= turns ? null : v.drawing ? 'chance' : v.turn % v.seats);

export function choices(v: TinyView): Move[] {
  if (v.turn >= turns) return [];
  if (v.drawing) return [0, 1, 2].map((card) => ({ do: 'draw', card }));
  if (v.begun === 3) return [rest];
  const stones = [1, 2, 3].filter((stone) => stone !== v.laid.at(-1)).map(lay);
  return v.begun === null ? stones : [...stones.filter((m) => m.stone !== 3), look];
}

/** The position after a move, with what is told of it; null where it is refused. */
export function play(v: TinyView, seat: Actor, move: Move): { view: TinyView; events: Event[] } | null {
  if (seat !== toAct(v) || !choices(v).some((m) => JSON.stringify(m) === JSON.stringify(move))) return null;
  const view: TinyView = { ...v, laid: [...v.laid], cloth: [...v.cloth] };
  const events: Event[] = [{ key: `tiny.${move.do}`, args: { seat: seat === 'chance' ? -1 : seat }, to: 'all' }];
  let ends = move.do === 'rest' || move.do === 'draw';
  if (move.do === 'lay') {
    view.laid.push(move.stone as number);
    ends = v.begun !== null;
    view.begun = ends ? null : (move.stone as number);
  } else if (move.do === 'look') view.drawing = true;
  else if (move.do === 'draw') view.cloth.push(move.card as number);
  if (ends) {
    [view.turn, view.begun, view.drawing] = [v.turn + 1, null, false];
    if (view.turn === turns / 2) events.push({ key: 'tiny.counted', args: {}, to: 'all' });
  }
  return { view, events };
}

export const start = (seats = 2): TinyView => ({ seats, turn: 0, laid: [], begun: null, drawing: false, cloth: [] });

export const counts: Terms['counts'] = (events) => (events.some((e) => e.key === 'tiny.counted') ? 'middle' : null);

/** The engine of the tiny game. */
export class Tiny {
  past: TinyView[] = []; // what can be taken back
  view: TinyView | null = null;
  private seed = 0;

  ask(question: Question): Reply {
    const no = (key: string): Reply => ({ ok: false, why: { key, args: {}, rule: '1.1' } });
    const now = this.view;
    const news = (events: Event[] = []) => ({ ok: true as const, toAct: this.acts(), turn: this.view!.turn, events });
    switch (question.do) {
      case 'new':
        [this.past, this.view, this.seed] = [[], start(question.seats), question.seed.length];
        return news();
      case 'open':
        [this.past, this.view] = [[], structuredClone(question.view as TinyView)];
        return news();
    }
    if (!now) return no('tiny.none');
    switch (question.do) {
      case 'play': {
        const made = play(now, question.seat, question.move);
        if (!made) return no('tiny.refused');
        this.past.push(now);
        this.view = made.view;
        return news(made.events);
      }
      case 'draw': {
        const move: Move = { do: 'draw', card: (this.seed + now.turn) % 3 };
        const made = play(now, 'chance', move);
        if (!made) return no('tiny.refused');
        this.past.push(now);
        this.view = made.view;
        return { ...news(made.events), move } as Reply;
      }
      case 'undo':
        if (!this.past.length) return no('tiny.first');
        this.view = this.past.pop()!;
        return { ok: true, toAct: this.acts() } as Reply;
      case 'moves': {
        const moves = choices(now);
        return { ok: true, toAct: this.acts(), moves, facts: moves.map((m) => (m.do === 'look' ? { reveals: true } : {})) } as Reply;
      }
      case 'view':
        return { ok: true, view: structuredClone(now) } as Reply;
      case 'standing':
        return { ok: true, over: now.turn >= turns, seats: this.scores() } as Reply;
      case 'sheet':
        return { ok: true, lines: [] } as Reply;
      case 'cards':
        return { ok: true, printed: ['a card'] } as Reply;
      default:
        return no('tiny.unknown');
    }
  }

  private acts = () => [toAct(this.view!)].filter((who) => who !== null);
  private scores = () => Array.from({ length: this.view!.seats }, (_, seat) => ({ total: this.view!.laid.filter((_, i) => i % this.view!.seats === seat).length, parts: {}, rank: 1 }));
}
