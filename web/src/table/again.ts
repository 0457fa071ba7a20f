import { announce } from '../app/announce.svelte.ts';
import { go } from '../app/route.svelte.ts';
import { say } from '../words/words.svelte.ts';
import { fresh, keep, type Kept } from './kept.ts';

/** The same players sit down once more, everybody one seat further. It tells
 * why not where that cannot be. */
export function again(kept: Kept): string {
  const { game, version, options, players } = kept;
  const next = fresh({ game, version, options, players: [...players.slice(1), players[0]], guide: null });
  if (keep(next)) {
    go(`/table/${next.id}`);
    return '';
  }
  announce(say('page.no-room'), true);
  return say('page.no-room');
}
