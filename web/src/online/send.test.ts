/** A turn on its way to the server: what is answered, what comes of it, and what people
 * read meanwhile. The table is as it was recorded, and the engine is the real one. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settings } from '../app/settings.svelte.ts';
import { gamesOf } from '../engine/games.ts';
import { InProcess } from '../engine/inprocess.ts';
import type { Move } from '../engine/protocol.ts';
import type { Face, Hand } from '../table/face.ts';
import { learn, speak } from '../words/words.svelte.ts';
import { me } from './me.svelte.ts';
import { stream } from './stream.svelte.ts';
import { OnlineTable } from './table.svelte.ts';
import type { Sight } from './told.ts';

const shop = new InProcess();
vi.mock('../engine/shop.svelte.ts', () => ({ rulesShop: () => shop, hiredCrew: () => shop, stopThinking: () => {} }));

const hand = { prompt: { text: '', detail: '' }, missing: '', covered: false, drop: () => false, reset() {} } as unknown as Hand;
const face = { name: 'bosk', seatNames: () => ['Oak', 'Maple'], hand: () => hand, interlude: () => null } as unknown as Face;
const recorded = JSON.parse(readFileSync('src/online/testdata/paused.json', 'utf8'));
const [opened, read] = recorded.steps.map(({ input }: { input: { is: string } }) => input).filter(({ is }: { is: string }) => is === 'look' || is === 'entries');
const sight = (): Sight => structuredClone(opened.stand.more.sight);

type Answer = { status: number; body: object; wait?: string } | 'lost';
let answers: Answer[]; // to a turn that is sent, in order; the last for ever
let sent: { key: string; body: string }[];
let who: { signedIn: boolean; name?: string };
let online: OnlineTable;
let entries: object[];

beforeEach(async () => {
  await speak('en');
  await learn('rest', 'online');
  settings.pace = 'instant';
  answers = [];
  sent = [];
  who = { signedIn: true, name: 'Anna' };
  entries = read.entries.map((entry: { number: number; do: string }) => ({ number: entry.number, entry: { do: entry.do, seat: 0 }, events: [], toAct: [0], turn: 0 }));
  vi.stubGlobal('fetch', async (path: string, how: RequestInit) => {
    if (path === '/api/me') return new Response(JSON.stringify(who));
    if (path.includes('/entries')) return new Response(JSON.stringify({ entries }));
    if (!path.endsWith('/moves')) return new Response(JSON.stringify(sight()));
    sent.push({ key: new Headers(how.headers).get('Idempotency-Key')!, body: how.body as string });
    const answer = answers.length > 1 ? answers.shift()! : answers[0];
    if (answer === 'lost') throw new TypeError('lost');
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: answer.wait ? { 'Retry-After': answer.wait } : {} });
  });
  me.known = false;
  await me.look();
  online = new OnlineTable(sight(), face, (await gamesOf()).find((g) => g.name === 'bosk')!);
  await online.open(sight());
  await online.table.try(online.table.choices[3].move as Move);
  expect(online.table.complete).toBe(true);
});
afterEach(() => {
  online.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const until = (what: () => boolean) => vi.waitUntil(what, { timeout: 10_000, interval: 2 });
const no = (status: number, key: string, args: object = {}, wait?: string): Answer => ({ status, body: { key, args, title: `in the server’s words: ${key}`, status }, ...(wait ? { wait } : {}) });

test('a server that cannot take a turn yet has answered: that is said, it is sent again, not after minutes, and the turn can be had back', async () => {
  answers = [no(429, 'server.often', { seconds: 600 }, '600')];
  await online.table.confirm();
  await until(() => !!online.table.sending?.busy);
  expect(online.table.sending!.busy).toBe(30_000);
  expect(online.waiting).toBe('The server is busy: your turn waits…');
  expect(online.table.phase).toBe('bot');
  online.unsend();
  await until(() => online.table.phase === 'person');
  expect([online.table.complete, online.table.draft.length, online.table.sending, online.table.slip]).toEqual([true, 1, null, null]);
  answers = [no(503, 'server.stops'), { status: 200, body: { number: 4 } }];
  await online.table.confirm();
  await until(() => sent.length === 3);
  expect(sent[1].key).toBe(sent[2].key);
  expect(sent[0].key).not.toBe(sent[1].key);
  expect(online.waiting).toBe('Sending your turn…');
});

test('what nobody answered, and what may have been done, is not said to be busy', async () => {
  for (const answer of ['lost', no(503, 'server.unsure', {}, '20')] as Answer[]) {
    answers = [answer];
    await online.table.confirm();
    await until(() => !!online.table.sending?.tries);
    expect([online.table.sending!.busy, online.waiting]).toEqual([0, 'No answer yet: your turn is sent again…']);
    online.unsend(); // nobody knows what came of it
    expect(online.table.sending).not.toBeNull();
    answers = [no(409, 'table.paused')];
    online.connected(true); // sends again
    await until(() => online.table.phase === 'person');
  }
});

test.for([
  ['words for whoever writes programs', no(422, 'server.key'), 'The server did not take your turn. Confirm it once more.'],
  ['words that lack what they need', { status: 409, body: { key: 'table.overtaken.by', args: null, title: 'x' } }, 'The server did not take your turn. Confirm it once more.'],
  ['words that the page does not have', no(409, 'no.such.key'), 'in the server’s words: no.such.key'],
  ['words of the table', no(409, 'table.paused'), 'The game is paused. Resume it first.'],
  ['words about the server that concern everybody', no(500, 'server.broken'), 'Something is wrong with the server, not with you: try again, and tell whoever runs it.'],
  ['a server that does not know us, though it does', no(401, 'server.who'), 'The server did not take your turn. Confirm it once more.'],
] as [string, Answer, string][])('%s: a refusal is told so that one can go on', async ([, answer, words]) => {
  answers = [answer];
  await online.table.confirm();
  await until(() => online.table.slip !== null);
  expect(online.table.slip!.text).toBe(words);
  expect([online.table.phase, online.table.complete]).toEqual(['person', true]);
});

test('who was signed out is no refusal: the table is shown anew, as nobody, and says so', async () => {
  const anew = vi.spyOn(stream, 'anew').mockImplementation(() => {});
  who = { signedIn: false };
  answers = [no(401, 'server.who')];
  await online.table.confirm();
  await until(() => anew.mock.calls.length > 0);
  expect([me.signedIn, online.table.slip]).toEqual([false, null]);
  const { you: _, ...nobody } = sight();
  online.tell({ name: 'look', data: { ...nobody, again: true } as never });
  await until(() => online.table.viewer === 'watcher' && online.table.slip !== null);
  expect(online.table.slip!.text).toBe('You were signed out: you are no longer Anna here, and you watch now.');
  expect([online.table.sending, online.you]).toEqual([null, null]);
});

test('entries that are read of the log say who sat there then, not who sits there now', async () => {
  const held = (n: number) => ({ phase: 'play', seats: [{ held: 'person', undos: n }, { held: 'person', undos: 0 }], asks: [], hints: false });
  const told = (number: number, people?: object) => ({ table: online.id, number, entry: { do: 'ask', seat: 1 }, events: [], toAct: [0], turn: 0, ...(people ? { people } : {}) });
  const company = () => (online as unknown as { latest: { company: { seats: { undos: number }[] } } }).latest.company.seats[0].undos;
  online.tell({ name: 'entry', data: told(4, held(7)) as never });
  expect(company()).toBe(7);
  (online as unknown as { entryOf(told: object): void }).entryOf(told(2, held(3)));
  expect(company()).toBe(7);
});
