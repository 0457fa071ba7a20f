/** What is said while trees are planted. */
import { say } from '../../words/words.svelte.ts';
import type { BoskHand } from './hand.svelte.ts';
import { nameOf, samePlace, trailLine } from './view.ts';

function ask({ table, value, heldAt }: BoskHand): string {
  if (table.complete) return say('page.bosk.ask.planted', { tree: value, at: heldAt });
  return value === null ? say('page.bosk.ask.tree') : say('page.bosk.ask.crossing', { tree: value });
}

/** One line of consequence: of what is hovered over, else of the ghost. */
function detail(hand: BoskHand): string {
  const { table, value, heldAt, hovered } = hand;
  const over = hovered && !samePlace(hovered, heldAt) ? hand.targets.get(nameOf(hovered)) : undefined;
  if (over && value !== null) return say('page.bosk.sums', { row: hovered![0], column: hovered![1], rows: over.facts.row, columns: over.facts.column });
  const at = over ? hovered : heldAt;
  if (!at || !table.complete) return say('page.bosk.left.trees', { n: hand.began.players[hand.me].hand.length });
  return hand.places([trailLine(table.sheet, 'row', at[0]), trailLine(table.sheet, 'column', at[1])]);
}

function missing({ value }: BoskHand): string {
  return value === null ? say('page.bosk.missing.tree') : say('page.bosk.missing.crossing', { tree: value });
}

function confirm({ table, value }: BoskHand): string {
  return table.complete ? say('page.bosk.confirm.plant', { tree: value }) : say('page.bosk.confirm');
}

export const plantWords = { ask, detail, missing, confirm };
