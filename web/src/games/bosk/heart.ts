import type { Point } from './geometry.ts';

/** The square of a region that is best for its name: the one deepest inside. */
export function heart(rows: string[], letter: string): Point {
  let best = { x: 0, y: 0 };
  let most = -Infinity;
  rows.forEach((row, r) => {
    for (let c = 0; c < row.length; c++) {
      if (row[c] !== letter) continue;
      let room = 0;
      for (let dr = -2; dr <= 2; dr++)
        for (let dc = -2; dc <= 2; dc++) if (rows[r + dr]?.[c + dc] === letter) room += 6 - Math.abs(dr) * 2 - Math.abs(dc);
      if (room > most) [most, best] = [room, { x: c + 0.5, y: r + 0.5 }];
    }
  });
  return best;
}
