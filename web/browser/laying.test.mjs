/** A new game lies on the table before the engine is there: at its place, as it will
 * be, and not to be played yet. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled } from './drive.mjs';
import { bot, kept, person, stand } from './stand.mjs';
import { words } from './words.mjs';

const here = stand({ before, after });

/** What is compared, by game, and by size where that shows other things: it is the
 * same before and after, to the pixel. */
const parts = {
  bosk: ['.bar', '[data-bosk-board]', '[data-bosk-board] svg', '[data-bosk-tray]', '[data-bosk-tray] [data-tree="1"]', '.seats', '.actions'],
  grandbois: ['.bar', '.gb-forest', '.gb-forest svg', '.gb-river', '.gb-river > li:first-child', '.gb-river > li:last-child', '.seats', '.actions'],
  treesociety: ['.bar', '[data-ts-board]', '[data-ts-market]', '[data-cell=stall-0]', '[data-cell=stall-4]', '[data-ts-mine]', '[data-cell=progress-1]', '.seats', '.actions'],
  'treesociety phone': ['.bar', '[data-ts-board]', '[data-ts-mine]', '[data-cell=progress-1]', '[data-ts-tray]', '.seats', '.actions'],
};
const versions = { bosk: 1, grandbois: 1, treesociety: 5 };
const fresh = (game, seats = 2) => ({ ...kept({ game, version: versions[game], players: [person('Ada'), ...Array.from({ length: seats - 1 }, () => bot())] }), hints: 0 });

/** Runs in the page: waits until no part has been added for ten frames. */
function drawn() {
  return new Promise((done) => {
    let frames = 0;
    new MutationObserver(() => (frames = 0)).observe(document, { childList: true, subtree: true });
    const next = () => (++frames > 10 ? done() : requestAnimationFrame(() => setTimeout(next)));
    next();
  });
}

/** A page that has everything but the engine, which comes when it is let. */
async function withoutEngine(t, how) {
  const guest = await here.visit(t, how);
  await guest.page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector('[role=grid] [role=gridcell]')) return;
      window.laidAt = performance.now();
      seen.disconnect();
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  let let_;
  const held = new Promise((resolve) => (let_ = resolve));
  t.after(() => let_());
  await guest.page.route(/\.wasm$/, async (route) => {
    await held;
    await route.continue().catch(() => {}); // the page may be gone
  });
  await guest.to('/table/test');
  await guest.page.locator('[data-phase=loading]').waitFor();
  await guest.page.locator('[role=grid] [role=gridcell]').first().waitFor();
  await guest.page.evaluate(drawn);
  return { ...guest, engine: let_ };
}

const boxes = (page, list) =>
  page.evaluate(
    (list) =>
      Object.fromEntries(
        list.map((selector) => {
          const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
          return [selector, [x, y, width, height].map((n) => Math.round(n * 4) / 4)];
        }),
      ),
    list,
  );

for (const [game, size] of [['bosk', 'desktop'], ['bosk', 'phone'], ['bosk', 'tablet'], ['grandbois', 'desktop'], ['grandbois', 'phone'], ['grandbois', 'tablet'], ['treesociety', 'desktop'], ['treesociety', 'phone'], ['treesociety', 'tablet']])
  test(`a new game of ${game} is laid where it stays (${size})`, async (t) => {
    const { page, engine } = await withoutEngine(t, { size, games: [fresh(game)] });
    await page.evaluate(() => document.fonts.ready);
    const compared = parts[`${game} ${size}`] ?? parts[game];
    const before = await boxes(page, compared);
    for (const [part, [, , width, height]] of Object.entries(before)) assert.ok(width > 20 && height > 20, `${part} is ${width} × ${height}`);
    engine();
    await settled(page);
    assert.deepEqual(await boxes(page, compared), before);
    await page.locator('[data-legal]').first().waitFor({ state: 'attached' });
  });

for (const language of ['en', 'fr', 'it'])
  test(`a table that is being laid says so, and nothing on it can be done (${language})`, async (t) => {
    const { page, engine } = await withoutEngine(t, { language, games: [fresh('bosk')] });
    const laying = words(language, 'page.table.laying');
    assert.equal(await page.locator('[data-prompt]').innerText(), laying);
    assert.equal(await page.locator('[aria-live=polite]').getByText(laying).count(), 1, 'readers are told once');
    assert.equal(await page.locator('[data-phase]').getAttribute('aria-busy'), 'true');
    assert.equal(await page.locator('[data-legal]').count(), 0, 'nothing is marked');
    for (const part of ['main.board', 'section.tray', 'footer.actions']) assert.ok(await page.locator(part).evaluate((e) => e.inert), `${part} can be reached`);
    // Whoever tries it anyway, by pointer or by keys, has done nothing.
    await page.mouse.click(...(await page.locator('[data-bosk-tray] [data-tree="2"]').boundingBox().then(({ x, y }) => [x + 5, y + 5])));
    await page.mouse.click(...(await page.locator('[data-bosk-board]').boundingBox().then(({ x, y, width, height }) => [x + width / 2, y + height / 2])));
    for (const key of ['1', 'Enter', 'u', 'h', 's']) await page.keyboard.press(key);
    assert.equal(await page.locator('dialog').count(), 0);
    await page.getByRole('link', { name: words(language, 'page.table.leave') }).waitFor(); // one can leave
    engine();
    await settled(page);
    assert.equal(await page.locator('[data-phase]').getAttribute('aria-busy'), 'false');
    assert.equal(await page.locator('[aria-live=polite]').getByText(laying).count(), 0, 'that it is being laid is true no more');
    assert.equal(await page.locator('[data-bosk-tray] [aria-pressed=true]').count(), 0);
    assert.deepEqual(await page.evaluate(() => JSON.parse(localStorage.getItem('copse.game.test')).draft), []);
  });

test('what is laid is what the options and the seats ask for, and nothing that chance gives', async (t) => {
  const four = await withoutEngine(t, { games: [fresh('bosk', 4)] });
  assert.equal(await four.page.locator('[data-bosk-board] [role=gridcell]').count(), 11 * 11);
  const river = await withoutEngine(t, { games: [fresh('grandbois', 3)] });
  assert.equal(await river.page.locator('.gb-river [data-tile]').count(), 0);
  assert.equal(await river.page.locator('.gb-river > li').count(), 4);
  const cards = await withoutEngine(t, { games: [{ ...fresh('treesociety', 3), options: { banners: 7 } }] });
  assert.equal(await cards.page.locator('[data-card]').count(), 0);
  assert.match(await cards.page.locator('h1').innerText(), /7/);
});

test('where the engine cannot be had it is said, and tried again', async (t) => {
  const guest = await here.visit(t, { games: [fresh('bosk')] });
  let away = true;
  await guest.page.route(/\.wasm$/, (route) => (away ? route.fulfill({ status: 503, body: '' }) : route.continue()));
  await guest.to('/table/test');
  await guest.page.getByText(words('en', 'page.not-loaded')).waitFor();
  away = false;
  await guest.page.getByRole('button', { name: words('en', 'page.try-again') }).click();
  await settled(guest.page);
  guest.wrong.splice(0); // the browser reports the failed load too
});

test('what is large of a first board is compiled while it travels', async (t) => {
  const { page } = await withoutEngine(t, { games: [fresh('bosk')] });
  const large = await page.evaluate(async () => {
    const scripts = performance.getEntriesByType('resource').filter(({ name, decodedBodySize }) => name.endsWith('.js') && decodedBodySize > 31_000);
    return Promise.all(scripts.map(async ({ name }) => [name, (await (await fetch(name)).text()).split('\n')[0]]));
  });
  assert.ok(large.length >= 3, `${large.length} are large`);
  for (const [name, first] of large) assert.equal(first, '//# allFunctionsCalledOnLoad', name);
});

for (const game of Object.keys(versions))
  test(`before a new game of ${game} is laid no more than 65 kB of script and style are asked for`, async (t) => {
    const { page, engine } = await withoutEngine(t, { games: [fresh(game)] });
    engine();
    await settled(page); // by then all of it has arrived
    const files = await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name, startTime }) => /\.(js|css)$/.test(name) && startTime < window.laidAt).map(({ name, encodedBodySize }) => [name.split('/').at(-1), encodedBodySize]));
    assert.ok(files.length > 8 && files.every(([, bytes]) => bytes > 30), JSON.stringify(files));
    const sum = files.reduce((sum, [, bytes]) => sum + bytes, 0);
    t.diagnostic(`${sum} bytes`);
    assert.ok(sum <= 65_000, `${sum} bytes: ${JSON.stringify(files)}`);
  });

for (const game of Object.keys(versions))
  test(`a table of ${game} fetches nothing of another game, also when it is played`, async (t) => {
    const { page, to } = await here.visit(t, { games: [fresh(game)] });
    await to('/table/test');
    await settled(page);
    await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /\/more-.*\.js$/.test(name))); // what comes last
    await page.evaluate(drawn);
    const files = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)));
    assert.ok(files.some((file) => file.startsWith(`${game}-`)), `${files}`);
    const others = Object.keys(versions).filter((other) => other !== game);
    assert.deepEqual(files.filter((file) => others.some((other) => file.startsWith(`${other}-`))), []);
  });

test('a screen begins with few files: a browser asks a plain server for six at a time', async () => {
  const most = { '/': 18, '/rules/bosk': 18, '/rules/treesociety': 18, '/table/test': 6, '/t/test': 22, '/play/bosk': 24, '/together': 25, '/bosk/new': 21 };
  for (const [path, limit] of Object.entries(most)) {
    const files = (await fetch(here.server.url + path)).headers.get('link')?.split(', ') ?? [];
    assert.ok(files.length > 3 && files.length <= limit, `${path}: ${files.length}: ${files}`);
    assert.match(files[0], /assets\/page-.*modulepreload/, `${path}: nothing begins before the script of the entrance`);
  }
});
