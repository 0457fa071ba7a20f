/** Who cannot answer now, although their seat is theirs. */

/** Below this, bank and step together, people are expected to stay at the table:
 * the server says the same as `own.near`, and a test in Go holds the figure. */
export const nearBelow = 3_600_000;

/** Those of whom an answer is due and who are not connected, but for oneself. */
export function outOfReach(due: readonly number[], seats: readonly { held: string }[], connected: readonly number[], you: number | null): number[] {
  return due.filter((seat) => seat !== you && seats[seat]?.held === 'person' && !connected.includes(seat));
}
