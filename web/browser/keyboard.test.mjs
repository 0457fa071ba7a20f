import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, anyhow, dice, endSheet, focusShows, key, playBosk, playGrandbois, playSociety, reach, settled, stopClock } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { finished, grandbois, treesociety } from './games.mjs';
import { stand } from './stand.mjs';
import { words } from './words.mjs';

const here = stand({ before, after });

/** A page on which no pointer does anything. */
async function byKeys(t, how) {
  const guest = await here.visit(t, how);
  for (const pointer of ['mouse', 'touchscreen']) {
    for (const act of ['click', 'move', 'down', 'tap']) if (guest.page[pointer][act]) guest.page[pointer][act] = () => assert.fail('this game is played by keys alone');
  }
  return guest;
}

test('a whole game of Bosk by keyboard alone, and the focus always shows', { timeout: 1_800_000 }, async (t) => {
  const { page, to } = await byKeys(t);
  await to('/');
  await reach(page, page.locator('article .ways a.act[href="/bosk/new"]'));
  await page.locator('form').waitFor();
  await reach(page, page.locator('form button[type=submit]'));
  await settled(page);
  await playBosk(page, { by: 'keys', plan: anyhow(dice('Bosk by keys')) });
  addsUp(await endSheet(page));
  await focusShows(page);
  await reach(page, page.locator('dialog').getByRole('link', { name: words('en', 'page.end.replay') }));
  await page.locator('input[type=range]').waitFor();
  assert.match(page.url(), /\/replay\//);
});

test('GrandBois to its end by keyboard alone', { timeout: 1_800_000 }, async (t) => {
  const game = await grandbois('place', { laid: 14, seed: 'GrandBois by keys' });
  const { page, to } = await byKeys(t, { games: [game] });
  await to('/');
  await reach(page, page.locator('a.next'));
  await settled(page);
  await playGrandbois(page, { by: 'keys', roll: dice('GrandBois by keys') });
  addsUp(await endSheet(page));
});

test('Tree Society to its end by keyboard alone', { timeout: 1_800_000 }, async (t) => {
  const game = await treesociety('sell', { seed: 'Tree Society by keys', when: ({ players, banners }) => players.some(({ all }) => all >= banners - 1) });
  const { page, to } = await byKeys(t, { games: [game] });
  await to('/');
  await reach(page, page.locator('a.next'));
  await settled(page);
  await playSociety(page, { by: 'keys', roll: dice('Tree Society by keys') });
  addsUp(await endSheet(page));
});

test('letters open the panels, and Escape closes them', async (t) => {
  const game = await grandbois('place', { laid: 3 });
  const { page, to } = await byKeys(t, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  for (const [letter, title] of [['s', 'page.table.scores'], ['a', 'page.table.aid'], ['l', 'page.table.log'], ['?', 'page.table.keys']]) {
    await key(page, letter);
    await eventually(() => page.locator('dialog h2').first().innerText(), words('en', title));
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  // Letters can be turned off; digits and the rest stay.
  await to('/settings');
  await reach(page, page.getByRole('switch', { name: words('en', 'page.settings.letters') })).catch(() => {});
  await page.keyboard.press('Space');
  await eventually(() => page.evaluate(() => JSON.parse(localStorage.getItem('copse.settings')).letters), false);
  await to(`/table/${game.id}`);
  await settled(page);
  await page.keyboard.press('s');
  await page.keyboard.press('1');
  await page.locator('.gb-river [aria-pressed=true]').waitFor();
  assert.equal(await page.locator('dialog').count(), 0);
});

for (const size of ['desktop', 'phone'])
  test(`a menu lists where it leads when it is opened, and there is one bar (${size})`, async (t) => {
    const { page, to } = await here.visit(t, { size });
    await to('/credits');
    const play = page.getByRole('navigation').getByRole('button', { name: words('en', 'page.nav.play') });
    await play.focus();
    assert.equal(await page.getByRole('navigation').count(), 1);
    assert.equal(await page.locator('nav li a').count(), 0);
    await page.keyboard.press('Enter');
    const list = page.locator(`[id="${await play.getAttribute('aria-controls')}"]`);
    await list.getByRole('link').nth(3).waitFor();
    await page.keyboard.press('Tab');
    await eventually(() => page.evaluate(() => document.activeElement.getAttribute('href')), '/bosk/new');
    await page.keyboard.press('Escape');
    await eventually(() => play.evaluate((e) => e === document.activeElement), true, 'the focus is back on its button');
    await eventually(() => play.getAttribute('aria-expanded'), 'false');
  });

test('a replay goes by keys, to every move and back', async (t) => {
  const game = await finished('bosk');
  const { page, to } = await byKeys(t, { games: [game] });
  await page.clock.install();
  await to(`/replay/${game.id}`);
  const at = (n) => page.waitForFunction((text) => document.querySelector('footer .count')?.textContent === text, `${n} / ${game.line.length}`);
  const totals = () => page.locator('ol.scores b').allInnerTexts();
  await at(0);
  await page.keyboard.press('ArrowRight');
  await at(1);
  await page.keyboard.press('End');
  await at(game.line.length);
  await page.waitForFunction((total) => document.querySelector('ol.scores b').textContent === total, String(game.result.totals[0]));
  await eventually(async () => (await totals()).map(Number), game.result.totals);
  await page.keyboard.press('ArrowLeft');
  await at(game.line.length - 1);
  await page.keyboard.press('Home');
  await at(0);
  await page.waitForFunction(() => document.querySelector('ol.scores b').textContent === '0');
  // By itself it goes a move every 0.9 seconds, until it is told to stop.
  await stopClock(page);
  await page.keyboard.press('Space');
  for (const n of [1, 2]) {
    await page.clock.runFor(900);
    await at(n);
  }
  await page.keyboard.press('Space');
  await page.clock.runFor(9000);
  await page.keyboard.press('ArrowRight');
  await at(3);
});
