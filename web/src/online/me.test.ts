import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storage } from '../app/storage.ts';
import { me } from './me.svelte.ts';
import { stream } from './stream.svelte.ts';

let who: { signedIn: boolean; name?: string } | null; // null: nobody answers
let asked: string[];
let anew: number;

beforeEach(() => {
  storage.clear();
  who = { signedIn: true, name: 'Anna' };
  asked = [];
  anew = 0;
  vi.spyOn(stream, 'anew').mockImplementation(() => void anew++);
  vi.stubGlobal('fetch', async (path: string, how: RequestInit) => {
    asked.push(`${how.method} ${path}`);
    if (!who) throw new TypeError('away');
    return new Response(JSON.stringify(who));
  });
  Object.assign(me, { known: false, signedIn: false, name: '' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
const rest = () => new Promise((resolve) => setTimeout(resolve));

test('a stream that ends has the server asked who we are; where we are nobody, all is shown to us anew', async () => {
  stream.ended();
  expect(asked).toEqual([]); // nobody was signed in
  await me.look();
  expect([me.signedIn, storage.getItem('copse.online')]).toEqual([true, expect.any(String)]);
  stream.ended();
  await rest();
  expect([asked.length, anew]).toEqual([2, 0]); // it knows us
  who = null;
  stream.ended();
  await rest();
  expect([me.signedIn, me.name, anew]).toEqual([true, 'Anna', 0]); // nobody knows
  who = { signedIn: false };
  stream.ended();
  await rest();
  expect([me.signedIn, me.name, anew, storage.getItem('copse.online')]).toEqual([false, '', 1, null]);
  stream.ended();
  await rest();
  expect(asked.length).toBe(4);
});

test('another window that becomes somebody else, or nobody, is heard of', async () => {
  await me.look();
  const heard = async (key: string) => {
    dispatchEvent(new StorageEvent('storage', { key }));
    await rest();
    return [asked.length, anew];
  };
  expect(await heard('copse.settings')).toEqual([1, 0]);
  const [requests] = await heard('copse.online');
  expect([requests, anew]).toEqual([2, 1]);
  const before = storage.getItem('copse.online');
  await me.look();
  await me.check();
  expect(storage.getItem('copse.online')).toBe(before); // who stays who they are tells nobody
  who = { signedIn: true, name: 'Ben' };
  await me.goOn('code');
  expect(storage.getItem('copse.online')).not.toBe(before);
});
