/** Plays by a client that openapi-typescript and openapi-fetch make of the OpenAPI
 *  document alone. `make interop-api` makes the types and runs a server. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api.gen.js';

type Told = components['schemas']['StreamEvent'];
type Problem = components['schemas']['Problem'];

const { COPSE, COPSE_URL } = process.env;
assert.ok(COPSE && COPSE_URL, 'COPSE_URL names no server: make interop-api runs one');

const random = (bytes: number) => randomBytes(bytes).toString('hex');

/** What was answered, where it was answered well. */
function good<T>(answer: { data?: T; error?: Problem | undefined; response: Response }): NonNullable<T> {
  assert.ok(answer.data !== undefined && answer.data !== null && !answer.error, `${answer.response.url}: ${JSON.stringify(answer.error)}`);
  return answer.data;
}

/** Somebody with a cookie, which a browser would keep by itself. */
async function guest(name: string): Promise<Client<paths>> {
  const api = createClient<paths>({ baseUrl: COPSE_URL! });
  const made = await api.POST('/api/me', { body: { name } });
  assert.equal(good(made).name, name);
  const cookie = made.response.headers.getSetCookie()[0]?.split(';')[0];
  assert.ok(cookie);
  api.use({
    onRequest({ request }) {
      request.headers.set('Cookie', cookie);
      return request;
    },
  });
  return api;
}

/** The events of a stream, as the document describes them. */
async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Told> {
  let rest = '';
  for await (const bytes of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
    const blocks = (rest + bytes).split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields: Record<string, unknown> = {};
      for (const line of block.split('\n')) {
        const at = line.indexOf(': ');
        const [name, value] = [line.slice(0, at), line.slice(at + 2)];
        fields[name] = name === 'data' ? JSON.parse(value) : value;
      }
      if (fields.event) yield fields as unknown as Told;
    }
  }
}

/** Makes any move, twice under the same key, which is once. */
async function move(api: Client<paths>, table: string): Promise<void> {
  const path = { table };
  const may = good(await api.GET('/api/tables/{table}/moves', { params: { path, query: { facts: true } } }));
  assert.equal(may.facts?.length, may.moves.length);
  const header = { 'Idempotency-Key': random(8) };
  const body = { after: may.after, moves: [may.moves[randomBytes(4).readUInt32LE() % may.moves.length]] };
  for (let i = 0; i < 2; i++) {
    const { number } = good(await api.POST('/api/tables/{table}/moves', { params: { path, header }, body }));
    assert.ok(number > may.after);
  }
}

/** Listens from an event on and moves where it is one's turn, until the game is over or
 *  so many drafts were made; the last event, or nothing where it is over. */
async function follow(api: Client<paths>, table: string, last: string | undefined, drafts: number): Promise<string | undefined> {
  const stop = new AbortController();
  const params = { query: { table: [table], mine: true }, ...(last ? { header: { 'Last-Event-ID': last } } : {}) };
  const answer = await api.GET('/api/stream', { params, parseAs: 'stream', signal: stop.signal });
  assert.equal(answer.response.headers.get('Content-Type'), 'text/event-stream; charset=utf-8');
  let number = -1;
  try {
    for await (const told of events(good(answer))) {
      if (told.event !== 'look' && told.event !== 'entry') continue;
      assert.ok(told.event === 'entry' || !last, 'the table is shown anew to who goes on');
      const now = told.event === 'look' ? told.data.look : told.data;
      assert.ok(number < 0 || now.number === number + 1, `after ${number} comes ${now.number}`);
      number = now.number;
      last = told.id;
      if (now.people?.phase === 'over') return undefined;
      if (now.toAct[0] !== 0) continue;
      await move(api, table);
      if (--drafts === 0) return last;
    }
  } finally {
    stop.abort();
  }
  throw new Error('the stream ends');
}

for (const game of ['bosk', 'grandbois', 'treesociety']) {
  test(`a client in TypeScript plays a whole game of ${game}, and exports it`, async () => {
    const api = await guest('Teasel');
    const { table } = good(await api.POST('/api/tables', { body: { game, seats: 2, pace: 'days', undo: 'consent', visible: 'private', watchers: null } }));
    const path = { table };
    good(await api.POST('/api/tables/{table}/sit', { params: { path, header: { 'Idempotency-Key': random(8) } }, body: { nonce: random(16) } }));
    const early = await api.GET('/api/tables/{table}/export', { params: { path }, parseAs: 'text' });
    assert.equal(early.error?.key, 'table.export');
    const bad = await api.POST('/api/tables/{table}/chat', { params: { path }, body: {} });
    assert.equal(bad.error?.key, 'server.say');
    good(await api.POST('/api/tables/{table}/start', { params: { path }, body: { fill: 'easy' } }));

    let last: string | undefined;
    last = await follow(api, table, last, 5); // the line breaks once, and goes on where it was
    assert.ok(last);
    assert.equal(await follow(api, table, last, Infinity), undefined);

    const sheet = good(await api.GET('/api/tables/{table}/sheet', { params: { path } }));
    assert.ok(sheet.standing.over && sheet.standing.seats.length === 2);
    good(await api.POST('/api/tables/{table}/chat', { params: { path }, body: { phrase: 'well-played' } }));
    const exported = good(await api.GET('/api/tables/{table}/export', { params: { path }, parseAs: 'text' }));
    const folder = mkdtempSync(join(tmpdir(), 'copse-'));
    try {
      writeFileSync(join(folder, 'game.jsonl'), exported);
      execFileSync(COPSE!, ['verify', join(folder, 'game.jsonl')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

// What the document forbids does not compile.
export async function never(api: Client<paths>): Promise<void> {
  // @ts-expect-error: no such pace
  await api.POST('/api/tables', { body: { game: 'bosk', seats: 2, pace: 'fast' } });
  // @ts-expect-error: a field is missing
  await api.POST('/api/tables', { body: { game: 'bosk' } });
  // @ts-expect-error: no such wish
  await api.POST('/api/tables/{table}/answer', { params: { path: { table: 'x' } }, body: { for: 'tea', yes: true } });
}
