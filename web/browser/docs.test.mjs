/** The handbook at /docs: every link of it leads somewhere, and it is read, searched and
 * printed as a page of Copse. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focusShows } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { barriers, cutOff, none, still, tooSmall } from './look.mjs';
import { sizes, stand } from './stand.mjs';
import { words } from './words.mjs';

const here = stand({ before, after });

/** The addresses that a page links to, and the names that links to it may end in. */
function linksOf(html) {
  const of = (pattern) => [...html.matchAll(pattern)].map(([, found]) => found.replaceAll('&amp;', '&'));
  return { to: of(/<(?:a|link)\b[^>]*? href="([^"]*)"/g), shown: of(/<(?:img|script)\b[^>]*? src="([^"]*)"/g), ids: new Set(of(/ id="([^"]+)"/g)) };
}

test('every link of the handbook leads to something that is served, and to a heading that is there', async () => {
  const { url } = here.server;
  const pages = new Map(); // by path
  const see = async (path) => {
    if (pages.has(path)) return pages.get(path);
    const answer = await fetch(url + path);
    const text = await answer.text();
    const page = { status: answer.status, html: answer.headers.get('content-type').startsWith('text/html'), ...linksOf(text) };
    pages.set(path, page);
    return page;
  };
  const wrong = [];
  const waiting = ['/docs'];
  const seen = new Set(waiting);
  let anchors = 0;
  while (waiting.length) {
    const at = waiting.pop();
    const page = await see(at);
    for (const link of [...page.to, ...page.shown]) {
      if (/^https:\/\//.test(link)) continue;
      const to = new URL(link, url + at);
      const there = to.origin === url ? await see(to.pathname) : { status: 0 };
      if (there.status !== 200) wrong.push(`${at} leads to ${link}: ${there.status}`);
      // What the page of Copse shows is not in its one file.
      const whole = /^\/(docs|api\/docs)(\/|$)/.test(to.pathname) && there.html;
      if (to.hash && whole && !there.ids.has(decodeURIComponent(to.hash.slice(1)))) wrong.push(`${at} leads to ${link}: nothing there is called so`);
      anchors += Number(to.hash !== '');
      if (whole && !seen.has(to.pathname)) {
        seen.add(to.pathname);
        waiting.push(to.pathname);
      }
    }
  }
  none(wrong, 'links');
  assert.ok(seen.size > 20 && anchors > 200, `${seen.size} pages, ${anchors} links to headings`);
  assert.ok(seen.has('/api/docs') && seen.has('/docs/api') && seen.has('/docs/bot'));
  assert.ok(pages.get('/api/docs').to.includes('/docs'), 'the document of the API leads back');
  for (const path of ['/docs/nothing', '/docs/api/x', '/docs/api.md', '/docs/../docs/x']) assert.equal((await fetch(url + path)).status, 404, path);
});

test('pages of the handbook travel compressed, are known again, and keep to the policy', async () => {
  const { url } = here.server;
  const first = await fetch(`${url}/docs/engine`, { headers: { 'Accept-Encoding': 'br' } });
  assert.equal(first.headers.get('content-encoding'), 'br');
  assert.match(first.headers.get('content-security-policy'), /default-src 'none'; script-src 'self'/);
  const again = await fetch(`${url}/docs/engine`, { headers: { 'Accept-Encoding': 'br', 'If-None-Match': first.headers.get('etag') } });
  assert.equal(again.status, 304);
  const program = await fetch(`${url}/docs/bot.py`);
  assert.match(await program.text(), /^#!\/usr\/bin\/env python3/);
});

test('it is searched by keys alone, and readers hear how much was found', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/docs/host');
  await page.keyboard.press('/');
  await page.keyboard.type('idempotency key');
  const found = page.locator('.found a');
  await page.locator('[role=status]', { hasText: 'for “idempotency key”' }).waitFor();
  const n = await found.count();
  assert.ok(n > 1 && n < 20, `${n} were found`);
  assert.equal(await page.locator('[role=status]').innerText(), `${n} places were found for “idempotency key”.`);
  await page.locator('article').waitFor({ state: 'hidden' });
  assert.ok((await page.locator('.found mark').first().innerText()).toLowerCase().startsWith('idempotency'));
  for (const [key, at] of [['ArrowDown', 0], ['ArrowDown', 1], ['ArrowUp', 0]]) {
    await page.keyboard.press(key);
    await focusShows(page);
    await eventually(() => found.nth(at).evaluate((link) => link === document.activeElement), true, `${key} goes to the next one`);
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/api#sent-again');
  await page.locator('#sent-again').waitFor();
  await eventually(() => page.locator('#sent-again').evaluate((heading) => heading.getBoundingClientRect().top < innerHeight), true, 'the heading is in sight');
  // Who comes back finds what they had found.
  await page.goBack();
  await found.nth(n - 1).waitFor();
  await eventually(() => page.locator('#search').inputValue(), 'idempotency key');
  // Nothing, and all again.
  await page.locator('#search').fill('xyzzy');
  await page.getByText('Nothing was found for “xyzzy”.').waitFor();
  await eventually(() => found.count(), 0);
  await page.keyboard.press('Escape');
  await page.locator('article').waitFor();
  await eventually(() => page.locator('[role=status]').innerText(), '');
  await eventually(() => new URL(page.url()).search, '');
  // Enter goes to the best.
  await page.keyboard.type('sizing');
  await page.locator('[role=status]', { hasText: 'for “sizing”' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/cluster#sizing');
});

test('a search that cannot be loaded says so, and is tried again', async (t) => {
  const { page, to, wrong } = await here.visit(t);
  let away = true;
  await page.route(/docs-words-.*\.json$/, (route) => (away ? route.fulfill({ status: 503, body: '' }) : route.continue()));
  await to('/docs');
  await page.locator('#search').fill('backup');
  await page.getByText('The search could not be loaded').waitFor();
  away = false;
  await page.locator('#search').pressSequentially('s');
  await page.locator('.found a').first().waitFor();
  wrong.splice(0); // the browser reports the failed loads too
});

test('nothing is asked of the server for what is searched, and nothing of the handbook is loaded before it is opened', async (t) => {
  const { page, to } = await here.visit(t);
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await to('/');
  await page.locator('.learn').waitFor();
  await page.waitForLoadState('networkidle');
  none(asked.filter((path) => path.includes('docs')), 'the page');
  asked.splice(0);
  await page.getByRole('link', { name: words('en', 'page.nav.docs') }).click();
  await page.waitForURL('**/docs');
  await page.waitForLoadState('networkidle');
  none(asked.filter((path) => path.includes('docs-words')), 'before anybody searches');
  asked.splice(0);
  await page.locator('#search').fill('backup');
  await page.locator('.found a').first().waitFor();
  await page.locator('#search').fill('backup timer');
  await page.getByText('for “backup timer”').waitFor();
  const own = asked.filter((path) => path !== '/icon.svg'); // browsers look at it again with every address
  assert.deepEqual(own.map((path) => path.replace(/-[\w-]{7}\.json$/, '')), ['/assets/docs-words']);
});

for (const [language, other] of [['fr', 'it'], ['it', 'fr'], ['en', 'fr']])
  test(`that it is in English is said in the reader’s language (${language})`, async (t) => {
    const { page, to } = await here.visit(t, { language, settings: { language, theme: 'dark' } });
    await to('/');
    await page.getByRole('link', { name: words(language, 'page.nav.docs') }).click();
    await page.waitForURL('**/docs');
    const note = (tag) => page.locator(`.tongue[lang=${tag}]`);
    if (language === 'en') assert.ok(await note('it').isHidden());
    else await eventually(() => note(language).innerText(), words(language, 'page.docs.english'));
    await note(other).waitFor({ state: 'hidden' });
    // It looks as Copse does here, whatever the system has.
    await eventually(() => page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(22, 27, 23)');
  });

test('without a script all of it is read, but not searched', async (t) => {
  const { page, to } = await here.visit(t, { device: { javaScriptEnabled: false }, language: 'it' });
  await to('/docs');
  assert.ok(await page.locator('#search').isHidden());
  assert.ok(await page.getByText(words('it', 'page.docs.english')).isVisible());
  await page.locator('main').getByRole('link', { name: 'Run a server' }).click();
  await page.getByRole('heading', { level: 1, name: 'Run a server' }).waitFor();
  await page.locator('.beside').getByRole('link', { name: 'What can be lost' }).click();
  await eventually(() => new URL(page.url()).hash, '#what-can-be-lost');
});

test('on paper there is the document alone, on white', async (t) => {
  const { page, to } = await here.visit(t, { theme: 'dark' });
  await to('/docs/host');
  await page.emulateMedia({ media: 'print' });
  for (const part of ['header', 'footer', '.side', 'nav.beside']) for (const one of await page.locator(part).all()) assert.ok(await one.isHidden(), `${part} is printed`);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), 'light');
  assert.ok(await page.locator('pre').first().evaluate((e) => e.scrollWidth <= e.clientWidth), 'code is cut off on paper');
});

/** Where axe looks, light and dark: one page of each kind. `make torture` has time for all. */
const close = process.env.COPSE_TORTURE ? /./ : /^\/docs(\/(host|start|bot))?$/;

test('every page fits a phone and a desktop, and axe finds nothing, light and dark', { timeout: 1_800_000 }, async (t) => {
  const { page, to } = await here.visit(t, { language: 'it' });
  await to('/docs');
  const all = [...new Set(await page.locator('.groups a[href^="/docs"]').evaluateAll((links) => links.map((link) => link.pathname)))];
  assert.ok(all.length > 20);
  const found = [];
  for (const path of all) {
    await to(path);
    for (const size of ['desktop', 'phone']) {
      await page.setViewportSize(sizes[size]);
      for (const colorScheme of close.test(path) ? ['light', 'dark'] : []) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await still(page);
        const coloursOnly = colorScheme === 'dark' || size === 'phone';
        for (const barrier of await barriers(page, { coloursOnly })) found.push(`${path}, ${size}, ${colorScheme}: ${barrier}`);
      }
      await still(page);
      for (const text of [...(await cutOff(page)), ...(size === 'phone' ? await tooSmall(page) : [])]) found.push(`${path}, ${size}: ${text}`);
    }
  }
  none(found, 'the handbook');
});

test('only what is wider than its place is a stop for the keyboard', async (t) => {
  const { page, to } = await here.visit(t, { size: 'phone' });
  await to('/docs/cluster');
  const boxes = () => page.locator('article :is(pre, .wide)').evaluateAll((list) => list.map((e) => [e.scrollWidth > e.clientWidth, e.hasAttribute('tabindex')]));
  await page.waitForFunction(() => [...document.querySelectorAll('article :is(pre, .wide)')].some((e) => !e.hasAttribute('tabindex')));
  const narrow = await boxes();
  assert.ok(narrow.some(([wide]) => wide));
  for (const [wide, stop] of narrow) assert.equal(stop, wide);
});
