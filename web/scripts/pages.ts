/** Writes pages.json into the built page: at which addresses there are pages, for the
 * server and the service worker, and which files each begins with in each language, so
 * that the server can name them to whoever comes: else a browser finds a script only
 * when it has read the one before. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { Page, readSources } from './words.ts';

/** The modules of each page, from src; {game} stands for each game, {language} for the
 * language of whoever comes. A last step of * is any one step. */
export type Pages = Record<string, string[]>;

/** By page and language. */
export type Begins = Record<string, Record<string, string[]>>;

/** The pages, with each game in place of {game}. */
export function everyPage(pages: Pages, games: readonly string[]): Pages {
  const named = (text: string, game: string) => text.replaceAll('{game}', game);
  return Object.fromEntries(
    Object.entries(pages).flatMap(([page, modules]) => (page.includes('{game}') ? games.map((game) => [named(page, game), modules.map((module) => named(module, game))]) : [[page, modules]])),
  );
}

/** The files of modules, each with all that it imports: the script of the entrance before
 * the others, since nothing begins without it, and these by size, since a browser asks a
 * plain server for few at a time and what is large takes longest; then styles that the
 * entrance does not name already, which are fetched before scripts wherever they stand. */
export function filesOf(bundle: Rolldown.OutputBundle, modules: readonly string[]): string[] {
  const scripts = new Set<string>();
  const chunks = Object.values(bundle).filter((part) => part.type === 'chunk');
  const add = (file: string) => {
    const part = bundle[file];
    if (part?.type !== 'chunk' || scripts.has(file)) return;
    scripts.add(file);
    for (const other of part.imports) add(other);
  };
  const entrance = bundle['index.html'];
  const named = (file: string) => entrance?.type === 'asset' && String(entrance.source).includes(file);
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.split('?')[0] === module);
    if (!chunk) throw new Error(`pages.json: there is no file for ${module}`);
    add(chunk.fileName);
  }
  const styles = new Set([...scripts].flatMap((file) => [...((bundle[file] as Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } }).viteMetadata?.importedCss ?? [])]));
  const weight = (file: string) => (named(file) ? Infinity : (bundle[file] as Rolldown.OutputChunk).code.length);
  const inOrder = [...scripts].sort().sort((a, b) => (weight(a) === weight(b) ? 0 : weight(b) - weight(a)));
  return [...inOrder, ...[...styles].sort().filter((file) => !named(file))].map((file) => '/' + file);
}

export function pages({ src, list, languages }: { src: string; list: string; languages: readonly string[] }): Plugin {
  return {
    name: 'copse-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      const said = new Page(readSources(src));
      const every = everyPage(JSON.parse(readFileSync(list, 'utf8')), said.games);
      const needed = (modules: string[], language: string) => [
        ...['base', ...modules.flatMap((module) => said.needs(module))].map((scope) => `\0locale:${language}/${scope}`),
        ...modules.map((module) => join(src, module.replaceAll('{language}', language)).replaceAll('\\', '/')),
      ];
      const begins: Begins = Object.fromEntries(
        Object.entries(every).map(([page, modules]) => [page, Object.fromEntries(languages.map((language) => [language, filesOf(bundle, [...new Set(needed(modules, language))])]))]),
      );
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(begins) });
    },
  };
}
