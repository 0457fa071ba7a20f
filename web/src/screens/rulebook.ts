/** Our rulebooks as they are written: games/GAME/rules.LANG.md. They use little
 * of Markdown: headings, numbered rules, tables, **bold** and *emphasis*. */

/** A stretch of text in one hand; `rule` where it names another rule. */
export interface Ink {
  text: string;
  hand: 'plain' | 'bold' | 'emphasis' | 'rule';
}

export type Inks = Ink[];

export type Block = { kind: 'rule'; number: string; line: Inks } | { kind: 'text'; line: Inks } | { kind: 'table'; head: Inks[]; rows: Inks[][] };

export interface Chapter {
  number: string;
  title: string;
  blocks: Block[];
}

export interface Rulebook {
  title: string;
  preface: Inks[];
  chapters: Chapter[];
}

export function parse(source: string): Rulebook {
  const book: Rulebook = { title: '', preface: [], chapters: [] };
  const rules = new Set([...source.matchAll(/^\*\*(\d+\.\d+)\*\* /gm)].map((m) => m[1]));
  for (const piece of source.split(/\n\s*\n/).map((p) => p.trim())) {
    const chapter = book.chapters.at(-1);
    let found: RegExpMatchArray | null;
    if (!piece) continue;
    else if ((found = piece.match(/^# (.+)$/))) book.title = found[1];
    else if ((found = piece.match(/^## (\d+) (.+)$/))) book.chapters.push({ number: found[1], title: found[2], blocks: [] });
    else if (!chapter) book.preface.push(inks(piece, rules));
    else if ((found = piece.match(/^\*\*(\d+\.\d+)\*\* ([^]+)$/))) chapter.blocks.push({ kind: 'rule', number: found[1], line: inks(found[2], rules) });
    else if (piece.startsWith('|')) chapter.blocks.push(table(piece, rules));
    else chapter.blocks.push({ kind: 'text', line: inks(piece, rules) });
  }
  return book;
}

function table(piece: string, rules: Set<string>): Block {
  const cells = (row: string) => row.replace(/^\||\|$/g, '').split('|').map((cell) => inks(cell.trim(), rules));
  const [head, , ...rows] = piece.split('\n').map((row) => row.trim());
  return { kind: 'table', head: cells(head), rows: rows.map(cells) };
}

/** Text in its hands. A number that is a rule's becomes the way to it. */
function inks(text: string, rules: Set<string>): Inks {
  const line: Inks = [];
  for (const part of text.replace(/\n/g, ' ').split(/(\*\*[^*]+\*\*|\*[^*]+\*|\b\d+\.\d+\b)/)) {
    if (!part) continue;
    if (part.startsWith('**')) line.push({ text: part.slice(2, -2), hand: 'bold' });
    else if (part.startsWith('*')) line.push({ text: part.slice(1, -1), hand: 'emphasis' });
    else line.push({ text: part, hand: rules.has(part) ? 'rule' : 'plain' });
  }
  return line;
}

/** Everything that a block says, for those who search. */
export function textOf(block: Block): string {
  const said = (line: Inks) => line.map((ink) => ink.text).join('');
  if (block.kind === 'table') return [block.head, ...block.rows].map((row) => row.map(said).join(' ')).join(' ');
  return block.kind === 'rule' ? `${block.number} ${said(block.line)}` : said(block.line);
}

/** Letters as they are searched: without case and accents, each in its place. */
export function fold(text: string): string {
  return Array.from(text, (c) => (c.length > 1 ? c : c.normalize('NFD')[0].toLowerCase().padEnd(1)[0])).join('');
}

/** A text cut at what was searched: every second piece is a hit. */
export function hits(text: string, wanted: string): string[] {
  if (!wanted) return [text];
  const pieces: string[] = [];
  const folded = fold(text);
  let from = 0;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}
