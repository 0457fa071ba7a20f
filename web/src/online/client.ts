/** Asking the server. What it says no to is a Problem; what never reached it, or
 * came back broken, is a Lost, and may be asked again. */
import { known, language, tell } from '../words/words.svelte.ts';
import type { Args } from '../words/speech.ts';
import type { Calls } from './api.gen.ts';

/** The server's no. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly key: string,
    readonly args: Args,
    readonly rule: string,
    readonly title: string,
    readonly wait: number, // seconds until it may be asked again; 0 where that was not said
  ) {
    super(key);
  }

  /** In words of this page where it has them and all that they need, else in the
   * server's. */
  words(names: readonly string[] = []): string {
    const text = known(this.key) ? tell(this.key, this.args, names) : '';
    return text && !text.includes('{') ? text : this.title;
  }
}

/** Nobody answered. */
export class Lost extends Error {}

interface How<Body> {
  /** What stands in braces in the address. */
  at?: Record<string, string | number>;
  query?: Record<string, string | number | boolean>;
  body?: Body;
  /** Makes it harmless to send it again. */
  key?: string;
  /** Ends the waiting. */
  stop?: AbortSignal;
}

/** Who has not answered after so long, in milliseconds, does not. */
const patience = 10_000;

type Asked = (answered: boolean) => void;
const listeners = new Set<Asked>();

/** Calls back whenever a request was answered, or was not. The answer ends it. */
export function onAsked(hear: Asked): () => void {
  listeners.add(hear);
  return () => void listeners.delete(hear);
}

function note(answered: boolean) {
  for (const hear of listeners) hear(answered);
}

/** Asks once. */
export async function ask<Name extends keyof Calls>(name: Name, { at = {}, query, body, key, stop }: How<Calls[Name][0]> = {}): Promise<Calls[Name][1]> {
  const [method, form] = name.split(' ') as [string, string];
  const path = form.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(at[part])));
  const asked = query ? `?${new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))}` : '';
  const headers: Record<string, string> = { 'Accept-Language': language() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key) headers['Idempotency-Key'] = key;
  let answer: Response;
  let text: string;
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(patience), ...(stop ? [stop] : [])]);
    answer = await fetch(path + asked, { method, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    text = await answer.text();
  } catch {
    if (!stop?.aborted) note(false);
    throw new Lost(name);
  }
  note(true);
  if (answer.ok) return read(text, name) as Calls[Name][1];
  const wait = Math.max(0, Number(answer.headers.get('Retry-After')) || 0);
  const said = read(text, name) as { key?: string; args?: Args; rule?: string; title?: string } | undefined;
  if (!said?.key) throw new Lost(name); // a proxy's answer, not ours
  throw new Problem(answer.status, said.key, said.args ?? {}, said.rule ?? '', said.title ?? said.key, wait);
}

function read(text: string, name: string): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Lost(name);
  }
}

/** A key for a request that may have to be sent again. */
export function freshKey(): string {
  return hex(16);
}

/** Random bytes in hexadecimal digits. */
export function hex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (n) => n.toString(16).padStart(2, '0')).join('');
}

/** Whether what was asked may be asked again as it is: nobody answered, or not yet. */
export function passing(e: unknown): boolean {
  return e instanceof Lost || (e instanceof Problem && (e.status === 503 || e.status === 429 || e.key === 'table.due'));
}

/** Whether somebody answered that it cannot be done now, and was not done. */
export function busy(e: unknown): boolean {
  return e instanceof Problem && (e.status === 503 || e.status === 429) && e.key !== 'server.unsure';
}

/** How long to wait, in milliseconds, before something is asked again, after try number
 * n: as long as the server says, but nobody waits for minutes because of one answer. */
export function waitAfter(e: unknown, n: number): number {
  return e instanceof Problem && e.wait ? Math.min(mostAsked, e.wait * 1000) : backoff(n);
}

/** Sends something that changes a table until it is answered: with one key, so
 * that it happens once however often it is sent. `stop` ends the trying. */
export async function insist<Name extends keyof Calls>(name: Name, how: How<Calls[Name][0]>, { stop, troubled }: { stop?: AbortSignal; troubled?: () => void } = {}): Promise<Calls[Name][1]> {
  const key = how.key ?? freshKey();
  for (let n = 0; ; n++) {
    try {
      return await ask(name, { ...how, key });
    } catch (e) {
      if (!passing(e) || stop?.aborted) throw e;
      troubled?.();
      await pause(waitAfter(e, n), stop);
      if (stop?.aborted) throw e;
    }
  }
}

/** The longest wait between tries: who sits at a table is in step again within three
 * seconds after the server is back, however long it was away. */
const longestWait = 2_000;

/** The longest wait that a server may ask for. */
const mostAsked = 30_000;

/** How long to wait before try number n, from 0: longer and longer, and never
 * all at once after a restart. */
export function backoff(n: number, chance: () => number = Math.random): number {
  return Math.min(longestWait, 500 * 2 ** n) * (0.5 + chance() / 2);
}

/** A pause that can be ended. */
export function pause(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      stop?.removeEventListener('abort', done);
      resolve();
    }
    stop?.addEventListener('abort', done);
  });
}
