/// <reference types="vitest/config" />
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Which part of the page says a key: everything, one game at the table, or the
 * screens around it. So the first board waits for no words but its own. */
function scopeOf(key: string): string | null {
  if (/^(play|think|verify)\.|^table\.(log|export|entry|box)\b|\.box\.|^box\./.test(key)) return null; // the terminal's
  if (key.startsWith('page.online.home.')) return 'rest';
  if (/^(table|server|page\.online)\./.test(key)) return 'online';
  if (/^\w+\.(about|option\.)|^(json|move|view|game|bot\.(?!level))\b|^engine\.(?!broken)/.test(key)) return 'rest';
  if (/^\w+\.(name|seat\.|guild\.)/.test(key)) return 'base';
  if (/^page\.treesociety\.(ask\.(extra|use|take|row|discard|found|raise|build|keep)|by|reveals|row\.away|keep-none|action\.|leaf|why-not|missing|confirm\.(row|take|on|choose|decide|rest|end)|price(\.|$)|short|full|rest$|cell\.(rows|discards|level)|shown|section|progress\.none)/.test(key)) return 'rest'; // after the first sale
  if (/^page\.\w+\.(aid|coach|cards|character|do)\b|^treesociety\.(refuse|counted|only|phase)\./.test(key)) return 'rest';
  if (/^(bosk|grandbois|treesociety)\.(event|sheet|part|move|do|not-now|over|turn|unknown|wait|leaf|shed|plant|squirrel|cover|deal|place|reveal|pass|tile$|why)\b/.test(key)) return 'rest'; // what is told, counted and refused
  if (/^bot\.(why|level)\.(?!name)|^\w+\.why\.[\w-]+\.|^\w+\.(in|the|yours)\./.test(key)) return 'rest'; // what levels and hints say of themselves
  const game = key.match(/^(?:page\.)?(bosk|grandbois|treesociety)\./)?.[1];
  if (game) return game;
  return /^page\.(home|new|rules|settings|credits|nav|offline|end|replay|keys|coach|hint\.|level\.(?!n$)|bot\.(against|times|bot))/.test(key) ? 'rest' : 'base';
}

/** Gives `locale:en/base` and its like: the messages of a language and a scope. */
function locales(): Plugin {
  return {
    name: 'copse-locales',
    resolveId: (id) => (id.startsWith('locale:') ? '\0' + id : null),
    load(id) {
      if (!id.startsWith('\0locale:')) return null;
      const [tag, scope] = id.slice('\0locale:'.length).split('/');
      const file = here(`../i18n/${tag}.json`);
      this.addWatchFile(file);
      const all: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
      const said = Object.fromEntries(Object.entries(all).filter(([key]) => scopeOf(key) === scope));
      return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(said))})`, map: null };
    },
  };
}

/** What is always loaded together travels in one file, each with all that it
 * imports: what every screen needs, the table, the first board of each game. */
const together = [
  { name: 'page', test: /src\/(main|app\/|table\/(kept|again|names))/, priority: 3 },
  { name: 'table', test: /src\/table\/TableScreen/, priority: 2 },
  { name: 'species', test: /src\/games\/species/, priority: 2 }, // of two games
  { name: 'bosk', test: /src\/games\/bosk\/bosk\.ts/, priority: 1 },
  { name: 'grandbois', test: /src\/games\/grandbois\/grandbois\.ts/, priority: 1 },
  { name: 'treesociety', test: /src\/games\/treesociety\/treesociety\.ts/, priority: 1 },
];

/** The size of each game's engine before compression, for its progress bar. */
function engineBytes(): Record<string, number> {
  const engines = existsSync(here('build')) ? readdirSync(here('build')).flatMap((file) => file.match(/^engine-(\w+)\.wasm$/)?.[1] ?? []) : [];
  return Object.fromEntries(engines.map((game) => [game, statSync(here(`build/engine-${game}.wasm`)).size]));
}

export default defineConfig({
  plugins: [svelte(), locales()],
  define: { __ENGINE_BYTES__: JSON.stringify(engineBytes()) },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy for content allows nothing inline
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: together } } },
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] }, proxy: { '/api': process.env.COPSE_URL ?? 'http://127.0.0.1:8080' } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'], testTimeout: 60_000 }, // the first of a file starts the engine
});
