/** Where coins go when one position follows another, and which guilds were completed.
 * It is read off the two positions, so that a draft, a bot's move and what was missed
 * are all shown alike. */
import type { PlayerView, View } from './view.ts';

/** Where a journey begins or ends: with a seat, at a card as a cell of the board names
 * its place, at the market, or nowhere any more. */
export type Stop = { seat: number; at: 'purse' | 'chest' } | { seat: number; was: string | null; is: string | null } | 'market' | 'away';

export interface Journey {
  coins: number;
  from: Stop;
  to: Stop;
}

export interface Opening {
  seat: number;
  card: number;
  was: string | null; // the cell it lay in; null where it cannot be known
  is: string; // the cell it lies in
}

const outside = (before: readonly number[], after: readonly number[]) => after.filter((id) => !before.includes(id));

/** The cell in which a guild lies, as whoever owns it sees the board. */
function cellOf(card: number, view: View, player: PlayerView): string | null {
  const zones = { completed: player.completed, progress: player.progress.map((p) => p?.card ?? null), top: view.market.top, bottom: view.market.bottom, shown: view.fruit ? [] : view.shown };
  for (const [zone, cards] of Object.entries(zones)) if (cards.includes(card)) return `${zone}-${cards.indexOf(card)}`;
  return null;
}

/** The guild that was founded or raised. */
function built(before: PlayerView, after: PlayerView): number | null {
  const levels = (player: PlayerView) => new Map([...player.completed.map((card) => [card, 3] as const), ...player.progress.flatMap((p) => (p ? [[p.card, p.level] as const] : []))]);
  const was = levels(before);
  for (const [card, level] of levels(after)) if (level > (was.get(card) ?? 0)) return card;
  return null;
}

export function journeys(before: View, after: View): Journey[] {
  return after.players.flatMap((player, seat) => {
    const was = before.players[seat];
    const list: Journey[] = [];
    const go = (coins: number, from: Stop, to: Stop) => coins > 0 && list.push({ coins, from, to });
    const [purse, chest]: Stop[] = [{ seat, at: 'purse' }, { seat, at: 'chest' }];
    const locked = player.chest - was.chest;
    go(-locked, chest, purse);
    go(locked, 'market', chest);
    const gained = player.purse - was.purse + Math.min(0, locked);
    const fruit = was.row.findIndex((id) => !player.row.includes(id));
    go(gained, fruit < 0 ? 'market' : { seat, was: `fruit-${fruit}`, is: null }, purse);
    const card = built(was, player);
    go(-gained, purse, card === null ? 'away' : { seat, was: cellOf(card, before, was), is: cellOf(card, after, player) });
    return list;
  });
}

/** The guilds that were completed. */
export function openings(before: View, after: View): Opening[] {
  return after.players.flatMap((player, seat) => {
    const was = before.players[seat];
    return outside(was.completed, player.completed).map((card) => ({ seat, card, was: cellOf(card, before, was), is: cellOf(card, after, player)! }));
  });
}

/** As many coins as are worth looking at, with what each stands for. */
export function purseful(coins: number, most = 6): number[] {
  const n = Math.min(coins, most);
  return Array.from({ length: n }, (_, i) => Math.floor(coins / n) + (i < coins % n ? 1 : 0));
}
