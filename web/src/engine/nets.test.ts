// @vitest-environment node
import { expect, test } from 'vitest';
import { netFiles, patience } from './nets.ts';

const addresses = { elm: '/assets/elm-1.net' };

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

test('a net is fetched from its address', async () => {
  const { asked, find } = line(async () => new Response(new Uint8Array([7, 8])));
  expect(await find('elm')).toEqual(new Uint8Array([7, 8]));
  expect(await find('yew')).toBe(undefined);
  expect(asked).toEqual(['/assets/elm-1.net']);
});

test.for<[string, () => Promise<Response>]>([
  ['there is no line', () => Promise.reject(new TypeError('failed'))],
  ['it is not there', async () => new Response('gone', { status: 404 })],
  ['it breaks off half-way', async () => new Response(new ReadableStream({ start: (out) => (out.enqueue(new Uint8Array(9)), out.error(new Error('broken'))) }))],
  ['it is damaged, so that nobody learns it', async () => new Response('a page of somebody else')],
])('where %s it is asked for again, but not at once', async ([, failing]) => {
  const { asked, find, later } = line(failing, async () => new Response(new Uint8Array([7])));
  await find('elm');
  for (let i = 0; i < 3; i++) expect(await find('elm')).toBe(undefined);
  later(patience.rest - 1);
  expect(await find('elm')).toBe(undefined);
  expect(asked.length).toBe(1);
  later(1);
  expect(await find('elm')).toEqual(new Uint8Array([7]));
});
