/** What a game of both sides that this browser keeps has besides: how it leads on, and
 * that it can be given up. */
import type { Score } from '../engine/protocol.ts';
import { say } from '../words/words.svelte.ts';
import { lastScores, lastSheet } from './history.ts';
import { keep, type Kept } from './kept.ts';
import { ranked, resigned } from './resign.ts';
import type { Shell } from './shell.svelte.ts';
import { onward, sideOf } from './sides.ts';
import Bar from './SidesBar.svelte';
import Ending from './SidesKept.svelte';

/** The game, as it is asked of where it lives. */
interface Home {
  readonly kept: Kept;
  readonly table: Shell;
  readonly names: string[];
  readonly people: readonly number[];
  readonly alone: boolean;
  save(): void;
  anew(): void;
}

export class Sided {
  readonly Bar = Bar;
  readonly Ending = Ending;
  result: Score[] | undefined; // as it is counted where somebody has resigned
  over: boolean = $state(false); // and what it came to is kept

  constructor(private readonly home: Home) {
    this.over = home.kept.result !== null;
  }

  get kept() {
    return this.home.kept;
  }
  get names() {
    return this.home.names;
  }
  get onward(): string {
    return this.over ? onward(this.home.kept) : '';
  }

  /** Who would resign now: whoever plays alone, or else whose turn it is; null for nobody. */
  get resigner(): number | null {
    const { people, alone, table } = this.home;
    const seat = alone ? people[0] : table.actor;
    return this.over || table.phase === 'over' || typeof seat !== 'number' || !people.includes(seat) ? null : seat;
  }

  /** Whether it would end the game if somebody resigned. */
  ends = (seat: number) => !!resigned(this.home.kept, seat).cut;

  /** Gives the game up for somebody. It tells why not where that cannot be. */
  async resign(seat: number): Promise<string> {
    const { home } = this;
    home.save();
    const next = resigned(home.kept, seat);
    if (next.cut) {
      const scores = await lastScores(next).catch(() => null);
      if (!scores) return say('page.not-loaded');
      next.result = { totals: scores.map((s) => s.total ?? 0), ranks: ranked(scores.map((s) => s.rank ?? 0), next.out) };
    }
    if (home.table.closed || next === home.kept) return '';
    if (!keep(next)) return say('page.no-room');
    home.anew();
    return '';
  }

  /** The game was played to its end; the rules do not know who has resigned. */
  ended() {
    const { kept, table } = this.home;
    if (this.over) return;
    this.over = true;
    if (!kept.out) return;
    kept.result!.ranks = ranked(kept.result!.ranks, kept.out);
    setTimeout(() => table.closed || this.home.anew()); // once it is kept
  }
}

/** What a game of both sides has besides; null where it is none. */
export async function sidedOf(home: Home): Promise<Sided | null> {
  const { kept, table } = home;
  if (!sideOf(kept)) return null;
  const sided = new Sided(home);
  if (!kept.result || !kept.out) return sided;
  const { ranks } = kept.result;
  sided.result = (await lastScores(kept)).map((score, seat) => ({ ...score, rank: ranks[seat] }));
  void table.opened.then(async () => table.dispatch({ is: 'sheet', lines: await lastSheet(kept) }));
  return sided;
}
