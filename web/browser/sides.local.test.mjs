/** Both sides in games that a browser keeps: one game after the other, and one result. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled, skipCounting, walk } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { finished } from './games.mjs';
import { bot, kept, person, stand } from './stand.mjs';
import { messages } from './words.mjs';

const here = stand({ before, after });

/** The words that a message has for two games. */
const ofTwo = (language, key) => messages(language)[key].match(/=2 \{([^{}]*)\}/)[1];
const keptAs = (page, id) => page.evaluate((id) => JSON.parse(localStorage.getItem(`copse.game.${id}`)), id);
const idOf = (page) => new URL(page.url()).pathname.split('/').at(-1);

/** A game of GrandBois whose last move was made and whose end nobody has seen yet. */
async function ending(what) {
  const game = await finished('grandbois', what);
  return [{ ...game, result: null }, game.result.totals];
}

const anna = person('Anna');
const side = { first: 'row', n: 1, before: [] };
const ended = ending({ seed: 'uneven', players: [anna, bot()], id: 'row', side });

/** The sums of the table of both sides, seat by seat. */
async function sumsOf(page) {
  await page.locator('[data-sides] [data-sum="1"]').first().waitFor();
  return Promise.all([0, 1].map((seat) => page.locator(`[data-sides] [data-sum="${seat}"]`).first().innerText().then(Number)));
}

test('both sides are chosen by keyboard, with the way to what a seat is worth', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/bosk/new');
  const choice = page.getByRole('switch', { name: ofTwo('en', 'page.sides'), exact: true });
  await walk(page, choice);
  assert.ok(!(await choice.isChecked()));
  await page.keyboard.press('Space');
  assert.ok(await choice.isChecked());
  assert.match(await page.locator(`[id="${await choice.getAttribute('aria-describedby')}"]`).innerText(), /seats exchanged/);
  const way = new URL(await page.getByRole('link', { name: messages('en')['page.sides.worth'] }).getAttribute('href'), here.server.url);
  await page.keyboard.press('Enter');
  await settled(page);
  const id = idOf(page);
  assert.deepEqual((await keptAs(page, id)).side, { first: id, n: 1, before: [] });
  await eventually(() => page.locator('.bar').innerText(), /first of two games/);

  // What was chosen is chosen the next time, and the rules say what a seat is worth.
  await to('/bosk/new');
  await eventually(() => choice.isChecked(), true, 'what was chosen');
  await to(way.pathname + way.hash);
  await page.locator(`[id="${way.hash.slice(1)}"]`, { hasText: 'fair' }).waitFor();
});

test('one press leads to the second game with seats exchanged; table, end and home say how both stand', async (t) => {
  const [one, first] = await ended;
  const { page, to, context } = await here.visit(t, { games: [one] });

  // The window was closed before the end was kept: it is found again.
  await to('/table/row');
  await page.locator('[data-verdict]').waitFor();
  await skipCounting(page);
  await eventually(() => page.locator('[data-sides-said]').innerText(), /first of two games/);
  await eventually(() => sumsOf(page), first);
  const onward = page.locator('.what-next button.act');
  await page.waitForFunction((words) => document.querySelector('.what-next button.act').textContent === words, ofTwo('en', 'page.sides.go'));

  // At home the game waits for the second, which two windows begin once.
  await to('/');
  const row = page.locator('[data-game="row"]');
  await eventually(() => row.innerText(), /first of two games · so far: Anna \d+/);
  const other = await context.newPage();
  await other.goto(here.server.url + '/table/row');
  await other.locator('[data-verdict]').waitFor();
  await row.locator('[data-onward]').click();
  await page.waitForURL('**/table/row-2');
  await settled(page);
  const two = await keptAs(page, 'row-2');
  assert.deepEqual([two.players[1].name, two.players[0].kind], ['Anna', 'bot']);
  assert.notEqual(two.seed, one.seed);
  await other.locator('.what-next button.act').click();
  await other.waitForURL('**/table/row-2');
  await settled(other);
  assert.deepEqual((await keptAs(other, 'row-2')).began, two.began);
  await other.close();

  // During the second game the menu shows what the first came to.
  await page.locator('[data-menu]').click();
  await eventually(() => page.locator('[data-sides-said]').innerText(), /second of two games/);
  await eventually(() => sumsOf(page), [...first].reverse());
  await page.keyboard.press('Escape');

  // It ends, and so do both.
  const [played, second] = await ending({ players: [bot(), anna], seed: two.seed, id: 'row-2', side: two.side });
  await to('/');
  await page.evaluate((game) => localStorage.setItem('copse.game.row-2', JSON.stringify(game)), played);
  await to('/table/row-2');
  await page.locator('[data-sides] .rank').first().waitFor();
  const sums = [second[0] + first[1], second[1] + first[0]];
  await eventually(() => sumsOf(page), sums);
  const said = await page.locator('[data-sides-said]').innerText();
  assert.equal(said.includes('Anna'), sums[1] >= sums[0], said);
  await skipCounting(page);
  await page.locator('[data-side-of="1"]').click();
  await page.waitForURL('**/table/row');
  await page.locator('[data-sides] .rank').first().waitFor();
  await eventually(() => page.locator('[data-sides-said]').innerText(), said);
  await eventually(() => sumsOf(page), [...sums].reverse());

  // The list tells it, each game can be looked at again, and one press plays both once more.
  await to('/');
  for (const id of ['row', 'row-2']) await eventually(() => page.locator(`[data-game="${id}"]`).innerText(), /of two games · together (first|second): \d+ – \d+/);
  await page.locator('[data-game="row-2"] a[href="/replay/row-2"]').click();
  await page.locator('.replay input[type=range]').waitFor();
  await to('/table/row-2');
  await page.locator('[data-verdict]').waitFor();
  await skipCounting(page);
  await onward.click();
  await page.waitForURL((url) => !url.pathname.endsWith('row-2'));
  await eventually(async () => (await keptAs(page, idOf(page)))?.side.n, 1);

  // One game is deleted, or both are.
  await to('/');
  await page.locator('[data-game="row"] .bin').click();
  assert.equal(await page.locator('[data-delete-all]').innerText(), ofTwo('en', 'page.sides.delete-all'));
  await page.locator('[data-game="row"] .refuse').first().click();
  await page.locator('[data-game="row"]').waitFor({ state: 'detached' });
  await eventually(() => page.locator('[data-game="row-2"]').innerText(), /together/); // it knows what the first came to
});

test('who resigns one of them is behind in both, and none follows; both are deleted at once', async (t) => {
  const [one, first] = await ended;
  const past = { totals: [first[1], first[0]], ranks: [2, 1], out: [0, 0] };
  const two = kept({ id: 'row-2', game: 'grandbois', version: one.version, seed: 'another', players: [bot(), anna], side: { first: 'row', n: 2, before: [past] } });
  const result = { totals: first, ranks: [1, 2] };
  const { page, to } = await here.visit(t, { size: 'phone', theme: 'dark', language: 'fr', games: [{ ...one, result }, two] });
  const fr = messages('fr');
  await to('/table/row-2');
  await settled(page);
  await page.locator('[data-menu]').tap();
  await page.locator('[data-resign]').tap();
  await page.getByText('aucune autre ne suit').waitFor();
  await page.locator('[data-resign-sure]').tap();
  await page.locator('[data-verdict]').waitFor();
  await page.getByText(fr['page.end.cut-short']).waitFor();
  await page.getByText(fr['page.end.resigned'], { exact: true }).waitFor();
  await eventually(() => page.locator('[data-sides] tbody tr').last().locator('.rank').innerText(), '2');
  await eventually(() => page.locator('[data-sides] tbody tr').last().innerText(), /Anna/);
  await eventually(() => page.locator('.what-next button.act').innerText(), fr['page.end.again']);

  await to('/'); // it stays so
  await eventually(() => page.locator('[data-game="row-2"]').innerText(), /au total deuxième/);
  await page.locator('[data-game="row-2"] .bin').tap();
  await page.locator('[data-delete-all]').tap();
  await page.locator('[data-game]').first().waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('copse.game.')).length), 0);
});
