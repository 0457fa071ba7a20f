/** The harvest step by step: what lights up for whom, and what it brings. */
import type { Score, SheetLine } from '../../engine/protocol.ts';
import { spacesOf, type Place, type View } from './view.ts';

export type Column = 'spaces' | 'group' | 'towers';

export const columns: readonly Column[] = ['spaces', 'group', 'towers'];

export interface Step {
  seat: number;
  column: Column;
  points: number;
  lit: Place[];
}

/** Points of a seat in a column of the sheet; null while they are not known. */
export function pointsOf(score: Score | undefined, column: Column): number | null {
  const { spaces, group, towerOwn, towerOthers } = score?.parts ?? {};
  if (column === 'spaces') return spaces ?? null;
  if (column === 'group') return group ?? null;
  return towerOwn === null || towerOwn === undefined ? null : towerOwn + (towerOthers ?? 0);
}

/** One part of a seat's score: its points and the spaces they come from. */
export function partOf(view: View, sheet: readonly SheetLine[], scores: readonly Score[], seat: number, column: Column): Step {
  const clans = view.players[seat].clans ?? [];
  const lines = sheet.filter((line) =>
    column === 'towers' ? line.part.startsWith('tower') && line.args.seat === seat : line.part === column && clans.includes(line.args.clan as string),
  );
  const lit = lines.flatMap(spacesOf);
  if (column === 'towers') lit.push(...view.forest.filter((space) => space.tower === seat));
  return { seat, column, points: pointsOf(scores[seat], column) ?? 0, lit };
}

/** Seat by seat: its spaces, its largest groups, its towers. */
export function steps(view: View, sheet: readonly SheetLine[], scores: readonly Score[]): Step[] {
  return view.players.flatMap((_, seat) => columns.map((column) => partOf(view, sheet, scores, seat, column)));
}
