// @vitest-environment node
import { afterEach, expect, test, vi } from 'vitest';
import { largest, netFiles, patience } from './nets.ts';

const addresses = { elm: '/assets/elm-1.net' };

afterEach(() => void vi.useRealTimers());

/** A line that answers in turn, and when it was asked. */
function line(...answers: (() => Promise<Response>)[]) {
  const asked: string[] = [];
  let time = 1;
  const get = ((address: string, { signal }: RequestInit) => {
    if (!(signal instanceof AbortSignal)) throw new Error('nobody would end it');
    asked.push(address);
    return answers[Math.min(asked.length, answers.length) - 1]!();
  }) as typeof fetch;
  return { asked, find: netFiles(addresses, get, () => time), later: (ms: number) => (time += ms) };
}

const net = async () => new Response(new Uint8Array([7, 8]));

test('a net is fetched from its address', async () => {
  const { asked, find } = line(net);
  expect(await find('elm')).toEqual(new Uint8Array([7, 8]));
  expect(await find('yew')).toBe(undefined);
  expect(asked).toEqual(['/assets/elm-1.net']);
});

test.for<[string, () => Promise<Response>]>([
  ['there is no line', () => Promise.reject(new TypeError('failed'))],
  ['it is not there', async () => new Response('gone', { status: 404 })],
  ['it breaks off half-way', async () => new Response(new ReadableStream({ start: (out) => (out.enqueue(new Uint8Array(9)), out.error(new Error('broken'))) }))],
  ['it is larger than any', async () => new Response(new Uint8Array(largest + 1))],
])('where %s it is asked for again, but not at once', async ([, failing]) => {
  const { asked, find, later } = line(failing, net);
  for (let i = 0; i < 3; i++) expect(await find('elm')).toBe(undefined);
  later(patience.rest - 1);
  expect(await find('elm')).toBe(undefined);
  expect(asked.length).toBe(1);
  later(1);
  expect(await find('elm')).toEqual(new Uint8Array([7, 8]));
});

test('one that was of no use is handed over once a while', async () => {
  const { asked, find, later } = line(net);
  const found = async () => (await find('elm')) !== undefined;
  expect([await found(), await found()]).toEqual([true, false]);
  later(patience.rest);
  expect([await found(), await found()]).toEqual([true, false]);
  expect(asked.length).toBe(2);
});

test('on a slow line one thought waits a while, those after it do not, and the net serves the next when it has come', async () => {
  vi.useFakeTimers();
  let come = (_: Response) => {};
  const { asked, find } = line(() => new Promise((resolve) => (come = resolve)));
  let first: unknown = 'waits';
  void find('elm').then((file) => (first = file));
  await vi.advanceTimersByTimeAsync(patience.wait - 1);
  expect(first).toBe('waits');
  await vi.advanceTimersByTimeAsync(1);
  expect(first).toBe(undefined);
  expect(await find('elm')).toBe(undefined);
  come(await net());
  await vi.advanceTimersByTimeAsync(0);
  expect(await find('elm')).toEqual(new Uint8Array([7, 8]));
  expect(asked.length).toBe(1);
});
