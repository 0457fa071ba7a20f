import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aimAt, drafted, grandboisTurn, keptGame, layTile, legal, lookAtSlip, offered, ready, settled, spotOf, take } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { bosk, finished, grandbois } from './games.mjs';
import { person, stand, visit } from './stand.mjs';
import { shape, words } from './words.mjs';

const here = stand({ before, after });

/** Everything of an element comes to lie within the screen. */
function inside(page, what) {
  return page.waitForFunction((what) => {
    const box = document.querySelector(what).getBoundingClientRect();
    return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  }, what);
}

for (const size of ['desktop', 'phone'])
  test(`a crossing that is taken: the reason in French, beside the spot, with its rule (${size})`, async (t) => {
    const game = await bosk('spring', { players: [person('Anna'), person('Luc')] });
    game.line.push({ seat: 0, move: { do: 'plant', tree: 3, at: [1, 7] } });
    const { page, context, to } = await here.visit(t, { size, language: 'fr', games: [game] });
    await to(`/table/${game.id}`);
    await settled(page);
    await take(page, 'tree', '3');
    const { x, y } = await spotOf(page, '1,7');
    if (size === 'phone') await page.touchscreen.tap(x, y);
    else await page.mouse.click(x, y);
    const slip = page.locator('[data-slip]', { hasText: 'Anna a déjà planté un arbre de valeur 3 en 1-7' });
    await slip.waitFor();
    await lookAtSlip(page);
    await inside(page, '[data-slip]');
    assert.equal((await keptGame(page)).draft.length, 0);
    assert.ok((await page.locator('[role=alert]').innerText()).length > 10, 'it is announced');
    const link = slip.getByRole('link');
    const rule = (await link.getAttribute('href')).split('#')[1];
    assert.match(rule, /^\d+\.\d+$/);
    const [book] = await Promise.all([context.waitForEvent('page'), size === 'phone' ? link.tap() : link.click()]);
    const there = book.locator(`[id="${rule}"]`);
    await there.waitFor();
    assert.equal(await book.evaluate(() => document.documentElement.lang), 'fr');
    await book.waitForFunction((rule) => {
      const box = document.getElementById(rule).getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight;
    }, rule);
    await book.close();
    // The next input takes it away.
    await page.locator('[data-bosk-tray] [data-tree="2"]').click();
    await aimAt(page, (await legal(page))[0]);
    await slip.waitFor({ state: 'detached' });
  });

test('Confirm pressed early says what is missing, at every step', async (t) => {
  const game = await bosk('spring', { players: [person(), person()] });
  const { page, to } = await here.visit(t, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  const says = async (pattern) => {
    await page.locator('[data-confirm]').click();
    // The slip before it may still lie there.
    await page.waitForFunction(({ source, flags }) => new RegExp(source, flags).test(document.querySelector('[data-slip]')?.textContent.trim() ?? ''), { source: pattern.source, flags: pattern.flags });
    await inside(page, '[data-slip]');
  };
  await says(shape('en', 'page.bosk.missing.tree'));
  await take(page, 'tree', '4');
  await says(shape('en', 'page.bosk.missing.crossing'));
  assert.equal((await keptGame(page)).line.length, 0);
});

test('undo steps back, restart takes all back, and the last turn can be had again from a bot', async (t) => {
  const game = await bosk('autumn', { round: 2 });
  const { page, to } = await here.visit(t, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  const [tile] = await offered(page, 'tile');
  await take(page, 'tile', tile);
  await aimAt(page, (await legal(page))[0]);
  await page.waitForFunction(() => document.querySelector('[data-bosk-board] [data-at="0,0"]') !== null);
  const { draft } = await keptGame(page);
  assert.ok(draft.length >= 1);
  const button = (key) => page.getByRole('button', { name: words('en', key) });
  await button('page.table.undo').click();
  await page.waitForFunction((n) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length < n, draft.length);
  if (draft.length > 1) await button('page.table.restart').click();
  await drafted(page, 0);
  await button('page.table.undo').click(); // nothing is drafted: it is said what comes back
  await page.waitForFunction(() => document.querySelector('[data-slip]')?.textContent.includes('your last turn'));
  await button('page.table.undo').click();
  await page.waitForFunction((n) => Number(document.querySelector('[data-moves]').dataset.moves) < n, game.line.length);
  assert.equal(await settled(page), 'person');
});

test('a reload in the middle of a path of leaves finds every leaf where it lay', async (t) => {
  const game = await bosk('autumn', { round: 1 });
  const { page, to } = await here.visit(t, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  await take(page, 'tile', '5');
  const trees = await legal(page);
  for (const tree of trees) {
    await aimAt(page, tree);
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > 0);
    if (!(await page.locator('[data-confirm]:not(.early)').count())) break;
    await page.getByRole('button', { name: words('en', 'page.table.restart') }).click();
    await drafted(page, 0);
  }
  await aimAt(page, (await legal(page))[0]);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > 1);
  const { draft } = await keptGame(page);
  const prompt = await page.locator('[data-prompt]').innerText();
  const offered = await legal(page);
  await page.reload();
  await settled(page);
  assert.deepEqual((await keptGame(page)).draft, draft);
  await eventually(() => page.locator('[data-prompt]').innerText(), prompt);
  await eventually(() => legal(page), offered);
});

test('a reload finds the ghost of a tile where it lay, and it can still be turned and confirmed', async (t) => {
  const game = await grandbois('place', { laid: 4 });
  const { page, to } = await here.visit(t, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  await layTile(page);
  const { draft } = await keptGame(page);
  await page.reload();
  await settled(page);
  await ready(page);
  assert.deepEqual((await keptGame(page)).draft, draft);
  await eventually(() => page.locator('.gb-forest g.held').count(), 1);
  await page.locator('[data-confirm]').click();
  await settled(page, game.line.length);
  assert.deepEqual((await keptGame(page)).line[game.line.length].move, draft[0]);
});

test('an address that leads nowhere says so, and leads home', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/nowhere/such');
  await eventually(() => page.locator('h1').innerText(), words('en', 'page.home.lost'));
  await page.getByRole('link', { name: words('en', 'page.home.lost-home') }).click();
  await page.getByRole('heading', { name: words('en', 'page.home.title') }).waitFor();
});

test('garbage where games and settings are kept does no harm', async (t) => {
  const good = await bosk('spring', { id: 'good' });
  const { page, to } = await here.visit(t, { settings: '{"theme":"pink","pace":7,"language":["fr"],"name":{}', games: [good] });
  await page.addInitScript(() => {
    const junk = ['{', 'null', '[]', '"game"', '{"id":"x"}', '{"id":"y","game":"chess","seed":"s","players":[],"line":[],"draft":[]}', '{"id":"z","game":"bosk","version":1,"options":{},"seed":"s","players":[{"kind":"person","name":"","bot":""},{"kind":"bot","name":"","bot":"easy"}],"line":[{"seat":5,"move":{"do":"fly"}}],"draft":[7],"began":1,"touched":1,"guide":"x","result":null}', '{"id":"y","game":"bosk","seed":"s","players":[null],"line":[],"draft":[],"began":"no","touched":"no"}'];
    junk.forEach((text, i) => localStorage.setItem(`copse.game.${'abcdefzy'[i]}`, text));
    localStorage.setItem('copse.new.bosk', '{"count":99,"sitters":[{"who":{}},7],"order":[],"options":7}');
  });
  await to('/');
  await page.locator('[data-game="good"]').waitFor();
  await page.locator('article .ways a.act[href="/bosk/new"]').click();
  await page.locator('form button[type=submit]').waitFor();
  for (const id of 'abcdefy') {
    await to(`/table/${id}`);
    await eventually(() => page.locator('h1').innerText(), words('en', 'page.table.lost'));
  }
  await to('/table/z'); // a game whose moves were never possible
  await page.getByText(words('en', 'page.table.broken')).first().waitFor();
  await to('/replay/z');
  await page.locator('main').first().waitFor();
  await to('/table/good');
  assert.equal(await settled(page), 'person');
});

test('a name that looks like markup is a name', async (t) => {
  const name = '<img src=x onerror=a>';
  const game = await bosk('autumn', { players: [person(name), person('{seat} &amp;')], round: 2 });
  const { page, to } = await here.visit(t, { games: [game], settings: { name } });
  await to(`/table/${game.id}`);
  await settled(page);
  assert.equal(await page.locator('[data-seat="0"] .name').innerText(), name);
  assert.equal(await page.locator('[data-seat="1"] .name').innerText(), '{seat} &amp;');
  await eventually(() => page.locator('#panel ol').innerText(), (log) => log.includes(name));
  assert.equal(await page.locator('img').count(), 0);
  await to('/');
  await eventually(() => page.locator('[data-game]').innerText(), (row) => row.includes(name));
  await to('/bosk/new');
  assert.equal(await page.locator('form li input[type=text]').first().inputValue(), name.slice(0, 20));
});

/** Somebody for whom a part of the page cannot be loaded, until they are let. */
async function without(t, part, how) {
  const { context, page, to } = await visit(here.browser, here.server.url, how); // what fails is no surprise here
  t.after(() => context.close());
  let away = true;
  await page.route(part, (route) => (away ? route.abort() : route.continue()));
  return { page, to, back: () => (away = false) };
}

test('a part that cannot be loaded says what to do, and the game goes on where it was', async (t) => {
  const game = await bosk('autumn', { round: 2 });
  const { page, to, back } = await without(t, /Sheet-.*\.js/, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  await take(page, 'tile', '5');
  await aimAt(page, (await legal(page))[0]);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > 0);
  const { draft } = await keptGame(page);
  await page.keyboard.press('s');
  await page.getByText(words('en', 'page.part.lost')).waitFor();
  back();
  await page.locator('dialog').getByRole('button', { name: words('en', 'page.reload') }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await settled(page);
  assert.deepEqual((await keptGame(page)).draft, draft);
  await page.keyboard.press('s');
  await page.locator('dialog tfoot').waitFor();
});

test('a hint that cannot be loaded says so, and comes after a reload', async (t) => {
  const game = await bosk('spring');
  const { page, to, back } = await without(t, /Hint-.*\.js/, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  await page.locator('[data-ask-hint]').click();
  await page.locator('[data-slip]').getByText(words('en', 'page.part.lost')).waitFor();
  back();
  await page.reload();
  await settled(page);
  await page.locator('[data-ask-hint]').click();
  await page.locator('[data-hint="given"]').waitFor();
});

test('a harvest whose counting cannot be shown ends by itself', async (t) => {
  const game = await finished('grandbois', { seed: 'the last tile' });
  // All but the last tile of a whole game.
  const last = game.line.findLastIndex((e) => e.seat === 0 && e.move.do === 'place');
  Object.assign(game, { line: game.line.slice(0, last), result: null });
  const { page, to } = await without(t, /Harvest-.*\.js/, { games: [game] });
  await to(`/table/${game.id}`);
  let phase = await settled(page);
  while (phase === 'person') phase = await grandboisTurn(page);
  await page.locator('dialog [data-verdict]').waitFor(); // and nobody has pressed anything
});
