import { go } from '../app/route.svelte.ts';
import { fresh, keep, type Kept } from './kept.ts';

/** The same players sit down once more, everybody one seat further. */
export function again(kept: Kept) {
  const { game, version, options, players } = kept;
  const next = fresh({ game, version, options, players: [...players.slice(1), players[0]], guide: null });
  keep(next);
  go(`/table/${next.id}`);
}
