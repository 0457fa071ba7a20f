/** What spaces, clans and placements are called. */
import { known, say, tell } from '../../words/words.svelte.ts';
import type { SheetLine } from '../../engine/protocol.ts';
import type { PlaceFacts, SpaceView, View } from './view.ts';

export function clanName(clan: string): string {
  const name = `grandbois.clan.${clan}`;
  return known(name) ? tell(name) : clan;
}

function spaceName(shows: string): string {
  const name = `grandbois.space.${shows}`;
  return known(name) ? tell(name) : shows;
}

/** What a placement covers and adds: "Covers two foxes, adds 3 spaces." */
export function outcome(facts: PlaceFacts): string {
  const times = new Map<string, number>();
  for (const { shows } of facts.covers) times.set(shows, (times.get(shows) ?? 0) + 1);
  const covers = [...times].map(([space, times]) => say('page.grandbois.cover', { space, times }));
  return say('page.grandbois.outcome', { covers, adds: facts.adds });
}

/** A cell of the forest for those who hear it. */
export function cellName(x: number, y: number, space: SpaceView | undefined, names: readonly string[]): string {
  if (!space) return say('page.grandbois.cell.empty', { x, y });
  const what = spaceName(space.shows);
  if (space.tower !== null) return say('page.grandbois.cell.tower', { x, y, seat: space.tower }, names);
  return say(space.tile ? 'page.grandbois.cell' : 'page.grandbois.cell.start', { x, y, what, tile: space.tile });
}

/** How far the game has come. */
export function title(view: View | null): string {
  if (!view) return tell('grandbois.name');
  if (view.asked === 'over') return say('page.grandbois.title.over');
  const all = view.laid.length + view.river.length + view.pile.length;
  const n = view.asked === 'place' || view.asked === 'deal' ? view.laid.length + 1 : Math.max(view.laid.length, 1);
  return say('page.grandbois.title', { n: Math.min(n, all), all });
}

/** How much of a clan shows: from the sheet, which everybody may read. */
export function countsOf(sheet: readonly SheetLine[], clan: string): { spaces: SheetLine | undefined; group: SheetLine | undefined } {
  const of = (part: string) => sheet.find((l) => l.part === part && l.args.clan === clan);
  return { spaces: of('spaces'), group: of('group') };
}
