/** The words to a newcomer, each at its moment, in this order: turns are alike, so
 * the moment of each comes again. */
import type { CoachMark, Table } from '../../table/face.ts';
import type { SocietyHand } from './hand.svelte.ts';
import { phone } from './phone.svelte.ts';

const asks = (table: Table, ...what: string[]) => table.phase === 'person' && !table.complete && what.includes((table.hand as SocietyHand).asked);

const marks: CoachMark[] = [
  { key: 'page.treesociety.coach.sell', at: '[data-ts-mine] .fruits', when: (t) => asks(t, 'sell') },
  {
    key: 'page.treesociety.coach.prices',
    get at() {
      return phone.small ? '[data-ts-mine] .prices, [data-ts-tray]' : '.prices'; // after the sale a phone has them out of sight, but tells what it paid
    },
    when: (t) => asks(t, 'sell', 'free'), // whoever has sold still wonders
  },
  {
    get key() {
      return phone.small ? 'page.treesociety.coach.guilds.phone' : 'page.treesociety.coach.guilds';
    },
    at: '[data-ts-market] .guild',
    when: (t) => asks(t, 'free'),
  },
  { key: 'page.treesociety.coach.raise', at: '[data-ts-mine] .slots', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.action', at: '[data-ts-tray]', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.rest', at: '[data-confirm]', when: (t) => asks(t, 'free') },
  { key: 'page.treesociety.coach.take', at: '[data-ts-market] .fruits', when: (t) => asks(t, 'rest') },
  {
    get key() {
      return phone.small ? 'page.treesociety.coach.end.phone' : 'page.treesociety.coach.end';
    },
    at: '[data-banners]',
    when: (t) => asks(t, 'sell') && t.moves > 30,
  },
];
for (const mark of marks) mark.awaited = true;

export const coach = marks;
