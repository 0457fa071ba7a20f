/** Where an arrow sends what is aimed: the ghost, or the next leaf. */
import type { Point } from './geometry.ts';
import type { Park } from './park.svelte.ts';
import { ahead, samePlace, type Place } from './view.ts';

/** The next target of a list in the direction of an arrow key. */
export function nudge<T>(from: Point, targets: Iterable<T>, where: (target: T) => Point, [dy, dx]: readonly [number, number]): T | null {
  let best: T | null = null;
  let least = Infinity;
  for (const target of targets) {
    const { x, y } = where(target);
    const along = (x - from.x) * dx + (y - from.y) * dy;
    const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
    if (along <= 0.01 || aside > along * 2) continue;
    const far = along + aside * 2;
    if (far < least) [least, best] = [far, target];
  }
  return best;
}

/** The target one step that way: from the last leaf, else from the ghost. */
export function nudged(park: Park, way: Place): Place | null {
  const { hand, task, table, wind, held, hovered, inOrder, shedding } = park;
  if (!hand) return null;
  const last = task === 'leaf' && !table?.complete ? hand.laid.at(-1) : null;
  if (last && wind) {
    const [dr, dc] = ahead[wind];
    const straight: Place = [last[0] + dr, last[1] + dc];
    if (way[0] === dr && way[1] === dc) return straight;
    return way[0] === -dr && way[1] === -dc ? null : [straight[0] + way[0], straight[1] + way[1]];
  }
  const from = held ?? (task === 'leaf' || task === 'squirrel' ? null : hovered);
  const legal = inOrder.filter((at) => !samePlace(at, held));
  if (from) return nudge(park.middle(from), legal, (at) => park.middle(at), way);
  if (shedding) return nudge(park.middle(shedding.at, false), legal, (at) => park.middle(at), way);
  return inOrder[Math.floor(inOrder.length / 2)] ?? null;
}
