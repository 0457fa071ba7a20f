/** The draft of a turn at a server's table, over a reload of this window. It
 * belongs to the entry after which it was begun. */
import type { Move } from '../engine/protocol.ts';

const place = (table: string) => `copse.draft.${table}`;

export function keepDraft(table: string, after: number, moves: Move[]) {
  try {
    if (moves.length) sessionStorage.setItem(place(table), JSON.stringify({ after, moves }));
    else sessionStorage.removeItem(place(table));
  } catch {
    // No room: a reload loses the draft, nothing else.
  }
}

export function draftOf(table: string, after: number): Move[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place(table)) ?? 'null') as { after: number; moves: Move[] } | null;
    return kept?.after === after && Array.isArray(kept.moves) ? kept.moves : [];
  } catch {
    return [];
  }
}

export function dropDraft(table: string) {
  keepDraft(table, -1, []);
}
