import { expect, test } from 'vitest';
import { learn, speak } from '../words/words.svelte.ts';
import { ago } from './mine.ts';

test('what has just happened is “now”, and what a faster clock says too', async () => {
  await learn('rest');
  await speak('en');
  const now = Date.UTC(2026, 10, 17, 12);
  const said = (minutes: number) => ago(now - minutes * 60_000, now);
  expect([said(0), said(0.3), said(-3)]).toEqual(['now', 'now', 'now']);
  expect([said(1), said(59), said(61), said(1500)]).toEqual(['1 minute ago', '59 minutes ago', '1 hour ago', 'yesterday']);
  await speak('fr');
  expect([said(0), said(1), said(180), said(1500), said(2 * 1440), said(9 * 1440)]).toEqual(['maintenant', 'il y a 1 minute', 'il y a 3 heures', 'hier', 'avant-hier', 'il y a 9 jours']);
  await speak('it');
  expect([said(0), said(1), said(60), said(1500), said(2 * 1440), said(9 * 1440)]).toEqual(['ora', '1 minuto fa', '1 ora fa', 'ieri', 'l’altro ieri', '9 giorni fa']);
});
