// @vitest-environment node
import { expect, test } from 'vitest';
import { find, wordsOf, type Kept } from './find.ts';

const all: Kept[] = [
  ['Run a server', 'host', [['Run a server', '', 'One process serves everything.'], ['Backups', 'backups', 'A backup is a copy of the data folder, made while the server runs.'], ['Signs', 'signs', 'Nothing of it.']]],
  ['The store', 'store', [['The store', '', 'It keeps games.'], ['What is lost', 'what-is-lost', 'Nothing that was acknowledged. A backup is older than that.']]],
];
const hrefs = (question: string) => find(all, question).map(({ href }) => href);

test('every word must be said, in any case and order, with or without accents', () => {
  expect(hrefs('data BACKUP')).toEqual(['/docs/host#backups']);
  expect(hrefs('bäckup')).toEqual(['/docs/host#backups', '/docs/store#what-is-lost']);
  expect(hrefs('backup dragon')).toEqual([]);
  expect(hrefs('  … ')).toEqual([]);
  expect(wordsOf('Run a --server, run!')).toEqual(['run', 'a', 'server']);
});

test('what stands in a heading comes before what stands in a text', () => {
  expect(hrefs('store')).toEqual(['/docs/store']);
  expect(hrefs('lost')).toEqual(['/docs/store#what-is-lost']);
  expect(hrefs('backup')[0]).toBe('/docs/host#backups');
});

test('a title alone finds the document and not each of its parts', () => {
  expect(hrefs('run')).toEqual(['/docs/host', '/docs/host#backups']); // “runs” is said there
});

test('a word may be the beginning of one, and within one where nothing begins so', () => {
  expect(hrefs('acknow')).toEqual(['/docs/store#what-is-lost']);
  expect(hrefs('knowledged')).toEqual(['/docs/store#what-is-lost']);
  expect(hrefs('old')).toEqual(['/docs/store#what-is-lost']); // not “folder”
});

test('an excerpt shows what was found, as it is written, in whole words', () => {
  const long: Kept[] = [['T', 't', [['H', 'h', `${'before '.repeat(40)}Écureuil${' after'.repeat(60)}`]]]];
  const [{ excerpt }] = find(long, 'ecureuil');
  expect(excerpt.filter(({ hit }) => hit)).toEqual([{ text: 'Écureuil', hit: true }]);
  const text = excerpt.map((piece) => piece.text).join('');
  expect(text).toMatch(/^… before .* Écureuil after .* after …$/);
  expect(text.length).toBeLessThan(300);
  expect(find(all, 'keeps')[0].excerpt.map((piece) => piece.text).join('')).toBe('It keeps games.');
});

test('two words of which one is in the other are marked once', () => {
  const [{ excerpt }] = find(all, 'back backup');
  expect(excerpt.filter(({ hit }) => hit).map(({ text }) => text)).toEqual(['back']);
});
