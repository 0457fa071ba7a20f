/** Lines on the ground: how a region is cut out, and which target a finger meant. */

/** A square of the board in the units everything is drawn in. */
export const cell = 48;

export interface Point {
  x: number;
  y: number;
}

type Corner = [x: number, y: number];

/** The outline of the squares with a letter as one path, its corners rounded. */
export function outline(rows: string[], letter: string, size = cell, radius = 0.22): string {
  return loops(rows, letter).map((loop) => rounded(loop, size, radius * size)).join('');
}

/** The outline as closed loops of corners; the region lies to the right of each. */
export function loops(rows: string[], letter: string): Corner[][] {
  const within = (r: number, c: number) => rows[r]?.[c] === letter;
  const from = new Map<string, Corner[]>();
  const edge = (a: Corner, b: Corner) => from.set(a.join(), [...(from.get(a.join()) ?? []), b]);
  rows.forEach((row, r) => {
    for (let c = 0; c < row.length; c++) {
      if (!within(r, c)) continue;
      if (!within(r - 1, c)) edge([c, r], [c + 1, r]);
      if (!within(r, c + 1)) edge([c + 1, r], [c + 1, r + 1]);
      if (!within(r + 1, c)) edge([c + 1, r + 1], [c, r + 1]);
      if (!within(r, c - 1)) edge([c, r + 1], [c, r]);
    }
  });
  const found: Corner[][] = [];
  while (from.size) {
    const start = from.keys().next().value!;
    let at = start.split(',').map(Number) as Corner;
    let heading: Corner | null = null;
    const corners: Corner[] = [];
    do {
      const ways: Corner[] = from.get(at.join())!;
      // Two squares that touch at a corner only stay apart: turn right there.
      const right: number = heading ? ways.findIndex(([x, y]) => x - at[0] === -heading![1] && y - at[1] === heading![0]) : -1;
      const next: Corner = ways.splice(Math.max(right, 0), 1)[0];
      if (!ways.length) from.delete(at.join());
      const way: Corner = [next[0] - at[0], next[1] - at[1]];
      if (heading && heading[0] === way[0] && heading[1] === way[1]) corners[corners.length - 1] = next;
      else corners.push(next);
      heading = way;
      at = next;
    } while (at.join() !== start);
    const [first, last] = [corners[0], corners.at(-1)!];
    const before = corners.at(-2)!;
    // The loop may have begun in the middle of a side.
    if ((before[0] === last[0] && last[0] === first[0]) || (before[1] === last[1] && last[1] === first[1])) corners.pop();
    found.push(corners);
  }
  return found;
}

function rounded(loop: Corner[], size: number, radius: number): string {
  const path = loop.map((corner, i) => {
    const before = loop[(i + loop.length - 1) % loop.length];
    const after = loop[(i + 1) % loop.length];
    const near = (to: Corner) => corner.map((v, axis) => (v * size + Math.sign(to[axis] - v) * radius).toFixed(1)).join();
    return `${i ? 'L' : 'M'}${near(before)}Q${corner[0] * size},${corner[1] * size},${near(after)}`;
  });
  return path.join('') + 'Z';
}

/** The target nearest to a point within reach, if there is one. */
export function nearest<T>(point: Point, targets: Iterable<T>, where: (target: T) => Point, reach: number): T | null {
  let best: T | null = null;
  let least = reach;
  for (const target of targets) {
    const { x, y } = where(target);
    const far = Math.hypot(x - point.x, y - point.y);
    if (far <= least) [least, best] = [far, target];
  }
  return best;
}

/** A number that stays the same for the same words: how a leaf lies. */
export function hash(...words: (number | string)[]): number {
  let h = 2166136261;
  for (const letter of words.join()) h = Math.imul(h ^ letter.charCodeAt(0), 16777619);
  h ^= h >>> 15;
  return (Math.imul(h, 2246822507) >>> 8) / 2 ** 24;
}
