import { expect, test } from 'vitest';
import type { Event } from '../../engine/protocol.ts';
import type { Heard } from '../../table/face.ts';
import { flights, frames, lastShed, news } from './blown.ts';
import type { Place } from './view.ts';

const event = (name: string, args: Event['args']): Event => ({ key: `bosk.event.${name}`, args, to: 'all' });
const shed = (seat: number, at: Place): Event => event('shed', { seat, tree: 3, at, tile: 4 });
const leaf = (seat: number, to: Place, name = 'leaf'): Event => event(name, { seat, to });
const turn = (seat: number | null, ...events: Event[]): Heard => ({ seat, events });

const spring = turn(0, event('plant', { seat: 0, tree: 3, at: [4, 4] }));
const path: Place[] = [[3, 4], [2, 5], [1, 5]]; // prettier-ignore
const mine = turn(0, shed(0, [4, 4]), leaf(0, path[0]), leaf(0, path[1], 'cover'), leaf(0, path[2]), event('round', { round: 2 }));

test('what a tree has shed is read off the turn, in its order, whatever was told after it', () => {
  expect(lastShed([spring])).toBeNull();
  expect(lastShed([spring, mine, turn(null, event('pause', {}))])).toEqual({ turn: 1, seat: 0, tree: 3, at: [4, 4], to: path });
  expect(lastShed([turn(1, shed(1, [2, 2]), leaf(1, [2, 3], 'squirrel'))])!.to).toEqual([[2, 3]]);
});

test('a path that was confirmed is new as a whole', () => {
  expect(news(lastShed([spring]), lastShed([spring, mine]))).toEqual({ tree: true, leaves: [0, 1, 2] });
});

test('of a path that comes leaf by leaf the last leaf is new', () => {
  const begun = lastShed([turn(0, ...mine.events.slice(0, 1))]);
  const two = lastShed([turn(0, ...mine.events.slice(0, 3))]);
  expect(news(null, begun)).toEqual({ tree: true, leaves: [] });
  expect(news(begun, two)).toEqual({ tree: false, leaves: [0, 1] });
  expect(news(two, lastShed([mine]))).toEqual({ tree: false, leaves: [2] });
  expect(news(lastShed([mine]), lastShed([mine]))).toEqual({ tree: false, leaves: [] });
});

test('what is taken back is nothing new', () => {
  const other = turn(1, shed(1, [2, 2]), leaf(1, [2, 3]));
  expect(news(lastShed([mine, other]), lastShed([mine]))).toEqual({ tree: false, leaves: [] });
  expect(news(lastShed([mine]), lastShed([turn(0, ...mine.events.slice(0, 2))]))).toEqual({ tree: false, leaves: [] });
  expect(news(lastShed([mine]), null)).toEqual({ tree: false, leaves: [] });
});

test('every leaf goes the way of those before it, one after the other, and lies where it lies', () => {
  const all = flights(lastShed([mine])!, [0, 1, 2], [{ at: path[1], seat: 1, leaves: 2, squirrel: false }]);
  expect([...all.keys()]).toEqual(['3,4', '2,5', '1,5']);
  const [first, second, third] = [...all.values()];
  expect([first, second, third].map((f) => f.way.length)).toEqual([2, 3, 4]);
  for (const { way } of all.values()) expect(way.at(-1)).toEqual({ x: 0, y: 0 });
  // From the second square the first lies a square below and one to the left.
  expect(second.way[1]).toEqual({ x: -48, y: 48 });
  expect([first, second, third].map((f) => f.delay)).toEqual([0, 70, 140]);
  expect([first, second, third].map((f) => f.over?.seat)).toEqual([undefined, 1, undefined]);
  // A leaf that comes alone does not wait for those that lie there.
  expect([...flights(lastShed([mine])!, [2], []).values()][0]).toMatchObject({ delay: 0, way: third.way });
});

test('a flight begins unseen in the crown and ends as nothing but the leaf', () => {
  const steps = frames([{ x: -48, y: 96 }, { x: -48, y: 48 }, { x: 0, y: 0 }]); // prettier-ignore
  expect(steps[0]).toMatchObject({ opacity: 0 });
  expect(steps[0].transform).toContain('translate(-48px, 96px)');
  expect(steps.at(-1)).toEqual({ transform: 'none', opacity: 1, offset: 1 });
  const offsets = steps.slice(1).map((s) => s.offset!);
  expect(offsets).toEqual([...offsets].sort((a, b) => a - b));
});
