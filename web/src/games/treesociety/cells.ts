/** What can be pointed at: cards in rows, on the table and in front of a player,
 * each with the move that pointing at it means. */
import type { Move } from '../../engine/protocol.ts';
import { same } from '../../table/plies.ts';
import type { Choice } from '../../table/face.ts';
import type { FruitCard, GuildCard, QuoteView, RowName, View } from './view.ts';
import type { Printed } from './deck.ts';

/** Where a card lies. */
export type Zone = 'shown' | 'stall' | RowName | 'fruit' | 'progress' | 'completed';

export interface Cell {
  at: string; // its zone and number
  zone: Zone;
  fruit: FruitCard | null;
  guild: GuildCard | null;
  level: number; // where the marker of a guild stands, 0 in the market
  quote: QuoteView | null; // what its next level would cost
  move: Move | null; // what pointing at it means; null for a gap
  choice: Choice | null; // the same as far as it is allowed
}

/** Whether the effect that waits needs a discard before it can be used. */
export const wants = ({ job, asked }: View): boolean => job?.stage === 'asked' && asked === 'discard';

/** What waits for a choice: the verb of a clause or of the fruit action. */
export function asks(view: View): string {
  if (view.action?.state === 'begun') return view.action.action;
  if (wants(view)) return 'discard';
  return view.job?.verb ?? '';
}

/** Whether a card is there to be chosen; to lose one unasked is not meant. */
export const meant = ({ choice }: Cell, view: View): boolean => !!choice && (choice.move.do !== 'discard' || asks(view) === 'discard');

/** A player's own section. */
export const ownZones: readonly Zone[] = ['fruit', 'progress', 'completed'];

/** The cards of the table row by row, those of a seat below the markets. */
export function cellsOf(view: View, deck: Printed, choices: readonly Choice[], seat: number | null): Cell[] {
  const cells: Cell[] = [];
  const rows = asks(view) === 'row' || asks(view) === 'refresh'; // a card of the market stands for its row
  const add = (zone: Zone, i: number, id: number | null, does: string, level = 0) => {
    const move = id === null ? null : rows && (zone === 'top' || zone === 'bottom') ? { do: 'row', row: zone } : { do: does, card: id };
    const isFruit = zone === 'stall' || zone === 'fruit' || (zone === 'shown' && view.fruit);
    cells.push({
      at: `${zone}-${i}`,
      zone,
      fruit: id !== null && isFruit ? deck.fruit(id) : null,
      guild: id !== null && !isFruit ? deck.card(id) : null,
      level,
      quote: (!isFruit && zone !== 'completed' && view.quotes.find((q) => q.card === id)) || null,
      move,
      choice: (move && choices.find((c) => same(c.move, move))) || null,
    });
  };
  const loses = asks(view) === 'discard';
  view.shown.forEach((id, i) => add('shown', i, id, 'keep'));
  view.stall.forEach((id, i) => add('stall', i, id, view.phase === 'draft' ? 'draft' : 'take'));
  view.market.top.forEach((id, i) => add('top', i, id, 'found'));
  view.market.bottom.forEach((id, i) => add('bottom', i, id, 'found'));
  if (seat === null) return cells;
  const mine = view.players[seat];
  mine.row.forEach((id, i) => add('fruit', i, id, 'sell'));
  mine.progress.forEach((p, i) => add('progress', i, p?.card ?? null, loses ? 'discard' : 'raise', p?.level));
  mine.completed.forEach((id, i) => add('completed', i, id, 'discard', 3));
  return cells;
}
