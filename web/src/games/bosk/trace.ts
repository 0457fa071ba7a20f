import type { Event } from '../../engine/protocol.ts';
import type { Place } from './view.ts';

/** What an event leaves on the board, to be marked: a crossing or a square. */
export interface Trace {
  seat: number;
  kind: 'crossing' | 'square';
  at: Place;
}

export function trace({ key, args }: Event): Trace | null {
  const seat = args.seat as number;
  switch (key) {
    case 'bosk.event.plant':
    case 'bosk.event.shed':
      return { seat, kind: 'crossing', at: args.at as Place };
    case 'bosk.event.leaf':
    case 'bosk.event.cover':
    case 'bosk.event.squirrel':
      return { seat, kind: 'square', at: args.to as Place };
    default:
      return null;
  }
}
