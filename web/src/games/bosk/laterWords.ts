/** What is said while the wind is laid and leaves fall. */
import { say } from '../../words/words.svelte.ts';
import type { BoskHand } from './hand.svelte.ts';
import { nameOf, placeOf, regionLine, samePlace } from './view.ts';

function ask({ table, task, tile, tree, heldAt, laid, view, began }: BoskHand): string {
  const { wind } = began;
  const blows = wind?.blows ?? 'north';
  if (task === 'wind') return table.complete ? say('page.bosk.ask.wind-set', { wind: table.held!.side }) : say('page.bosk.ask.wind');
  if (table.complete) {
    if (tile === 'squirrel') return heldAt && table.held!.do === 'squirrel' ? say('page.bosk.ask.sits', { to: heldAt }) : say('page.bosk.ask.stays');
    return say('page.bosk.ask.fallen', { laid: laid.length });
  }
  if (task === 'leaf' && view.path) return say('page.bosk.ask.leaf', { n: view.path.laid + 1, of: view.path.laid + view.path.active, wind: blows });
  if (task === 'squirrel') return say('page.bosk.ask.squirrel', { wind: blows });
  if (tree && tile === null) return say('page.bosk.ask.tile');
  if (tile !== null && !tree) return say('page.bosk.ask.which', { asks: wind?.tree ?? 'any' });
  return say('page.bosk.ask.shed', { asks: wind?.tree ?? 'any' });
}

/** One line of consequence: of what is hovered over, else of what was laid last. */
function detail(hand: BoskHand): string {
  const { table, task, heldAt, hovered } = hand;
  const { wind, round } = hand.began;
  const over = hovered && !samePlace(hovered, heldAt) ? hand.targets.get(nameOf(hovered)) : undefined;
  switch (task) {
    case 'wind':
      return say('page.bosk.wind.turns');
    case 'leaf':
      if (over) return say('page.bosk.costs', { to: placeOf(over.move), region: over.facts.region, price: over.facts.price, back: (over.facts.price as number) - 1, left: over.facts.left });
      break;
    case 'squirrel':
      if (over) return say('page.bosk.sits', { to: placeOf(over.move), region: over.facts.region, covers: over.facts.covers });
      break;
    case 'shed':
      if (!table.complete && wind) return say('page.bosk.blows', { wind: wind.blows, round });
  }
  const last = table.held?.do === 'squirrel' ? heldAt : hand.laid.at(-1);
  if (last) return hand.contest(regionLine(table.sheet, hand.regionAt(last)));
  return task === 'leaf' ? say('page.bosk.paths') : task === 'squirrel' ? say('page.bosk.runs') : '';
}

function missing({ task, tree, tile, active }: BoskHand): string {
  switch (task) {
    case 'wind':
      return say('page.bosk.missing.wind');
    case 'leaf':
      return say('page.bosk.missing.leaves', { n: active });
    case 'squirrel':
      return say('page.bosk.missing.squirrel');
    case 'shed':
      if (tree && tile === null) return say('page.bosk.missing.tile');
      return tile !== null && !tree ? say('page.bosk.missing.which') : say('page.bosk.missing.shed');
    default:
      return '';
  }
}

function confirm({ table, task, active }: BoskHand): string {
  if (!table.complete && task === 'leaf') return say('page.bosk.confirm.left', { n: active });
  return table.complete && task === 'wind' ? say('page.bosk.confirm.wind') : say('page.bosk.confirm');
}

export const laterWords = { ask, detail, missing, confirm };
