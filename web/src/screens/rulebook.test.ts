import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tags } from '../words/speech.ts';
import { fold, hits, parse, textOf } from './rulebook.ts';
import { shelf } from './shelf.ts';

const games = readdirSync('../games', { withFileTypes: true }).filter((d) => d.isDirectory() && existsSync(`../games/${d.name}/rules.en.md`));
const files = games.flatMap(({ name }) => tags.map((tag) => `../games/${name}/rules.${tag}.md`));

test('every game has its rules in three languages', () => {
  expect(files.length).toBeGreaterThanOrEqual(6);
  for (const file of files) expect(existsSync(file), file).toBe(true);
});

test('the shelf knows which chapter says what a seat is worth', () => {
  expect(shelf.length).toBe(games.length);
  for (const { name, fair } of shelf)
    for (const tag of tags) {
      const chapter = parse(readFileSync(`../games/${name}/rules.${tag}.md`, 'utf8')).chapters.find(({ number }) => number === fair);
      expect(chapter && chapter.blocks.map(textOf).join(' '), `${name}, ${tag}`).toMatch(/both sides|aller-retour|andata e ritorno/);
    }
});

describe.each(files)('%s', (file) => {
  const source = readFileSync(file, 'utf8');
  const book = parse(source);
  const blocks = book.chapters.flatMap((c) => c.blocks);

  test('nothing of its Markdown is left over', () => {
    const all = [book.title, ...book.preface.map((line) => line.map((i) => i.text).join('')), ...book.chapters.map((c) => c.title), ...blocks.map(textOf)];
    for (const text of all) expect(text).not.toMatch(/[*#|`_~<>\\[\]]|---|^\s*[-+] |^\d+\. /m);
  });

  test('nothing is lost', () => {
    const words = (text: string) => text.replace(/\*/g, '').replace(/[#|]|---/g, ' ').split(/\s+/).filter(Boolean).sort();
    const shown = [
      book.title,
      ...book.preface.map((line) => line.map((i) => i.text).join('')),
      ...book.chapters.map((c) => `${c.number} ${c.title}`),
      ...blocks.map(textOf),
    ];
    expect(words(shown.join(' '))).toEqual(words(source));
  });

  test('its rules are numbered through', () => {
    for (const [i, chapter] of book.chapters.entries()) {
      expect(chapter.number).toBe(String(i + 1));
      const numbers = chapter.blocks.flatMap((b) => (b.kind === 'rule' ? [b.number] : []));
      expect(numbers).toEqual(numbers.map((_, n) => `${i + 1}.${n + 1}`));
    }
  });

  test('its tables are square', () => {
    for (const block of blocks) if (block.kind === 'table') for (const row of block.rows) expect(row).toHaveLength(block.head.length);
  });
});

test('a rule that is named in another leads to it', () => {
  const [chapter] = parse('## 1 One\n\n**1.1** See 1.2, not 9.9.\n\n**1.2** Here.').chapters;
  expect(chapter.blocks[0]).toEqual({
    kind: 'rule',
    number: '1.1',
    line: [
      { text: 'See ', hand: 'plain' },
      { text: '1.2', hand: 'rule' },
      { text: ', not ', hand: 'plain' },
      { text: '9.9', hand: 'plain' },
      { text: '.', hand: 'plain' },
    ],
  });
});

test('who searches need not care for accents', () => {
  expect(fold('Écureuil')).toBe('ecureuil');
  expect(hits('L’Écureuil écureuil', 'ecureuil')).toEqual(['L’', 'Écureuil', ' ', 'écureuil', '']);
});
