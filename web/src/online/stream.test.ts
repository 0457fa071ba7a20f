/** The connection of a window, on a clock of our own and over connections of our own. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ask } from './client.ts';
import { Stream } from './stream.svelte.ts';
import type { News } from './told.ts';

interface Connection {
  last: string | null; // the id that it was opened with
  query: string;
  ended: boolean;
  tell(event: string, data: object, id?: string): Promise<void>;
  cut(): Promise<void>;
}

let connections: Connection[];
let fate: 'well' | 'refused' | 'hangs' | 'unknown' | 'banned';
let asked: number; // how often a stream was asked for
let stream: Stream;
let heard: string[];
let unfollow: () => void;
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  connections = [];
  asked = 0;
  heard = [];
  fate = 'well';
  vi.spyOn(Math, 'random').mockReturnValue(1); // the longest waits
  vi.stubGlobal('fetch', (path: string, how: { headers: Record<string, string>; signal?: AbortSignal }) => {
    if (fate === 'refused') return Promise.reject(new TypeError('refused'));
    if (!path.startsWith('/api/stream')) return fate === 'well' ? Promise.resolve(new Response('{}')) : new Promise(() => {});
    asked++;
    const gone = new Promise<never>((_, reject) => how.signal!.addEventListener('abort', () => reject(new Error('aborted'))));
    gone.catch(() => {});
    if (fate === 'hangs') return gone;
    if (fate === 'unknown') return Promise.resolve(new Response('{}', { status: 401 }));
    if (fate === 'banned') return Promise.resolve(new Response('{}', { status: 403 }));
    let control!: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({ start: (c) => void (control = c) });
    const connection: Connection = {
      last: how.headers['Last-Event-ID'] ?? null,
      query: path,
      ended: false,
      async tell(event, data, id) {
        control.enqueue(new TextEncoder().encode(`event: ${event}\n${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`));
        await settle();
      },
      async cut() {
        connection.ended = true;
        control.error(new Error('cut'));
        await settle();
      },
    };
    how.signal!.addEventListener('abort', () => {
      if (!connection.ended) control.error(new Error('aborted'));
      connection.ended = true;
    });
    connections.push(connection);
    return Promise.resolve({ ok: true, body });
  });
  stream = new Stream();
  unfollow = stream.follow('abc', (news: News) => void heard.push(`${news.name} ${JSON.stringify((news.data as { number?: number }).number ?? '')}`));
});
afterEach(async () => {
  unfollow();
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const entry = (number: number) => ({ table: 'abc', number });
const beat = (next: number) => ({ now: 0, next });

async function connected(next = 4000) {
  await settle();
  await connections.at(-1)!.tell('look', entry(1), 'abc.1.0.0');
  await connections.at(-1)!.tell('beat', beat(next));
  expect(stream.state).toBe('connected');
}

test('who comes back says which event was the last, and hears nothing twice', async () => {
  await connected();
  expect(connections[0].last).toBeNull();
  await connections[0].tell('entry', entry(2), 'abc.2.0.0');
  await connections[0].tell('beat', beat(4000)); // it has no id, and takes none away
  await connections[0].cut();
  expect(stream.state).toBe('reconnecting');
  await vi.advanceTimersByTimeAsync(500);
  expect(connections[1].last).toBe('abc.2.0.0');
  await connections[1].tell('entry', entry(3), 'abc.3.0.0');
  expect(stream.state).toBe('connected');
  expect(heard).toEqual(['look 1', 'entry 2', 'entry 3']);
});

test('who is banned is told so once, and asks no more until they come back to the window', async () => {
  await connected();
  const ended = vi.fn();
  stream.ended = ended;
  fate = 'banned';
  await connections[0].cut();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(2);
  expect(ended).toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(asked).toBe(2);
  fate = 'well'; // the ban is taken back
  document.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(asked).toBe(3);
  await connections.at(-1)!.tell('entry', entry(2), 'abc.2.0.0');
  expect(stream.state).toBe('connected');
});

test('whoever follows another table besides begins anew', async () => {
  await connected();
  const end = stream.follow('def', () => {});
  await settle();
  expect(connections.at(-1)).toMatchObject({ last: null, query: '/api/stream?table=abc&table=def' });
  end();
});

test('a connection that dies in silence is down within ten seconds in one’s turn, and tried again at once', async () => {
  await connected(4000);
  fate = 'hangs';
  await vi.advanceTimersByTimeAsync(8999);
  expect(stream.state).toBe('connected');
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.state).toBe('offline');
  expect(connections[0].ended).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000); // nobody answers
  expect(stream.state).toBe('offline');
  fate = 'well';
  await vi.advanceTimersByTimeAsync(2000); // within three seconds of its return it is in step
  expect(connections[1].last).toBe('abc.1.0.0');
  await connections[1].tell('entry', entry(2), 'abc.2.0.0');
  expect([stream.state, heard.at(-1)]).toEqual(['connected', 'entry 2']);
});

test('when it is not one’s turn, silence is as long as the server said', async () => {
  await connected(15_000);
  await vi.advanceTimersByTimeAsync(19_999);
  expect(stream.state).toBe('connected');
  fate = 'refused';
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.state).toBe('offline');
});

test('however long nobody was reached, it is found within three seconds', async () => {
  await connected();
  fate = 'refused';
  await connections[0].cut();
  await vi.advanceTimersByTimeAsync(1999);
  expect(stream.state).toBe('reconnecting');
  await vi.advanceTimersByTimeAsync(1);
  expect(stream.state).toBe('offline');
  await vi.advanceTimersByTimeAsync(100_000);
  fate = 'well';
  await vi.advanceTimersByTimeAsync(2000);
  expect(connections.length).toBe(2);
  await connections[1].tell('beat', beat(4000));
  expect(stream.state).toBe('connected');
});

test('the browser goes offline and comes back: it is said at once, and tried at once', async () => {
  await connected();
  fate = 'refused';
  dispatchEvent(new Event('offline'));
  expect(stream.state).toBe('offline');
  await vi.advanceTimersByTimeAsync(30_000);
  fate = 'well';
  const before = connections.length;
  dispatchEvent(new Event('online'));
  await settle();
  expect(connections.length).toBe(before + 1);
  expect(connections.at(-1)!.last).toBe('abc.1.0.0');
  await connections.at(-1)!.tell('beat', beat(4000));
  expect(stream.state).toBe('connected');
});

test('a server on this machine is reached though the browser is offline', async () => {
  await connected();
  dispatchEvent(new Event('offline'));
  await vi.advanceTimersByTimeAsync(500);
  await connections.at(-1)!.tell('beat', beat(4000));
  expect(stream.state).toBe('connected');
});

test('a request that is not answered says within three seconds that the connection is down', async () => {
  await connected();
  fate = 'refused';
  await expect(ask('GET /api/me')).rejects.toThrow();
  expect(stream.state).toBe('connected');
  await vi.advanceTimersByTimeAsync(2000);
  expect(stream.state).toBe('offline');
  expect(connections[0].ended).toBe(true);
});

test('one that is answered the next time is no reason to let go', async () => {
  await connected();
  fate = 'refused';
  await expect(ask('GET /api/me')).rejects.toThrow();
  fate = 'well';
  await vi.advanceTimersByTimeAsync(500);
  await ask('GET /api/me');
  await vi.advanceTimersByTimeAsync(3000);
  expect([stream.state, connections.length]).toEqual(['connected', 1]);
});

test('tries that hang get company, and one alone is listened to', async () => {
  fate = 'hangs';
  await vi.advanceTimersByTimeAsync(5000);
  expect(stream.state).toBe('connecting');
  fate = 'well';
  await vi.advanceTimersByTimeAsync(1000);
  expect(connections.length).toBe(1);
  await connected();
  await vi.advanceTimersByTimeAsync(8000);
  expect(connections.length).toBe(1);
  expect(heard).toEqual(['look 1']);
});

test('who follows nothing any more has no connection', async () => {
  await connected();
  unfollow();
  await settle();
  expect([stream.state, connections[0].ended]).toEqual(['idle', true]);
});

test('a stream that the server ends, or that it refuses to whoever we were, is heard of; one that was let go is not', async () => {
  let ends = 0;
  stream.ended = () => void ends++;
  await connected();
  await connections[0].cut();
  expect(ends).toBe(1);
  fate = 'refused';
  await vi.advanceTimersByTimeAsync(3000); // nobody is reached: that says nothing of us
  expect(ends).toBe(1);
  fate = 'unknown';
  await vi.advanceTimersByTimeAsync(2000);
  expect(ends).toBeGreaterThan(1);
  fate = 'well';
  await vi.advanceTimersByTimeAsync(2000);
  await connected();
  const before = ends;
  stream.anew();
  await settle();
  expect(ends).toBe(before);
});

test('a window that nobody looks at says so by another connection, where that matters, and hears on meanwhile', async () => {
  const look = async (hidden: boolean) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
  };
  try {
    await settle();
    await connections[0]!.tell('entry', { table: 'abc', number: 1 }, 'abc~1');
    await look(true);
    expect(connections).toHaveLength(1); // nobody wants to be told
    await look(false);
    stream.minds(true);
    await settle();
    expect(connections).toHaveLength(1);
    await look(true);
    expect(connections.map(({ query, ended, last }) => [query.includes('hidden=true'), ended, last])).toEqual([[false, true, null], [true, false, 'abc~1']]);
    await connections[1]!.tell('entry', { table: 'abc', number: 2 }, 'abc~2');
    expect(heard).toEqual(['entry 1', 'entry 2']);
    expect(stream.state).toBe('connected');
    fate = 'hangs'; // the one before is listened to until the next is answered
    await look(false);
    await connections[1]!.tell('entry', { table: 'abc', number: 3 }, 'abc~3');
    expect([connections[1]!.ended, heard.at(-1)]).toEqual([false, 'entry 3']);
    fate = 'well';
    await vi.advanceTimersByTimeAsync(2000);
    expect(connections.at(-1)!.query).not.toContain('hidden');
    expect(connections[1]!.ended).toBe(true);
  } finally {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => false });
  }
});

test('who follows friends looks anew with each connection: what changed before it was told to nobody', async () => {
  const told: (string | null)[] = [];
  const end = stream.followFriends((news) => void told.push(news && news.why));
  await settle();
  const at = () => connections.at(-1)!;
  expect(told).toEqual([]);
  await at().tell('beat', { now: 0 });
  await at().tell('friends', { why: 'invited' });
  await at().tell('beat', { now: 0 });
  expect(told).toEqual([null, 'invited']);
  const before = connections.length;
  await at().cut();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(connections.length).toBeGreaterThan(before);
  await at().tell('beat', { now: 0 });
  expect(told).toEqual([null, 'invited', null]);
  end();
});
