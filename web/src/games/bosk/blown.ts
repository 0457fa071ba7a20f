/** How the wind blows what was shed: leaf by leaf, each along the path from the tree. */
import { move, type Frame } from '../../app/motion.ts';
import type { Heard } from '../../table/face.ts';
import { cell, type Point } from './geometry.ts';
import { trace } from './trace.ts';
import { nameOf, samePlace, type Place, type Square } from './view.ts';

/** What a tree has shed in a turn so far. */
export interface Shed {
  turn: number; // the turn's number among those that were told
  seat: number;
  tree: number;
  at: Place;
  to: Place[]; // where its leaves lie, or its squirrel, in their order
}

/** The last that was confirmed; null before autumn. */
export function lastShed(told: readonly Heard[]): Shed | null {
  const of = (turn: Heard) => turn.events.findIndex((e) => e.key === 'bosk.event.shed');
  const turn = told.findLastIndex((turn) => of(turn) >= 0);
  if (turn < 0) return null;
  const [shed, ...then] = told[turn].events.slice(of(told[turn]));
  const { seat, tree, at } = shed.args as unknown as Shed;
  return { turn, seat, tree, at, to: then.map(trace).flatMap((t) => (t ? [t.at] : [])) };
}

/** What is new of it since it was looked at: whether the tree has gone, and the
 * numbers of the leaves that have come. What was taken back is nothing new. */
export function news(before: Shed | null, now: Shed | null): { tree: boolean; leaves: number[] } {
  const leaves = now?.to.map((_, i) => i) ?? [];
  if (!now || now.turn < (before?.turn ?? -1)) return { tree: false, leaves: [] };
  if (now.turn > (before?.turn ?? -1)) return { tree: true, leaves };
  return { tree: false, leaves: leaves.slice(before!.to.length) };
}

/** The way of a leaf, and how long it waits. */
export interface Flight {
  way: Point[]; // from the crown on, as seen from where the leaf lies
  delay: number;
  over: Square | null; // what lay there before it
}

const [fall, stagger, further] = [420, 70, 45]; // milliseconds: a leaf, until the next one, for each square more

/** The flights of the leaves with these numbers, over what lay there before. */
export function flights({ at, to }: Shed, leaves: readonly number[], squares: readonly Square[]): Map<string, Flight> {
  const crown = { x: at[1] * cell, y: at[0] * cell - cell * 0.55 };
  const stops = [crown, ...to.map(([row, column]) => ({ x: (column + 0.5) * cell, y: (row + 0.5) * cell }))];
  return new Map(
    leaves.map((n, i) => {
      const end = stops[n + 1];
      return [nameOf(to[n]), { way: stops.slice(0, n + 2).map((p) => ({ x: p.x - end.x, y: p.y - end.y })), delay: i * stagger, over: squares.find((q) => samePlace(q.at, to[n])) ?? null }];
    }),
  );
}

/** How long all of them take. */
export const long = (leaves: readonly number[]) => (leaves.length ? stagger * (leaves.length - 1) + fall + further * leaves.at(-1)! : fall);

/** The frames of a flight: out of the crown, then swinging from side to side. */
export function frames(way: readonly Point[]): Frame[] {
  const last = way.length - 1;
  const at = ({ x, y }: Point, turn: number, scale: number) => `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;
  const out = 0.14; // of the time, until it is out
  return [
    { transform: at(way[0], -40, 0.4), opacity: 0 },
    { transform: at(way[0], -28, 0.9), opacity: 1, offset: out },
    ...way.slice(1).map((p, i) => {
      const lies = i === last - 1;
      return { transform: lies ? 'none' : at({ x: p.x, y: p.y - 5 }, i % 2 ? -14 : 14, 1.14), opacity: 1, offset: out + ((1 - out) * (i + 1)) / last };
    }),
  ];
}

/** How long a leaf is on its way. */
const time = ({ way }: Flight) => fall + further * (way.length - 2);

/** Blows a leaf to where it lies. */
export function blow(leaf: Element, flight: Flight, there: () => void) {
  move(leaf, frames(flight.way), { duration: time(flight), delay: flight.delay, easing: 'cubic-bezier(0.3, 0, 0.45, 1)' }, there);
}

/** The number on a pile jumps when the leaf is there. */
export function jump(count: Element, flight: Flight) {
  move(count, [{ transform: 'none' }, { transform: 'scale(1.4)', offset: 0.3 }, { transform: 'none' }], { duration: 260, delay: flight.delay + time(flight) - 80 });
}

/** A tree that has given its leaves is bent by the wind and goes. */
export function give(tree: Element, leaves: readonly number[], gone: () => void) {
  const lean = (deg: number, scale = 1) => `rotate(${deg}deg) scale(${scale})`;
  move(tree, [{ transform: lean(0), opacity: 1 }, { transform: lean(5), opacity: 1, offset: 0.2 }, { transform: lean(-2), opacity: 1, offset: 0.45 }, { transform: lean(4, 0.94), opacity: 0.8, offset: 0.75 }, { transform: lean(2, 0.86), opacity: 0 }], { duration: long(leaves), easing: 'cubic-bezier(0.37, 0, 0.63, 1)' }, gone);
}
