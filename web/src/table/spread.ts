/** Moves what stands at these heights, in order, apart by so much, and none of it
 * nearer to either end than half of that: as little as it takes, and to the end
 * rather than to the beginning. All of it must have room between 0 and `room`. */
export function spread(heights: number[], apart: number, room: number): number[] {
  const at = [...heights];
  for (let i = 0; i < at.length; i++) at[i] = Math.max(at[i], i ? at[i - 1] + apart : apart / 2);
  for (let i = at.length - 1; i >= 0; i--) at[i] = Math.min(at[i], i < at.length - 1 ? at[i + 1] - apart : room - apart / 2);
  return at;
}
