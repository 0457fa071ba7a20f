/** Tree Society on the page. */
import { afterPaint } from '../../app/paint.ts';
import { learn, tell } from '../../words/words.svelte.ts';
import type { Face } from '../../table/face.ts';
import { order, prints } from '../species.ts';
import Board from './Board.svelte';
import Seat from './Seat.svelte';
import Sign from './Sign.svelte';
import Tray from './Tray.svelte';
import { fruitCard, guildCard } from './drawn.ts';
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
  ready: (view) => {
    const cards = () => Promise.all([guildCard(phone.small), fruitCard()]);
    if (!dealing(view as View)) return Promise.all([cards(), learn('rest')]);
    afterPaint(() => void cards().catch(() => {})); // who needs them asks again
    return null;
  },
  more: () => import('./more.ts'),
};
