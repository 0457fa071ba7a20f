/** How the ground is put into words. */
import type { SheetLine } from '../../engine/protocol.ts';
import type { Choice } from '../../table/face.ts';
import { capital, say, tell } from '../../words/words.svelte.ts';
import { haves, type Place, type Tree } from './view.ts';

/** What a line of the score sheet is about: "Row 4", "Sand". */
export function about(line: SheetLine): string {
  if (line.key === 'bosk.sheet.row') return say('page.bosk.row', { trail: line.args.trail });
  if (line.key === 'bosk.sheet.column') return say('page.bosk.column', { trail: line.args.trail });
  return capital(tell(`bosk.region.${line.args.region}`));
}

type Standing = 'alone' | 'first' | 'tied-first' | 'second' | 'tied-second' | 'behind' | 'none';

/** Which place a seat has among all who have something there. */
export function standing(have: number[], seat: number): Standing {
  const mine = have[seat];
  if (!mine) return 'none';
  if (have.every((n, other) => other === seat || !n)) return 'alone';
  const tied = have.filter((n) => n === mine).length > 1;
  const above = new Set(have.filter((n) => n > mine)).size;
  if (above === 0) return tied ? 'tied-first' : 'first';
  if (above === 1) return tied ? 'tied-second' : 'second';
  return 'behind';
}

/** "Row 4: first place, 2 points". */
export function placed(line: SheetLine, me: number): string {
  return say('page.bosk.placed', { what: about(line), how: how(line, me) });
}

const how = (line: SheetLine, me: number) => say('page.bosk.place', { place: standing(haves(line), me), points: line.points[me] ?? 0 });

/** "Sand – you: 4 · Oak: 3 → first place, 5 points": names may end in a number. */
export function contest(line: SheetLine, me: number, names: string[]): string {
  const have = haves(line);
  const order = have.map((_, seat) => seat).filter((seat) => have[seat] && seat !== me);
  order.sort((a, b) => have[b] - have[a]);
  const who = [say('page.bosk.you-have', { n: have[me] }), ...order.map((seat) => say('page.bosk.they-have', { seat, n: have[seat] }, names))];
  return say('page.bosk.contest', { what: about(line), who: who.join(' · '), how: how(line, me) });
}

/** A crossing for a screen reader: who stands there, what it would bring. */
export function crossingWords(at: Place, tree: Tree | undefined, target: Choice | undefined, held: boolean, names: string[]): string {
  const words = [
    tree ? say('page.bosk.cell.tree', { at, seat: tree.seat, tree: tree.tree }, names) : say('page.bosk.cell.free', { at }),
    held ? say('page.bosk.cell.held') : '',
  ];
  if (target?.move.do === 'plant') words.push(say('page.bosk.cell.plant', { row: target.facts.row, column: target.facts.column, tree: target.move.tree }));
  if (target?.move.do === 'shed') words.push(say('page.bosk.cell.shed'));
  return words.filter(Boolean).join('; ');
}
