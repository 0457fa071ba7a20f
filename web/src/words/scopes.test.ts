// @vitest-environment node
/** That words come with the parts of the page that say them. */
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { Page, readSources } from '../../scripts/words.ts';

const sources = readSources('src');
const page = new Page(sources);
const keys = page.keys();

/** The documents are built apart, and say what they need in all languages. */
const handbook = readdirSync('handbook').map((file) => readFileSync(join('handbook', file), 'utf8')).join('\n');

test('every key of the page is needed somewhere, in all of it or in some of its parts', () => {
  const english: Record<string, string> = JSON.parse(readFileSync('../i18n/en.json', 'utf8'));
  const said = Object.keys(english).filter((key) => key.startsWith('page.'));
  expect(said.length).toBeGreaterThan(500);
  expect(said.filter((key) => !keys.has(key) && !handbook.includes(`'${key}'`))).toEqual([]);
  for (const [key, parts] of keys) expect(parts.has('base') ? parts.size : 1, key).toBe(1);
});

/** Walks the page as a browser does: a module brings those it imports; one that is
 * imported later comes with the words that are put beside it. Tells which keys are
 * said where their words are not. */
function missing(code: (module: string) => string): string[] {
  const wrong = new Set<string>();
  const done = new Set<string>();
  const visit = (module: string, words: ReadonlySet<string>) => {
    const state = `${module} ${[...words].sort()}`;
    if (done.has(state) || !(module in sources)) return;
    done.add(state);
    for (const [, key] of sources[module].matchAll(/['"`](page\.[a-z0-9.-]*[a-z0-9])['"`]/g)) if (![...keys.get(key)!].some((part) => words.has(part))) wrong.add(`${module}: ${key}`);
    const at = (path: string) => normalize(join(dirname(module), path));
    for (const [, path] of sources[module].matchAll(/^\s*(?:import|export)\b(?!\s+type\b)[^'"()]*['"](\.[^'"]+)['"]/gm)) visit(at(path), words);
    for (const [, path, brought] of code(module).matchAll(/import\(['"](\.[^'"]+)['"]\)(?:, ([^()]*)\))?/g)) visit(at(path), new Set([...words, ...(brought?.match(/\w+/g) ?? [])]));
  };
  visit('main.ts', new Set(['base']));
  expect(done.size).toBeGreaterThan(200);
  return [...wrong];
}

test('no part of the page says a key whose words have not come with it', () => {
  expect(missing((module) => page.bringing(module, sources[module], 'helper') ?? sources[module])).toEqual([]);
});

test('the walk finds parts that bring no words', () => {
  expect(missing((module) => sources[module]).length).toBeGreaterThan(300);
});

test('what is told later needs the later words, and a first board needs none of them', () => {
  expect(page.needs('table/Log.svelte')).toEqual(['rest']);
  expect(page.needs('online/OnlineScreen.svelte')).toContain('online');
  expect(page.needs('table/TableScreen.svelte')).toEqual([]);
  for (const game of page.games) expect(page.needs(`games/${game}/${game}.ts`)).toEqual([game]);
});

test('the page is built by rules that name no game and no key', () => {
  const rules = ['vite.config.ts', 'scripts/words.ts', 'scripts/pack.mjs'].map((file) => readFileSync(file, 'utf8'));
  const games = readdirSync('../games', { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  expect(page.games).toEqual(games);
  const english: Record<string, string> = JSON.parse(readFileSync('../i18n/en.json', 'utf8'));
  const beginnings = new Set(Object.keys(english).map((key) => key.split('.').slice(0, 2).join('.')));
  const verbs = new Set(Object.keys(english).flatMap((key) => key.match(/^\w+\.(?:event|do|refuse|move)\.([\w-]+)/)?.[1] ?? []));
  expect(verbs.size).toBeGreaterThan(20);
  for (const text of rules) {
    for (const game of games) expect(text).not.toContain(game);
    for (const beginning of beginnings) expect(text).not.toMatch(new RegExp(`(?<![\\w.])${beginning.replaceAll('.', '\\\\?\\.')}\\b`));
    for (const literal of text.matchAll(/'[^'\n]*'|`[^`]*`|\/[^/\n]+\//g)) for (const verb of verbs) expect(literal[0], verb).not.toMatch(new RegExp(`\\\\\\.\\(?(?:[\\w-]+\\|)*${verb}\\b`));
  }
});
