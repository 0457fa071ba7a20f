/** What a game that is kept here tells its sitting: what was sent is taken at once,
 * unless something was told meanwhile that the draft could not know of. */
import type { Effect, Entry, Happening } from './inputs.ts';

export class Ledger {
  private told = -1; // the last entry that was told

  /** What comes of a draft. `number` is the last entry that the sitting has taken. */
  send({ key, after, seat, moves }: Extract<Effect, { do: 'send' }>, number: number): Happening[] {
    if (after < Math.max(this.told, number)) return [{ is: 'refused', key, why: { key: 'page.taken-back', args: {} } }];
    return moves.map((move, i) => this.tell({ number: after + 1 + i, do: 'move', seat, move, turn: null, events: null }));
  }

  /** Takes a turn back, once. */
  takeBack({ to }: Extract<Effect, { do: 'take-back' }>, number: number): Happening[] {
    return this.told > number ? [] : [this.tell({ number: number + 1, do: 'undo', seat: 'chance', move: { do: 'undo' }, to, turn: null, events: null })];
  }

  private tell(entry: Entry): Happening {
    this.told = entry.number;
    return { is: 'entry', entry };
  }
}
