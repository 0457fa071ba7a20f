/** Reads the documents of the repository as pages of the handbook: what is written in
 * Markdown becomes HTML, a link to another document leads to its page, and what is
 * served nowhere is no link. What leads nowhere, or cannot be shown, ends the build. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, normalize } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';

/** One document, as list.json has it. */
export interface Listed {
  name: string; // the last step of its address
  file: string; // from the root of the repository
  title?: string; // its own first heading, if it has none here
  about: string;
  only?: string[]; // of its parts: the headings of those that are shown, in this order
}

export interface Group {
  group: string;
  documents: Listed[];
}

/** A part of a document, from one heading to the next. */
export interface Part {
  level: number; // 1 is the document itself
  heading: string;
  id: string; // '' for the document itself
  text: string; // without any marks, for those who search
}

export interface Document extends Listed {
  title: string;
  body: string; // HTML, without the title
  parts: Part[];
  raw?: string; // the address of the file itself, where people would take it as it is
}

/** The files of the repository. */
export interface Files {
  has(path: string): boolean;
  text(path: string): string;
}

export const filesIn = (root: string): Files => ({ has: (path) => existsSync(join(root, path)), text: (path) => readFileSync(join(root, path), 'utf8') });

export const address = (name: string) => `/docs/${name}`;
export const escape = (text: string) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** The short name of a document, for lists of them. */
export const menu = (title: string) => title.split(':')[0];

/** A heading as links name it: in GitHub's way, since the documents are read there too. */
export function slugs(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = heading.trim().toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times ? `${slug}-${times}` : slug;
  };
}

/** Reads all documents of a list. */
export function readAll(list: Group[], files: Files): Document[] {
  const wrong: string[] = [];
  const titles = new Map<string, string>(); // by file
  for (const { file, title } of list.flatMap(({ documents }) => documents)) {
    const own = title ?? files.text(file).match(/^# (.+)$/m)?.[1];
    if (own) titles.set(file, own);
    else wrong.push(`${file} has no title`);
  }
  const links: Link[] = [];
  const all = list.flatMap(({ documents }) => documents).map((listed) => read(listed, { list, files, titles, links, wrong }));
  for (const { from, file, id } of links) {
    const to = all.find((document) => document.file === file)!;
    if (id && !to.parts.some((part) => part.id === id)) wrong.push(`${from} links to ${file}#${id}, and no heading there is called so`);
  }
  if (wrong.length) throw new Error(`the handbook cannot be made:\n  ${wrong.join('\n  ')}`);
  return all;
}

interface Link {
  from: string;
  file: string;
  id: string;
}

interface Reading {
  list: Group[];
  files: Files;
  titles: Map<string, string>;
  links: Link[];
  wrong: string[];
}

function read(listed: Listed, reading: Reading): Document {
  const title = reading.titles.get(listed.file) ?? '';
  return extname(listed.file) === '.md' ? readText(listed, title, reading) : readCode(listed, title, reading);
}

/** A program is shown as it is, and handed out. */
function readCode(listed: Listed, title: string, { files }: Reading): Document {
  const text = files.text(listed.file);
  const raw = `/docs/${basename(listed.file)}`;
  const body = `<p>${escape(listed.about)} <a href="${raw}" download>Take the file ${escape(basename(listed.file))}</a>.</p>\n${block(text)}`;
  return { ...listed, title, body, raw, parts: [{ level: 1, heading: title, id: '', text: `${listed.about} ${text}` }] };
}

const block = (text: string) => `<pre tabindex="0"><code>${escape(text.replace(/\n$/, ''))}</code></pre>\n`;

function readText(listed: Listed, title: string, reading: Reading): Document {
  const marked = new Marked({ gfm: true });
  const tokens = chosen(marked.lexer(reading.files.text(listed.file)), listed, reading.wrong);
  const slug = slugs();
  slug(title);
  const parts: Part[] = [{ level: 1, heading: title, id: '', text: '' }];
  for (const token of tokens) {
    const part = parts.at(-1)!;
    if (token.type !== 'heading') part.text = `${part.text} ${plain([token])}`.trim();
    else {
      const heading = plain(token.tokens ?? []);
      parts.push({ level: token.depth, heading, id: slug(heading), text: '' });
    }
  }
  let at = 0; // the part that is being written
  marked.use({
    renderer: {
      heading({ depth, tokens }) {
        return `<h${depth} id="${parts[++at].id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text }) => block(text),
      link({ href, text, tokens }) {
        return linkTo(href, this.parser.parseInline(tokens), text, listed, reading);
      },
      image({ href }) {
        reading.wrong.push(`${listed.file} shows ${href}: pictures are written as <img> with an alt`);
        return '';
      },
      html: ({ text }) => html(text, listed, reading),
      table({ header, rows }) {
        const side = ({ align }: Tokens.TableCell) => (align === 'right' || align === 'center' ? ` class="${align}"` : '');
        const named = !header[0].tokens.length; // rows have names, which stand under nothing
        const cell = (one: Tokens.TableCell, i: number) => {
          const text = this.parser.parseInline(one.tokens);
          return named && i === 0 ? `<th scope="row">${text}</th>` : `<td${side(one)}>${text}</td>`;
        };
        const head = (one: Tokens.TableCell) => `<th scope="col"${side(one)}>${this.parser.parseInline(one.tokens)}</th>`;
        const top = header.some(({ tokens }) => tokens.length) ? `<thead><tr>${header.map(head).join('')}</tr></thead>\n` : '';
        const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>\n`).join('');
        return `<div class="wide" role="group" aria-label="Table: ${escape(parts[at].heading)}" tabindex="0"><table>\n${top}<tbody>\n${body}</tbody></table></div>\n`;
      },
    },
  });
  return { ...listed, title, body: marked.parser(tokens), parts };
}

/** What of a document is shown: all but its title, or the parts that are wanted. */
function chosen(tokens: Token[], { file, only }: Listed, wrong: string[]): Token[] {
  const rest = tokens.filter((token) => !(token.type === 'heading' && token.depth === 1) && token.type !== 'space');
  if (!only) return rest;
  return only.flatMap((heading) => {
    const from = rest.findIndex((token) => token.type === 'heading' && token.depth === 2 && token.text === heading);
    if (from < 0) {
      wrong.push(`${file} has no part “${heading}”`);
      return [];
    }
    const to = rest.findIndex((token, i) => i > from && token.type === 'heading' && token.depth <= 2);
    return rest.slice(from, to < 0 ? undefined : to);
  });
}

/** A link, where something is served there; else what it would lead to, by name. */
function linkTo(href: string, html: string, text: string, { file }: Listed, { list, files, titles, links, wrong }: Reading): string {
  if (/^https?:\/\/localhost\b/.test(href)) return `<code>${html}</code>`; // of whoever tries it, and not of this server
  if (/^https?:/.test(href)) return `<a href="${escape(href)}" rel="noreferrer">${html}</a>`;
  const [path, id = ''] = href.split('#');
  const to = path ? normalize(join(dirname(file), decodeURIComponent(path))).replaceAll('\\', '/') : file;
  const served = list.flatMap(({ documents }) => documents).find((listed) => listed.file === to);
  if (served) {
    links.push({ from: file, file: to, id });
    // Who reads here knows titles, not files.
    const named = [to, path, basename(to), basename(to, '.md')].includes(text.replaceAll('`', '')) ? escape(menu(titles.get(to) ?? '')) : html;
    return `<a href="${path ? address(served.name) : ''}${id && '#' + id}">${named}</a>`;
  }
  const rules = to.match(/^games\/(\w+)\/rules\.\w+\.md$/);
  if (rules) return `<a href="/rules/${rules[1]}">${html}</a>`;
  const open = to.match(/^web\/public\/(.+)$/);
  if (!files.has(to)) wrong.push(`${file} links to ${href}, which is not there`);
  if (open) return `<a href="/${open[1]}">${html}</a>`;
  return text.replaceAll('`', '') === to ? `<code>${escape(to)}</code>` : `${html} (<code>${escape(to)}</code>)`;
}

/** Pictures with a text beside them, and comments, which are not shown. */
function html(text: string, { file }: Listed, { files, wrong }: Reading): string {
  const images = [...text.matchAll(/<img src="docs\/pictures\/([\w.-]+)"[^>]* alt="([^"]+)">/g)];
  const rest = text.replace(/<img [^>]*>|<!--[^]*?-->|<\/?p>/g, '').trim();
  if (rest) wrong.push(`${file} has HTML that is not shown: ${rest}`);
  return images
    .map(([, name, alt]) => {
      if (!files.has(`docs/pictures/${name}`)) {
        wrong.push(`${file} shows ${name}, which is not there`);
        return '';
      }
      const [, width, height] = files.text(`docs/pictures/${name}`).match(/<svg[^>]* width="([\d.]+)"[^>]* height="([\d.]+)"/) ?? [];
      if (!width) wrong.push(`${file} shows ${name}, and its size is not known`);
      return `<img src="/docs/pictures/${name}" alt="${alt}" width="${width}" height="${height}" loading="lazy" />`;
    })
    .join('\n');
}

/** The pictures that the documents show. */
export const picturesOf = (documents: Document[]) => [...new Set(documents.flatMap(({ body }) => [...body.matchAll(/<img src="\/docs\/pictures\/([^"]+)"/g)].map(([, name]) => name)))].sort();

/** What is said, without how it is set. */
function plain(tokens: Token[]): string {
  const said = tokens.map((token): string => {
    if (token.type === 'html') return '';
    if (token.type === 'table') return [token.header, ...token.rows].map((row: Tokens.TableCell[]) => row.map((cell) => plain(cell.tokens)).join(' ')).join(' ');
    if (token.type === 'list') return token.items.map((item: Tokens.ListItem) => plain(item.tokens)).join(' ');
    if ('tokens' in token && token.tokens) return plain(token.tokens);
    return 'text' in token ? token.text : ' ';
  });
  const inline = tokens.every(({ type }) => ['text', 'strong', 'em', 'codespan', 'link', 'escape', 'br', 'del', 'html'].includes(type));
  return said.join(inline ? '' : ' ').replace(/\s+/g, ' ').trim();
}
