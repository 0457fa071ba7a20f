/** What the seats of a game are called. */
import type { Player } from './kept.ts';
import type { Level } from '../engine/protocol.ts';
import { known, say, tell, type Key } from '../words/words.svelte.ts';

/** Bots that games of old were begun with, before there were levels. */
const old: Record<string, Key> = { easy: 'page.bot.easy', greedy: 'page.bot.greedy', ahead: 'page.bot.ahead' };

/** The name of a bot's level; null for people, and for bots that have none. */
export function levelName({ kind, called }: Player): string | null {
  return kind === 'bot' && called && known(called.key) ? tell(called.key, called.args) : null;
}

/** People are called as they said, bots by their level, everybody else after
 * their pieces. No two seats share a name: sentences tell them apart by it. So
 * people of one name are told apart by their pieces. */
export function namesOf(players: readonly Player[], pieces: readonly string[]): string[] {
  const first = players.map((player, seat) => player.name || (levelName(player) ?? pieces[seat]));
  const names = first.map((name, seat) => {
    if (levelName(players[seat]) === null || first.filter((other) => alike(other, name)).length === 1) return name;
    const bots = players.flatMap((player, other) => (alike(first[other], name) && levelName(player) !== null ? [other] : []));
    return bots.length === 1 ? say('page.bot.called', { name }) : say('page.bot.numbered', { name, n: bots.indexOf(seat) + 1 });
  });
  // Who took a name that such a rule makes is told apart in a second round.
  return apart(apart(names, pieces), pieces);
}

function apart(names: readonly string[], pieces: readonly string[]): string[] {
  return names.map((name, seat) => {
    const shared = names.some((other, i) => i !== seat && alike(other, name));
    return shared && !alike(name, pieces[seat]) ? say('page.seat.called', { name, piece: pieces[seat] }) : name;
  });
}

/** Whether two names look the same at a glance. */
function alike(a: string, b: string): boolean {
  const plain = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  return plain(a) === plain(b);
}

/** How strong a bot is, in a word or two. */
export function botRole({ bot }: Player, levels: readonly Level[]): string {
  const n = levels.findIndex((level) => level.player === bot) + 1;
  return n ? say('page.level.n', { n }) : bot in old ? say(old[bot]) : bot;
}
