/** Makes the handbook: the documents of the repository as pages, in dist/site/docs. It
 * is built after the page and apart from it, so that the page neither carries it nor is
 * built anew for it. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { compress, compressible } from '../scripts/compress.mjs';
import { crown, prints } from '../src/games/bosk/art.ts';
import { documentPage, homePage, type Made } from './page.ts';
import { filesIn, picturesOf, readAll, type Group } from './read.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = here('../..');
const site = here('../dist/site');

const list: Group[] = JSON.parse(readFileSync(here('list.json'), 'utf8'));

/** Every document of docs/ is in the list. */
function complete() {
  const listed = list.flatMap(({ documents }) => documents.map(({ file }) => file));
  const missing = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md') && !listed.includes(`docs/${file}`));
  if (missing.length) throw new Error(`handbook/list.json lacks ${missing.join(', ')}`);
}

/** The mark of Copse, as src/screens/art/Mark.svelte draws it. */
function mark(): string {
  const trunk = 'M18.2,51.5L19,30H21L21.8,51.5Z';
  const tree = (species: 'ginkgo' | 'maple', at: string) => {
    const path = (d: string, fill: string, stroke: string, width: number) => `<path d="${d}" fill="${fill}"${width ? ` stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"` : ''} />`;
    const layers = [['#2a2721', 6.4], ['#fffaf0', 4], ['', 0]] as const;
    return `<g transform="${at}">${layers.map(([stroke, width]) => path(trunk, '#6b4a32', stroke, width) + path(crown[species], prints[species].fill, stroke, width)).join('')}</g>`;
  };
  return `<svg viewBox="-4 -5 56 56" width="40" height="40" aria-hidden="true" focusable="false">${tree('ginkgo', 'translate(13.5 -1.5) scale(.86)')}${tree('maple', 'translate(-2 7.4) scale(.75)')}</svg>`;
}

/** That the documents are in English, in the other languages. */
const tongues = ['fr', 'it'].map((lang) => ({ lang, text: JSON.parse(readFileSync(join(root, `i18n/${lang}.json`), 'utf8'))['page.docs.english'] as string }));

function handbook(): Plugin {
  return {
    name: 'copse-handbook',
    buildStart() {
      complete();
      // What was made before goes: a document may be gone.
      rmSync(join(site, 'docs'), { recursive: true, force: true });
      for (const file of readdirSync(join(site, 'assets'))) if (file.startsWith('docs-')) rmSync(join(site, 'assets', file));
    },
    generateBundle(_, bundle) {
      const files = filesIn(root);
      const all = readAll(list, files);
      const kept = all.map(({ title, name, parts }) => [title, name, parts.map(({ heading, id, text }) => [heading, id, text])]);
      const words = this.getFileName(this.emitFile({ type: 'asset', name: 'docs-words.json', source: JSON.stringify(kept) }));
      const named = (test: RegExp) => '/' + Object.keys(bundle).find((file) => test.test(file))!;
      const made: Made = {
        begin: named(/^assets\/docs-begin-.*\.js$/),
        script: named(/^assets\/docs-handbook-.*\.js$/),
        style: named(/^assets\/docs-.*\.css$/),
        fonts: Object.keys(bundle).filter((file) => file.endsWith('.woff2')).sort().map((file) => '/' + file),
        words: '/' + words,
        tongues,
        mark: mark(),
      };
      const emit = (fileName: string, source: string) => this.emitFile({ type: 'asset', fileName: `docs/${fileName}`, source });
      emit('index.html', homePage(all, list, made));
      for (const one of all) {
        emit(`${one.name}.html`, documentPage(one, all, list, made));
        if (one.raw) emit(basename(one.raw), files.text(one.file));
      }
      for (const name of picturesOf(all)) emit(`pictures/${name}`, files.text(`docs/pictures/${name}`));
    },
    async closeBundle() {
      const made = readdirSync(site, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/')).filter((file) => /^(docs\/|assets\/docs-)/.test(file) && compressible(file));
      const sizes = await Promise.all(made.map((file) => compress(site, file)));
      const sum = (of: 'raw' | 'br') => Math.round(sizes.reduce((sum, size) => sum + size[of], 0) / 1024);
      console.log(`the handbook: ${sizes.length} files, ${sum('raw')} kB, of which ${sum('br')} kB travel`);
    },
  };
}

const hashed = 'assets/docs-[name]-[hash:7]';
export default defineConfig({
  root: here('.'),
  plugins: [handbook()],
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: site,
    emptyOutDir: false,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: { begin: here('begin.ts'), handbook: here('handbook.ts') },
      // Fonts are the page's: they have the names that they have there.
      output: { entryFileNames: `${hashed}.js`, chunkFileNames: `${hashed}.js`, assetFileNames: ({ names }) => (names.some((name) => name.endsWith('.woff2')) ? 'assets/[name]-[hash:7][extname]' : names.some((name) => name.startsWith('docs-')) ? 'assets/[name]-[hash:7][extname]' : `${hashed}[extname]`) },
    },
  },
});
