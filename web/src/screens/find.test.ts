import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gameNames } from '../games/registry.ts';
import { find } from './find.ts';

const pages: string[] = JSON.parse(readFileSync('pages.json', 'utf8'));
const addresses = pages.flatMap((page) => (page.includes('{game}') ? gameNames.map((game) => page.replace('{game}', game)) : page)).map((page) => page.replace('*', '7Hq2'));
const lost = find('/no/such/page');

test('there is a screen at every address of a page, with or without a slash at its end', () => {
  for (const page of addresses) {
    expect(find(page), page).not.toBe(lost);
    expect(find(page.replace(/\/?$/, '/')), page).not.toBe(lost);
  }
});

test('there is none anywhere else: the server and the service worker say so too', () => {
  const steps = ['', 'new', 'learn', 'cards', 'rules', 'table', 't', 'together', 'play', 'continue', 'sign-in', 'replay', 'settings', 'friends', 'credits', 'api', 'docs', 'x', ...gameNames];
  const all = steps.flatMap((a) => steps.flatMap((b) => ['', '/x'].map((c) => `/${a}${b && '/' + b}${c}`)));
  const page = (path: string) => addresses.includes(path) || /^\/(t|table|replay)\/[^/]+$/.test(path);
  for (const path of all) if (!path.includes('//')) expect(find(path) === lost, path).toBe(!page(path));
});

test('the manifest has a way to every game', () => {
  const manifest: { shortcuts: { url: string }[] } = JSON.parse(readFileSync('public/copse.webmanifest', 'utf8'));
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(gameNames.map((game) => `/${game}/new`));
});
