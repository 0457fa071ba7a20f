/** What a level does, as signs: for cards too small for words. */
import type { FruitType, Guild } from './art.ts';
import type { CardSign } from './signs.ts';
import type { CardLevel, Clause, Quantity } from './view.ts';

/** One sign, number, fruit or banner after the other. */
export type Token = { sign: CardSign } | { text: string } | { coin: string } | { fruit: FruitType } | { guild: Guild };

const sign = (name: CardSign): Token => ({ sign: name });
const text = (words: string): Token => ({ text: words });

/** What makes a level cheaper: −2, ½, 0. */
function price({ half, less, free }: Clause): Token[] {
  if (half) return [text('½')];
  if (less) return [text(`−${less}`)];
  return free ? [{ coin: '0' }] : [];
}

/** The levels that may be built, where they are named: →3, →1/3. */
const to = ({ levels }: Clause): Token[] => (levels ? [text(`→${levels.join('/')}`)] : []);

const of = ({ guild }: { guild?: Guild | undefined }): Token[] => (guild ? [{ guild }] : []);

/** What is counted. */
function counted({ of: what, guild, type }: Exclude<Quantity, number>): Token {
  if (type) return { fruit: type };
  if (guild) return { guild };
  const known: Record<string, CardSign> = {
    banners: 'banner',
    'different-guilds': 'types',
    majority: 'most',
    completed: 'house',
    progress: 'progress',
    sold: 'sale',
    unsold: 'fruit',
    types: 'types',
    'most-sold': 'most',
    coins: 'purse',
    chest: 'chest',
  };
  return sign(known[what] ?? 'fruit');
}

/** "2 per banner". */
export function quantity(amount: Quantity): Token[] {
  if (typeof amount === 'number') return [text(String(amount))];
  const per = amount.per && amount.per > 1 ? `${amount.times}/${amount.per}` : `${amount.times}×`;
  return [text(per), counted(amount)];
}

function coins(amount: Quantity | undefined): Token[] {
  return typeof amount === 'object' ? [...quantity(amount), sign('coin')] : [{ coin: String(amount ?? 0) }];
}

/** A clause, or a rule that lasts. */
function clause(c: Clause): Token[] {
  switch (c.verb) {
    case 'coins':
      return [...coins(c.amount), ...(c.to === 'chest' ? [sign('chest')] : [])];
    case 'pay':
      return [{ coin: `−${c.amount}` }];
    case 'unlock':
      return [sign('chest'), text('→'), sign('purse')];
    case 'sell':
      return [sign('sale'), ...(c.more ? [text(`+${c.more}`)] : [])];
    case 'take':
      return [sign('take')];
    case 'discard':
      return [sign('discard')];
    case 'refresh':
      return [sign('refresh'), ...(c.rows === 1 ? [sign('row')] : [sign('row'), sign('row')])];
    case 'draw-fruit':
      return [text(`${c.count}`), sign('fruit'), text(`→${c.keep ?? 1}`)];
    case 'draw-guild':
      return [text(`${c.count}`), sign('draw'), sign('found'), ...(c.keep ? [text(`≤${c.keep}`)] : []), ...price(c)];
    case 'found':
    case 'raise':
    case 'build':
      return [sign(c.verb), ...of(c), ...to(c), ...price(c)];
    case 'cheaper':
      return [sign(c.build === 'found' || c.build === 'raise' ? c.build : 'build'), ...of(c), ...price(c)];
    case 'better-sale':
      return [c.type ? { fruit: c.type } : sign('sale'), text(`+${c.amount}`)];
    case 'bigger-purse':
      return [sign('purse'), text(`+${c.amount}`)];
    case 'income':
      return [sign('rest'), { coin: String(c.amount) }, ...(c.to === 'purse' ? [] : [sign('chest')])];
  }
  return [text('?')];
}

const list = (clauses: Clause[] | undefined): Token[] => (clauses ?? []).flatMap(clause);

/** The effect of a level; what it scores by a quantity stands beside its shield. */
export function symbols({ effect }: CardLevel): Token[] {
  if (!effect) return [];
  const { first, do: then, while: lasting } = effect;
  return [
    ...(first ? [sign('before'), ...list(first)] : []),
    ...(first && then ? [text('·')] : []),
    ...list(then),
    ...(lasting ? [sign('always'), ...list(lasting)] : []),
  ];
}
