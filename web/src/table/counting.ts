/** How the scores of a game that is over are counted up: part by part, everybody in
 * the order of the seats until it is known who stands where. */

/** Milliseconds that a part takes: few parts are savoured, many are not waited for. */
export const pulse = (parts: number) => Math.min(900, 3200 / Math.max(1, parts));

/** How far the counting is after some milliseconds: the part, and the share of it that
 * has been counted; null when it is over. The last third of a part is for reading. */
export function reached(ms: number, parts: number): { at: number; share: number } | null {
  const gone = Math.max(0, ms) / pulse(parts);
  return gone < parts ? { at: Math.floor(gone), share: Math.min(1, (gone % 1) * 1.5) } : null;
}

/** What a seat has by then, of what each part brings it. */
export function soFar(points: readonly number[], at: number, share: number): number {
  return points.slice(0, at).reduce((sum, n) => sum + n, 0) + Math.round(share * (points[at] ?? 0));
}

/** How far each row lies from its place while all stand in the order of their seats.
 * `seats` are those of the rows in the order of places, `heights` how tall they are. */
export function shifts(seats: readonly number[], heights: readonly number[], gap: number): number[] {
  const tops = (order: readonly number[]) => new Map(order.map((row, i) => [row, order.slice(0, i).reduce((sum, other) => sum + heights[other] + gap, 0)]));
  const rows = seats.map((_, row) => row);
  const places = tops(rows);
  const bySeat = tops([...rows].sort((a, b) => seats[a] - seats[b]));
  return rows.map((row) => bySeat.get(row)! - places.get(row)!);
}
