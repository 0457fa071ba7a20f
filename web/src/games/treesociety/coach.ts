/** The words to a newcomer, each at its moment. */
import type { Table } from '../../table/table.svelte.ts';
import type { CoachMark } from '../face.ts';
import type { SocietyHand } from './hand.svelte.ts';

const asks = (table: Table, what: string) => table.phase === 'person' && !table.complete && (table.hand as SocietyHand).asked === what;

export const coach: CoachMark[] = [
  { key: 'page.treesociety.coach.sell', at: '[data-ts-mine] .fruits', when: (t) => asks(t, 'sell') },
  { key: 'page.treesociety.coach.prices', at: '.prices', when: (t) => asks(t, 'sell') },
  { key: 'page.treesociety.coach.guilds', at: '[data-ts-market] .guild', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.raise', at: '[data-ts-mine] .slots', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.action', at: '[data-ts-tray]', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.rest', at: '[data-confirm]', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.take', at: '[data-ts-market] .fruits', when: (t) => asks(t, 'rest') },
  { key: 'page.treesociety.coach.end', at: '[data-banners]', when: (t) => asks(t, 'sell') && t.moves > 30 },
];
