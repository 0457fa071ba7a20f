// @vitest-environment node
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { documentPage, homePage, type Made } from './page.ts';
import { filesIn, picturesOf, readAll, slugs, type Files, type Group } from './read.ts';

const here = (path: string) => new URL(path, import.meta.url).pathname;
const made: Made = { begin: '/b.js', script: '/s.js', style: '/s.css', fonts: ['/f.woff2'], words: '/w.json', tongues: [{ lang: 'fr', text: 'En anglais.' }], mark: '<svg></svg>' };

/** A repository of these files. */
const repository = (texts: Record<string, string>): Files => ({ has: (path) => path in texts, text: (path) => texts[path] });

/** Reads documents that lie in docs/ and are called after their files. */
function docs(texts: Record<string, string>, only?: string[]) {
  const documents = Object.keys(texts).filter((file) => /^docs\/.*\.md$/.test(file)).map((file) => ({ name: file.slice(5, -3), file, about: 'About it.', only }));
  return readAll([{ group: 'All', documents }], repository(texts));
}
const bodyOf = (text: string, others: Record<string, string> = {}) => docs({ 'docs/one.md': text, 'docs/two.md': '# Two: the second\n\n## A part\n', ...others })[0].body;

test('headings are named as GitHub names them', () => {
  const slug = slugs();
  expect(['What can be lost?', 'What can be lost', '`copse serve`: flags', 'Élan & co'].map(slug)).toEqual(['what-can-be-lost', 'what-can-be-lost-1', 'copse-serve-flags', 'élan--co']);
});

test('a link leads to the page of a document, under its title where it was called by its file', () => {
  expect(bodyOf('# One\n\n[two.md](two.md), [this](two.md#a-part), [here](#below)\n\n## Below\n')).toContain('<a href="/docs/two">Two</a>, <a href="/docs/two#a-part">this</a>, <a href="#below">here</a>');
});

test('what the server has elsewhere is linked there, and what it has not is named', () => {
  const others = { 'games/bosk/rules.en.md': '', 'web/public/licences.txt': '', 'store/store.go': '' };
  expect(bodyOf('# One\n\n[rules](../games/bosk/rules.en.md), [licences](../web/public/licences.txt), [an interface](../store/store.go), [`store/store.go`](../store/store.go), [Go](https://go.dev) at http://localhost:8080\n', others)).toContain(
    '<a href="/rules/bosk">rules</a>, <a href="/licences.txt">licences</a>, an interface (<code>store/store.go</code>), <code>store/store.go</code>, <a href="https://go.dev" rel="noreferrer">Go</a> at <code>http://localhost:8080</code>',
  );
});

test('what leads nowhere ends the build, all of it at once', () => {
  const broken = () => bodyOf('# One\n\n[a](three.md), [b](two.md#no-part), [c](#nowhere), ![d](x.png)\n\n<b>bold</b>\n\n<img src="docs/pictures/x.svg" alt="no such picture">\n');
  for (const fault of ['links to three.md, which is not there', 'links to docs/two.md#no-part', 'links to docs/one.md#nowhere', 'shows x.png', 'HTML that is not shown: <b>', 'shows x.svg, which is not there']) expect(broken).toThrow(fault);
  expect(() => docs({ 'docs/one.md': 'no title' })).toThrow('docs/one.md has no title');
  expect(() => docs({ 'docs/one.md': '# One\n\n## A\n' }, ['B'])).toThrow('has no part “B”');
});

test('of a document parts may be shown alone, in another order', () => {
  const [{ body, parts }] = docs({ 'docs/one.md': '# One\n\nlead\n\n## A\n\na\n\n### A2\n\n## B\n\nb\n\n## C\n\nc\n' }, ['C', 'A']);
  expect(body.replace(/\s+/g, '')).toBe('<h2id="c">C</h2><p>c</p><h2id="a">A</h2><p>a</p><h3id="a2">A2</h3>');
  expect(parts.map(({ heading }) => heading)).toEqual(['One', 'C', 'A', 'A2']);
});

test('tables and code can be scrolled by themselves, and rows under nothing have names', () => {
  const body = bodyOf('# One\n\n## Sizes\n\n| | n |\n|---|---:|\n| `a` | 1 |\n\n| | |\n|---|---|\n| b | 2 |\n\n```\nx < y\n```\n');
  expect(body).toContain('<div class="wide" role="group" aria-label="Table: Sizes" tabindex="0"><table>\n<thead><tr><th scope="col"></th><th scope="col" class="right">n</th></tr></thead>');
  expect(body).toContain('<th scope="row"><code>a</code></th><td class="right">1</td>');
  expect(body.match(/<thead>/g)).toHaveLength(1);
  expect(body).toContain('<th scope="row">b</th><td>2</td>');
  expect(body).toContain('<pre tabindex="0"><code>x &lt; y</code></pre>');
});

test('nothing inline is in a page, which the policy for content would refuse', () => {
  const all = docs({ 'docs/one.md': '# One\n\n| a | b |\n|:--:|--:|\n| 1 | 2 |\n' });
  for (const page of [documentPage(all[0], all, [{ group: 'All', documents: all }], made), homePage(all, [{ group: 'All', documents: all }], made)]) {
    expect(page).not.toMatch(/<[^>]+ (style|on\w+|align)=/);
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style/);
  }
});

test('what is searched is what is said, by heading', () => {
  const [{ parts }] = docs({ 'docs/one.md': '# One\n\nSome **bold** `code`.\n\n## Next\n\n- a [link](#next) & more\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n```\nrun it\n```\n\n<!-- not this -->\n' });
  expect(parts.map(({ heading, id, text }) => [heading, id, text])).toEqual([
    ['One', '', 'Some bold code.'],
    ['Next', 'next', 'a link & more x y 1 2 run it'],
  ]);
});

test('a program is shown, and handed out as it is', () => {
  const [{ body, raw }] = readAll([{ group: 'All', documents: [{ name: 'bot', file: 'examples/bot.py', title: 'A bot', about: 'It plays.' }] }], repository({ 'examples/bot.py': 'if a < b:\n  pass\n' }));
  expect(raw).toBe('/docs/bot.py');
  expect(body).toContain('<a href="/docs/bot.py" download>');
  expect(body).toContain('if a &lt; b:\n  pass</code>');
});

test('the documents of this repository can all be shown, each by one name', () => {
  const list: Group[] = JSON.parse(readFileSync(here('list.json'), 'utf8'));
  const all = readAll(list, filesIn(here('../..')));
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect(picturesOf(all)).toEqual(['bosk-autumn.svg', 'grandbois.svg']);
  for (const { name, parts } of all) {
    const ids = parts.map(({ id }) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    expect(parts.reduce((sum, { text }) => sum + text.length, 0), name).toBeGreaterThan(300);
  }
});
