/** Tree Society on the page. */
import { learn, tell } from '../../words/words.svelte.ts';
import type { Face } from '../../table/face.ts';
import { order, prints } from '../species.ts';
import Board from './Board.svelte';
import Seat from './Seat.svelte';
import Sign from './Sign.svelte';
import Tray from './Tray.svelte';
import { SocietyHand } from './hand.svelte.ts';
import { phone } from './phone.svelte.ts';
import './treesociety.css';
import { dealing, type View } from './view.ts';
import { title } from './words.ts';

export const face: Face = {
  name: 'treesociety',
  tone: () => 'treesociety',
  title: (view) => title(view as View | null),
  seatNames: (seats) => order.slice(0, seats).map((species) => tell(`treesociety.seat.${species}`)),
  hand: (table) => new SocietyHand(table),
  Board,
  Tray,
  Sign,
  Seat,
  cards: true,
  colours: order.map((species) => prints[species].fill),
  interlude: () => null,
  // Cards are told in later words; before chance has dealt any there are none.
  ready: (view) => Promise.all([phone.small && import('./SmallCard.svelte'), !dealing(view as View) && learn('rest')]),
  more: () => import('./more.ts'),
};
