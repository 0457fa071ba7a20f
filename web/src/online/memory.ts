/** What this browser remembers of tables of the server, of the last sixty that
 * there was something to remember of. */
import { storage as own } from '../app/storage.ts';

const most = 60;

export class Memory<T> {
  constructor(
    private readonly place: string,
    private readonly fits: (value: unknown) => value is T,
    private readonly storage: Storage = own,
  ) {}

  of(table: string): T | null {
    return this.all().find(([id]) => id === table)?.[1] ?? null;
  }

  keep(table: string, value: T) {
    const kept = this.all();
    if (kept[0]?.[0] === table && JSON.stringify(kept[0][1]) === JSON.stringify(value)) return;
    try {
      this.storage.setItem(this.place, JSON.stringify([[table, value], ...kept.filter(([id]) => id !== table)].slice(0, most)));
    } catch {
      // No room: it holds until the page is closed.
    }
  }

  private all(): [table: string, value: T][] {
    try {
      const kept: unknown = JSON.parse(this.storage.getItem(this.place) ?? '[]');
      return Array.isArray(kept) ? kept.filter((pair) => Array.isArray(pair) && typeof pair[0] === 'string' && this.fits(pair[1])) : [];
    } catch {
      return [];
    }
  }
}

/** The number of the last entry that somebody saw here. */
export const lastSeen = new Memory('copse.seen', (n): n is number => Number.isInteger(n));

/** Who is not listened to, as the table knows them. */
export const muted = new Memory('copse.muted', (list): list is string[] => Array.isArray(list) && list.every((who) => typeof who === 'string'));
