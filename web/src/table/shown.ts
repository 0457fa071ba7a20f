/** What stands on the screen: one moment of a game, all of it of the same position. */
import type { Event, SheetLine, Move, Score, Viewer } from '../engine/protocol.ts';
import type { Question, Reply, Seen } from './inputs.ts';
import { finished, hearing, oneLess, type Choice, type Ground, type Heard, type Ply, type Step } from './plies.ts';

/** The game in words and numbers. */
export interface Read {
  told: Heard[];
  sheet: SheetLine[];
  now: Score[];
}

export interface Shown extends Read {
  phase: string; // that it belongs to
  view: unknown; // as the viewer sees it, with the draft
  ground: unknown; // the same before the draft
  actor: number | null; // whose turn it is, until it is confirmed
  choices: readonly Choice[];
  first: readonly Choice[]; // what could be chosen before the draft
  instead: { draft: Move[]; choices: readonly Choice[] } | null; // what could be chosen in place of its last step, and what it follows
  aimed: Choice | null; // it turns something open: it is not made before Confirm
  held: Move | null;
  draft: Move[];
  complete: boolean;
  opens: boolean;
  before: Score[];
  cards: unknown;
  tale: Event[];
  recent: Heard[];
  moves: number;
  common: Read; // what everybody may read
}

export const nothing: Shown = {
  phase: 'loading',
  view: null,
  ground: null,
  actor: null,
  choices: [],
  first: [],
  instead: null,
  aimed: null,
  held: null,
  draft: [],
  complete: false,
  opens: false,
  before: [],
  now: [],
  sheet: [],
  cards: null,
  tale: [],
  told: [],
  recent: [],
  moves: 0,
  common: { told: [], sheet: [], now: [] },
};

/** A game as it lies on the table before anything has happened in it, and before
 * the engine is there. Nobody has a point then. */
export function laid(view: unknown, seats: number): Shown {
  const now = Array.from({ length: seats }, (): Score => ({ total: 0, parts: {}, rank: null }));
  return { ...nothing, view, ground: view, before: now, now, common: { ...nothing.common, now } };
}

/** What is to be shown: where the game is, and the draft on top of it. */
interface Now {
  phase: string;
  viewer: Viewer;
  plies: readonly Ply[];
  ground: Ground;
  steps: readonly Step[];
  aim: Choice | null;
  choices: readonly Choice[] | null;
}

/** What the engine is asked for to show a position, as the viewer may know it and as
 * everybody may. */
export function questions(viewer: Viewer, cards: boolean): Question[] {
  return [
    { do: 'view', seat: viewer },
    { do: 'standing', seat: viewer },
    { do: 'sheet', seat: viewer },
    { do: 'standing', seat: 'watcher' },
    { do: 'sheet', seat: 'watcher' },
    ...(cards ? [{ do: 'cards' as const }] : []),
  ];
}

/** The answers to that. */
export function seen(replies: readonly Reply[]): Seen {
  const [view, standing, sheet, everybody, open, cards] = replies as unknown as [{ view: unknown }, { seats: Score[] }, { lines: SheetLine[] }, { seats: Score[] }, { lines: SheetLine[] }, { printed: unknown }?];
  return { view: view.view, now: standing.seats, sheet: sheet.lines, common: { sheet: open.lines, now: everybody.seats }, cards: cards?.printed ?? null };
}

/** The moves of a draft, with the one that is only aimed at. */
export function movesOf(steps: readonly Step[], aim: Choice | null): Move[] {
  const moves = steps.map((step) => step.move);
  return aim ? [...moves, aim.move] : moves;
}

/** Shows a moment as the engine tells it. `veiled`: what is being counted was secret,
 * so the scores before it stay. `result` are the scores as they were counted where
 * nothing is secret. */
export function show(before: Shown, now: Now, told: Seen, { veiled, result }: { veiled: boolean; result: Score[] | null }): Shown {
  const { phase, plies, ground, steps, aim } = now;
  const made = finished(ground, steps);
  const complete = made || aim !== null;
  const draft = movesOf(steps, aim);
  const scores = result ?? told.now;
  const last = oneLess(steps);
  const begun = plies.findLastIndex((ply) => ply.turn !== ground.turn) + 1;
  return recall(
    {
      ...before,
      phase,
      view: told.view,
      ground: steps.length ? before.ground : told.view,
      actor: typeof ground.toAct === 'number' ? ground.toAct : null,
      choices: made ? steps.at(-1)!.choices : (now.choices ?? []),
      first: steps[0]?.choices ?? now.choices ?? [],
      instead: steps[last] ? { draft: draft.slice(0, last), choices: steps[last].choices } : null,
      aimed: aim,
      held: complete ? (draft.at(-1) ?? null) : null,
      draft,
      complete,
      opens: aim !== null || (made && steps.at(-1)!.after.toAct === 'chance'),
      before: steps.length || veiled ? before.before : scores,
      now: scores,
      sheet: told.sheet,
      cards: told.cards ?? before.cards,
      tale: [...plies.slice(begun), ...steps].flatMap((ply) => ply.events),
      common: { ...before.common, ...told.common },
    },
    now,
  );
}

/** Shows an earlier moment, without a draft. */
export function glimpse(before: Shown, viewer: Viewer, plies: readonly Ply[], toAct: Ground['toAct'], told: Seen): Shown {
  return recall(
    {
      ...before,
      phase: 'recap',
      view: told.view,
      ground: told.view,
      actor: typeof toAct === 'number' ? toAct : null,
      aimed: null,
      held: null,
      draft: [],
      complete: false,
      opens: false,
      before: told.now,
      now: told.now,
      sheet: told.sheet,
      common: { ...before.common, ...told.common },
    },
    { viewer, plies },
  );
}

/** Tells the game up to a moment, as the viewer heard it. */
export function recall(shown: Shown, { viewer, plies }: { viewer: Viewer; plies: readonly Ply[] }): Shown {
  const told = hearing(plies, viewer);
  const mine = told.findLastIndex((turn) => turn.seat === viewer);
  return {
    ...shown,
    told,
    recent: told.slice(typeof viewer === 'number' ? mine + 1 : -1),
    moves: plies.length,
    common: { ...shown.common, told: hearing(plies, 'watcher') },
  };
}
