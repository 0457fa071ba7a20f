/** My tables on the server, as the stream tells of them. */
import { ask } from './client.ts';
import { me } from './me.svelte.ts';
import { stream } from './stream.svelte.ts';
import { yourTurn } from './bell.svelte.ts';
import { tell } from '../words/words.svelte.ts';
import type { Seated, TableBody } from './api.gen.ts';
import type { Summary } from './told.ts';

export const settingsOf = (s: Summary) => s.settings as TableBody;
export const seatsOf = (s: Summary) => s.seats as Seated[];

/** The order in which one would go on with them. */
export function inOrder(tables: Iterable<Summary>): Summary[] {
  const rank = (s: Summary) => (s.phase === 'over' ? 3 : s.yourTurn ? 0 : s.phase === 'lobby' ? 1 : 2);
  return [...tables].sort((a, b) => rank(a) - rank(b) || b.changed - a.changed);
}

export class MyTables {
  list: Summary[] = $state.raw([]);
  private readonly known = new Map<string, Summary>();

  /** Follows my tables; the answer ends it. */
  follow(): () => void {
    let end = () => {};
    let ended = false;
    void (async () => {
      try {
        await me.look();
        if (ended || !me.signedIn) return;
        const { tables } = await ask('GET /api/me/tables');
        for (const summary of tables) this.known.set(summary.table, summary);
        this.list = inOrder(this.known.values());
        if (!ended) end = stream.followMine((summary) => this.hear(summary));
      } catch {
        // The line is tried again with the next visit of this screen.
      }
    })();
    return () => {
      ended = true;
      end();
    };
  }

  private hear(summary: Summary) {
    const before = this.known.get(summary.table);
    if (summary.you === undefined) this.known.delete(summary.table);
    else this.known.set(summary.table, summary);
    this.list = inOrder(this.known.values());
    if (before && !before.yourTurn && summary.yourTurn) yourTurn(tell(`${settingsOf(summary).game}.name`));
  }
}

/** The night here, from 22 to 8 o'clock, in minutes of the day in UTC. */
export function night(offset = new Date().getTimezoneOffset()): [number, number] {
  const utc = (hour: number) => (((hour * 60 + offset) % 1440) + 1440) % 1440;
  return [utc(22), utc(8)];
}
