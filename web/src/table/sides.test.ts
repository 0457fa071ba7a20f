import { beforeEach, expect, test } from 'vitest';
import cases from '../../../table/testdata/together.json';
import { sideWords, inOrder } from '../screens/mine.ts';
import { path } from '../app/route.svelte.ts';
import { learn, speak } from '../words/words.svelte.ts';
import { again } from './again.ts';
import { fresh } from './fresh.ts';
import { all, find, forget, keep, type Kept, type Player } from './kept.ts';
import { ranked, resigned } from './resign.ts';
import { due, following, follows, later, onward, placeTerms, keptSides, sideOf, sidesOf, sideTerms, successor, together, turned, verdict } from './sides.ts';
import { tidy } from './tidy.ts';

beforeEach(async () => {
  localStorage.clear();
  await speak('en');
  await learn('rest');
});

const games = [
  { table: 'one', totals: [40, 50] },
  { table: 'two', totals: [30, 25] },
];

test('a list says which of the games it is, and nothing of a game on its own', () => {
  expect(sideTerms({ seats: 2 })).toEqual([]);
  expect(sideTerms({ side: 2, seats: 2 })).toEqual(['second of two games']);
  expect(sideTerms({ side: 4, seats: 4 })).toEqual(['fourth of four games']);
});

test('the way leads to the next game, once there is one', () => {
  expect(following(null, 'one')).toBe('');
  expect(following({ games: games.slice(0, 1) }, 'one')).toBe('');
  expect(following({ games }, 'one')).toBe('two');
  expect(following({ games }, 'two')).toBe('');
  expect(following({ games }, 'elsewhere')).toBe('');
});

test('who has won both, or shares them, or that nobody has', () => {
  const result = (...ranks: number[]) => ranks.map((rank) => ({ rank, total: 9 }));
  expect(verdict({ games, result: result(2, 1) }, ['Anna', 'Luc'])).toBe('Both sides: won by Luc.');
  expect(verdict({ games, result: result(1, 1) }, ['Anna', 'Luc'])).toBe('Both sides: shared by Anna and Luc.');
  expect(verdict({ games, result: result(1, 1) }, ['Luc', 'Anna'])).toBe('Both sides: shared by Anna and Luc.');
  expect(verdict({ games }, ['Anna', 'Luc'])).toBe('Both sides: ended without one result.');
});

test('a list says how both came out for who sat there', () => {
  const result = [
    { rank: 2, total: 70 },
    { rank: 1, total: 75 },
  ];
  expect(placeTerms(undefined, 0)).toEqual([]);
  expect(placeTerms({ games }, 0)).toEqual([]);
  expect(placeTerms({ games, result }, undefined)).toEqual([]);
  expect(placeTerms({ games, result }, 0)).toEqual(['together second: 70 – 75']);
});

// --- games that this browser keeps ---------------------------------------------

test.for(cases)('one result as on the server: $about', ({ games, want }) => {
  expect(together(games)).toEqual(want);
});

test('of no games there is no result', () => expect(together([])).toEqual([]));

const person = (name: string): Player => ({ kind: 'person', name, bot: '' });
const bot: Player = { kind: 'bot', name: '', bot: 'level:3' };

/** The first of both sides, over where it has a result. */
function first(players: Player[], totals?: number[]): Kept {
  const kept = fresh({ game: 'bosk', version: 1, options: { wind: 1 }, players, guide: null });
  return over({ ...kept, side: { first: kept.id, n: 1, before: [] } }, totals);
}

/** A game that was played to its end. */
function over(kept: Kept, totals?: number[]): Kept {
  const ranks = totals?.map((own) => 1 + totals.filter((other) => other > own).length) ?? [];
  return totals ? { ...kept, result: { totals, ranks: kept.out ? ranked(ranks, kept.out) : ranks } } : kept;
}

const three = [person('Anna'), person('Ben'), person('Cleo')];

test('everyone sits one seat further on, with chance of its own, and takes along what was played', () => {
  const one = first(three, [10, 20, 30]);
  const two = successor(one);
  expect(two).toMatchObject({ game: 'bosk', version: 1, options: { wind: 1 }, line: [], result: null, hints: 0 });
  expect(two.players.map((p) => p.name)).toEqual(['Cleo', 'Anna', 'Ben']);
  expect(two.side).toEqual({ first: one.id, n: 2, before: [{ totals: [30, 10, 20], ranks: [1, 3, 2], out: [0, 0, 0] }] });
  const last = successor(over(two, [1, 2, 3]));
  expect(last.players.map((p) => p.name)).toEqual(['Ben', 'Cleo', 'Anna']);
  expect(last.side!.before.map((past) => past.totals)).toEqual([[20, 30, 10], [3, 1, 2]]);
  expect(new Set([one, two, last].map(({ seed }) => seed)).size).toBe(3);
  expect(new Set([one, two, last].map(({ id }) => id)).size).toBe(3);
});

test('whoever begins it, and however often: the next game is the same one', () => {
  const one = first(three, [10, 20, 30]);
  const [a, b] = [successor(one), successor(structuredClone(one))];
  expect({ ...a, began: 0, touched: 0 }).toEqual({ ...b, began: 0, touched: 0 });
});

test('how they stand is said by the seats of whichever game is looked at', () => {
  const one = first(three, [10, 20, 30]);
  const two = over(successor(one), [1, 2, 3]); // Cleo, Anna, Ben
  const last = successor(two); // Ben, Cleo, Anna
  [one, two, last].forEach((kept) => keep(kept));
  const totals = (kept: Kept) => sidesOf(kept).games.map((game) => game.totals);
  expect(totals(one)).toEqual([[10, 20, 30], [2, 3, 1], undefined]);
  expect(totals(two)).toEqual([[30, 10, 20], [1, 2, 3], undefined]);
  expect(totals(last)).toEqual([[20, 30, 10], [3, 1, 2], undefined]);
  expect(sidesOf(one).result).toBeUndefined();
  expect(sideWords(one)).toEqual(['first of three games', 'so far: Anna 12 – Ben 23 – Cleo 31']);
  const done = over(last, [5, 5, 50]); // Anna has 62
  keep(done);
  for (const kept of [one, two, done]) {
    const sides = sidesOf(kept);
    expect(verdict(sides, kept.players.map((p) => p.name))).toBe('Every seat: won by Anna.');
    expect(Object.fromEntries(sides.result!.map(({ total }, seat) => [kept.players[seat].name, total]))).toEqual({ Anna: 62, Ben: 28, Cleo: 36 });
  }
});

test('who plays alone is told their place', () => {
  const one = first([person(''), bot], [10, 20]);
  keep(one);
  expect(sideWords(one)).toEqual(['first of two games', 'so far: You 10 – a bot 20']);
  keep(over(successor(one), [30, 31])); // the bot, then us
  expect(sideWords(one)).toEqual(['first of two games', 'together second: 41 – 50']);
});

test('one press leads on: to the next game, once, and after the last to both sides anew', () => {
  const one = first([person('Anna'), bot], [10, 20]);
  keep(one);
  expect([due(one), onward(one)]).toEqual([true, 'To the second game']);
  expect(again(one)).toBe('');
  const two = later(one)!;
  expect(path()).toBe(`/table/${two.id}`);
  keep({ ...two, line: [{ seat: 0, move: { do: 'plant' } }] });
  expect(again(one)).toBe(''); // from another window
  expect(find(two.id)!.line.length).toBe(1);
  expect(due(one)).toBe(false);
  const done = over(find(two.id)!, [7, 8]);
  keep(done);
  expect([follows(done), onward(done), onward(one)]).toEqual([false, '', 'To the second game']);
  again(done);
  const anew = find(path().split('/')[2])!;
  expect(anew.side).toEqual({ first: anew.id, n: 1, before: [] });
  expect(anew.players.map((p) => p.name)).toEqual(['Anna', '']); // the other way round than the last
  expect(all().length).toBe(3);
});

test('what was deleted is missing, and what it came to is not', () => {
  const one = first(three, [10, 20, 30]);
  const two = over(successor(one), [1, 2, 3]);
  const last = successor(two);
  [one, two, last].forEach((kept) => keep(kept));
  expect(keptSides(two).map(({ id }) => id)).toEqual([one, two, last].map(({ id }) => id));
  forget(two.id);
  expect(sidesOf(one).games).toEqual([{ table: one.id, totals: [10, 20, 30] }, { table: '', totals: [2, 3, 1] }, { table: last.id }]);
  expect([due(one), onward(one), later(one)?.id]).toEqual([false, 'To the third game', last.id]); // it is not begun again
  forget(last.id);
  expect([due(one), onward(one)]).toEqual([true, 'To the second game']);
});

test('what is no game stands in nobody’s way', () => {
  const one = first([person('Anna'), bot], [10, 20]);
  keep(one);
  localStorage.setItem(`copse.game.${one.id}-2`, '{"id":"half of');
  expect(due(one)).toBe(true);
  expect(again(one)).toBe('');
  expect(find(`${one.id}-2`)).toMatchObject({ side: { n: 2 } });
});

test('a side that makes no sense is a game on its own', () => {
  const one = first([person('Anna'), bot], [10, 20]);
  const two = successor(one);
  const read = (side: unknown) => {
    localStorage.setItem('copse.game.' + two.id, JSON.stringify({ ...two, side }));
    return sideOf(find(two.id)!);
  };
  expect(read(two.side)).toEqual(two.side);
  const { first: root, n, before } = two.side!;
  for (const wrong of [7, {}, { first: 'x', n, before }, { first: root, n: 3, before }, { first: root, n, before: [] }, { first: root, n, before: [{ totals: [1], ranks: [1], out: [0] }] }, { first: root, n, before: [{ totals: [1, 'a'], ranks: [1, 2], out: [0, 0] }] }]) expect(read(wrong), JSON.stringify(wrong)).toBeNull();
});

test('a game that waits for the next is neither tidied away nor makes room', () => {
  const one = { ...first([person('Anna'), bot], [10, 20]), touched: 1 };
  const put = (kept: Kept) => localStorage.setItem('copse.game.' + kept.id, JSON.stringify(kept));
  put(one);
  for (let i = 0; i < 61; i++) put({ ...fresh({ game: 'bosk', version: 1, options: {}, players: [bot], guide: null }), touched: 10 + i, result: { totals: [1], ranks: [1] } });
  tidy();
  expect(find(one.id)).not.toBeNull();
  expect(all().length).toBe(61);
  expect(inOrder(all())[0].id).toBe(one.id);
  put(successor(one));
  tidy();
  expect(find(one.id)).toBeNull(); // now it may go: the next knows what it came to
});

test('who resigns against bots ends it all, and is behind whatever the points say', () => {
  const one = first([person('Anna'), bot], [50, 20]);
  const two = resigned(successor(one), 1);
  expect([two.cut, two.out, two.players.map((p) => p.kind)]).toEqual([true, [0, 1], ['bot', 'person']]);
  const done = over(two, [3, 9]);
  expect(done.result!.ranks).toEqual([1, 2]);
  expect([follows(done), sidesOf(done).result]).toEqual([false, [{ total: 23, rank: 1 }, { total: 59, rank: 2 }]]);
  const early = over(resigned(first([person('Anna'), bot]), 0), [9, 3]);
  expect([follows(early), sidesOf(early).result!.map(({ rank }) => rank)]).toEqual([false, [2, 1]]);
});

test('where others go on a bot plays on, in the next game too, until they sit down anew', () => {
  const one = resigned(first(three), 1);
  expect([one.cut, one.players[1]]).toEqual([undefined, { kind: 'bot', name: 'Ben', bot: 'level:3' }]);
  expect(resigned(one, 1)).toBe(one); // twice
  const played = over(one, [10, 90, 30]);
  expect(played.result!.ranks).toEqual([2, 3, 1]);
  const two = successor(played);
  expect([two.out, two.players[2]]).toEqual([[0, 0, 1], one.players[1]]);
  const then = resigned(two, 0); // Cleo: Anna alone is left
  expect([then.cut, then.out]).toEqual([true, [2, 0, 1]]);
  const done = over(then, [1, 2, 3]);
  expect(sidesOf(done).result!.map(({ rank }) => rank)).toEqual([2, 1, 3]);
  again(done);
  expect(find(path().split('/')[2])!.players).toEqual([person('Anna'), person('Ben'), person('Cleo')]);
});

test('turned once round everybody sits where they sat', () => {
  expect(turned([1, 2, 3], 1)).toEqual([3, 1, 2]);
  expect(turned([1, 2, 3], -4)).toEqual([2, 3, 1]);
  expect(turned([1, 2, 3], 3)).toEqual([1, 2, 3]);
});
