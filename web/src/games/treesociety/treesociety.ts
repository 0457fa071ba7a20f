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
import type { View } from './view.ts';
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
  // Cards in words need no signs, and before the first sale little can be asked.
  ready: (view) => Promise.all([phone.small && import('./SmallCard.svelte'), !['sell', 'draft'].includes((view as View).phase) && learn('rest')]),
  more: () => import('./more.ts'),
};
