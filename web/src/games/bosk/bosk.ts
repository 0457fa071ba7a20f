/** Bosk on the page. */
import './bosk.css';
import type { Face } from '../../table/face.ts';
import { say, tell } from '../../words/words.svelte.ts';
import { order, prints } from './art.ts';
import Board from './Board.svelte';
import { BoskHand } from './hand.svelte.ts';
import { plantWords } from './plantWords.ts';
import { seasons } from './seasons.svelte.ts';
import Sign from './Sign.svelte';
import Tray from './Tray.svelte';
import type { View } from './view.ts';

export const face: Face = {
  name: 'bosk',
  tone: (view) => `bosk ${(view as View).season}`,
  title: (view) => {
    const { season, turn, seats, round } = view as View;
    return say('page.bosk.title', { season, tree: Math.min(8, Math.floor(turn / seats) + 1), round });
  },
  forecast: (view) => {
    const { season } = view as View;
    return season === 'spring' ? say('page.bosk.forecast.summer') : season === 'autumn' ? say('page.bosk.forecast.winter') : '';
  },
  seatNames: (seats) => order.slice(0, seats).map((species) => tell(`bosk.seat.${species}`)),
  hand: (table) => new BoskHand(table, plantWords, seasons),
  Board,
  Tray,
  Sign,
  colours: order.map((species) => prints[species].fill),
  interlude: (events) => {
    if (events.some((e) => e.key === 'bosk.event.summer')) return 'summer';
    return events.some((e) => e.key === 'bosk.event.winter') ? 'winter' : null;
  },
  ready: (view) => ((view as View | null)?.season === 'spring' ? null : seasons.come()),
  more: () => import('./more.ts'),
};
