/** What moves at a table: that it does, that nobody waits for it, and that it stands
 * still for those who want that. All motion is held where it begins, so that it would
 * last for ever if anybody waited for it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anyhow, boskTurn, choosable, confirm, dice, drafted, endSheet, keptGame, layTile, made, pointAt, ready, settled, skipCounting } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { bosk, grandbois, treesociety } from './games.mjs';
import { holdMotion, inMotion, lastOfRound } from './moving.mjs';
import { bot, person, stand } from './stand.mjs';
import { words } from './words.mjs';

const here = stand({ before, after });
const full = { motion: 'full' };

async function visit(t, game, how = {}) {
  const guest = await here.visit(t, { games: [game], ...how });
  await holdMotion(guest.page);
  await guest.to(`/table/${game.id}`);
  await settled(guest.page);
  return guest.page;
}

/** How many elements have begun to move since the page was opened. */
const begun = (page) => page.evaluate(() => window.held.length);

const longest = { ...anyhow(dice('leaves')), tile: ({ tiles }) => tiles.at(-1) };

test('in Bosk a confirmed path is blown leaf by leaf, and the next player goes on meanwhile', { timeout: 600_000 }, async (t) => {
  const game = await bosk('autumn', { id: 'leaves', round: 3, players: [person('Anna'), person('Ben')] });
  const page = await visit(t, game, { settings: full });
  await boskTurn(page, { plan: longest });
  assert.equal(await begun(page), 0, 'what is only drafted falls, and is not blown');
  const leaves = (await keptGame(page)).draft.filter((m) => m.do === 'leaf').length;
  assert.ok(leaves >= 4);

  assert.equal(await confirm(page), 'person', 'the turn passes at once, whatever is in the air');
  assert.equal(await inMotion(page, '.pile .top'), leaves, 'every leaf is in the air');
  assert.equal(await inMotion(page, '.bare'), 1, 'and their tree is bent');
  const starts = await page.evaluate(() => document.getAnimations().filter((a) => a.effect.target.matches('.pile .top')).map((a) => a.effect.getTiming().delay));
  assert.equal(new Set(starts).size, leaves, 'one after the other');

  const tile = page.locator('[data-bosk-tray] [data-tile]:not(.spent)').first();
  await tile.click();
  assert.equal(await tile.getAttribute('aria-pressed'), 'true', 'a press acts at once');
  assert.equal(await inMotion(page, '*'), 0, 'and ends all motion');
  await page.locator('.bare').waitFor({ state: 'detached' });

  // What is taken back and looked at again does not move.
  const before = await begun(page);
  await page.keyboard.press('Escape');
  await page.reload();
  await settled(page);
  assert.equal(await begun(page), 0, `nothing moves on a board that is opened, as ${before} things did`);
});

test('in Bosk nothing is blown where things stand still, by the system or by one’s own choice', { timeout: 600_000 }, async (t) => {
  const game = await bosk('autumn', { id: 'still', round: 3, players: [person('Anna'), person('Ben')] });
  for (const how of [{}, { settings: { motion: 'reduced' }, device: { reducedMotion: 'no-preference' } }]) {
    const page = await visit(t, game, how);
    await boskTurn(page, { plan: longest });
    await confirm(page);
    assert.equal(await begun(page), 0);
    assert.equal(await page.locator('.bare').count(), 0);
  }
});

test('in GrandBois a tile settles, and the river is there for the next one', { timeout: 600_000 }, async (t) => {
  const game = await grandbois('place', { id: 'tile', laid: 8, players: [person(), bot()] });
  const moving = await visit(t, game, { settings: full });
  const laid = async (page) => {
    await layTile(page);
    const [{ tile }] = (await keptGame(page)).draft;
    assert.equal(await begun(page), 0, 'a ghost does not settle');
    await ready(page);
    const moves = await made(page);
    await page.locator('[data-confirm]').click();
    await settled(page, moves);
    return tile;
  };
  const tile = await laid(moving);
  assert.equal(await inMotion(moving, `[data-laid="${tile}"]`), 1, 'the tile that was laid is on its way down');
  assert.equal(await inMotion(moving, '[data-laid]'), (await moving.locator('[data-decide]').count()) ? 1 : 2, 'and so is the one of whoever came next, no other');
  const next = (await moving.locator('[data-decide]').count()) ? moving.locator('[data-decide] [data-no-tower]') : moving.locator('.gb-river [data-tile]').first();
  const moves = await made(moving);
  await next.click();
  await moving.waitForFunction((moves) => Number(document.querySelector('[data-moves]').dataset.moves) > moves || document.querySelector('.gb-river [aria-pressed=true]'), moves);
  assert.equal(await inMotion(moving, `[data-laid="${tile}"]`), 0, 'a press acts at once, and the tile lies');

  const resting = await visit(t, game);
  await laid(resting);
  assert.equal(await begun(resting), 0);
});

test('in Tree Society coins travel, as many as are paid, and the next card is bought meanwhile', { timeout: 600_000 }, async (t) => {
  const game = await treesociety('sell', { id: 'coins', round: 2, players: [person('Anna'), person('Ben')] });
  const purse = (page) => page.locator('[data-ts-mine] [data-purse]').innerText().then((text) => Number(text.match(/^\d+/)[0]));
  let fruit; // where it lay
  const sell = async (page) => {
    await page.locator('.above').waitFor({ state: 'attached' });
    const before = await purse(page);
    const { at } = (await choosable(page)).find((c) => c.does === 'sell');
    fruit = await page.locator(`[data-cell="${at}"]`).boundingBox();
    await pointAt(page, at);
    await drafted(page, 1);
    return (await purse(page)) - before;
  };
  const page = await visit(t, game, { settings: full });
  const paid = await sell(page);
  assert.ok(paid > 0);
  await page.locator('.above .coin').first().waitFor({ state: 'attached' });
  assert.equal(await inMotion(page, '.coin'), Math.min(6, paid), 'a coin for each, or six');
  const coins = await page.locator('.above .coin').allInnerTexts();
  assert.equal(coins.reduce((sum, n) => sum + Number(n), 0), paid, 'what stands on them comes to what was paid');
  const from = await page.locator('.above .coin').first().boundingBox();
  const inside = (at, size, least, most) => at + size / 2 > least && at + size / 2 < least + most;
  assert.ok(inside(from.x, from.width, fruit.x, fruit.width) && inside(from.y, from.height, fruit.y, fruit.height), 'they begin where the fruit lay');

  const had = await purse(page);
  await pointAt(page, (await choosable(page)).find((c) => c.does === 'found' || c.does === 'raise').at);
  await drafted(page, 2);
  const price = had - (await purse(page));
  assert.ok(price > 0, 'a press acts at once');
  await page.waitForFunction((n) => document.querySelectorAll('.above .coin').length === n, Math.min(6, price)); // those of the sale are home
  await page.locator('footer.actions button').first().click(); // Undo
  await drafted(page, 1);
  await page.waitForFunction(() => document.querySelectorAll('.above .coin').length === 0);
  assert.equal(await inMotion(page, '.coin'), 0, 'what is taken back takes no coins along');

  const resting = await visit(t, game);
  await sell(resting);
  assert.equal(await begun(resting), 0);
  assert.equal(await resting.locator('.above .coin').count(), 0);
});

test('in Tree Society the coins of others travel to where their purse is seen', { timeout: 600_000 }, async (t) => {
  const game = await treesociety('rest', { id: 'others', round: 2, players: [person(), bot()] });
  const page = await visit(t, game, { settings: full });
  await page.locator('.above').waitFor({ state: 'attached' });
  await page.locator('[data-section="1"]').waitFor();
  await pointAt(page, (await choosable(page)).find((c) => c.does === 'take').at);
  await confirm(page);
  const ends = await page.evaluate(() => {
    const seat = document.querySelector('[data-section="1"]').getBoundingClientRect();
    const inside = ({ transform }) => {
      const { e: x, f: y } = new DOMMatrix(transform);
      return x > seat.left - 20 && x < seat.right && y > seat.top - 20 && y < seat.bottom;
    };
    const coins = window.held.filter((a) => a.effect.target.matches('.coin')).map((a) => a.effect.getKeyframes());
    return { to: coins.filter((frames) => inside(frames.at(-1)) && !inside(frames[0])).length, from: coins.filter((frames) => inside(frames[0]) && !inside(frames.at(-1))).length };
  });
  assert.ok(ends.to > 0, 'what it sold for');
  assert.ok(ends.from > 0, 'what it paid for a guild');
});

test('in Tree Society a completed guild opens, on a phone too, and stands among the completed', { timeout: 600_000 }, async (t) => {
  const last = (view) => view.quotes.find((q) => q.level === 3 && q.place && !q.short && !q.first);
  let card = 0;
  const game = await treesociety('build', { id: 'guild', players: [person('Anna'), person('Ben')], when: (view) => !view.job && (card = last(view)?.card ?? 0) > 0 });
  for (const size of ['desktop', 'phone']) {
    const page = await visit(t, game, { size, settings: full });
    await page.locator('.above').waitFor({ state: 'attached' });
    if (size === 'phone') await page.locator('#ts-tab-mine').tap();
    const at = await page.locator(`[data-ts-board] [data-legal=raise][data-card="${card}"]`).getAttribute('data-cell');
    await pointAt(page, at, size === 'phone' ? 'touch' : 'mouse');
    await drafted(page, 1);
    await page.locator('.above .guild').waitFor({ state: 'attached' });
    assert.equal(await inMotion(page, '.guild'), 1, 'the guild is opening');
    const undo = page.locator('footer.actions button').first();
    await (size === 'phone' ? undo.tap() : undo.click());
    await drafted(page, 0);
    assert.equal(await page.locator('.above .guild').count(), 0, 'a press acts at once');
    assert.equal(await page.locator(`[data-cell="${at}"][data-card="${card}"]`).count(), 1, 'the guild is in progress again');
  }
  const resting = await visit(t, game);
  await pointAt(resting, await resting.locator(`[data-ts-board] [data-legal=raise][data-card="${card}"]`).getAttribute('data-cell'));
  await drafted(resting, 1);
  await resting.locator(`[data-cell^="completed-"][data-card="${card}"]`).waitFor();
  assert.equal(await begun(resting), 0);
});

test('the last round is called out once, in words and to screen readers', { timeout: 600_000 }, async (t) => {
  const game = await lastOfRound(7);
  for (const language of ['fr', 'it']) {
    const { page, to } = await here.visit(t, { games: [game], language });
    await page.addInitScript(() => {
      [window.heard, window.ribbons] = [[], []];
      new MutationObserver((changes) => {
        for (const { addedNodes, target } of changes)
          for (const node of addedNodes) {
            const text = node.textContent?.trim();
            if (text && target.matches?.('[aria-live=polite]')) window.heard.push(text);
            if (node.querySelector?.('[data-last-round]')) window.ribbons.push(text);
          }
      }).observe(document, { childList: true, subtree: true });
    });
    await to(`/table/${game.id}`);
    await settled(page);
    const said = words(language, 'page.end.last.bosk');
    const times = () => page.evaluate((said) => window.heard.filter((text) => text === said).length, said);
    await boskTurn(page, { plan: anyhow(dice('last')) });
    assert.equal(await times(), 0, 'not while the turn before it is only drafted');
    await confirm(page);
    await page.waitForFunction((said) => window.heard.includes(said), said);
    await eventually(() => page.evaluate(() => window.ribbons), [said], 'it can be seen, also where nothing moves');
    if (language === 'it') continue;
    // Whoever takes that turn back and makes it again has heard it.
    const moves = await made(page);
    await page.keyboard.press('U');
    await drafted(page, 0);
    await page.keyboard.press('u'); // it is said first what comes back
    await page.locator('[data-slip]').waitFor();
    await page.keyboard.press('u');
    await eventually(() => made(page), (now) => now < moves, 'the turn is taken back');
    assert.equal(await settled(page), 'person');
    assert.match(await page.locator('h1').innerText(), /7/);
    await boskTurn(page, { plan: anyhow(dice('last')) });
    await confirm(page);
    assert.deepEqual([await times(), await page.evaluate(() => window.ribbons.length)], [1, 1]);
    // Whoever comes later is told by the title alone.
    await page.reload();
    await settled(page);
    assert.equal(await times(), 0);
    assert.match(await page.locator('h1').innerText(), /8/);
  }
});

/** Frames come when they are called for. */
function holdFrames(page) {
  return page.evaluate(() => {
    let waiting = [];
    window.requestAnimationFrame = (frame) => waiting.push(frame);
    window.frameAt = (ms) => {
      const now = waiting;
      waiting = [];
      for (const frame of now) frame(ms);
    };
  });
}

/** Makes the last turn of a game, and waits for its end. */
async function toTheEnd(page) {
  await boskTurn(page, { plan: anyhow(dice('end')) });
  await ready(page);
  await holdFrames(page);
  const moves = await made(page);
  await page.locator('[data-confirm]').click();
  await settled(page, moves);
  await skipCounting(page);
  return endSheet(page);
}

test('the end counts the scores up part by part, is complete for readers at once, and is over at a key', { timeout: 600_000 }, async (t) => {
  const game = await lastOfRound(8);
  const page = await visit(t, game, { settings: full });
  const { verdict, places, parts, totals } = await toTheEnd(page);
  assert.match(verdict, /\d/);
  assert.deepEqual([...places].sort((a, b) => a - b), [...totals].sort((a, b) => a - b), 'the totals are there to be read');
  const tree = await page.locator('dialog').ariaSnapshot();
  for (const total of totals) assert.ok(tree.includes(String(total)), 'also for a screen reader');
  assert.ok(tree.includes(verdict));

  const counting = page.locator('dialog [data-counting]');
  const soFar = () => page.locator('dialog .so-far').allInnerTexts().then((list) => list.map(Number).sort((a, b) => a - b));
  const sorted = (list) => [...list].sort((a, b) => a - b);
  const at = async (ms) => {
    await page.evaluate((ms) => window.frameAt(ms), ms);
    return { part: await counting.getAttribute('data-counting'), soFar: await soFar() };
  };
  await at(1000); // the clock begins
  assert.deepEqual(await at(1250), { part: 'summer', soFar: [0, 0] });
  const half = await at(1250 + 300);
  assert.ok(half.soFar[1] > 0 && half.soFar[1] < Math.max(...parts[0].sum), 'halfway through summer');
  assert.deepEqual(await at(1250 + 899), { part: 'summer', soFar: sorted(parts[0].sum) });
  assert.deepEqual(await at(1250 + 901), { part: 'winter', soFar: sorted(parts[0].sum) });
  assert.deepEqual(await at(1250 + 1799), { part: 'winter', soFar: sorted(totals) });
  assert.equal(await page.locator('dialog [data-verdict]').evaluate((e) => getComputedStyle(e).opacity), '0', 'who has won is not seen yet');

  await page.keyboard.press('Tab');
  assert.equal(await counting.count(), 0, 'a key ends it');
  assert.equal(await page.locator('dialog .so-far').count(), 0);
  assert.equal(await page.locator('dialog [data-verdict]').evaluate((e) => getComputedStyle(e).opacity), '1');
  assert.ok(await page.evaluate(() => document.activeElement.matches('dialog button')), 'and does what it does');

  await page.locator('dialog').getByRole('button', { name: words('en', 'page.end.look') }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: words('en', 'page.end.show') }).click();
  await page.locator('dialog [data-verdict]').waitFor();
  assert.equal(await counting.count(), 0, 'it is counted once');
  await page.reload();
  await page.locator('dialog [data-verdict]').waitFor();
  assert.equal(await counting.count(), 0, 'and for those alone who have seen the game go on');
});

test('the end: a press acts and ends the counting; where things stand still there is none', { timeout: 600_000 }, async (t) => {
  const game = await lastOfRound(8);
  const page = await visit(t, game, { settings: full });
  await toTheEnd(page);
  const counting = page.locator('dialog [data-counting]');
  assert.equal(await counting.count(), 1);
  await page.locator('dialog h2').click();
  assert.equal(await counting.count(), 0, 'wherever one presses');
  await page.locator('dialog').getByRole('button', { name: words('en', 'page.end.look') }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });

  const resting = await visit(t, game);
  await toTheEnd(resting);
  assert.equal(await resting.locator('dialog [data-counting]').count(), 0);
  assert.equal(await begun(resting), 0);
});
