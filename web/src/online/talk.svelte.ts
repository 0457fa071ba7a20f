/** What is said at a table of the server, before the game and during it. */
import { announce } from '../app/announce.svelte.ts';
import { known, say, tell } from '../words/words.svelte.ts';
import type { Line, Saying, Seated } from './api.gen.ts';
import { ask, insist, Problem } from './client.ts';
import { muted } from './memory.ts';

/** Those who talk, and who of them we are. */
export interface Circle {
  you: number | null;
  seats: readonly Seated[];
  names: readonly string[];
}

export class Talk {
  unread = $state(0); // lines that came since somebody last looked
  private all: Line[] = $state.raw([]);
  private quiet: string[] = $state.raw([]);
  private readonly stop = new AbortController();

  constructor(
    readonly table: string,
    readonly circle: () => Circle,
  ) {
    this.quiet = muted.of(table) ?? [];
  }

  /** What is heard: not those who were muted. */
  readonly lines: Line[] = $derived.by(() => this.all.filter((line) => !this.isMuted(line.seat)));

  /** Those who can be muted. */
  readonly others: number[] = $derived.by(() => {
    const { you, seats } = this.circle();
    return seats.flatMap(({ held }, seat) => (held !== 'bot' && held !== 'empty' && seat !== you ? [seat] : []));
  });

  /** Reads what was said before we came. */
  async read() {
    try {
      const { lines } = await ask('GET /api/tables/{table}/chat', { at: { table: this.table }, query: { from: 0 } });
      this.all = merge(this.all, lines); // which are as they are now: some may be folded since
    } catch {
      // It comes with the next visit; what is said from now on is told.
    }
  }

  /** A line has come. */
  hear(line: Line) {
    const before = this.all.length;
    this.all = merge(this.all, [line]);
    if (this.all.length === before || line.seat === this.circle().you || this.isMuted(line.seat)) return;
    if (line.folded) return; // it is shown to whoever wants to see it
    this.unread++;
    announce(`${this.speaker(line)}: ${this.words(line)}`);
  }

  /** Says something; the answer is why not, or ''. */
  async say(what: { phrase: Saying } | { text: string }): Promise<string> {
    try {
      const line = await insist('POST /api/tables/{table}/chat', { at: { table: this.table }, body: what }, { stop: this.stop.signal });
      this.all = merge(this.all, [line]);
      return '';
    } catch (e) {
      return e instanceof Problem ? e.words(this.circle().names) : say('page.online.lost');
    }
  }

  isMuted(seat: Line['seat']): boolean {
    return typeof seat === 'number' && this.quiet.includes(this.whoAt(seat));
  }

  mute(seat: number, on: boolean) {
    const who = this.whoAt(seat);
    this.quiet = on ? [...this.quiet, who] : this.quiet.filter((other) => other !== who);
    muted.keep(this.table, this.quiet);
  }

  /** Somebody as the table knows them: they stay muted at another seat, and who
   * sits down after them is heard. */
  private whoAt(seat: number): string {
    return this.circle().seats[seat]?.person ?? `seat ${seat}`;
  }

  speaker(line: Line): string {
    return line.by?.name || (typeof line.seat === 'number' ? (this.circle().names[line.seat] ?? '') : '');
  }

  words({ phrase, text }: Line): string {
    const key = `table.phrase.${phrase}`;
    return phrase ? (known(key) ? tell(key) : phrase) : (text ?? '');
  }

  close() {
    this.stop.abort();
  }
}

/** Lines in their order, each once. */
function merge(a: readonly Line[], b: readonly Line[]): Line[] {
  const lines = new Map([...a, ...b].map((line) => [line.number, line]));
  return [...lines.values()].sort((x, y) => x.number - y.number);
}
