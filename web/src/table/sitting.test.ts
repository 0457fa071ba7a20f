// @vitest-environment node
/** Every input in every situation, as a table. */
import { expect, test } from 'vitest';
import type { Happening } from './inputs.ts';
import { Client } from './testing/client.ts';
import { Model } from './testing/model.ts';
import { lay, look, start } from './testing/tiny.ts';

/** A client at seat 0 of a server's table, and that server. */
function online(prepare: (client: Client, model: Model) => void = () => {}) {
  const model = new Model();
  const client = new Client([0]);
  client.hear({ is: 'attend', here: true, known: -1 });
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  rest(client, model);
  prepare(client, model);
  return { client, model };
}

/** Lets the engine answer, and the server where it is asked for its log. */
function rest(client: Client, model: Model) {
  client.settle();
  for (let want = client.take('fetch'); want; want = client.take('fetch')) {
    client.hear({ is: 'entries', id: want.id, entries: model.log.slice(want.from).map(({ entry }) => model.told(entry.number, 0)) });
    client.settle();
  }
}

const tries = (client: Client, ...moves: ReturnType<typeof lay>[]) => {
  for (const move of moves) {
    client.hear({ is: 'try', n: ++client.n, move, spot: null });
    client.settle();
  }
};
const confirm = (client: Client, key = 'k') => client.hear({ is: 'confirm', n: ++client.n, key, next: null, spot: null });
/** Tells all that the server has and the client has not. */
const tell = (client: Client, model: Model) => {
  for (let number = client.sitting.number + 1; number <= model.number; number++) {
    client.hear({ is: 'entry', entry: model.told(number, 0) });
    client.settle();
  }
};
/** Turns of both, by the server alone. */
function playTo(model: Model, turn: number) {
  for (let t = model.now.turn; t < turn; t++) model.post(`turn ${t}`, t % 2, model.number, [lay(model.now.laid.at(-1) === 1 ? 2 : 1), lay(model.now.laid.at(-1) === 1 ? 1 : 2)]);
}

/** A game that is kept here, with two people who have secrets. */
function kept() {
  const client = new Client([0, 1], { draws: true, thinks: true, secrets: true });
  client.hear({ is: 'open', seed: 'seed', line: [], draft: [] });
  client.settle();
  return { client, model: new Model() };
}

const situations: Record<string, () => { client: Client; model: Model }> = {
  loading: () => ({ client: new Client([0]), model: new Model() }),
  laid: () => ({ client: new Client([0], {}, start()), model: new Model() }),
  person: () => online(),
  drafting: () => online((client) => tries(client, lay(1))),
  'made up': () => online((client) => tries(client, lay(1), lay(2))),
  aimed: () => online((client) => tries(client, lay(1), look)),
  sent: () =>
    online((client) => {
      tries(client, lay(1), lay(2));
      confirm(client);
    }),
  unheard: () =>
    online((client) => {
      tries(client, lay(1), lay(2));
      confirm(client);
      client.hear({ is: 'unheard', key: 'k', ms: 500 });
    }),
  others: () =>
    online((client, model) => {
      playTo(model, 1);
      tell(client, model);
    }),
  lingering: () =>
    online((client, model) => {
      playTo(model, 1);
      tell(client, model);
      playTo(model, 2);
      client.hear({ is: 'entry', entry: model.told(client.sitting.number + 1, 0) });
    }),
  paused: () =>
    online((client, model) => {
      tries(client, lay(1));
      model.pause(true);
      tell(client, model);
    }),
  'hand-over': kept,
  counting: () =>
    online((client, model) => {
      playTo(model, 4);
      tell(client, model);
    }),
  recap: () =>
    online((client, model) => {
      client.hear({ is: 'attend', here: false, known: 0 });
      playTo(model, 2);
      tell(client, model);
      client.hear({ is: 'attend', here: true, known: 0 });
      client.hear({ is: 'recap', n: ++client.n });
    }),
  over: () =>
    online((client, model) => {
      playTo(model, 8);
      tell(client, model);
      client.hear({ is: 'counted' });
      client.settle();
    }),
  broken: () => online((client) => client.hear({ is: 'broke', why: null })),
  'made up by itself': () => online((client) => tries(client, lay(3))),
  busy: () =>
    online((client) => {
      tries(client, lay(1), lay(2));
      confirm(client);
      client.hear({ is: 'unheard', key: 'k', ms: 30_000, busy: true });
    }),
  awaiting: () =>
    online((client, model) => {
      tries(client, lay(1));
      model.chatter();
      model.chatter();
      client.hear({ is: 'entry', entry: model.told(model.number, 0) });
    }),
  reading: () =>
    online((client, model) => {
      tries(client, lay(1));
      model.chatter();
      client.hear({ is: 'look', stand: model.stand(0), again: false, id: 0 });
    }),
  away: () =>
    online((client, model) => {
      tries(client, lay(1));
      model.timeout();
      tell(client, model);
    }),
  'a bot thinks here': () => {
    const client = new Client([1], { draws: true, thinks: true });
    client.hear({ is: 'open', seed: 'seed', line: [], draft: [] });
    client.settle();
    return { client, model: new Model() };
  },
};

const next = (client: Client, model: Model) => model.told(Math.min(model.number, client.sitting.number + 1), 0);
const elsewhere = (model: Model) => model.post('elsewhere', model.now.turn % 2, model.number, [lay(3), { do: 'rest' }]);
const made = [lay(1), lay(2)];
const n = 99;
const inputs: Record<string, (client: Client, model: Model) => Happening> = {
  'try a move': () => ({ is: 'try', n, move: lay(2), spot: null }),
  'try what is no move': () => ({ is: 'try', n, move: lay(7), spot: null }),
  'try what reveals': () => ({ is: 'try', n, move: look, spot: null }),
  undo: () => ({ is: 'undo', n }),
  restart: () => ({ is: 'restart', n }),
  redraft: () => ({ is: 'redraft', n, moves: [lay(3)] }),
  confirm: () => ({ is: 'confirm', n, key: 'another', next: null, spot: null }),
  'confirm, which makes the next move': () => ({ is: 'confirm', n, key: 'another', next: lay(2), spot: null }),
  'take the screen': () => ({ is: 'take-screen', n }),
  recap: () => ({ is: 'recap', n }),
  'end the recap': () => ({ is: 'end-recap' }),
  skip: () => ({ is: 'skip' }),
  'it was counted': () => ({ is: 'counted' }),
  'nobody looks': () => ({ is: 'attend', here: false, known: 0 }),
  'the turn is made elsewhere': (client, model) => (elsewhere(model), { is: 'entry', entry: next(client, model) }),
  'it is told twice': (client, model) => ({ is: 'entry', entry: model.told(Math.max(0, client.sitting.number), 0) }),
  'something was not told': (_, model) => (elsewhere(model), { is: 'entry', entry: model.told(model.number, 0) }),
  'somebody asks for something': (client, model) => (model.chatter(), { is: 'entry', entry: next(client, model) }),
  'a pause begins': (client, model) => (model.pause(true), { is: 'entry', entry: next(client, model) }),
  'a pause ends': (client, model) => (model.pause(false), { is: 'entry', entry: next(client, model) }),
  'a turn is taken back': (client, model) => (model.undo(), { is: 'entry', entry: next(client, model) }),
  'the table anew, as it was': (_, model) => ({ is: 'look', stand: model.stand(0), again: true, id: 0 }),
  'the table anew, further on': (_, model) => (elsewhere(model), { is: 'look', stand: model.stand(0), again: true, id: 0 }),
  'the table anew, for a stranger': (_, model) => ({ is: 'look', stand: model.stand('watcher'), again: true, id: 0 }),
  'a look that nobody asked for': (_, model) => ({ is: 'look', stand: model.stand('watcher'), again: true, id: 7777 }),
  'it is accepted': () => ({ is: 'accepted', key: 'k' }),
  'it is refused': () => ({ is: 'refused', key: 'k', why: { key: 'table.overtaken.by', args: {} } }),
  'another draft is refused': () => ({ is: 'refused', key: 'older', why: { key: 'table.paused', args: {} } }),
  'nobody answers': () => ({ is: 'unheard', key: 'k', ms: 700 }),
  'the line is down': () => ({ is: 'connection', up: false }),
  'the line is up': () => ({ is: 'connection', up: true }),
  'it is not taken yet': () => ({ is: 'unheard', key: 'k', ms: 700, busy: true }),
  'it is wanted back': () => ({ is: 'unsend' }),
  'the time runs out': (client, model) => (model.timeout(), { is: 'entry', entry: next(client, model) }),
  'a bot makes the turn': (client, model) => (model.standIn(), { is: 'entry', entry: next(client, model) }),
  'who was away is back': (client, model) => (model.back(), { is: 'entry', entry: next(client, model) }),
  'a kept game is opened': () => ({ is: 'open', seed: 'seed', line: made.map((move) => ({ seat: 0, move })), draft: [lay(3)] }),
  'all scores are told': () => ({ is: 'sheet', lines: [] }),
  'its thought': (client) => ({ is: 'thought', id: client.sitting.thinking || 7777, line: [lay(1)] }),
  'its entries': (client, model) => ({ is: 'entries', id: client.pending.find((e) => e.do === 'fetch')?.id ?? 7777, entries: [model.told(model.number, 0)] }),
  'its frame': (client) => ({ is: 'frame', id: client.pending.find((e) => e.do === 'frame')?.id ?? 7777, seen: { view: start(), now: [], sheet: [], common: { now: [], sheet: [] }, cards: null }, toAct: 0 }),
  'a frame that cannot be had': (client) => ({ is: 'frame', id: client.pending.find((e) => e.do === 'frame')?.id ?? 7777, seen: null, toAct: null }),
  'an answer to an older question': () => ({ is: 'answer', id: 7777, replies: [{ ok: false, why: { key: 'x', args: {} } }] }),
  'an older pause ends': () => ({ is: 'wake', id: 7777 }),
  'an older thought': () => ({ is: 'thought', id: 7777, line: [lay(1)] }),
  'older entries': () => ({ is: 'entries', id: 7777, entries: [] }),
  'the engine breaks': () => ({ is: 'broke', why: null }),
};

/** What comes of an input: the situation afterwards, or · for the same; + or − for an
 * act that was or was not done; and what was wanted: → a draft sent, ! something
 * explained, ? the table or its log asked for, … a pause, ~ a thought, ↶ a turn asked back. */
function outcome(situation: string, input: string): string {
  const { client, model } = situations[situation]();
  const before = client.situation;
  const seen = client.all.length;
  client.hear(inputs[input](client, model));
  rest(client, model);
  const signs = { send: '→', slip: '!', 'fetch-look': '?', fetch: '?', wait: '…', think: '~', 'take-back': '↶' } as Record<string, string>;
  const wanted = client.all.slice(seen).flatMap((effect) => (effect.do === 'slip' && !effect.why ? [] : (signs[effect.do] ?? []))).join('');
  const ok = client.done.get(n);
  return (client.situation === before ? '·' : client.situation) + (ok === undefined ? '' : ok ? '+' : '−') + wanted;
}

/** Read across: what comes of an input, situation by situation. Empty cells do not
 * happen: no server tells anything to people at one screen, and a table is opened once. */
const table = `
                                   | loading | laid    | person    | drafting | made up   | aimed     | sent      | unheard   | others  | lingering | paused   | hand-over | counting | recap   | over   | broken | made up by itself | busy      | awaiting | reading  | away     | a bot thinks here
try a move                         | ·−      | ·−      | drafting+ | made up+ | ·+        | ·+        | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | drafting+         | ·−        | ·        | made up+ | ·−       | ·−
try what is no move                | ·−      | ·−      | ·−!       | ·−!      | ·−!       | ·−!       | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | ·−!               | ·−        | ·        | ·−!      | ·−       | ·−
try what reveals                   | ·−      | ·−      | ·−!       | made up+ | ·+        | ·+        | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | ·−!               | ·−        | ·        | made up+ | ·−       | ·−
undo                               | ·−      | ·−      | ·−        | person+  | drafting+ | drafting+ | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | person+           | ·−        | ·        | person+  | ·−       | ·−
restart                            | ·−      | ·−      | ·+        | person+  | person+   | person+   | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | person+           | ·−        | ·        | person+  | ·−       | ·−
redraft                            | ·−      | ·−      | made up+  | made up+ | ·+        | ·+        | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | ·+                | ·−        | ·        | made up+ | ·−       | ·−
confirm                            | ·−      | ·−      | ·−!       | ·−!      | sent+→    | sent+→    | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | sent+→            | ·−        | ·        | ·−!      | ·−       | ·−
confirm, which makes the next move | ·−      | ·−      | drafting+ | made up+ | sent+→    | sent+→    | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | sent+→            | ·−        | ·        | made up+ | ·−       | ·−
take the screen                    | ·−      | ·−      | ·−        | ·−       | ·−        | ·−        | ·−        | ·−        | ·−      | ·−        | ·−       | person+   | ·        | ·       | ·−     | ·−     | ·−                | ·−        | ·        | ·−       | ·−       | ·−
recap                              | ·−      | ·−      | ·−        | ·−       | ·−        | ·−        | ·−        | ·−        | ·−      | ·−        | ·−       | ·−        | ·        | ·       | ·−     | ·−     | ·−                | ·−        | ·        | ·−       | ·−       | ·−
end the recap                      | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | person  | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
skip                               | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
it was counted                     | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | person   | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
nobody looks                       | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
the turn is made elsewhere         | person  | person  | ·         | person!  | person!   | person!   | person!   | person!   | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | person!   | ·        | ·        | ·        |
it is told twice                   | person  | person  | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        |
something was not told             | ·?      | ·?      | ·?        | ·?       | ·?        | ·?        | ·?        | ·?        | ·?      | ·?        | ·        |           | ·        | ·       | ·      | ·      | ·?                | ·?        | ·        | ·?       | ·        |
somebody asks for something        | person  | person  | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        |
a pause begins                     | person  | person  | bot       | bot      | bot       | bot       | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | bot               | ·         | ·        | ·        | ·        |
a pause ends                       | person  | person  | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | drafting |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        |
a turn is taken back               | person  | person  | ·         | ·        | ·         | ·         | ·         | ·         | person  | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        |
the table anew, as it was          | person? | person? | ·         | ·        | ·         | ·         | ·         | ·         | ·       | person?   | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·?       | ·        | ·        |
the table anew, further on         | bot?    | bot?    | bot?      | bot?!    | bot?!     | bot?!     | bot?!     | bot?!     | person? | ·?        | ·        |           | ·        | ·       | ·      | ·      | bot?              | bot?!     | bot?!    | bot?!    | ·        |
the table anew, for a stranger     | bot?    | bot?    | bot!      | bot!     | bot!      | bot!      | bot!      | bot!      | ·!      | ·?!       | ·!       |           | ·        | ·       | ·!     | ·      | bot!              | bot!      | bot?!    | bot!     | ·!       |
a look that nobody asked for       | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
it is accepted                     | ·       | ·       | ·         | ·        | ·         | ·         | ·…        | ·…        | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·…        | ·        | ·        | ·        | ·
it is refused                      | ·       | ·       | ·         | ·        | ·         | ·         | made up?! | made up?! | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | made up?! | ·        | ·        | ·        | ·
another draft is refused           | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
nobody answers                     | ·       | ·       | ·         | ·        | ·         | ·         | ·…        | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
the line is down                   | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
the line is up                     | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·→        | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·→        | ·        | ·        | ·        | ·
it is not taken yet                | ·       | ·       | ·         | ·        | ·         | ·         | ·…        | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
it is wanted back                  | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | made up   | ·        | ·        | ·        | ·
the time runs out                  | person  | person  | bot!      | bot!     | bot!      | bot!      | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | bot!              | ·         | ·        | ·        | ·        |
a bot makes the turn               | person  | person  | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        |
who was away is back               | person  | person  | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | drafting |
a kept game is opened              | bot     | bot     |           |          |           |           |           |           |         |           |          | ·         |          |         |        |        |                   |           |          |          |          | made up
all scores are told                | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
its thought                        | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·~
its entries                        | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        |           | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        |
its frame                          | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·…      | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
a frame that cannot be had         | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | person! | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
an answer to an older question     | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
an older pause ends                | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
an older thought                   | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
older entries                      | ·       | ·       | ·         | ·        | ·         | ·         | ·         | ·         | ·       | ·         | ·        | ·         | ·        | ·       | ·      | ·      | ·                 | ·         | ·        | ·        | ·        | ·
the engine breaks                  | broken  | broken  | broken    | broken   | broken    | broken    | broken    | broken    | broken  | broken    | broken   | broken    | broken   | broken  | broken | ·      | broken            | broken    | broken   | broken   | broken   | broken
`;

const [head, ...rows] = table.trim().split('\n').map((row) => row.split('|').map((cell) => cell.trim()));

test('the table has a row for every input and a column for every situation', () => {
  expect(head.slice(1)).toEqual(Object.keys(situations));
  expect(rows.map(([input]) => input)).toEqual(Object.keys(inputs));
});

test.for(rows)('%s', ([input, ...cells]) => {
  const found = cells.map((cell, i) => (cell ? outcome(head[i + 1], input) : ''));
  expect(Object.fromEntries(found.map((cell, i) => [head[i + 1], cell]))).toEqual(Object.fromEntries(cells.map((cell, i) => [head[i + 1], cell])));
});

test('a game is laid as it is handed in, with no point and nothing to do, until the engine shows it', () => {
  const first = { ...start(), cloth: [2] }; // other than what the engine will say
  const client = new Client([0], { draws: true, thinks: true }, first);
  const nobody = [0, 1].map(() => ({ total: 0, parts: {}, rank: null }));
  expect(client.sitting.shown).toMatchObject({ phase: 'loading', view: first, ground: first, actor: null, choices: [], draft: [], held: null, before: nobody, now: nobody, told: [], moves: 0, common: { now: nobody, sheet: [], told: [] } });
  expect([client.sitting.viewer, client.all]).toEqual([0, []]);
  client.hear({ is: 'open', seed: 'seed', line: [], draft: [] });
  expect(client.sitting.shown).toMatchObject({ phase: 'loading', view: first });
  client.settle();
  expect(client.sitting.shown).toMatchObject({ phase: 'person', view: start(), ground: start(), actor: 0 });
  expect(client.sitting.shown.choices.length).toBe(3);
});

/** A turn that was made up and sent, with what came of it on the server or not. */
function sent(taken: boolean) {
  const at = situations.sent();
  if (taken) at.model.post('k', 0, 0, made);
  return at;
}

test.for(['table.overtaken', 'table.overtaken.by', 'table.paused', 'server.who', 'server.key', 'server.cut', 'bosk.leaf.squirrel'])('a turn that is refused by %s can be confirmed again, as it was', (key) => {
  const { client, model } = sent(false);
  client.hear({ is: 'refused', key: 'k', why: { key, args: {} } });
  rest(client, model);
  expect(client.situation).toBe('made up');
  expect(client.sitting.shown).toMatchObject({ phase: 'person', draft: made, complete: true });
  expect(client.all).toContainEqual({ do: 'slip', why: { key, args: {} }, spot: null });
  client.hear({ is: 'look', stand: model.stand(0), again: false, id: client.take('fetch-look')!.id });
  rest(client, model);
  expect(client.situation).toBe('made up');
  confirm(client, 'again');
  expect(client.pending.filter((e) => e.do === 'send').at(-1)).toMatchObject({ key: 'again', moves: made });
});

/** What the engine was asked, from a moment on. */
const asked = (client: Client, from: number) => client.all.slice(from).flatMap((e) => (e.do === 'ask' ? e.questions.map((q) => q.do) : []));

test('the draft is out of the engine before anybody asks whose turn it is', () => {
  const { client, model } = sent(false);
  const from = client.all.length;
  client.hear({ is: 'refused', key: 'k', why: { key: 'table.paused', args: {} } });
  rest(client, model);
  expect(asked(client, from).slice(0, 4)).toEqual(['undo', 'undo', 'moves', 'view']);
});

test('what people ask of each other leaves a draft alone', () => {
  const { client, model } = situations['made up']();
  const from = client.all.length;
  model.chatter();
  tell(client, model);
  expect([client.situation, asked(client, from)]).toEqual(['made up', []]);
});

test('a look that is older than what the stream has told since changes nothing', () => {
  const { client, model } = sent(false);
  client.hear({ is: 'refused', key: 'k', why: { key: 'table.overtaken', args: {} } });
  rest(client, model);
  const { id } = client.take('fetch-look')!;
  const stand = model.stand(0);
  elsewhere(model);
  tell(client, model);
  client.hear({ is: 'look', stand, again: false, id });
  rest(client, model);
  expect([client.situation, client.sitting.number, client.sitting.plies.filter((p) => !p.beside).length]).toEqual(['bot', 2, 2]);
});

test('who is refused since the game is paused goes on with the same draft when it is not', () => {
  const { client, model } = sent(false);
  model.pause(true);
  client.hear({ is: 'refused', key: 'k', why: { key: 'table.paused', args: {} } });
  rest(client, model);
  client.hear({ is: 'look', stand: model.stand(0), again: false, id: client.take('fetch-look')!.id });
  rest(client, model);
  expect(client.situation).toBe('bot');
  expect(client.engine.past.length, 'no draft stands').toBe(0);
  model.pause(false);
  tell(client, model);
  expect(client.situation).toBe('made up');
  expect(client.sitting.shown.draft).toEqual(made);
});

test('who was signed out watches, and has the draft again when they are back', () => {
  const { client, model } = sent(false);
  client.hear({ is: 'refused', key: 'k', why: { key: 'server.who', args: {} } });
  rest(client, model);
  client.hear({ is: 'look', stand: model.stand('watcher'), again: false, id: client.take('fetch-look')!.id });
  rest(client, model);
  expect([client.situation, client.sitting.viewer]).toEqual(['bot', 'watcher']);
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  rest(client, model);
  expect([client.situation, client.sitting.viewer, client.sitting.shown.draft]).toEqual(['made up', 0, made]);
});

/** What people were told, from a moment on. */
const told = (client: Client, from = 0) => client.all.slice(from).flatMap((e) => (e.do === 'slip' && e.why !== null && e.why !== 'missing' ? [e.why] : []));

test('who is signed out in mid-turn is told so once, as soon as the table is shown to them as nobody', () => {
  for (const situation of ['person', 'made up', 'sent', 'others']) {
    const { client, model } = situations[situation]();
    client.hear({ is: 'look', stand: model.stand('watcher'), again: true, id: 0 });
    rest(client, model);
    client.hear({ is: 'refused', key: 'k', why: { key: 'server.who', args: {} } });
    rest(client, model);
    expect([client.situation, client.sitting.viewer]).toEqual(['bot', 'watcher']);
    expect(told(client), situation).toEqual([{ key: 'page.online.signed-out', args: { seat: 0 } }]);
    client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
    rest(client, model);
    expect([client.situation, client.sitting.shown.draft]).toEqual({ person: ['person', []], others: ['bot', []] }[situation] ?? ['made up', made]);
    expect(told(client)).toHaveLength(1);
  }
});

test('a stream that is faster than the answer: the turn is made once, and the answer changes nothing', () => {
  for (const late of [{ is: 'accepted', key: 'k' }, { is: 'refused', key: 'k', why: { key: 'table.overtaken', args: {} } }, { is: 'unheard', key: 'k', ms: 5 }] as const) {
    const { client, model } = sent(true);
    tell(client, model);
    expect([client.situation, client.sitting.plies.length]).toEqual(['bot', 2]);
    const before = client.sitting;
    client.hear(late);
    client.settle();
    expect({ ...client.sitting }).toEqual(before);
    expect(client.pending.filter((e) => e.do !== 'send')).toEqual([]);
  }
});

test('a turn that was made is no draft any more, though a look tells of it', () => {
  const { client, model } = sent(true);
  model.post('theirs', 1, model.number, [lay(3), { do: 'rest' }]); // and it is our turn again
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  rest(client, model);
  expect(client.situation).toBe('person');
  expect([client.sitting.shown.draft, client.sitting.aside, told(client)]).toEqual([[], null, []]);
});

test('a turn that was made in another window leaves no draft behind, here and in the turns to come', () => {
  for (const situation of ['made up', 'sent']) {
    const { client, model } = situations[situation]();
    elsewhere(model);
    tell(client, model);
    expect([client.situation, client.sitting.aside]).toEqual(['bot', null]);
    expect(told(client)).toEqual([{ key: 'page.draft.elsewhere', args: {} }]);
    model.post('theirs', 1, model.number, [lay(2), lay(1)]);
    tell(client, model);
    expect([client.situation, client.sitting.shown.draft]).toEqual(['person', []]);
  }
});

test('a draft is not put into the middle of a turn that another window makes', () => {
  const { client, model } = online((client) => tries(client, lay(2), lay(1)));
  model.post('elsewhere', 0, 0, [lay(1), lay(2)]);
  client.hear({ is: 'entry', entry: model.told(1, 0) });
  rest(client, model);
  expect([client.situation, client.sitting.shown.draft]).toEqual(['person', []]); // lay(2) would fit
});

test('what nobody answered to an older draft sends nothing again', () => {
  const { client } = situations.sent();
  client.hear({ is: 'unheard', key: 'older', ms: 5 });
  expect(client.pending.filter((e) => e.do === 'wait')).toEqual([]);
  expect(client.sitting.phase).toMatchObject({ tries: 0, wait: 0 });
});

test('of two turns the second is taken back, and the first stays', () => {
  const { client, model } = online((client, model) => {
    playTo(model, 2);
    tell(client, model);
  });
  model.undo();
  tell(client, model);
  expect(client.sitting.plies.filter((p) => !p.beside).map((p) => [p.number, p.seat, p.turn])).toEqual([
    [1, 0, 0],
    [2, 0, 0],
  ]);
  expect([client.situation, client.sitting.ground]).toEqual(['bot', { toAct: 1, turn: 1 }]);
});

test('here one’s own turn is taken back with what the bot did since', () => {
  const client = new Client([0], { draws: true, thinks: true });
  const line = [...made.map((move) => ({ seat: 0, move })), { seat: 1, move: lay(3) }, { seat: 1, move: { do: 'rest' } }];
  client.hear({ is: 'open', seed: 'seed', line, draft: [] });
  client.settle();
  client.hear({ is: 'undo', n: ++client.n });
  const { to } = client.take('take-back')!;
  expect(to).toBe(-1);
  client.hear({ is: 'entry', entry: { number: 4, do: 'undo', seat: 'chance', move: { do: 'undo' }, to, turn: null, events: null } });
  client.settle();
  expect([client.situation, client.sitting.ground, client.sitting.turn, client.sitting.plies]).toEqual(['person', { toAct: 0, turn: 0 }, 0, []]);
  expect(client.engine.past).toEqual([]);
});

test('a draft that had to wait and does not fit any more is not gone in silence', () => {
  for (const [draft, kept, said] of [
    [[lay(1), lay(2)], 2, []],
    [[lay(3), { do: 'rest' }], 0, ['page.draft.back.gone']],
  ] as const) {
    const { client, model } = online((client, model) => {
      playTo(model, 2);
      tell(client, model);
      tries(client, ...draft.slice(0, draft[0].stone === 3 ? 1 : 2));
    });
    expect(client.sitting.shown.draft).toEqual(draft);
    model.undo();
    tell(client, model);
    const from = client.all.length;
    model.post('theirs', 1, model.number, [lay(3), { do: 'rest' }]);
    tell(client, model);
    expect([client.sitting.shown.draft.length, told(client, from).map(({ key }) => key)]).toEqual([kept, said]);
  }
  const { client, model } = situations['made up']();
  model.pause(true);
  tell(client, model);
  client.sitting = { ...client.sitting, aside: { seat: 0, turn: 0, moves: [lay(1), lay(1)] } }; // as other rules would have it
  model.pause(false);
  tell(client, model);
  expect([client.situation, ...told(client).map(({ key }) => key)]).toEqual(['drafting', 'page.draft.back.part']);
});

test('a draft that was kept is made again as far as it fits', () => {
  for (const [draft, kept] of [
    [made, made],
    [[lay(1), lay(1)], [lay(1)]],
    [[lay(3), { do: 'rest' }], []],
  ] as const) {
    const model = new Model();
    model.post('first', 0, 0, made);
    model.post('theirs', 1, model.number, [lay(3), { do: 'rest' }]);
    const client = new Client([0]);
    client.hear({ is: 'look', draft: [...draft], stand: model.stand(0), again: true, id: 0 });
    rest(client, model);
    expect(client.sitting.shown.draft).toEqual(kept);
    expect(client.situation).toBe(['person', 'drafting', 'made up'][kept.length]);
  }
});

test('a draft that was kept with a turn of somebody else is never made', () => {
  const { model } = situations.others();
  const client = new Client([0]);
  client.hear({ is: 'look', draft: [...made], stand: model.stand(0), again: true, id: 0 });
  rest(client, model);
  model.post('theirs', 1, model.number, [lay(3), { do: 'rest' }]);
  tell(client, model);
  expect([client.situation, client.sitting.shown.draft]).toEqual(['person', []]);
});

test('who drafts while a turn before is taken back is told so, and has the draft again in its turn', () => {
  const { client, model } = online((client, model) => {
    playTo(model, 2);
    tell(client, model);
    tries(client, lay(1), lay(2));
  });
  expect(client.situation).toBe('made up');
  model.undo();
  tell(client, model);
  expect([client.situation, client.sitting.shown.draft]).toEqual(['bot', []]);
  expect(told(client)).toEqual([{ key: 'page.draft.undo.waits', args: {} }]);
  const from = client.all.length;
  model.post('theirs', 1, model.number, [lay(3), { do: 'rest' }]);
  tell(client, model);
  expect([client.situation, client.sitting.shown.draft]).toEqual(['made up', made]);
  expect(client.all.slice(from).filter((e) => e.do === 'slip'), 'it waits no more').toEqual([{ do: 'slip', why: null, spot: null }]);
});

/** What may have happened to a draft while it was put aside: made with these moves
 * elsewhere, told entry by entry or by a look, to the seat or to a watcher. */
test.for(['entries', 'a look'])('a draft that was put aside does not come back after its turn was made, told by %s', (way) => {
  for (const aside of ['signed out', 'paused', 'away'] as const)
    for (const moves of [made, [lay(3), { do: 'rest' }]]) {
      const { client, model } = situations['made up']();
      const shown = (viewer: 0 | 'watcher') => {
        client.hear({ is: 'look', stand: model.stand(viewer), again: true, id: 0 });
        rest(client, model);
      };
      if (aside === 'signed out') shown('watcher');
      else {
        if (aside === 'paused') model.pause(true);
        else model.timeout();
        tell(client, model);
      }
      expect([client.situation, client.sitting.aside]).toEqual(['bot', { seat: 0, turn: 0, moves: made }]);
      model.pause(false);
      if (aside === 'away') model.standIn();
      else model.post('elsewhere', 0, model.number, moves);
      model.back();
      model.post('theirs', 1, model.number, [lay(model.now.laid.at(-1) === 1 ? 2 : 1), look]);
      const viewer = aside === 'signed out' ? 'watcher' : 0;
      if (way === 'entries')
        for (let number = client.sitting.number + 1; number <= model.number; number++) {
          client.hear({ is: 'entry', entry: model.told(number, viewer) });
          rest(client, model);
        }
      shown(0);
      expect([client.situation, client.sitting.shown.draft, client.sitting.aside], `${aside} ${moves.length}`).toEqual(['person', [], null]);
      // Nor after that turn is taken back.
      model.undo();
      model.undo();
      tell(client, model);
      expect([client.situation, client.sitting.ground.turn, client.sitting.shown.draft]).toEqual(['person', 0, []]);
    }
});

test('a draft is for its turn alone: after a look that skips turns it does not come back', () => {
  const { client, model } = situations.paused();
  expect(client.sitting.aside).toEqual({ seat: 0, turn: 0, moves: [lay(1)] });
  model.pause(false);
  playTo(model, 2);
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  client.settle();
  client.hear({ is: 'entries', id: client.take('fetch')!.id, entries: [] }); // the log cannot be had
  client.settle();
  expect([client.situation, client.sitting.ground.turn, client.sitting.shown.draft, client.sitting.aside]).toEqual(['person', 2, [], null]);
});

test('a draft is for one seat and one turn, whatever else fits it', () => {
  for (const [seat, turn, back] of [[0, 0, 1], [1, 0, 0], [0, 2, 0]]) {
    const { client, model } = situations.paused();
    client.sitting = { ...client.sitting, aside: { seat, turn, moves: [lay(1)] } };
    model.pause(false);
    tell(client, model);
    expect([client.sitting.shown.draft.length, client.sitting.aside]).toEqual([back, null]);
  }
});

test('a draft does not come back by a step back, after a look without its log that was past its turn', () => {
  const { client, model } = situations.paused();
  model.pause(false);
  playTo(model, 1);
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  client.settle();
  client.hear({ is: 'entries', id: client.take('fetch')!.id, entries: [] });
  client.settle();
  expect([client.situation, client.sitting.aside]).toEqual(['bot', null]);
  model.undo();
  tell(client, model);
  expect([client.situation, client.sitting.ground.turn, client.sitting.shown.draft]).toEqual(['person', 0, []]);
});

test('a step back of several turns, one’s own among them, takes the draft with it and says so', () => {
  const { client, model } = online((client, model) => {
    playTo(model, 4);
    tell(client, model);
    client.hear({ is: 'counted' });
    client.settle();
    tries(client, lay(3));
  });
  model.undo(3);
  tell(client, model);
  expect([client.situation, client.sitting.ground.turn, client.sitting.aside]).toEqual(['bot', 1, null]);
  expect(told(client)).toEqual([{ key: 'page.draft.undo.gone', args: {} }]);
});

test('a draft goes with the turn before it where that was one’s own', () => {
  const { client, model } = online((client, model) => {
    playTo(model, 2);
    tell(client, model);
    tries(client, lay(1));
  });
  model.undo();
  model.undo();
  tell(client, model);
  expect([client.situation, client.sitting.ground.turn, client.sitting.shown.draft, client.sitting.aside]).toEqual(['person', 0, [], null]);
});

test('what is said of a draft that could not stay is what became of it', () => {
  const key = (client: Client, from = 0) => told(client, from).map(({ key }) => key);
  const again = () =>
    online((client, model) => {
      playTo(model, 2);
      tell(client, model);
      tries(client, lay(3));
    });
  const undone = (draft: ReturnType<typeof lay>[]) => { // a turn before is taken back, and the table shown when it was made otherwise
    const { client, model } = again();
    client.hear({ is: 'redraft', n: ++client.n, moves: draft });
    client.settle();
    model.undo();
    model.post('otherwise', 1, model.number, [lay(3), { do: 'rest' }]);
    client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
    rest(client, model);
    return [...key(client), client.sitting.shown.draft.length];
  };
  expect(undone([lay(1), lay(2)])).toEqual(['page.draft.undo.kept', 2]);
  expect(undone([lay(3)])).toEqual(['page.draft.undo.gone', 0]);

  // The game ends before the turn is made: by an entry, or told by a look.
  for (const way of ['entry', 'look']) {
    const { client, model } = situations['made up']();
    const over = { here: [0], going: 'over' as const };
    if (way === 'entry') client.hear({ is: 'entry', entry: { number: 1, do: 'end', seat: 'chance', move: { do: 'end' }, turn: 0, events: [], seating: over } });
    else client.hear({ is: 'look', stand: { ...model.stand(0), seating: over }, again: true, id: 0 });
    rest(client, model);
    expect([client.situation, ...key(client)]).toEqual(['over', 'page.draft.over']);
  }

  // The time of somebody else concerns nobody here.
  const theirs = situations.others();
  theirs.model.timeout();
  tell(theirs.client, theirs.model);
  expect([theirs.client.situation, ...key(theirs.client)]).toEqual(['bot']);

  // A bot makes it, since time ran out: that is said when it does, and once.
  for (const situation of ['person', 'made up', 'sent']) {
    const { client, model } = situations[situation]();
    model.timeout();
    tell(client, model);
    if (situation !== 'sent') expect(told(client)).toEqual([{ key: 'page.online.ran-out', args: { moves: situation === 'person' ? 0 : 2 } }]);
    model.standIn();
    tell(client, model);
    expect(key(client)).toEqual([situation === 'sent' ? 'page.draft.bot' : 'page.online.ran-out']);
    expect(client.sitting.aside).toBeNull();
  }
  const { client, model } = situations['made up']();
  model.timeout();
  model.standIn();
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  rest(client, model);
  expect(key(client)).toEqual(['page.draft.bot']);

  // Whose turn was on its way when the game went on without it confirms it again.
  for (const situation of ['made up', 'sent']) {
    const { client, model } = situations[situation]();
    model.log.push({ ...model.log[0], entry: { ...model.log[0].entry, number: 1, do: 'chance', move: { do: 'nothing' } } });
    client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
    rest(client, model);
    expect([client.situation, ...key(client)]).toEqual(situation === 'sent' ? ['made up', 'page.draft.kept'] : ['made up']);
  }
});

test('a turn that is put back is never shown without its draft', () => {
  const bare = (client: Client, act: () => void) => {
    const seen: string[] = [];
    const hear = client.hear.bind(client);
    client.hear = (what) => {
      hear(what);
      const { phase, draft } = client.sitting.shown;
      if (phase === 'person') seen.push(String(draft.length));
    };
    act();
    return new Set(seen);
  };
  const refused = situations.sent();
  expect(bare(refused.client, () => {
    refused.client.hear({ is: 'refused', key: 'k', why: { key: 'table.overtaken', args: {} } });
    rest(refused.client, refused.model);
  })).toEqual(new Set(['2'])); // prettier-ignore
  const paused = situations.paused();
  expect(bare(paused.client, () => {
    paused.model.pause(false);
    tell(paused.client, paused.model);
  })).toEqual(new Set(['1'])); // prettier-ignore
  for (const { client } of [refused, paused]) {
    const { ground, before, first, instead, view } = client.sitting.shown;
    expect([ground, before.length, first.length]).toEqual([start(), 2, 3]); // all of it is of this turn
    expect(view).not.toEqual(start());
    expect(instead).toMatchObject({ draft: client === refused.client ? [lay(1)] : [], choices: expect.anything() });
  }
});

test('a turn that the server cannot take yet can be had back, and no other', () => {
  for (const situation of ['sent', 'unheard']) {
    const { client } = situations[situation]();
    const before = client.sitting;
    client.hear({ is: 'unsend' });
    expect({ ...client.sitting }).toEqual(before);
  }
  const { client, model } = situations.busy();
  expect(client.sitting.phase).toMatchObject({ busy: 30_000 });
  const { id, ms } = client.take('wait')!;
  expect(ms).toBe(30_000);
  client.take('send');
  client.hear({ is: 'unsend' });
  rest(client, model);
  expect([client.situation, client.sitting.shown.draft, told(client)]).toEqual(['made up', made, []]);
  client.hear({ is: 'wake', id });
  client.hear({ is: 'accepted', key: 'k' });
  expect([client.situation, client.take('send')]).toEqual(['made up', undefined]);
  client.hear({ is: 'undo', n: ++client.n });
  client.settle();
  expect(client.situation).toBe('drafting');
  // Where it was taken after all, it is made, and told as such.
  model.post('k', 0, 0, made);
  tell(client, model);
  expect([client.situation, client.sitting.plies.filter((p) => !p.beside).length]).toEqual(['bot', 2]);
  // What is wanted back while it is already refused is there once.
  const late = situations.busy();
  late.client.hear({ is: 'refused', key: 'k', why: { key: 'table.paused', args: {} } });
  late.client.hear({ is: 'unsend' });
  rest(late.client, late.model);
  expect([late.client.situation, late.client.sitting.shown.draft]).toEqual(['made up', made]);
  // What is found to be taken while it is wanted back begins no turn twice.
  const taken = situations.busy();
  taken.model.post('k', 0, 0, made);
  taken.model.post('theirs', 1, taken.model.number, [lay(3), { do: 'rest' }]);
  taken.client.hear({ is: 'look', stand: taken.model.stand(0), again: false, id: 0 });
  taken.client.hear({ is: 'unsend' });
  const from = taken.client.all.length;
  rest(taken.client, taken.model);
  expect([taken.client.situation, taken.client.sitting.ground.turn]).toEqual(['person', 2]);
  expect(taken.client.all.slice(from).filter((e) => e.do === 'hand')).toHaveLength(1);
  // What is accepted after all is nobody's to change.
  const accepted = situations.busy();
  accepted.client.hear({ is: 'accepted', key: 'k' });
  accepted.client.hear({ is: 'unsend' });
  rest(accepted.client, accepted.model);
  expect(accepted.client.sitting.phase).toMatchObject({ is: 'sent', busy: 0 });
  // Sent again it is waited for as any other.
  const again = situations.busy();
  again.client.hear({ is: 'wake', id: again.client.take('wait')!.id });
  expect(again.client.sitting.phase).toMatchObject({ busy: 0, wait: 0, tries: 1 });
});

test('who skips when it is their turn hurries nobody', () => {
  const { client, model } = situations.person();
  client.hear({ is: 'skip' });
  expect(client.sitting.hurry).toBe(false);
  playTo(model, 1);
  tell(client, model);
  expect(client.sitting.hurry).toBe(false);
});

test('a step back of what is not known here is asked for', () => {
  const model = new Model();
  playTo(model, 1);
  const client = new Client([0]);
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  client.settle();
  client.hear({ is: 'entries', id: client.take('fetch')!.id, entries: [] }); // the log cannot be had
  client.settle();
  model.undo();
  const { look: _, ...entry } = model.told(model.number, 0);
  client.hear({ is: 'entry', entry });
  client.settle();
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: client.take('fetch-look')!.id });
  rest(client, model);
  expect([client.situation, client.sitting.number, client.sitting.ground]).toEqual(['person', model.number, { toAct: 0, turn: 0 }]);
});

test('what is taken back is no ply any more, and the draft stays where it fits', () => {
  const { client, model } = situations.others();
  expect(client.sitting.plies.filter((p) => !p.beside).length).toBe(2);
  model.undo();
  tell(client, model);
  expect(client.sitting.plies.filter((p) => !p.beside)).toEqual([]);
  expect(client.situation).toBe('person');
  expect(client.sitting.turn).toBe(0);
});

test('what nobody answered is sent again by the same key, at once when the line is back', () => {
  const { client } = situations.unheard();
  const wait = client.take('wait')!;
  expect(wait.ms).toBe(500);
  client.hear({ is: 'connection', up: true });
  client.hear({ is: 'wake', id: wait.id }); // the pause was for nothing
  expect(client.pending.filter((e) => e.do === 'send').map(({ key, tries, moves }) => ({ key, tries, moves }))).toEqual([
    { key: 'k', tries: 0, moves: made },
    { key: 'k', tries: 1, moves: made },
  ]);
});

test('what was on its way when the line broke is sent again when it is back', () => {
  const { client } = situations.sent();
  client.hear({ is: 'connection', up: true }); // it never was down
  expect(client.pending.filter((e) => e.do === 'send').length).toBe(1);
  client.hear({ is: 'connection', up: false });
  client.hear({ is: 'connection', up: true });
  expect(client.pending.filter((e) => e.do === 'send').map(({ key, tries }) => [key, tries])).toEqual([
    ['k', 0],
    ['k', 1],
  ]);
});

test('a second press on Confirm within a moment says nothing of the next turn', () => {
  const client = new Client([0, 1], { draws: true, thinks: true });
  client.hear({ is: 'open', seed: 'seed', line: [], draft: made });
  client.settle();
  confirm(client);
  const send = client.take('send')!;
  for (const [i, move] of send.moves.entries()) client.hear({ is: 'entry', entry: { number: i, do: 'move', seat: 0, move, turn: null, events: null } });
  client.settle();
  expect(client.situation).toBe('person');
  client.at = client.sitting.confirmedAt - 1000 + 399;
  confirm(client, 'too soon');
  expect(client.all.some((e) => e.do === 'slip' && e.why === 'missing')).toBe(false);
  confirm(client, 'later');
  expect(client.all.some((e) => e.do === 'slip' && e.why === 'missing')).toBe(true);
});

test('a turn that ended by itself: what is tried takes the place of the step that was chosen, or is refused and it stands', () => {
  const { client } = online((client) => tries(client, lay(3)));
  const rests = { do: 'rest' };
  expect([client.situation, client.sitting.shown.draft]).toEqual(['made up', [lay(3), rests]]);
  tries(client, lay(9));
  expect([client.done.get(client.n), client.situation, client.sitting.shown.draft]).toEqual([false, 'made up', [lay(3), rests]]);
  expect(client.all.filter((e) => e.do === 'slip' && e.why !== null)).toHaveLength(1);
  tries(client, lay(1));
  expect([client.done.get(client.n), client.situation, client.sitting.shown.draft]).toEqual([true, 'drafting', [lay(1)]]);
});

test('a game that ends while a turn is on its way has its result, though a look tells of it', () => {
  const { client, model } = sent(false);
  const result = [{ seat: 0, points: 7, rank: 1 }] as never;
  const stand = { ...model.stand(0), seating: { here: [0], going: 'over' as const }, result };
  client.hear({ is: 'look', stand, again: false, id: 0 });
  rest(client, model);
  client.hear({ is: 'refused', key: 'k', why: { key: 'table.over', args: {} } });
  rest(client, model);
  expect([client.situation, client.sitting.result]).toEqual(['over', result]);
});

test('a look without its log is taken over as it is, on its way or not', () => {
  for (const situation of ['person', 'made up', 'sent']) {
    const { client, model } = situations[situation]();
    playTo(model, 3);
    client.hear({ is: 'look', stand: model.stand(0), again: false, id: 0 });
    client.settle();
    client.hear({ is: 'entries', id: client.take('fetch')!.id, entries: [] });
    client.settle();
    expect([client.situation, client.sitting.number, client.sitting.ground.turn, client.engine.past.length], situation).toEqual(['bot', model.number, 3, 0]);
  }
});

test('what was heard of a turn is told with the rest of it, also where the rest is confirmed here, and not after a look', () => {
  const told = (client: Client) => client.all.flatMap((e) => (e.do === 'tell' ? [e.events.map(({ key }) => key)] : []));
  const half = () => {
    const { client, model } = situations['made up']();
    model.post('elsewhere', 0, model.number, [lay(1)]);
    tell(client, model);
    expect(client.sitting.heard.map(({ key }) => key)).toEqual(['tiny.lay']);
    return { client, model };
  };
  const here = half();
  confirm(here.client, 'rest');
  here.model.post('rest', 0, here.model.number, [lay(2)]);
  tell(here.client, here.model);
  expect(told(here.client).at(-1)).toEqual(['tiny.lay', 'tiny.lay']);
  const { client, model } = half();
  model.post('rest', 0, model.number, [lay(2)]);
  client.hear({ is: 'look', stand: model.stand(0), again: true, id: 0 });
  rest(client, model);
  expect(client.sitting.heard).toEqual([]);
});

test('a turn that is said to be taken, and of which nothing is heard, is asked for and sent again with the same key', () => {
  for (const taken of [false, true]) {
    const { client, model } = sent(taken);
    client.take('send');
    client.hear({ is: 'accepted', key: 'k' });
    const { id, ms } = client.take('wait')!;
    expect([client.situation, ms]).toEqual(['sent', 5000]);
    client.hear({ is: 'wake', id: id + 1 });
    expect(client.take('send')).toBeUndefined();
    client.hear({ is: 'wake', id });
    expect(client.take('send')).toMatchObject({ key: 'k', moves: made, tries: 1 });
    if (!taken) model.post('k', 0, 0, made);
    client.hear({ is: 'accepted', key: 'k' }); // once more, and its entries are lost again
    client.hear({ is: 'look', stand: model.stand(0), again: false, id: client.take('fetch-look')!.id });
    rest(client, model);
    expect([client.situation, client.sitting.number, client.sitting.aside, client.sitting.plies.filter((p) => !p.beside).length]).toEqual(['bot', model.number, null, 2]);
    client.hear({ is: 'wake', id: client.take('wait')!.id });
    expect(client.take('send')).toBeUndefined();
  }
});
