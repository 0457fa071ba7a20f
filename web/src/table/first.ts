/** How a game lies on the table before anything has happened in it: that is drawn
 * while the engine is still on its way. */
import type { Leaflet } from '../engine/games.ts';
import type { Kept } from './kept.ts';

/** The first view of a new game; null where something has happened already, or
 * where it is not printed what it looks like: with a box of one's own, with other
 * words than the usual ones, with the rules of old. */
export function firstView(kept: Kept, { info, first, else: others }: Leaflet): object | null {
  if (kept.line.length || kept.draft.length || kept.version !== info.version) return null;
  const usual = first[kept.players.length];
  if (!usual) return null;
  const view = { ...usual };
  for (const [name, choice] of Object.entries(kept.options)) {
    const chosen = JSON.stringify(choice);
    if (chosen === JSON.stringify(info.options.find((option) => option.name === name)?.default)) continue;
    const other = others[name]?.find((v) => JSON.stringify(v.choice) === chosen);
    if (!other) return null;
    Object.assign(view, other.view);
  }
  return view;
}
