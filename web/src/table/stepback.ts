/** What a step back takes back, before anybody asks for it; and why there is none. */
import type { Heard } from './face.ts';
import { learn, say } from '../words/words.svelte.ts';

/** What the table lets one take back once it is confirmed: against bots alone one's
 * last turn, at a screen that people share nothing, at a table on a server what the
 * others agree to or nothing, and who watches has nothing to take back. */
export type BackRule = 'alone' | 'screen' | 'asks' | 'never' | 'watches';

export interface Back {
  seat: number;
  turns: number;
}

/** Whose turns go when somebody's last turn is taken back, who asks first. */
export function turnsBack(told: readonly Heard[], seat: number): Back[] {
  const from = told.findLastIndex((turn) => turn.seat === seat);
  if (from < 0) return [];
  const gone = new Map<number, number>([[seat, 0]]);
  for (const turn of told.slice(from)) if (turn.seat !== null) gone.set(turn.seat, (gone.get(turn.seat) ?? 0) + 1);
  return [...gone].map(([seat, turns]) => ({ seat, turns }));
}

/** The same in words: "This takes back your last turn and 2 of Anna's." */
export function backWords(back: readonly Back[], names: readonly string[], asks: boolean): string {
  const turns = turnsWords(back, names);
  return asks ? say('page.back.asks', { turns }) : say('page.back.takes', { turns });
}

/** Those turns one by one, one's own first. */
export function turnsWords([, ...others]: readonly Back[], names: readonly string[]): string[] {
  return [say('page.back.yours'), ...others.map(({ seat, turns }) => say('page.back.of', { seat, n: turns }, names))];
}

/** Why nothing can be taken back now. */
export function whyNot({ rule, mine, moved }: { rule: BackRule; mine: boolean; moved: boolean }): string {
  if (rule === 'watches') return say('page.back.watching');
  if (!moved) return say('page.back.nothing');
  if (rule === 'never') return say('page.back.never');
  if (rule === 'screen') return say('page.back.screen');
  if (!mine) return rule === 'asks' ? say('page.back.later.asks') : say('page.back.later');
  return say('page.back.nothing');
}

/** What Undo does, by button or by key: steps of the draft go at once; before a
 * whole turn goes it says whose turns go with it; and where nothing can be taken
 * back it says why. */
export function stepper(table: Undone, rule: () => BackRule): (spot?: Element | null) => void {
  let said = ''; // what was said last, as long as the game stands where it stood
  return (spot = null) => {
    if (table.undoable && table.draft.length) return void table.undo();
    void learn('rest').then(
      () => {
        const { viewer, told, names } = table;
        const seat = typeof viewer === 'number' ? viewer : -1;
        const words = table.undoable ? backWords(turnsBack(told, seat), names, rule() === 'asks') : whyNot({ rule: rule(), mine: table.phase === 'person', moved: turnsBack(told, seat).length > 0 });
        const now = `${table.moves} ${words}`;
        if (table.undoable && said === now) {
          said = '';
          return void table.undo();
        }
        said = now;
        table.deny(words, spot);
      },
      () => {},
    );
  };
}

/** What of a table that needs. */
interface Undone {
  readonly phase: string;
  readonly viewer: number | 'watcher';
  readonly undoable: boolean;
  readonly draft: readonly unknown[];
  readonly told: readonly Heard[];
  readonly names: readonly string[];
  readonly moves: number;
  undo(): Promise<void>;
  deny(text: string, spot?: Element | null): void;
}
