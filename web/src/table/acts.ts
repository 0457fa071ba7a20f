/** What somebody at this screen does with their turn. */
import type { Move } from '../engine/protocol.ts';
import type { Act, Effect, Spot } from './inputs.ts';
import { common, oneLess } from './plies.ts';
import { since, stops } from './recap.ts';
import { movesOf } from './shown.ts';
import { complete, takeable, type Task } from './state.ts';
import type { Work } from './work.ts';

/** A second press within so many milliseconds still belongs to the turn before. */
const doubleClick = 400;

/** Somebody at this screen does something. */
export function act(w: Work, input: Act) {
  const end = (ok: boolean) => void w.out.push({ do: 'done', n: input.n, ok });
  if (input.is === 'take-screen') {
    if (w.phase.is !== 'hand-over') return end(false);
    w.viewer = w.phase.next;
    w.tasks = [{ is: 'begin', before: 'hand-over' }, { is: 'do', effects: [{ do: 'done', n: input.n, ok: true }] }];
    return;
  }
  if (input.is === 'recap') {
    if (!w.missed || w.phase.is === 'loading') return end(false);
    const { from } = since(w.plies, w.viewer);
    w.missed = null;
    w.phase = { is: 'recap', back: w.phase };
    w.out.push({ do: 'slip', why: null, spot: null });
    w.tasks = [{ is: 'recap', from, stops: stops(w.plies, from), at: -1, began: 0 }, { is: 'look' }, { is: 'do', effects: [{ do: 'done', n: input.n, ok: true }] }];
    return;
  }
  if (w.phase.is !== 'person') return end(false);
  w.out.push({ do: 'slip', why: null, spot: null });
  const draft = movesOf(w.steps, w.aim);
  const after = (...effects: Effect[]): Task[] => [{ is: 'look' }, { is: 'do', effects: [...effects, { do: 'done', n: input.n, ok: true }] }];
  switch (input.is) {
    case 'try':
      return attempt(w, input);
    case 'undo': {
      if (!draft.length) {
        if (takeable(w)) w.out.push({ do: 'take-back', to: ownTurn(w) });
        return end(takeable(w));
      }
      const to = w.aim ? w.steps.length : oneLess(w.steps);
      w.tasks = [{ is: 'back', to }, ...hands(to ? [] : ['reset']), ...after({ do: 'say', key: 'page.undone' })];
      return;
    }
    case 'restart':
      w.tasks = [{ is: 'back', to: 0 }, ...hands(['reset']), ...after({ do: 'say', key: 'page.restarted' })];
      return;
    case 'redraft': {
      const to = common(w.steps, input.moves);
      const bare: Task[] = to ? [] : [{ is: 'look' }, ...hands(['reset', 'drop'])];
      w.tasks = [{ is: 'back', to }, ...bare, { is: 'make', want: input.moves }, ...after({ do: 'sound', name: 'place' }, { do: 'say', key: 'prompt' })];
      return;
    }
    case 'confirm': {
      const again = w.at - w.confirmedAt < doubleClick;
      if (!complete(w)) {
        if (again) return end(false);
        if (input.next) return attempt(w, { n: input.n, move: input.next, spot: input.spot });
        w.out.push({ do: 'slip', why: 'missing', spot: input.spot });
        return end(false);
      }
      w.confirmedAt = w.at;
      w.missed = null;
      w.phase = { is: 'sent', key: input.key, after: w.number, seat: w.ground.toAct as number, moves: draft, tries: 0, wait: 0, busy: 0 };
      w.shown = { ...w.shown, phase: 'sent' };
      send(w);
      return end(true);
    }
  }
}

const hands = (what: ('reset' | 'drop')[]): Task[] => (what.length ? [{ is: 'do', effects: what.map((what) => ({ do: 'hand', what })) }] : []);

/** Makes a choice; where a finished turn waits, it takes the place of the last step that
 * was chosen, and of what followed that by itself. */
function attempt(w: Work, { n, move, spot }: { n: number; move: Move; spot: Spot }) {
  const keep = complete(w) && !w.aim ? w.steps.slice(0, oneLess(w.steps)) : w.steps;
  const stood = w.aim?.move ?? w.steps.at(keep.length)?.move ?? null;
  w.tasks = [{ is: 'back', to: keep.length }, { is: 'make', want: [...movesOf(keep, null), move], or: { n, spot, stood } }, { is: 'look' }, { is: 'do', effects: [{ do: 'sound', name: 'place' }, { do: 'done', n, ok: true }] }];
}

/** The entry before the viewer's last turn. */
function ownTurn({ plies, viewer }: Work): number {
  const turn = plies.findLast((ply) => ply.seat === viewer)!.turn;
  return plies.find((ply) => ply.seat === viewer && ply.turn === turn)!.number - 1;
}

/** Sends the draft, again with the same key. */
export function send(w: Work) {
  if (w.phase.is !== 'sent') return;
  const { key, after, seat, moves, tries } = (w.phase = { ...w.phase, wait: 0, busy: 0 });
  w.out.push({ do: 'send', key, after, seat, moves: [...moves], tries });
}
