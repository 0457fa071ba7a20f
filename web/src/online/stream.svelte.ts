/** One line to the server for everything that this window follows. It comes back
 * by itself, where it was, and says honestly how it stands. */
import { backoff, pause } from './client.ts';
import { Reader } from './sse.ts';
import type { Events, News, Summary } from './told.ts';

export type LineState = 'idle' | 'connecting' | 'connected' | 'reconnecting' | 'offline';

/** A line on which nothing came for so long is dead: the server gives a sign of
 * life every 15 seconds. */
const silence = 40_000;

type Hear = (news: News) => void;

class Stream {
  state: LineState = $state('idle');
  /** How far the server's clock is ahead of ours, in milliseconds. */
  ahead = $state(0);

  private readonly tables = new Map<string, Set<Hear>>();
  private readonly lists = new Set<(summary: Summary) => void>();
  private last = ''; // the id of the last event: where we are at every table
  private stop = new AbortController();
  private running = false;
  private hurry = new AbortController(); // ends a wait between two tries

  /** Follows a table: begins with a look. The answer ends it. */
  follow(table: string, hear: Hear): () => void {
    const heard = this.tables.get(table) ?? new Set();
    heard.add(hear);
    this.tables.set(table, heard);
    this.anew();
    return () => {
      heard.delete(hear);
      if (heard.size) return;
      this.tables.delete(table);
      this.anew();
    };
  }

  /** Hears what my list of tables says, now and whenever it changes. */
  followMine(hear: (summary: Summary) => void): () => void {
    this.lists.add(hear);
    this.anew();
    return () => {
      this.lists.delete(hear);
      this.anew();
    };
  }

  /** Begins again: other tables are followed, or we are somebody else. */
  anew() {
    this.last = ''; // of another set of tables
    this.stop.abort();
    if (this.running) return;
    this.running = true;
    queueMicrotask(() => void this.run());
  }

  /** Tries now, not after the wait. */
  retry() {
    this.hurry.abort();
  }

  private async run() {
    const wake = () => this.retry();
    addEventListener('online', wake);
    document.addEventListener('visibilitychange', wake);
    let tries = 0;
    while (this.tables.size || this.lists.size) {
      this.stop = new AbortController();
      const { signal } = this.stop;
      this.state = tries ? (navigator.onLine ? 'reconnecting' : 'offline') : this.state === 'connected' ? 'connected' : 'connecting';
      const heard = await this.listen(signal).catch(() => false);
      if (signal.aborted) {
        tries = 0;
        continue;
      }
      tries = heard ? 1 : tries + 1;
      this.state = navigator.onLine && tries < 4 ? 'reconnecting' : 'offline';
      this.hurry = new AbortController();
      await pause(backoff(tries - 1), AbortSignal.any([signal, this.hurry.signal]));
    }
    removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', wake);
    this.state = 'idle';
    this.running = false;
  }

  /** Listens until the line breaks. It tells whether anything came. */
  private async listen(stop: AbortSignal): Promise<boolean> {
    const dead = new AbortController();
    let alarm = setTimeout(() => dead.abort(), silence);
    let heard = false;
    try {
      const query = new URLSearchParams([...this.tables.keys()].sort().map((table) => ['table', table]));
      if (this.lists.size) query.set('mine', 'true');
      const answer = await fetch(`/api/stream?${query}`, {
        headers: { Accept: 'text/event-stream', ...(this.last ? { 'Last-Event-ID': this.last } : {}) },
        signal: AbortSignal.any([stop, dead.signal]),
        cache: 'no-store',
      });
      if (!answer.ok || !answer.body) return false;
      const messages = new Reader();
      const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await pieces.read();
        if (done || stop.aborted) return heard;
        clearTimeout(alarm);
        alarm = setTimeout(() => dead.abort(), silence);
        for (const { event, data, id } of messages.read(value)) {
          heard = true;
          this.state = 'connected';
          this.tell({ name: event, data: JSON.parse(data) } as News);
          if (id !== null) this.last = id;
          if (stop.aborted) return heard;
        }
      }
    } catch {
      return heard;
    } finally {
      clearTimeout(alarm);
      dead.abort(); // lets go of the line, whatever ended it
    }
  }

  private tell(news: News) {
    if (news.name === 'beat') this.ahead = news.data.now - Date.now();
    else if (news.name === 'mine') for (const hear of [...this.lists]) hear(news.data);
    else for (const hear of [...(this.tables.get((news.data as Events['gone']).table) ?? [])]) hear(news);
  }
}

/** The one line of this window. */
export const stream = new Stream();
