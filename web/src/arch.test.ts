// @vitest-environment node
/** Who may import whom on the page, and why: what arch_test.go is for Go. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** The page's source by path; tests may import more than what they test. */
type Source = ReadonlyMap<string, string>;

const real: Source = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => ['.ts', '.svelte'].includes(extname(file)) && !/\.(test|d)\.ts$|inprocess\.ts$/.test(file))
    .map((file) => [file, readFileSync(join('src', file), 'utf8')]),
);

/** What a file imports: its own files by their path, all else by its name. Types
 * and what is loaded later count like the rest; `now` leaves them out. What a pattern
 * (import.meta.glob) finds among the sources is imported too. */
function importsOf(source: Source, file: string, text: string, now = false): string[] {
  const said = now ? text.replace(/\bimport\(|\bimport\.meta\.glob/g, 'later(').replace(/\b(import|export) type\b[^;]*;/g, '') : text;
  const named = [...said.matchAll(/\b(?:from|import|import\(|new URL\()\s*['"]([^'"]+)['"]/g)].map((match) => match[1].replace(/\?.*$/, ''));
  const path = (name: string) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name);
  const globs = [...said.matchAll(/\bimport\.meta\.glob\b(?:<[^>]*>)?\(\s*['"]([^'"]+)['"]/g)].map((match) => path(match[1]));
  const fits = (glob: string) => new RegExp(`^${glob.replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*\*\/?/g, '.*').replace(/(?<!\.)\*/g, '[^/]*')}$`);
  return [...named.map(path), ...globs.flatMap((glob) => [...source.keys()].filter((one) => fits(glob).test(one)))];
}

/** A way from a file back to itself, or null. */
function circle(source: Source): string[] | null {
  const done = new Set<string>();
  const walk = (file: string, way: string[]): string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const next of importsOf(source, file, source.get(file)!)) {
      const found = source.has(next) ? walk(next, [...way, file]) : null;
      if (found) return found;
    }
    done.add(file);
    return null;
  };
  for (const file of source.keys()) {
    const found = walk(file, []);
    if (found) return found;
  }
  return null;
}

/** What the files of a folder may import of other folders; `later` only when it is
 * needed, or as types. Nobody imports what stands above all folders. */
const arrows: Record<string, { to: string[]; later?: string[]; why: string }> = {
  words: { to: [], why: 'words know keys and arguments, not who says them' },
  engine: { to: ['words'], why: 'the engine is asked by everybody and knows nobody' },
  app: { to: ['words'], why: 'settings, storage and routes are below every screen' },
  table: { to: ['app', 'engine', 'words'], why: 'a table knows no game and not where one lives: faces and homes are handed in from above' },
  games: { to: ['app', 'engine', 'screens', 'table', 'words'], why: 'a face is what the table asks for: it knows the table, and the frame of a screen of its own, but not where games live' },
  screens: { to: ['app', 'engine', 'games', 'table', 'words'], later: ['online'], why: 'who plays here alone loads nothing of tables on a server' },
  online: { to: ['app', 'engine', 'games', 'screens', 'table', 'words'], why: 'what is played on a server is one of the things that can be opened, and not what opens them' },
};

function forbidden(source: Source): string[] {
  return [...source].flatMap(([file, text]) => {
    const [folder] = file.split('/');
    const arrow = arrows[folder];
    if (!arrow || !file.includes('/')) return [];
    const at = new Set(importsOf(source, file, text, true));
    return importsOf(source, file, text)
      .filter((name) => source.has(name) && !name.startsWith(folder + '/') && !arrow.to.includes(name.split('/')[0]) && !(arrow.later?.includes(name.split('/')[0]) && !at.has(name)))
      .map((name) => `${file} imports ${name}: ${arrow.why}`);
  });
}

/** What a pure file may not name: the page, the network, time, chance, and anything
 * that goes on by itself. */
const outside = /(?<![\w$])(window|document|navigator|location|localStorage|sessionStorage|indexedDB|fetch|XMLHttpRequest|EventSource|WebSocket|Worker|postMessage|setTimeout|setInterval|queueMicrotask|requestAnimationFrame|requestIdleCallback|Date|performance|crypto|random|console|globalThis|self|Promise|async|await|addEventListener|\$state|\$derived|\$effect)\b/;

/** The code without what stands in comments and between quotes. */
const bare = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/gm, '');

/** What is impure in a file and in all that it imports. Classes of errors and types
 * of the engine's protocol are as far down as it goes. */
function impure(source: Source, file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = source.get(file)!;
  const named = bare(text).match(outside);
  return [
    ...(named ? [`${file} names ${named[0]}`] : []),
    ...importsOf(source, file, text).flatMap((name) => (!source.has(name) || /\.svelte(\.ts)?$/.test(name) ? [`${file} imports ${name}`] : impure(source, name, seen))),
  ];
}

test('no import runs in a circle', () => {
  expect(real.size).toBeGreaterThan(250);
  expect(circle(real)).toBeNull();
});

test('no arrow runs up: not from the table to the games, to the server or to the screens', () => {
  expect(forbidden(real)).toEqual([]);
  const folders = new Set([...real.keys()].flatMap((file) => (file.includes('/') ? [file.split('/')[0]] : [])));
  expect(Object.keys(arrows).sort(), 'every folder has its arrows').toEqual([...folders].filter((folder) => folder !== 'style').sort());
});

test('the sitting is pure, with all that it imports', () => {
  expect(impure(real, 'table/sitting.ts')).toEqual([]);
});

test('these tests can fail', () => {
  const planted = (file: string, line: string) => new Map(real).set(file, `${line}\n${real.get(file)}`);
  expect(circle(planted('table/plies.ts', "import type { Sitting } from './sitting.ts';"))).toContain('table/sitting.ts');
  expect(circle(planted('table/kept.ts', "const later = () => import('./TableScreen.svelte');"))).toContain('table/TableScreen.svelte');
  for (const line of ["import { shelf } from '../games/registry.ts';", "import type { OnlineTable } from '../online/table.svelte.ts';", "const page = () => import('../screens/Page.svelte');"])
    expect(forbidden(planted('table/Table.svelte', line))).toHaveLength(1);
  expect(forbidden(planted('games/species.ts', "import { ask } from '../online/client.ts';"))).toHaveLength(1);
  expect(forbidden(planted('engine/engine.ts', "import { same } from '../table/plies.ts';"))).toHaveLength(1);
  expect(forbidden(planted('screens/Home.svelte', "import { stream } from '../online/stream.svelte.ts';"))).toHaveLength(1);
  expect(forbidden(planted('screens/Home.svelte', "const later = () => import('../online/stream.svelte.ts');"))).toEqual([]);
  for (const file of ['online/me.svelte.ts', 'screens/shelf.ts']) expect(forbidden(planted(file, "import App from '../App.svelte';"))).toHaveLength(1);
  expect(forbidden(planted('table/names.ts', "const all = import.meta.glob<Face>('../games/*/view.ts');"))).toHaveLength(3);
  expect(circle(planted('table/plies.ts', "const all = import.meta.glob('./*.ts', { eager: true });"))).not.toBeNull();
  for (const line of ["import { untrack } from 'svelte';", 'let a = $state(0);', 'const b = $derived(a);', '$effect(() => {});', "import { settings } from '../app/settings.svelte.ts';", 'const now = Date.now();', 'const luck = Math.random();', 'setTimeout(() => {}, 1);', 'void fetch(`/api`);', 'document.title = `x`;', 'const t = performance.now();', 'export async function later() {}'])
    for (const file of ['table/sitting.ts', 'table/recap.ts']) expect(impure(planted(file, line), 'table/sitting.ts').length, line).toBeGreaterThan(0);
});
