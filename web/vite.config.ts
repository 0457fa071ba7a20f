/// <reference types="vitest/config" />
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { linked } from './scripts/linked.ts';
import { pages } from './scripts/pages.ts';
import { words } from './scripts/words.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What is always loaded together travels in one file, each with all that it
 * imports: what every screen needs, the table, what several games share, of each game what
 * is drawn of it on other screens too, and its first board. Screens away from a table share
 * a frame, many show the boxes on the shelf, and all that speak to the server do so alike.
 * A file of a few hundred bytes of its own is a request that costs more than what is in it:
 * a browser asks a plain server for six at a time. What belongs to no group lies in the
 * first that needs it, so what parts of several games fetch later stands here too. */
const games = readdirSync(here('src/games'), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
const together = [
  { name: 'page', test: /src\/(main|app\/(?!Dialog|motion|offline|sound)|table\/(kept|names))/, priority: 5 },
  { name: 'table', test: /src\/table\/TableScreen/, priority: 4 },
  { name: 'shared', test: /src\/games\/[^/]+\.ts/, priority: 4 },
  { name: 'motion', test: /src\/app\/motion/, priority: 4 },
  { name: 'dialog', test: /src\/app\/Dialog/, priority: 4 },
  { name: 'both', test: /src\/(app\/(offline|sound)|table\/(again|fresh|sides)\.ts)|svelte\/src\/reactivity\/index-client/, priority: 4 },
  ...games.map((name) => ({ name: `${name}-art`, test: new RegExp(`src/games/${name}/(art\\.ts|(Leaf|Tile|Fruit)\\.svelte)`), priority: 4 })),
  { name: 'banner', test: /src\/games\/[^/]+\/Banner/, priority: 4 },
  { name: 'frame', test: /src\/screens\/Page/, priority: 3 },
  { name: 'level', test: /src\/screens\/(Level|flags)/, priority: 3 },
  { name: 'shelf', test: /src\/screens\/(shelf|Rows?|mine|art\/Copse)\b/, priority: 2 },
  { name: 'choices', test: /src\/screens\/(Segment|Switch|Setup|Flags)/, priority: 2 },
  { name: 'server', test: /src\/online\/(client|me\.svelte|bell\.svelte|mine\.svelte|person|players|time|pace|offer|house|Banned|NameForm|Link|QR|ReportButton)\b/, priority: 2 },
  ...games.map((name) => ({ name, test: new RegExp(`src/games/${name}/${name}\\.ts`), priority: 1 })),
];

/** Names of files. A page names a hundred others, and of each the hash is what cannot be
 * compressed: 42 bits of it tell versions apart as well as 48. */
const names = { entryFileNames: 'assets/[name]-[hash:7].js', chunkFileNames: 'assets/[name]-[hash:7].js', assetFileNames: 'assets/[name]-[hash:7][extname]' };

/** What is large is compiled while it travels, beside the main thread: a browser that knows
 * the hint (Chromium) takes all its functions then, and not one by one while it draws the
 * page, which took half of the time in which a table is first drawn. Smaller files are
 * compiled on the main thread, where the hint would be dear. */
const hinted: Plugin = {
  name: 'copse-hinted',
  apply: 'build',
  generateBundle: {
    order: 'post', // nothing may stand before it
    handler(_, bundle) {
      for (const part of Object.values(bundle)) if (part.type === 'chunk' && part.code.length > 30_000) part.code = `//# allFunctionsCalledOnLoad\n${part.code}`;
    },
  },
};

/** What the page asks for together with a part that it fetches later: styles, which must
 * be there, and all of a table, for which one waits. The scripts of other screens are
 * found on the way; whoever begins there is told them by the server (scripts/pack.mjs). */
const early = (file: string) => file.endsWith('.css') || ['table', 'shared', ...games].some((name) => file.includes(`/${name}-`));

/** The size of each game's engine before compression, for its progress bar. */
function engineBytes(): Record<string, number> {
  const engines = existsSync(here('build')) ? readdirSync(here('build')).flatMap((file) => file.match(/^engine-(\w+)\.wasm$/)?.[1] ?? []) : [];
  return Object.fromEntries(engines.map((game) => [game, statSync(here(`build/engine-${game}.wasm`)).size]));
}

/** The languages of the page. */
const languages = readdirSync(here('../i18n')).flatMap((file) => file.match(/^([a-z]{2})\.json$/)?.[1] ?? []);

/** What of npm is in the page, for its licences. */
const { page, worker } = linked(here('build/linked.json'));

export default defineConfig({
  plugins: [svelte(), words({ src: here('src'), i18n: here('../i18n'), declared: here('build/print/words.json') }), pages({ src: here('src'), list: here('pages.json'), languages }), page, hinted],
  define: { __ENGINE_BYTES__: JSON.stringify(engineBytes()) },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy for content allows nothing inline
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter(early) },
    reportCompressedSize: false,
    rolldownOptions: { output: { ...names, codeSplitting: { groups: together } } },
  },
  worker: { format: 'es', plugins: () => [worker] },
  server: { fs: { allow: ['..'] }, proxy: { '/api': process.env.COPSE_URL ?? 'http://127.0.0.1:8080' } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts', 'handbook/*.test.ts'], testTimeout: 60_000 }, // the first of a file starts the engine
});
