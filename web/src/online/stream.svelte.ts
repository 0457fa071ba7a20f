/** One connection to the server for everything that this window follows. It comes back
 * by itself, where it was, and says honestly how it stands. */
import { after, dead, idle, until, type Happened, type Connection, type ConnectionState } from './connection.ts';
import { backoff, onAsked, pause } from './client.ts';
import { Reader } from './sse.ts';
import type { FriendsNews } from './api.gen.ts';
import type { Events, News, Summary } from './told.ts';

export type { ConnectionState };

/** A try that is not answered after so long, in milliseconds, gets company by another:
 * so a connection that comes back is found at once, and a slow one too. */
const another = 2000;

/** How many tries there are at most; then the oldest is given up. */
const company = 3;

/** Who is banned is not let listen, and asks no more for so long, in milliseconds, or until
 * they come back to this window. Whoever follows `ended` says why. */
const barredFor = 600_000;

type Hear = (news: News) => void;

export class Stream {
  private connection: Connection = $state.raw(idle);
  readonly state: ConnectionState = $derived(this.connection.state);
  /** How far the server's clock is ahead of ours, in milliseconds. */
  ahead = $state(0);
  /** Hears that the server has ended the stream, or does not let us listen as who we were. */
  ended: () => void = () => {};

  private readonly tables = new Map<string, Set<Hear>>();
  private readonly lists = new Set<(summary: Summary) => void>();
  private readonly circles = new Set<(news: FriendsNews | null) => void>();
  private last = ''; // the id of the last event: where we are at every table
  private stop = new AbortController();
  private running = false;
  private barred = false; // the server does not let us listen at all
  private hurry = new AbortController(); // ends a wait between two tries
  private tryNow = () => {}; // begins another try, where one hangs
  private takeTurns = () => {}; // has another connection take the place of the one that is listened to
  private wary = false; // the server must know whether anybody looks
  private unwatched = false; // it was told that nobody does
  private drop = new AbortController(); // lets go of the connection that is listened to
  private alarm: ReturnType<typeof setTimeout> | undefined;

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

  /** Hears when something changes in my lists of friends and invitations; null where the
   * connection is a new one, since what changed before it was told to nobody. */
  followFriends(hear: (news: FriendsNews | null) => void): () => void {
    this.circles.add(hear);
    this.anew();
    return () => {
      this.circles.delete(hear);
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
    this.tryNow();
  }

  /** Whether the server must know if anybody looks at this window: it tells other devices
   * that it is our turn where nobody does. */
  minds(wary: boolean) {
    this.wary = wary;
    this.glance();
  }

  /** Somebody looks, or has stopped to. The server learns it by another connection, which
   * takes the place of this one once it is answered: so nobody sees us leave. */
  private glance() {
    if (this.unwatched === (this.wary && document.hidden)) return;
    this.takeTurns();
  }

  /** Something happened to the connection. */
  private note(what: Happened) {
    const now = performance.now();
    this.connection = after(this.connection, what, now);
    clearTimeout(this.alarm);
    if (this.connection.state !== 'idle') this.alarm = setTimeout(() => this.look(), until(this.connection, now));
  }

  /** Time has passed: what is overdue does not come any more, and a connection that was
   * doubted for long enough is let go. */
  private look() {
    const { state } = this.connection;
    const silent = dead(this.connection, performance.now());
    this.note({ is: silent ? 'silent' : 'look' });
    if (silent || (state === 'connected' && this.connection.state === 'offline')) this.drop.abort();
  }

  private async run() {
    const wake = () => this.retry();
    const glance = () => this.glance();
    const offline = () => {
      this.note({ is: 'offline' });
      this.drop.abort();
      this.retry(); // the server may be on this machine
    };
    const unasked = onAsked((answered) => this.note({ is: answered ? 'answered' : 'doubt' }));
    addEventListener('online', wake);
    addEventListener('offline', offline);
    document.addEventListener('visibilitychange', wake);
    document.addEventListener('visibilitychange', glance);
    let tries = 0;
    while (this.tables.size || this.lists.size || this.circles.size) {
      this.stop = new AbortController();
      const { signal } = this.stop;
      this.note({ is: 'begin' });
      this.barred = false;
      const heard = await this.attempt(signal);
      if (signal.aborted) {
        tries = 0;
        continue;
      }
      this.note({ is: 'broken' });
      if (heard) this.ended();
      tries = heard ? 1 : tries + 1;
      this.hurry = new AbortController();
      await pause(this.barred ? barredFor : backoff(tries - 1), AbortSignal.any([signal, this.hurry.signal]));
    }
    unasked();
    removeEventListener('online', wake);
    removeEventListener('offline', offline);
    document.removeEventListener('visibilitychange', wake);
    document.removeEventListener('visibilitychange', glance);
    this.note({ is: 'end' });
    this.running = false;
  }

  /** Tries to listen, and listens until the connection breaks. A try that hangs gets company:
   * the first that is answered is listened to. It tells whether anything came. */
  private attempt(stop: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      let tries: AbortController[] = [];
      let answered = false;
      let next: ReturnType<typeof setTimeout>;
      const finish = (heard: boolean) => {
        clearTimeout(next);
        this.tryNow = this.takeTurns = () => {};
        for (const one of tries) one.abort();
        resolve(heard);
      };
      const begin = () => {
        if (answered || stop.aborted) return;
        const mine = new AbortController();
        if (tries.length >= company) tries.shift()!.abort();
        tries.push(mine);
        clearTimeout(next);
        next = setTimeout(begin, another);
        const first = () => {
          if (answered) return false;
          answered = true;
          clearTimeout(next);
          for (const other of tries) if (other !== mine) other.abort();
          tries = [mine];
          return true;
        };
        void this.listen(AbortSignal.any([stop, mine.signal]), first).then((heard) => {
          if (heard !== null && tries.includes(mine)) finish(heard);
          else if (!answered) this.note({ is: 'doubt' }); // it hung for too long
        });
      };
      this.tryNow = begin;
      this.takeTurns = () => {
        answered = false; // the one that is listened to goes when the next is answered
        begin();
      };
      stop.addEventListener('abort', () => finish(false), { once: true });
      begin();
    });
  }

  /** Listens until the connection breaks. It tells whether anything came; null where another
   * try was answered before. */
  private async listen(stop: AbortSignal, first: () => boolean): Promise<boolean | null> {
    const drop = new AbortController();
    let heard = false;
    try {
      const query = new URLSearchParams([...this.tables.keys()].sort().map((table) => ['table', table]));
      if (this.lists.size || this.circles.size) query.set('mine', 'true');
      this.unwatched = this.wary && document.hidden;
      if (this.unwatched) query.set('hidden', 'true');
      const answer = await fetch(`/api/stream?${query}`, {
        headers: { Accept: 'text/event-stream', ...(this.last ? { 'Last-Event-ID': this.last } : {}) },
        signal: AbortSignal.any([stop, drop.signal]),
        cache: 'no-store',
      });
      this.barred = answer.status === 403;
      if (answer.status === 401 || this.barred) this.ended();
      if (!answer.ok || !answer.body) return false;
      if (!first()) return null;
      this.drop = drop;
      const messages = new Reader();
      const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await pieces.read();
        if (done || stop.aborted) return heard;
        for (const { event, data, id } of messages.read(value)) {
          if (!heard) for (const hear of [...this.circles]) hear(null);
          heard = true;
          const news = { name: event, data: JSON.parse(data) } as News;
          this.note({ is: 'heard', ...(news.name === 'beat' && news.data.next ? { next: news.data.next } : {}) });
          this.tell(news);
          if (id !== null) this.last = id;
          if (stop.aborted) return heard;
        }
      }
    } catch {
      return heard;
    } finally {
      drop.abort(); // lets go of the connection, whatever ended it
    }
  }

  private tell(news: News) {
    if (news.name === 'beat') this.ahead = news.data.now - Date.now();
    else if (news.name === 'mine') for (const hear of [...this.lists]) hear(news.data);
    else if (news.name === 'friends') for (const hear of [...this.circles]) hear(news.data);
    else for (const hear of [...(this.tables.get((news.data as Events['gone']).table) ?? [])]) hear(news);
  }
}

/** The one connection of this window. */
export const stream = new Stream();
