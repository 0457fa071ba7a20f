/** People who play through the API alone, beside those at a browser. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { eventually } from './eventually.mjs';

const nonce = () => randomBytes(16).toString('hex');

/** Somebody at the server. `send` asks in their name: a method, a path, a body. */
class Guest {
  constructor(send) {
    this.send = send;
  }

  async ask(way, body) {
    const [method, path] = way.split(' ');
    const { status, text, wait } = await this.send(method, path, body);
    if (status === 429) {
      await new Promise((later) => setTimeout(later, wait * 1000)); // as the server says
      return this.ask(way, body);
    }
    assert.ok(status < 300, `${way} ${JSON.stringify(body)}: ${status} ${text}`);
    return text ? JSON.parse(text) : undefined;
  }

  set(what) {
    return this.ask('POST /api/tables', what).then(({ table }) => table);
  }

  sit(table, seat) {
    return this.ask(`POST /api/tables/${table}/sit`, { nonce: nonce(), seat });
  }

  say(table, what) {
    return this.ask(`POST /api/tables/${table}/chat`, what);
  }

  /** Makes one of the moves that are allowed. */
  async move(table, which = 0) {
    const { after, moves } = await this.ask(`GET /api/tables/${table}/moves`);
    return this.ask(`POST /api/tables/${table}/moves`, { after, moves: [moves[which % moves.length]] });
  }

  /** The seat that is to act, or null. */
  async toAct(table) {
    const { look } = await this.ask(`GET /api/tables/${table}`);
    return look.toAct[0] ?? null;
  }

  /** Waits until it is a seat's turn: a page shows a turn as made while it is sent. */
  turnOf(table, seat) {
    return eventually(() => this.toAct(table), seat, 'whose turn it is');
  }
}

/** A newcomer of that name. */
export async function guest(url, name) {
  let cookie = '';
  const one = new Guest(async (method, path, body) => {
    const answer = await fetch(url + path, { method, headers: { cookie, ...(body ? { 'Content-Type': 'application/json' } : {}) }, ...(body ? { body: JSON.stringify(body) } : {}) });
    for (const set of answer.headers.getSetCookie()) cookie = set.split(';')[0];
    return { status: answer.status, text: await answer.text(), wait: Number(answer.headers.get('Retry-After')) };
  });
  await one.ask('POST /api/me', { name });
  return one;
}

/** Whoever sits at this browser window, which must be on a page of the server. */
export function whoSitsAt(page) {
  return new Guest((method, path, body) =>
    page.evaluate(
      async ([method, path, body]) => {
        const answer = await fetch(path, { method, ...(body ? { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {}) });
        return { status: answer.status, text: await answer.text(), wait: Number(answer.headers.get('Retry-After')) };
      },
      [method, path, body],
    ),
  );
}

/** Plays on, everybody in turn, until it is enough. */
export async function playOn(table, people, until) {
  for (let n = 0; n < 400; n++) {
    const seat = await people[0].toAct(table);
    if (seat === null || until(n, seat)) return;
    if (typeof seat === 'number') await people[seat].move(table, n * 7);
  }
  assert.fail('a game that does not end');
}
