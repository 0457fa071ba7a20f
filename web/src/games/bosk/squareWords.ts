import { say } from '../../words/words.svelte.ts';
import type { Choice } from '../../table/face.ts';
import type { Place, Square } from './view.ts';

/** A square for a screen reader: "D5, sand, leaf of Maple on top of 2 leaves; legal, costs 1". */
export function squareWords(at: Place, region: string, square: Square | undefined, target: Choice | undefined, held: boolean, instead: boolean, names: string[]): string {
  const words = [say('page.bosk.cell.square', { at, region })];
  if (!square) words.push(say('page.bosk.cell.bare'));
  else if (square.squirrel) words.push(say('page.bosk.cell.squirrel', { seat: square.seat, n: square.leaves }, names));
  else words.push(say('page.bosk.cell.leaf', { seat: square.seat, n: square.leaves - 1 }, names));
  let text = words.join(', ');
  if (held) text += '; ' + say('page.bosk.cell.held');
  if (target?.move.do === 'leaf') text += '; ' + say('page.bosk.cell.costs', { price: target.facts.price, left: target.facts.left });
  if (target?.move.do === 'squirrel') text += '; ' + say('page.bosk.cell.stop');
  if (instead) text += '; ' + say('page.bosk.cell.instead');
  return text;
}
