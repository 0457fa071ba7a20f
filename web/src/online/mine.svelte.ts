/** My tables on the server, as the stream tells of them. */
import { ask } from './client.ts';
import { me } from './me.svelte.ts';
import { stream } from './stream.svelte.ts';
import { yourTurn } from './bell.svelte.ts';
import { say, tell } from '../words/words.svelte.ts';
import { called, pageOf } from './person.ts';
import type { Summary } from './told.ts';

/** Who sits there, by name, with the page of those who have one; bots are bots, and
 * guests are said to be guests. */
export function companyOf(s: Summary): { text: string; href: string }[] {
  return s.seats.flatMap((seat, i) => {
    const who = s.who[i];
    if (seat.held === 'bot') return [{ text: say('page.online.bot'), href: '' }];
    return who ? [{ text: called(who), href: pageOf(who) }] : [];
  });
}

/** The same as texts. */
export function peopleOf(s: Summary): string[] {
  return companyOf(s).map(({ text }) => text);
}

/** What a list says of the rules of a table: what one must know before one goes there. */
export function listTerms({ settings: { takeOver }, phase }: Pick<Summary, 'phase'> & { settings: { takeOver: boolean } }): string[] {
  return takeOver && phase !== 'over' ? [say('page.online.take.list')] : [];
}

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

  /** We are nobody any more, and have none. */
  clear() {
    this.known.clear();
    this.list = [];
  }

  private hear(summary: Summary) {
    const before = this.known.get(summary.table);
    if (summary.you === undefined) this.known.delete(summary.table);
    else this.known.set(summary.table, summary);
    this.list = inOrder(this.known.values());
    if (before && !before.yourTurn && summary.yourTurn) yourTurn(tell(`${summary.settings.game}.name`));
  }
}

/** The night here, from 22 to 8 o'clock by the clocks of this place. Where the
 * browser does not say which, by UTC as it stands to them now. */
export function nightHere(zone = Intl.DateTimeFormat().resolvedOptions().timeZone, offset = new Date().getTimezoneOffset()): { night: number[]; zone?: string } {
  if (zone?.includes('/')) return { night: [22 * 60, 8 * 60], zone };
  const utc = (hour: number) => (((hour * 60 + offset) % 1440) + 1440) % 1440;
  return { night: [utc(22), utc(8)] };
}
