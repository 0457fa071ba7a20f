/** Where on the page words are needed, found out and not listed: a key of the page
 * where its source says it, a key of Go where Go declares it (cmd/print writes that
 * down). A part of the page that is fetched later fetches its words with it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import type { Plugin } from 'vite';

/** The parts of the page that have words of their own: `base` is every screen and
 * the table as it opens, the name of a game its first board, `online` what is
 * played on a server, `rest` all that comes later. */
export type Scope = string;

/** A folder of sources, by their paths in it. */
export type Sources = Record<string, string>;

const saidKey = /['"`](page\.[a-z0-9.-]*[a-z0-9])['"`]/g;
const tells = /\btell\(/;
const staticImport = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^'"();]*?\sfrom\s*)?['"](\.[^'"]+)['"]/g;
const lateImport = /\bimport\(\s*(['"])(\.[^'"]+)\1\s*\)/g;

/** The modules of the page and what they say. */
export class Page {
  readonly games: string[];
  private readonly base: Set<string>;
  private readonly boards: Map<string, Set<string>>;

  constructor(private readonly sources: Sources) {
    this.games = [...new Set(Object.keys(sources).flatMap((file) => file.match(/^games\/([^/]+)\//)?.[1] ?? []))].sort();
    this.base = this.with('main.ts', 'table/TableScreen.svelte');
    this.boards = new Map(this.games.map((game) => [game, this.with(`games/${game}/${game}.ts`)]));
  }

  get scopes(): Scope[] {
    return ['base', 'rest', 'online', ...this.games];
  }

  /** Modules, and all that come with them. */
  with(...modules: string[]): Set<string> {
    const all = new Set<string>();
    const add = (module: string) => {
      if (all.has(module) || !(module in this.sources)) return;
      all.add(module);
      for (const [, path] of this.sources[module].matchAll(staticImport)) add(normalize(join(dirname(module), path)));
    };
    modules.forEach(add);
    return all;
  }

  /** The parts of the page that a module belongs to. */
  partsOf(module: string): Scope[] {
    if (this.base.has(module)) return ['base'];
    const games = this.games.filter((game) => this.boards.get(game)!.has(module));
    return games.length ? games : [module.startsWith('online/') ? 'online' : 'rest'];
  }

  /** The keys that a module says. */
  saidBy(module: string): string[] {
    return [...this.sources[module].matchAll(saidKey)].map(([, key]) => key);
  }

  /** Where each key of the page is needed. */
  keys(): Map<string, Set<Scope>> {
    const keys = new Map<string, Set<Scope>>();
    for (const module of Object.keys(this.sources))
      for (const key of this.saidBy(module)) {
        if (!keys.has(key)) keys.set(key, new Set());
        for (const part of this.partsOf(module)) keys.get(key)!.add(part);
      }
    for (const parts of keys.values()) if (parts.has('base')) for (const part of parts) if (part !== 'base') parts.delete(part);
    return keys;
  }

  /** The words that a module needs, and those that come with it, besides those that
   * are always there. What is told after the first board may be any key of Go. */
  needs(module: string): Scope[] {
    const needed = new Set<Scope>();
    for (const one of this.with(module)) {
      const parts = this.partsOf(one);
      if (this.saidBy(one).some((key) => !this.keysOnce.get(key)!.has('base'))) parts.forEach((part) => needed.add(part));
      if (tells.test(this.sources[one]) && parts.every((part) => part === 'rest' || part === 'online')) needed.add('rest');
    }
    return [...needed].sort();
  }

  /** A module in which every part that is fetched later brings its words. */
  bringing(module: string, code: string, helper: string): string | null {
    let brings = false;
    const changed = code.replace(lateImport, (whole, _quote, path) => {
      const needed = this.needs(normalize(join(dirname(module), path)));
      if (!needed.length) return whole;
      brings = true;
      return `bringWords(${whole}, ${needed.map((scope) => JSON.stringify(scope)).join(', ')})`;
    });
    return brings ? `import { bringWords } from ${JSON.stringify(helper)};\n${changed}` : null;
  }

  private keysFound: Map<string, Set<Scope>> | undefined;
  private get keysOnce() {
    return (this.keysFound ??= this.keys());
  }
}

/** Reads the sources of the page. */
export function readSources(folder: string): Sources {
  const files = readdirSync(folder, { recursive: true }).map((file) => String(file).replaceAll('\\', '/'));
  return Object.fromEntries(files.filter((file) => /\.(ts|svelte)$/.test(file) && !/\.(test|d)\.ts$/.test(file)).map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** Gives `locale:en/base` and its like, the messages of a language and a part of the
 * page; `locale:files`, which fetches each of them; and parts that bring theirs. */
export function words({ src, i18n, declared }: { src: string; i18n: string; declared: string }): Plugin {
  const prefix = '\0locale:';
  const tags = readdirSync(i18n).flatMap((file) => file.match(/^([a-z]{2})\.json$/)?.[1] ?? []);
  let page: Page | undefined;
  const read = () => (page ??= new Page(readSources(src)));
  return {
    name: 'copse-words',
    buildStart: () => void (page = undefined),
    watchChange: () => void (page = undefined),
    resolveId: (id) => (id.startsWith('locale:') ? '\0' + id : null),
    load(id) {
      if (!id.startsWith(prefix)) return null;
      if (id === prefix + 'files') {
        const files = (tag: string) => read().scopes.map((scope) => `${scope}: () => import('locale:${tag}/${scope}')`);
        return { code: `export default { ${tags.map((tag) => `${tag}: { ${files(tag).join(', ')} }`).join(', ')} }`, map: null };
      }
      const [tag, scope] = id.slice(prefix.length).split('/');
      const file = join(i18n, `${tag}.json`);
      for (const watched of [file, declared]) this.addWatchFile(watched);
      const ofGo: Record<string, Scope> = JSON.parse(readFileSync(declared, 'utf8'));
      const ofPage = read().keys();
      const all: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'));
      const said = Object.fromEntries(Object.entries(all).filter(([key]) => ofGo[key] === scope || ofPage.get(key)?.has(scope)));
      return { code: `export default JSON.parse(${JSON.stringify(JSON.stringify(said))})`, map: null };
    },
    transform(code, id) {
      const module = relative(src, id.split('?')[0]).replaceAll('\\', '/');
      if (module.startsWith('..') || id.includes('?')) return null;
      const changed = read().bringing(module, code, join(src, 'words/words.svelte.ts'));
      return changed === null ? null : { code: changed, map: null };
    },
  };
}
