import { expect, test } from 'vitest';
import { ago } from './mine.ts';

test('what has just happened is “now”, and what a faster clock says too', () => {
  const now = Date.UTC(2026, 10, 17, 12);
  const said = (minutes: number) => ago(now - minutes * 60_000, now);
  expect([said(0), said(0.3), said(-3)]).toEqual(['now', 'now', 'now']);
  expect([said(1), said(59), said(61), said(1500)]).toEqual(['1 minute ago', '59 minutes ago', '1 hour ago', 'yesterday']);
});
