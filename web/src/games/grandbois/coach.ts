/** The words to a newcomer, each at its moment. */
import type { CoachMark, Table } from '../../table/face.ts';
import type { GrandboisHand } from './hand.svelte.ts';
import type { View } from './view.ts';

const hand = (table: Table) => table.hand as GrandboisHand;
const laid = (table: Table) => (table.view as View).laid.length;
const free = (table: Table) => hand(table).placing && hand(table).tile === null;

export const coach: CoachMark[] = [
  { key: 'page.grandbois.coach.clan', at: '.gb-clan', when: (t) => free(t) },
  { key: 'page.grandbois.coach.river', at: '.gb-river', when: (t) => free(t) },
  { key: 'page.grandbois.coach.turn', at: '.gb-turns', when: (t) => hand(t).placing && hand(t).tile !== null && !hand(t).ghost },
  { key: 'page.grandbois.coach.place', at: '.gb-forest', when: (t) => hand(t).placing && hand(t).tile !== null && !hand(t).ghost },
  { key: 'page.grandbois.coach.confirm', at: '[data-confirm]', when: (t) => t.complete && hand(t).ghost !== null },
  { key: 'page.grandbois.coach.tower', at: '[data-decide]', when: (t) => t.phase === 'person' && hand(t).tower !== null },
  { key: 'page.grandbois.coach.score', at: '.gb-score', when: (t) => laid(t) > 1 && free(t) },
  { key: 'page.grandbois.coach.pile', at: '.gb-pile', when: (t) => laid(t) > 3 && free(t) },
];
