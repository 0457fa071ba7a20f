/** Sittings at a real server, as they were recorded, are replayed: the same inputs, and
 * the real engine's answers to the same questions, want the same things done. Files
 * that are missing are recorded by `COPSE_RECORD=1 npx vitest run recorded`, against
 * bin/copse; existing ones are never written over. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { settings } from '../app/settings.svelte.ts';
import { gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import type { Move } from '../engine/protocol.ts';
import type { Face, Hand } from '../table/face.ts';
import type { Effect, Input, Question, Reply, Seating, Terms } from '../table/inputs.ts';
import { sitDown, step, type Sitting } from '../table/sitting.ts';
import { speak } from '../words/words.svelte.ts';
import { stream } from './stream.svelte.ts';
import { OnlineTable } from './table.svelte.ts';
import type { News, Sight } from './told.ts';

const shop = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));

const folder = 'src/online/testdata';
const recording = !!process.env.COPSE_RECORD;

interface Recorded {
  terms: Omit<Terms, 'counts'>;
  seating: Seating;
  steps: { input: Input; effects: unknown[] }[];
  phases: string[]; // that were gone through
}

/** An effect as it is compared: questions to the engine by what they ask alone. */
const brief = (effect: Effect) => (effect.do === 'ask' ? { do: 'ask', id: effect.id, questions: effect.questions.map((q) => q.do).join(' ') } : effect);
const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

// --- replaying ---------------------------------------------------------------------

async function replay({ terms, seating, steps }: Recorded): Promise<{ sitting: Sitting; phases: string[] }> {
  const engine = shop.engine();
  const asked = new Map<number, Question[]>();
  const phases: string[] = [];
  let sitting = sitDown({ ...terms, counts: () => null }, seating);
  for (const [i, { input, effects }] of steps.entries()) {
    if (input.is === 'answer') input.replies = await Promise.all(asked.get(input.id)!.map(({ do: name, ...what }) => engine.ask(name, what as never).then((answer): Reply => ({ ...(answer as object), ok: true }), (e): Reply => ({ ok: false, why: e.why }))));
    const [next, wanted] = step(sitting, input);
    sitting = next;
    for (const effect of wanted) if (effect.do === 'ask') asked.set(effect.id, effect.questions);
    expect(plain(wanted.map(brief)), `step ${i}: ${input.is}`).toEqual(effects);
    if (phases.at(-1) !== sitting.phase.is) phases.push(sitting.phase.is);
  }
  return { sitting, phases };
}

/** What each recorded sitting is about: how it ends, and what people were told. */
const about: Record<string, { end: string; said: string[]; sends: number; keys: number }> = {
  'overtaken-by': { end: 'bot', said: ['table.overtaken.by', 'page.draft.elsewhere'], sends: 1, keys: 1 },
  paused: { end: 'person', said: ['table.paused'], sends: 1, keys: 1 },
  'signed-out': { end: 'bot', said: ['page.online.signed-out'], sends: 1, keys: 1 },
  'dead-line': { end: 'bot', said: [], sends: 3, keys: 1 },
  'undo-while-drafting': { end: 'bot', said: ['page.draft.undo.waits'], sends: 1, keys: 1 },
  'stream-first': { end: 'bot', said: [], sends: 1, keys: 1 },
};

test.for(Object.keys(about))('%s', { timeout: 60_000 }, async (name) => {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file) && recording) writeFileSync(file, JSON.stringify(await record(name)) + '\n');
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as Recorded;
  const { sitting, phases } = await replay(recorded);
  expect(phases).toEqual(recorded.phases);
  expect(sitting.phase.is).toBe(about[name].end);
  const wanted = recorded.steps.flatMap(({ effects }) => effects as Effect[]);
  const sends = wanted.filter((effect) => effect.do === 'send');
  expect([sends.length, new Set(sends.map(({ key }) => key)).size]).toEqual([about[name].sends, about[name].keys]);
  const said = wanted.flatMap((effect) => (effect.do === 'slip' && effect.why && effect.why !== 'missing' ? [effect.why.key] : []));
  expect(said).toEqual(about[name].said);
});

test('all that was recorded is replayed', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(about).map((name) => `${name}.json`).sort());
});

// --- recording -----------------------------------------------------------------------

let url = '';
let stop = () => {};

beforeAll(async () => {
  await speak('en');
  settings.pace = 'instant';
  if (!recording) return;
  const data = mkdtempSync(join(tmpdir(), 'copse-record-'));
  const server = spawn('../bin/copse', ['serve', '--addr', '127.0.0.1:0', '--data', data, '--requests=-1']);
  stop = () => {
    server.kill();
    rmSync(data, { recursive: true, force: true });
  };
  url = await new Promise<string>((resolve) => server.stdout.on('data', (text) => /http:\/\/\S+/.test(String(text)) && resolve(String(text).match(/http:\/\/[^\s/]+/)![0])));
});
afterAll(() => stop());

/** Somebody's way to the server. */
class Person {
  cookie = '';
  down = false; // nobody is reached
  late: ((path: string) => Promise<void>) | null = null; // holds answers back

  fetch = (path: string, how: { method?: string; headers?: Record<string, string>; body?: string; signal?: AbortSignal } = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      if (this.down) return reject(new TypeError('nobody is reached'));
      const asked = request(url + path, { method: how.method ?? 'GET', headers: { ...how.headers, cookie: this.cookie } }, (answer) => {
        for (const set of answer.headers['set-cookie'] ?? []) this.cookie = set.split(';')[0];
        const body = new ReadableStream<Uint8Array>({
          start: (control) => {
            answer.on('data', (chunk: Buffer) => control.enqueue(new Uint8Array(chunk)));
            answer.on('end', () => control.close());
            answer.on('error', (e) => control.error(e));
          },
        });
        const status = answer.statusCode!;
        const text = async () => {
          let all = '';
          for await (const piece of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) all += piece;
          await this.late?.(path);
          return all;
        };
        resolve({ ok: status < 300, status, body, text, headers: new Headers() } as Response);
      });
      asked.on('error', reject);
      how.signal?.addEventListener('abort', () => asked.destroy(new Error('aborted')));
      asked.end(how.body);
    });

  async ask(way: string, body?: object) {
    const [method, path] = way.split(' ');
    const answer = await this.fetch(path, { method, headers: body ? { 'Content-Type': 'application/json' } : {}, ...(body ? { body: JSON.stringify(body) } : {}) });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${way}: ${answer.status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  async move(table: string) {
    const { after, moves } = await this.ask(`GET /api/tables/${table}/moves`);
    await this.ask(`POST /api/tables/${table}/moves`, { after, moves: [moves[7]] });
  }
}

const hand = { prompt: { text: '', detail: '' }, missing: '', covered: false, drop: () => false, reset() {} } as unknown as Hand;
const face = { name: 'bosk', seatNames: () => ['Oak', 'Maple'], hand: () => hand, interlude: () => null } as unknown as Face;

async function record(name: string): Promise<Recorded> {
  const [anna, ben] = [new Person(), new Person()];
  await anna.ask('POST /api/me', { name: 'Anna' });
  await ben.ask('POST /api/me', { name: 'Ben' });
  const { table: id } = await anna.ask('POST /api/tables', { game: 'bosk', seats: 2 });
  for (const [seat, person] of [anna, ben].entries()) await person.ask(`POST /api/tables/${id}/sit`, { nonce: 'ab'.repeat(16), seat });
  await anna.ask(`POST /api/tables/${id}/start`, {});
  const at = `POST /api/tables/${id}`;

  // Anna sits at a page: its stream, its table.
  const page = Object.assign(new Person(), { cookie: anna.cookie });
  vi.stubGlobal('fetch', page.fetch);
  const games = await gamesOf();
  const steps: Recorded['steps'] = [];
  const phases: string[] = [];
  let online: OnlineTable | null = null;
  let held: News[] | null = null; // what the stream told and nobody was let hear yet
  const hear = (news: News) => {
    if (held) held.push(news);
    else if (online) online.tell(news);
    else if (news.name === 'look') void sit(news.data);
  };
  const sit = async (sight: Sight) => {
    online = new OnlineTable(sight, face, games.find((g) => g.name === 'bosk')!);
    online.table.trace = (input, effects) => {
      steps.push(plain({ input: input.is === 'answer' ? { ...input, replies: [] } : input, effects: effects.map(brief) }));
      const { is } = online!.table.sitting.phase;
      if (phases.at(-1) !== is) phases.push(is);
    };
    await online.open(sight);
  };
  const unfollow = stream.follow(id, hear);
  const until = (what: () => boolean) => vi.waitUntil(what, { timeout: 20_000, interval: 5 });
  await until(() => online?.table.phase === 'person');
  const { table } = online!;
  const seating = { here: [0], going: 'play' as const };
  const { counts: _, ...terms } = table.sitting.terms;
  const draft = (n = 3) => table.try(table.choices[n].move as Move);
  const release = () => {
    const all = held!;
    held = null;
    all.forEach(hear);
  };

  if (name === 'overtaken-by') {
    await draft();
    held = [];
    await anna.move(id); // in another window
    await table.confirm();
    await until(() => table.slip !== null && table.phase === 'bot');
    release();
  } else if (name === 'paused') {
    await draft();
    held = [];
    await ben.ask(`${at}/pause`);
    await anna.ask(`${at}/answer`, { for: 'pause', yes: true });
    await table.confirm();
    await until(() => table.slip !== null && table.phase === 'bot');
    release();
    await ben.ask(`${at}/resume`);
    await until(() => table.phase === 'person' && table.complete);
  } else if (name === 'signed-out') {
    await draft();
    await anna.ask('DELETE /api/me/session');
    await table.confirm();
    await until(() => table.slip !== null && table.viewer === 'watcher');
  } else if (name === 'dead-line') {
    await draft();
    page.down = true;
    online!.connected(false);
    await table.confirm();
    await until(() => table.sending !== null && table.sending.tries > 1);
    page.down = false;
    online!.connected(true);
    await until(() => table.sitting.number === 4 && table.phase === 'bot' && !table.sending);
  } else if (name === 'undo-while-drafting') {
    await draft();
    await table.confirm();
    await until(() => !table.sending && table.toAct === 1);
    await ben.move(id);
    await until(() => table.phase === 'person');
    await draft(5);
    await ben.ask(`${at}/undo`, {});
    await anna.ask(`${at}/answer`, { for: 'undo', yes: true });
    await until(() => table.slip !== null && table.phase === 'bot');
  } else {
    await draft();
    let answer = () => {};
    page.late = (path) => (path.endsWith('/moves') ? new Promise<void>((resolve) => (answer = resolve)) : Promise.resolve());
    await table.confirm();
    await until(() => !table.sending && table.phase === 'bot' && table.toAct === 1);
    answer();
    await until(() => steps.at(-1)!.input.is === 'accepted');
  }
  await until(() => !table.behind && !table.sitting.asked);
  online!.close();
  unfollow();
  return { terms: plain(terms), seating, steps, phases };
}
