/** Tree Society in words. */
import { capital, say, tell } from '../../words/words.svelte.ts';
import { asks, type Cell } from './cells.ts';
import type { Printed } from './deck.ts';
import { phone } from './phone.svelte.ts';
import type { FruitCard, GuildCard, Quantity, SaleFacts, View } from './view.ts';

export const cardName = ({ name }: GuildCard) => say('page.treesociety.card', { card: name });
export const fruitName = ({ type }: FruitCard) => tell(`treesociety.fruit.${type}`);

/** What a level does, in full sentences; nothing for a dash. */
export function effectWords({ words }: GuildCard, level: number): string {
  return (words[level - 1].effect ?? []).map((s) => tell(s.key, s.args)).join(' ');
}

/** What a level scores, where that is no plain number. */
export function pointsWords({ words, levels }: GuildCard, level: number): string {
  if (typeof levels[level - 1].points === 'number') return '';
  const { key, args } = words[level - 1].points;
  return tell(key, args);
}

export const plain = (points: Quantity): number | null => (typeof points === 'number' ? points : null);

/** The action that a fruit card allows, in a full sentence. */
export const actionWords = ({ words }: FruitCard) => tell(words.key, words.args);

/** What a sale pays, and who adds to it. */
export function saleWords({ coins, seats, market, leaf, bonus, more }: SaleFacts, names: readonly string[], me: number): string {
  const parts = [
    ...seats.flatMap((n, seat) => (n ? [seat === me ? say('page.treesociety.sale.mine', { n }) : say('page.treesociety.sale.seat', { n, seat }, names)] : [])),
    ...(market ? [say('page.treesociety.sale.market', { n: market })] : []),
    ...(leaf ? [say('page.treesociety.sale.leaf', { n: leaf })] : []),
    ...(bonus + more ? [say('page.treesociety.sale.bonus', { n: bonus + more })] : []),
  ];
  return say('page.treesociety.sale', { coins, parts: parts.join(', ') });
}

/** Why a level cannot be built, in a word; '' where it can, or where no place is
 * free: that is said once for all. */
export function hindrance({ quote, choice }: Cell): string {
  if (!quote || choice || !quote.place) return '';
  return quote.short ? say('page.treesociety.short.words', { n: quote.short }) : '';
}

/** Why a level costs what it costs: "6 − 1 (Scaffolding) + 1 (top row)". */
export function priceWords({ quote }: Cell, deck: Printed): string {
  if (!quote || (!quote.less && !quote.top)) return '';
  const less = quote.less
    ? typeof quote.by === 'number'
      ? say('page.treesociety.price.card', { n: quote.less, card: deck.card(quote.by).name })
      : quote.by === 'action'
        ? say('page.treesociety.price.action', { n: quote.less })
        : say('page.treesociety.price.effect', { n: quote.less })
    : '';
  const top = quote.top ? say('page.treesociety.price.top', { n: quote.top }) : '';
  return [String(quote.cost), less, top].filter(Boolean).join(' ');
}

/** How far the game has come. */
export function title(view: View | null): string {
  if (!view) return tell('treesociety.name');
  if (view.phase === 'over') return say('page.treesociety.title.over');
  if (view.phase === 'draft') return say('page.treesociety.title.draft');
  if (view.last !== null) return say('page.treesociety.title.last', { round: view.round, left: view.last - view.round });
  if (phone.small) return say('page.treesociety.title.short', { round: view.round }); // banners are counted beside the cards
  return say('page.treesociety.title', { round: view.round, banners: view.banners });
}

/** A card for those who hear it: what it is, and what pointing at it would do. */
export function cellName(cell: Cell, view: View, deck: Printed): string {
  const { zone, fruit, guild } = cell;
  if (fruit) {
    const what = say('page.treesociety.cell.fruit', { fruit: fruit.type, leaf: fruit.leaf ? 'yes' : 'no', action: fruit.action, coins: fruit.coins ?? 0 });
    if (cell.choice?.move.do === 'sell') return `${what} ${say('page.treesociety.cell.sells', { coins: cell.choice.facts.coins })}`;
    if (cell.choice) return `${what} ${say('page.treesociety.cell.takes')}`;
    return what;
  }
  if (!guild) return say(zone === 'progress' ? 'page.treesociety.cell.free' : 'page.treesociety.cell.gap');
  const where = say('page.treesociety.cell.guild', { card: guild.name, guild: guild.guild, banners: guild.banners, zone, level: cell.level });
  if (zone === 'completed') return cell.choice && asks(view) === 'discard' ? `${where} ${say('page.treesociety.cell.discards')}` : where;
  const next = Math.min(3, cell.level + 1);
  const parts = [where];
  if (cell.choice?.move.do === 'row') parts.push(say('page.treesociety.cell.rows'));
  else if (asks(view) === 'discard' && cell.choice) parts.push(say('page.treesociety.cell.discards'));
  else if (cell.quote) {
    parts.push(say('page.treesociety.cell.level', { level: next, price: cell.quote.price }));
    parts.push(effectWords(guild, next), capital(pointsWords(guild, next)));
    if (!cell.choice) parts.push(cell.quote.place ? hindrance(cell) : say('page.treesociety.full.words'));
    else parts.push(priceWords(cell, deck), say('page.treesociety.cell.builds'));
  }
  return parts.filter(Boolean).map((p) => (/[.!?]$/.test(p) ? p : `${p}.`)).join(' ');
}
