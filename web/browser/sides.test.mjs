/** Both sides: two people set a table for them, play both games and see one result. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { skipCounting, walk } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { guest, playOn, whoSitsAt } from './guests.mjs';
import { stand } from './stand.mjs';
import { messages } from './words.mjs';

const here = stand({ before, after });
const tableOf = (page) => new URL(page.url()).pathname.split('/')[2];

/** The words that a message has for two games. */
const ofTwo = (language, key) => messages(language)[key].match(/=2 \{([^{}]*)\}/)[1];

test('both sides: chosen by keyboard, played one after the other with seats exchanged, and one result at both tables and in the lists', async (t) => {
  const anna = await here.visit(t);
  const luc = await here.visit(t, { size: 'phone', theme: 'dark', language: 'fr' });

  // Anna chooses it by keys alone, and is told what it is.
  await anna.to('/together/grandbois');
  await anna.page.locator('#guest').waitFor();
  const choice = anna.page.getByRole('switch', { name: ofTwo('en', 'page.sides') });
  assert.ok(!(await choice.isChecked()));
  await walk(anna.page, choice);
  await anna.page.keyboard.press('Space');
  assert.ok(await choice.isChecked());
  assert.ok((await anna.page.locator(`[id="${await choice.getAttribute('aria-describedby')}"]`).innerText()).includes('seats exchanged'));
  await anna.page.locator('#guest').fill('Anna');
  await anna.page.keyboard.press('Enter');
  await anna.page.locator('[data-start]').waitFor();
  const first = tableOf(anna.page);

  // Luc comes, and the lobby tells him in his language.
  await luc.page.goto(await anna.page.locator('[data-link]').inputValue());
  await luc.page.locator('#guest').fill('Luc');
  await luc.page.keyboard.press('Enter');
  await luc.page.locator('[data-sit]').first().tap();
  await luc.page.locator('.facts', { hasText: ofTwo('fr', 'page.online.sides.term') }).waitFor();
  await anna.page.locator('[data-seat="1"][data-held="person"]').waitFor();
  await anna.page.locator('[data-start]').click();
  for (const { page } of [anna, luc]) await page.locator('[data-phase]').waitFor();

  // During the game the menu says which one it is, and what resigning would mean.
  await luc.page.locator('[data-menu]').tap();
  await eventually(() => luc.page.locator('[data-sides-said]').innerText(), /première de deux parties/);
  assert.equal(await luc.page.locator('[data-following]').count(), 0);
  await luc.page.locator('[data-resign]').tap();
  await luc.page.getByText(messages('fr')['page.online.sides.resign']).waitFor();
  await luc.page.keyboard.press('Escape');
  await anna.page.locator('.bar', { hasText: 'first of two games' }).waitFor();

  // The first game ends: both are led to the second, where seats are exchanged.
  const [one, two] = [whoSitsAt(anna.page), whoSitsAt(luc.page)];
  await playOn(first, [one, two], () => false);
  for (const { page } of [anna, luc]) {
    await page.locator('[data-verdict]').waitFor();
    await skipCounting(page);
    await page.locator('[data-following]').waitFor();
  }
  await eventually(() => anna.page.locator('[data-sides-said]').innerText(), /first of two games.*begun/s);
  await eventually(() => anna.page.locator('.what-next button.act').innerText(), ofTwo('en', 'page.sides.go'));
  await anna.page.locator('.what-next button.act').click();
  await luc.page.locator('[data-following]').tap();
  for (const { page } of [anna, luc]) {
    await page.waitForURL((url) => url.pathname.startsWith('/t/') && !url.pathname.endsWith(first));
    await page.locator('[data-phase]').waitFor();
  }
  const second = tableOf(anna.page);
  assert.equal(tableOf(luc.page), second);
  const places = await Promise.all([first, second].map(async (table) => (await one.ask(`GET /api/tables/${table}`)).you));
  assert.deepEqual(places, [0, 1]);

  // The second ends: one result, the same for both, and at the first table too.
  await playOn(second, [two, one], () => false);
  const [a, b] = await Promise.all([first, second].map((table) => one.ask(`GET /api/tables/${table}`)));
  const points = (sight) => sight.look.standing.seats.map(({ total }) => total);
  const sums = [points(a)[0] + points(b)[1], points(a)[1] + points(b)[0]]; // Anna, Luc
  const shown = async (page, at) => {
    await page.locator('[data-verdict]').waitFor();
    await skipCounting(page);
    await page.waitForFunction(() => document.querySelectorAll('[data-sides] td').length === 6);
    await page.locator('[data-sides] .rank').first().waitFor();
    await eventually(() => Promise.all([0, 1].map((seat) => page.locator(`[data-sum="${seat}"]`).innerText().then(Number))), at === first ? sums : [...sums].reverse());
    return page.locator('[data-sides-said]').innerText();
  };
  const best = sums[0] === sums[1] ? '' : sums[0] > sums[1] ? 'Anna' : 'Luc';
  const said = await shown(anna.page, second);
  if (best) assert.ok(said.includes(best) && !said.includes(best === 'Anna' ? 'Luc' : 'Anna'), said);
  else assert.match(said, /Anna.*Luc|Luc.*Anna/);
  assert.ok((await shown(luc.page, second)).includes(best));
  await anna.page.locator('[data-side-of="1"]').click();
  await anna.page.waitForURL((url) => url.pathname.endsWith(first));
  await eventually(() => shown(anna.page, first), said);

  // Lists say it too.
  await anna.to('/');
  for (const [table, which] of [[first, 'first'], [second, 'second']]) {
    const told = [`${which} of two games`, (table === first ? sums : [...sums].reverse()).join(' – ')];
    await eventually(() => anna.page.locator(`[data-played="${table}"]`).innerText(), (row) => told.every((what) => row.includes(what)), `it says ${told.join(' and ')}`);
  }
});

test('a game of both sides that somebody resigns is the last, and the one result says so', async (t) => {
  const anna = await here.visit(t);
  await anna.to('/credits');
  const one = whoSitsAt(anna.page);
  await one.ask('POST /api/me', { name: 'Anna' });
  const two = await guest(here.server.url, 'Luc');
  const table = await one.set({ game: 'bosk', seats: 2, sides: true });
  await one.sit(table, 0);
  await two.sit(table, 1);
  await one.ask(`POST /api/tables/${table}/start`, {});
  await anna.to(`/t/${table}`);
  await anna.page.locator('[data-phase]').waitFor();
  await two.ask(`POST /api/tables/${table}/resign`);
  await anna.page.locator('[data-sides] .rank').first().waitFor();
  await eventually(() => anna.page.locator('[data-sides-said]').innerText(), /won by Anna/);
  await eventually(() => anna.page.locator('.what-next button.act').innerText(), messages('en')['page.end.again']);
});
