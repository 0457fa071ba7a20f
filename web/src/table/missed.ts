/** What others did while somebody was away: it is offered, and shown once more. */
import type { Input } from './inputs.ts';
import { since, tempo } from './recap.ts';
import { glimpse } from './shown.ts';
import type { Task } from './state.ts';
import { done, type Work } from './work.ts';

/** How things stood at a moment is there to be shown. */
export function framed(w: Work, { seen, toAct }: Extract<Input, { is: 'frame' }>) {
  const [task] = w.tasks as [Extract<Task, { is: 'recap' }>];
  if (!seen) {
    w.out.push({ do: 'slip', why: { key: 'page.recap.lost', args: {} }, spot: null });
    return endRecap(w);
  }
  const made = task.at < 0 ? task.from : task.stops[task.at];
  const before = task.at < 1 ? task.from : task.stops[task.at - 1];
  const began = task.at < 0 ? w.at : task.began; // what comes before it is not looked at, however slow the machine
  w.shown = glimpse(w.shown, w.viewer, w.plies.slice(0, made), toAct, seen);
  w.out.push({ do: 'tell', events: w.plies.slice(before, made).flatMap((ply) => ply.events) });
  const each = tempo(task.stops.length);
  const until = task.at < task.stops.length - 1 ? began + each * (task.at + 2) : w.at + each;
  w.asked = { id: ++w.ids };
  w.tasks = [{ ...task, began }, ...w.tasks.slice(1)];
  w.out.push({ do: 'wait', id: w.ids, ms: Math.max(0, until - w.at) });
}

export function endRecap(w: Work) {
  if (w.phase.is === 'recap') w.phase = w.phase.back;
  w.missed = null;
  w.out.push({ do: 'frames-end' });
  done(w);
}

/** Who was away is offered what they did not see; what is seen is remembered. */
export function attend(w: Work) {
  const { viewer, plies, known } = w;
  if (!w.attending || w.shown.phase === 'loading' || w.phase.is === 'recap') return;
  if (w.away || w.missed) {
    const missed = typeof viewer === 'number' && w.phase.is !== 'over' ? since(plies, viewer) : null;
    w.missed = missed && plies.slice(missed.from).some((ply) => typeof ply.seat === 'number' && ply.number > known) ? missed : null;
    w.away = false;
  }
  if (w.missed || (w.known === w.number && w.known >= 0)) return;
  w.known = w.number;
  w.out.push({ do: 'seen', number: w.number });
}
