import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { learn, speak } from '../words/words.svelte.ts';
import { ask, backoff, busy, insist, Lost, Problem, waitAfter } from './client.ts';

beforeEach(async () => {
  await speak('en');
  await learn('rest', 'online');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const at = { table: 'abc' };
const body = { after: 4, moves: [{ do: 'pass' }] };
const json = (status: number, what: object, headers: Record<string, string> = {}) => new Response(JSON.stringify(what), { status, headers });

test('a turn is sent again with the same key until it is answered', async () => {
  vi.useFakeTimers();
  const keys: (string | null)[] = [];
  const answers = [() => Promise.reject(new TypeError('away')), () => Promise.resolve(json(503, { key: 'server.stops', title: 'stops' })), () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 })), () => Promise.resolve(json(200, { number: 7 }))];
  vi.stubGlobal('fetch', (path: string, how: RequestInit) => {
    expect(path).toBe('/api/tables/abc/moves');
    expect(JSON.parse(how.body as string)).toEqual(body);
    keys.push(new Headers(how.headers).get('Idempotency-Key'));
    return answers[keys.length - 1]();
  });
  const done = insist('POST /api/tables/{table}/moves', { at, body });
  await vi.runAllTimersAsync();
  expect(await done).toEqual({ number: 7 });
  expect(keys.length).toBe(4);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
});

test('a no is a no: it is not asked again, and says why', async () => {
  let asked = 0;
  vi.stubGlobal('fetch', () => {
    asked++;
    return Promise.resolve(json(409, { key: 'bosk.no-such-key', args: {}, rule: '5.6', title: 'You cannot', status: 409 }));
  });
  const no = await insist('POST /api/tables/{table}/moves', { at, body }).catch((e: Problem) => e);
  expect(no).toBeInstanceOf(Problem);
  expect(no).toMatchObject({ status: 409, rule: '5.6' });
  expect((no as Problem).words()).toBe('You cannot');
  expect(asked).toBe(1);
});

test('whoever leaves stops the trying', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('away')));
  const stop = new AbortController();
  const trying = insist('POST /api/tables/{table}/moves', { at, body }, { stop: stop.signal, troubled: () => stop.abort() });
  await expect(trying).rejects.toBeInstanceOf(Lost);
});

test('what nobody answers is lost, not refused', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('half a li', { status: 200 })));
  await expect(ask('GET /api/me')).rejects.toBeInstanceOf(Lost);
});

test('waits grow, are spread, and have an end', () => {
  for (let n = 0; n < 12; n++) {
    expect(backoff(n, () => 0)).toBe(Math.min(2_000, 500 * 2 ** n) / 2);
    expect(backoff(n, () => 1)).toBe(Math.min(2_000, 500 * 2 ** n));
  }
});

test('as long as the server says is waited, but not for minutes', () => {
  const after = (wait: number, status = 429, key = 'server.often') => new Problem(status, key, {}, '', 'x', wait);
  expect([1, 29, 600].map((wait) => waitAfter(after(wait), 0))).toEqual([1000, 29_000, 30_000]);
  for (const e of [after(0), new Lost('x')]) expect(waitAfter(e, 5)).toBeLessThanOrEqual(2000);
  expect([after(3), after(0, 503, 'server.stops'), after(0, 503, 'server.unsure'), after(0, 409, 'table.due'), new Lost('x')].map(busy)).toEqual([true, true, false, false, false]);
});

test('words that lack something are left to the server', () => {
  const no = (args: Record<string, unknown>) => new Problem(409, 'table.overtaken.by', args, '', 'Somebody has played', 0);
  expect(no({ do: 'move', seat: 0 }).words(['Ben'])).toBe('Ben has played since you made this turn. Look again, then play.');
  expect(no({}).words(['Ben'])).toBe('Somebody has played');
});
