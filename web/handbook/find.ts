/** Finds words in the documents. All of it happens in the browser: there is one file of
 * all that they say, and nobody is asked. */
import { fold } from '../src/screens/rulebook.ts';

/** A document with its parts, as they are kept to be searched: heading, id, text. */
export type Kept = [title: string, name: string, parts: [heading: string, id: string, text: string][]];

export interface Found {
  href: string;
  document: string;
  heading: string;
  excerpt: { text: string; hit: boolean }[];
}

const letter = /[\p{L}\p{N}]/u;

/** The words of a question. */
export const wordsOf = (question: string) => [...new Set(fold(question).split(/[^\p{L}\p{N}]+/u).filter(Boolean))];

/** Where in a folded text a word stands: at the beginning of one, or anywhere. */
function places(text: string, word: string, anywhere: boolean): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (anywhere || !letter.test(text[at - 1] ?? ' ')) found.push(at);
  return found;
}

/** All parts that say every word, the best first. A word may be the beginning of a
 * longer one; where nothing is found so, it may stand within one. */
export function find(all: Kept[], question: string): Found[] {
  const words = wordsOf(question);
  if (!words.length) return [];
  const strict = search(all, words, false);
  return strict.length ? strict : search(all, words, true);
}

function search(all: Kept[], words: string[], anywhere: boolean): Found[] {
  const found: (Found & { worth: number })[] = [];
  for (const [title, name, parts] of all)
    for (const [heading, id, text] of parts) {
      const folded = { title: fold(title), heading: fold(heading), text: fold(text) };
      let worth = id ? 0 : 1; // of two that say the same, a document comes before its parts
      const said = words.every((word) => {
        const [inTitle, inHeading, inText] = [folded.title, folded.heading, folded.text].map((text) => places(text, word, anywhere).length);
        worth += 8 * Number(inHeading > 0) + 4 * Number(inTitle > 0) + Math.min(inText, 5);
        return inTitle + inHeading + inText > 0;
      });
      // What stands in the title alone is said of the document, not of each of its parts.
      if (!said || (id && !words.some((word) => places(folded.heading + ' ' + folded.text, word, anywhere).length))) continue;
      found.push({ worth, href: `/docs/${name}${id && '#' + id}`, document: title, heading, excerpt: excerpt(text, folded.text, words, anywhere) });
    }
  return found.sort((a, b) => b.worth - a.worth).map(({ worth: _, ...rest }) => rest);
}

const around = 90; // letters before and after what was found

/** The words of a text around the first that was found, hits marked. */
function excerpt(text: string, folded: string, words: string[], anywhere: boolean): Found['excerpt'] {
  const hits = words.flatMap((word) => places(folded, word, anywhere).map((at) => [at, at + word.length])).sort(([a], [b]) => a - b);
  const first = hits[0]?.[0] ?? 0;
  let from = Math.max(0, first - around);
  while (from > 0 && letter.test(text[from - 1])) from--; // whole words
  let to = Math.min(text.length, first + 2 * around);
  while (to < text.length && letter.test(text[to])) to++;
  const pieces: Found['excerpt'] = [{ text: from ? '… ' : '', hit: false }];
  let at = from;
  for (const [begin, end] of hits) {
    if (begin < at || end > to) continue;
    pieces.push({ text: text.slice(at, begin), hit: false }, { text: text.slice(begin, end), hit: true });
    at = end;
  }
  pieces.push({ text: text.slice(at, to) + (to < text.length ? ' …' : ''), hit: false });
  return pieces.filter((piece) => piece.text);
}
