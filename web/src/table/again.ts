import { announce } from '../app/announce.svelte.ts';
import { go } from '../app/route.svelte.ts';
import { say } from '../words/words.svelte.ts';
import { fresh } from './fresh.ts';
import { keep, type Kept, type Player } from './kept.ts';
import { follows, later, sideOf, successor, turned } from './sides.ts';

/** Goes on after a game: to the next of both sides, begun or not, or else the same
 * players sit down once more, everybody one seat further. It tells why not where
 * that cannot be. */
export function again(kept: Kept): string {
  const begun = follows(kept) ? later(kept) : null;
  const next = begun ?? (follows(kept) ? successor(kept) : rematch(kept));
  if (begun || keep(next)) {
    go(`/table/${next.id}`);
    return '';
  }
  announce(say('page.no-room'), true);
  return say('page.no-room');
}

/** The same once more. Whoever has resigned plays again, and both sides are both sides. */
function rematch(kept: Kept): Kept {
  const { game, version, options, players, out } = kept;
  const back = (player: Player, seat: number): Player => (out?.[seat] ? { kind: 'person', name: player.name, bot: '' } : player);
  const next = fresh({ game, version, options, players: turned(players.map(back), -1), guide: null });
  return sideOf(kept) ? { ...next, side: { first: next.id, n: 1, before: [] } } : next;
}
