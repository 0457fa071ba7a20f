import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gameNames } from '../games/registry.ts';
import { everyPage } from '../../scripts/pages.ts';
import { find } from './find.ts';

const pages = everyPage(JSON.parse(readFileSync('pages.json', 'utf8')), gameNames);
const addresses = Object.keys(pages).map((page) => page.replace('*', '7Hq2'));
const lost = find('/no/such/page');

test('there is a screen at every address of a page, with or without a slash at its end', () => {
  for (const page of addresses) {
    expect(find(page), page).not.toBe(lost);
    expect(find(page.replace(/\/?$/, '/')), page).not.toBe(lost);
  }
});

test('each page begins with the screen that it shows', () => {
  for (const [page, [screen]] of Object.entries(pages)) expect(String(find(page.replace('*', '7Hq2')).load), page).toContain(screen);
});

test('there is none anywhere else: the server and the service worker say so too', () => {
  const steps = ['', 'new', 'learn', 'cards', 'rules', 'table', 't', 'together', 'play', 'people', 'continue', 'sign-in', 'replay', 'operator', 'settings', 'friends', 'credits', 'api', 'docs', 'x', ...gameNames];
  const all = steps.flatMap((a) => steps.flatMap((b) => ['', '/x'].map((c) => `/${a}${b && '/' + b}${c}`)));
  const page = (path: string) => addresses.includes(path) || /^\/(t|table|replay|people)\/[^/]+$/.test(path);
  for (const path of all) if (!path.includes('//')) expect(find(path) === lost, path).toBe(!page(path));
});

test('the manifest has a way to every game', () => {
  const manifest: { shortcuts: { url: string }[] } = JSON.parse(readFileSync('public/copse.webmanifest', 'utf8'));
  expect(manifest.shortcuts.map(({ url }) => url)).toEqual(gameNames.map((game) => `/${game}/new`));
});
