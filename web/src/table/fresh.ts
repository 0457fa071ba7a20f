/** What a game and a bot begin with. */
import type { Level } from '../engine/protocol.ts';
import type { Kept, Player } from './kept.ts';

export function fresh(what: Pick<Kept, 'game' | 'version' | 'options' | 'players' | 'guide'>): Kept {
  const now = Date.now();
  return { ...what, id: randomName(8), seed: randomName(24), line: [], draft: [], began: now, touched: now, hints: 0, result: null };
}

/** A bot of a level, as it sits down. */
export function seatBot({ player, name }: Level): Player {
  return { kind: 'bot', name: '', bot: player, called: name };
}

function randomName(length: number): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'; // 32 that are not mistaken for each other
  return Array.from(crypto.getRandomValues(new Uint8Array(length)), (n) => letters[n % 32]).join('');
}
