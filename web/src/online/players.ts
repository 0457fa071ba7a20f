import type { GameInfo } from '../engine/protocol.ts';
import type { Player } from '../table/kept.ts';
import { say } from '../words/words.svelte.ts';
import type { People, Who } from './told.ts';

/** Who sits where, as the table shows players. */
export function playersOf(company: People, who: readonly (Who | null)[], info: GameInfo): Player[] {
  return company.seats.map(({ held, player }, seat) => {
    const name = who[seat]?.name ?? '';
    if (held !== 'bot') return { kind: 'person', name, bot: '', ...(who[seat]?.guest ? { mark: say('page.online.guest') } : {}) };
    const called = info.levels.find((level) => level.player === player)?.name;
    return { kind: 'bot', name: '', bot: player ?? '', ...(called ? { called } : {}) };
  });
}
