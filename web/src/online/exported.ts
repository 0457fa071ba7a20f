/** A finished game of the server as this browser keeps games: to be looked at
 * again, without the server too. */
import { gamesOf } from '../engine/games.ts';
import type { Score } from '../engine/protocol.ts';
import { fresh } from '../table/fresh.ts';
import { keep, type PlayedMove, type Kept } from '../table/kept.ts';
import { ask, Lost } from './client.ts';
import { playersOf } from './players.ts';
import type { Entry } from './told.ts';

/** Whether a name looks like one of a table of the server. */
export const isTable = (id: string) => /^[a-z0-9]{12}$/.test(id);

/** A game of the server, where it is over and may be seen. */
export async function fetched(id: string): Promise<Kept | null> {
  return isTable(id) ? exported(id).catch(() => null) : null;
}

/** Fetches a game that is over, and keeps it. */
export async function exported(id: string): Promise<Kept> {
  const [sight, games, entries] = await Promise.all([ask('GET /api/tables/{table}', { at: { table: id } }), gamesOf(), entriesOf(id)]);
  const { settings, people, standing } = sight.look;
  const { game, version = 1, options } = settings;
  const info = games.find((g) => g.name === game)!;
  const scores = (standing?.seats ?? []) as Score[];
  const kept: Kept = {
    ...fresh({ game, version, options: (options ?? {}) as Kept['options'], players: playersOf(people, sight.who, info), guide: null }),
    id,
    online: true,
    you: typeof sight.you === 'number' ? sight.you : null,
    line: lineOf(entries),
    began: entries[0].at,
    result: { totals: scores.map((s) => s.total ?? 0), ranks: scores.map((s) => s.rank ?? 0) },
  };
  keep(kept);
  return kept;
}

async function entriesOf(table: string): Promise<Entry[]> {
  const answer = await fetch(`/api/tables/${table}/export`);
  if (!answer.ok) throw new Lost('export');
  const lines = (await answer.text()).trim().split('\n').slice(1);
  return lines.map((line) => (JSON.parse(line) as { entry: Entry }).entry);
}

/** The moves that stand: what was taken back was not played. */
export function lineOf(entries: readonly Entry[]): PlayedMove[] {
  let line: (PlayedMove & { number: number })[] = [];
  entries.forEach((entry, number) => {
    if (entry.do === 'move') line.push({ seat: entry.seat!, move: entry.move!, number });
    else if (entry.do === 'chance') line.push({ seat: 'chance', move: entry.move!, number });
    else if (entry.do === 'undo') line = line.filter((ply) => ply.number <= entry.to!);
  });
  return line.map(({ seat, move }) => ({ seat, move }));
}
