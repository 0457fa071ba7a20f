// @vitest-environment node
import { expect, test } from 'vitest';
import { after, dead, grace, idle, lateness, until, type Happened, type Connection } from './connection.ts';

const story = (...happened: [Happened['is'] | Happened, number][]) => happened.reduce<Connection>((connection, [what, at]) => after(connection, typeof what === 'string' ? ({ is: what } as Happened) : what, at), idle);
const beat = (next: number): Happened => ({ is: 'heard', next });

test('a connection that breaks comes back for two seconds, and then is down', () => {
  const broken = story(['begin', 0], ['heard', 10], ['broken', 1000]);
  expect(broken.state).toBe('reconnecting');
  expect(until(broken, 1000)).toBe(grace);
  expect(after(broken, { is: 'look' }, 2999).state).toBe('reconnecting');
  expect(after(broken, { is: 'look' }, 3000).state).toBe('offline');
  expect(after(broken, { is: 'broken' }, 3000).state).toBe('offline');
  expect(after(broken, { is: 'heard' }, 2000)).toMatchObject({ state: 'connected', broke: null });
});

test('a request that nobody answers is a doubt: after two seconds without a sign the connection is down', () => {
  const doubted = story(['begin', 0], [beat(4000), 10], ['doubt', 1000]);
  expect([doubted.state, until(doubted, 1000)]).toEqual(['connected', grace]);
  expect(after(doubted, { is: 'look' }, 3000).state).toBe('offline');
  for (const sign of ['heard', 'answered'] as const) expect(after(after(doubted, { is: sign }, 2000), { is: 'look' }, 3000).state).toBe('connected');
  expect(after(doubted, { is: 'doubt' }, 2500).broke).toBe(1000); // no doubt begins anew
});

test('the browser says that it is offline: so do we, at once', () => {
  expect(story(['begin', 0], ['heard', 10], ['offline', 20]).state).toBe('offline');
});

test('silence: in one’s turn within ten seconds, else when the next sign was promised', () => {
  const quick = story(['begin', 0], [beat(4000), 0]);
  expect(until(quick, 0)).toBe(4000 + lateness);
  expect(until(quick, 0)).toBeLessThan(10_000);
  expect([dead(quick, 8999), dead(quick, 9000)]).toEqual([false, true]);
  expect(after(quick, { is: 'silent' }, 9000)).toMatchObject({ state: 'offline', heard: 9000 });
  const slow = story(['begin', 0], [beat(15_000), 0]);
  expect([dead(slow, 19_999), dead(slow, 20_000)]).toEqual([false, true]);
  expect(story(['begin', 0], [beat(4000), 0], ['heard', 3000]).next).toBe(4000); // what else comes promises nothing
});

test('who comes for the first time is connecting, not offline', () => {
  const first = story(['begin', 0]);
  expect([first.state, after(first, { is: 'look' }, 5000).state]).toEqual(['connecting', 'connecting']);
  expect(story(['begin', 0], ['end', 5])).toEqual(idle);
});
