/// <reference types="vitest/config" />
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Gives `locale:en` and its like: what the page says of a locale file. The
 * words of the terminal and of box files are never said here. */
function locales(): Plugin {
  const unsaid = /^play\.|\.box\.|^box\./;
  return {
    name: 'copse-locales',
    resolveId: (id) => (id.startsWith('locale:') ? '\0' + id : null),
    load(id) {
      if (!id.startsWith('\0locale:')) return null;
      const file = here(`../i18n/${id.slice('\0locale:'.length)}.json`);
      this.addWatchFile(file);
      const all: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
      const said = Object.fromEntries(Object.entries(all).filter(([key]) => !unsaid.test(key)));
      return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(said))})`, map: null };
    },
  };
}

/** The engine's size before compression, for its progress bar. */
function engineBytes(): number {
  try {
    return statSync(here('build/engine.wasm')).size;
  } catch {
    return 0; // tests of parts that need no engine
  }
}

export default defineConfig({
  plugins: [svelte(), locales()],
  define: { __ENGINE_BYTES__: engineBytes() },
  build: {
    outDir: 'dist/site',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy for content allows nothing inline
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] } },
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
});
