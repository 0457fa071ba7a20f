/** GrandBois on the page. */
import { tell } from '../../words/words.svelte.ts';
import type { Face } from '../../table/face.ts';
import Board from './Board.svelte';
import Sign from './Sign.svelte';
import Tray from './Tray.svelte';
import { lineColours, towerNames } from './art.ts';
import { GrandboisHand } from './hand.svelte.ts';
import type { View } from './view.ts';
import { title } from './words.ts';

export const face: Face = {
  name: 'grandbois',
  tone: () => 'grandbois',
  title: (view) => title(view as View | null),
  seatNames: (seats) => towerNames.slice(0, seats).map((name) => tell(`grandbois.seat.${name}`)),
  hand: (table) => new GrandboisHand(table),
  Board,
  Tray,
  Sign,
  colours: lineColours,
  interlude: (events) => (events.some((e) => e.key === 'grandbois.event.harvest') ? 'harvest' : null),
  more: () => import('./more.ts'),
};
