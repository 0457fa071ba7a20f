/** The way of falling leaves: where it may begin, where it went, how far it may go. */
import type { Park } from './park.svelte.ts';
import { nameOf, placeOf, samePlace, type Place } from './view.ts';

/** How far the leaves that are left might be blown, as the rules tell it. */
export function cone({ task, table, targets }: Park): Place[] {
  if (task !== 'leaf' || table?.complete) return [];
  const reached = new Map<string, Place>();
  for (const { facts } of targets.values()) for (const at of (facts.reach as Place[] | undefined) ?? []) reached.set(nameOf(at), at);
  return [...reached.values()];
}

/** Where the first leaf may go from the tree that is pointed at or chosen. */
export function firsts({ task, hovered, hand }: Park): Place[] {
  const at = (task === 'shed' && hovered) || hand?.tree;
  if (task !== 'shed' || !at || !hand) return [];
  const sheds = hand.sheds.filter((c) => samePlace(placeOf(c.move), at) && (hand.tile === null ? c.move.tile !== 'squirrel' : c.move.tile === hand.tile));
  return (sheds[0]?.facts.to as Place[] | undefined) ?? [];
}

/** Trees let the squares behind them be seen while leaves are laid there. */
export function veiled(park: Park): Set<string> {
  const looked = new Set([...(park.onSquares ? park.targets.keys() : []), ...cone(park).map(nameOf)]);
  const behind = ([r, c]: Place) => looked.has(nameOf([r - 1, c - 1])) || looked.has(nameOf([r - 1, c]));
  return new Set(looked.size ? park.view.trees.filter((t) => behind(t.at)).map((t) => nameOf(t.at)) : []);
}

/** The line that the leaves of this draft took. */
export function line(park: Park): string {
  const { shedding, hand } = park;
  if (!shedding || !hand?.laid.length) return '';
  const points = [park.middle(shedding.at, false), ...hand.laid.map((at) => park.middle(at, true))];
  return 'M' + points.map((p) => `${p.x},${p.y}`).join('L');
}
