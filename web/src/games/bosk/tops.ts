/** The sides of a region that face north, for snow to lie on. */
export function tops(rows: string[], letter: string): { x: number; y: number; width: number }[] {
  const found: { x: number; y: number; width: number }[] = [];
  rows.forEach((row, r) => {
    for (let c = 0; c < row.length; c++) {
      if (row[c] !== letter || rows[r - 1]?.[c] === letter) continue;
      const last = found.at(-1);
      if (last && last.y === r && last.x + last.width === c) last.width++;
      else found.push({ x: c, y: r, width: 1 });
    }
  });
  return found;
}
