/** A first game's short words, each beside what it is about. */
import type { CoachMark, Table } from '../../table/face.ts';
import type { View } from './view.ts';

const season = (table: Table) => (table.ground as View | null)?.season; // a drafted turn does not change it
const mine = (table: Table) => table.phase === 'person';
const first = (table: Table, what: string) => table.choices[0]?.move.do === what;

export const coach: CoachMark[] = [
  { key: 'page.bosk.coach.tree', at: '[data-bosk-tray]', when: (t) => mine(t) && first(t, 'plant') },
  { key: 'page.bosk.coach.crossing', at: '[data-bosk-board]', when: (t) => mine(t) && first(t, 'plant') },
  { key: 'page.bosk.coach.trails', at: '[data-bosk-side]', when: (t) => mine(t) && season(t) === 'spring' && t.complete },
  { key: 'page.bosk.coach.wind', at: '[data-bosk-wind]', when: (t) => season(t) === 'summer' && mine(t) },
  { key: 'page.bosk.coach.shed', at: '[data-bosk-tray]', when: (t) => mine(t) && first(t, 'shed') },
  { key: 'page.bosk.coach.leaf', at: '[data-bosk-board]', when: (t) => mine(t) && first(t, 'leaf') },
  { key: 'page.bosk.coach.regions', at: '[data-bosk-side]', when: (t) => mine(t) && season(t) === 'autumn' && t.complete },
  { key: 'page.bosk.coach.low', at: '[data-bosk-tray]', when: (t) => mine(t) && first(t, 'shed') && (t.view as View).round > 1 },
];
