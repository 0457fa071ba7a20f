/** What the page says in words: before a step back, at the end, in a replay, of time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { settled } from './drive.mjs';
import { bosk, finished } from './games.mjs';
import { guest, whoSitsAt } from './guests.mjs';
import { kept, person, bot, stand } from './stand.mjs';
import { messages, shape, words } from './words.mjs';

const here = stand({ before, after });
const slip = (page, pattern) => page.waitForFunction(({ source, flags }) => new RegExp(source, flags).test(document.querySelector('[data-slip]')?.textContent.trim() ?? ''), { source: pattern.source, flags: pattern.flags });

test('Undo says why it is grey, by touch and by key, and what a step back would take', async (t) => {
  const fresh = kept({ game: 'bosk', players: [person(), bot()], id: 'fresh' });
  const later = await bosk('spring', { planted: 4 });
  const { page, to } = await here.visit(t, { games: [fresh, later], size: 'phone' });
  await to('/table/fresh');
  await settled(page);
  const undo = page.getByRole('button', { name: words('en', 'page.table.undo') });
  assert.equal(await undo.getAttribute('aria-disabled'), 'true');
  await undo.tap({ force: true }); // grey, and yet it answers
  await slip(page, shape('en', 'page.back.nothing'));
  await page.keyboard.press('u');
  await slip(page, shape('en', 'page.back.nothing'));
  await to(`/table/${later.id}`);
  await settled(page);
  assert.equal(await undo.getAttribute('aria-disabled'), 'false');
  await undo.tap();
  await slip(page, /^This takes back your last turn and 1 turn of Acorn\./);
  assert.equal(Number(await page.locator('[data-moves]').getAttribute('data-moves')), later.line.length, 'nothing has gone yet');
  await undo.tap();
  await page.waitForFunction((n) => Number(document.querySelector('[data-moves]').dataset.moves) < n, later.line.length);
});

test('which rule broke a tie is said at the end, and what is a forecast', async (t) => {
  const tied = await finished('bosk', { seed: 'tie 39', level: 'random', id: 'tied' });
  assert.equal(tied.result.totals[0], tied.result.totals[1], 'a game that ends in a tie');
  const spring = await bosk('spring', { planted: 4 });
  const { page, to } = await here.visit(t, { games: [tied, spring] });
  await to('/table/tied');
  const tie = page.locator('[data-ties] li');
  await tie.waitFor();
  const said = ['bosk.tie.start', 'bosk.tie.closer'].map((key) => new RegExp(shape('en', key).source.slice(1, -1)));
  const text = await tie.innerText();
  assert.ok(said.some((pattern) => pattern.test(text)), text);
  assert.equal(await tie.getByRole('link').getAttribute('href'), '/rules/bosk#7.6');
  await to(`/table/${spring.id}`);
  await settled(page);
  await page.getByText(words('en', 'page.bosk.forecast.summer'), { exact: true }).last().waitFor();
  await page.locator('#tab-scores').click();
  await page.locator('#panel').getByText(words('en', 'page.bosk.forecast.summer')).waitFor();
});

test('the replay of a game that is over shows what was secret, from the first move on', async (t) => {
  const game = await finished('grandbois', { players: [person(), bot()] });
  const going = { ...game, id: 'going', result: null, line: game.line.slice(0, 20) };
  const { page, to } = await here.visit(t, { games: [game, going] });
  await to(`/replay/${game.id}`);
  await page.locator('.scores [data-clans]').nth(1).waitFor();
  const clans = await page.locator('.scores [data-clans]').evaluateAll((list) => list.map((e) => e.dataset.clans));
  assert.equal(new Set(clans.flatMap((held) => held.split(' '))).size, 4, 'two clans each, no two the same');
  for (const total of await page.locator('.scores b').allInnerTexts()) assert.match(total, /^\d+$/);
  assert.equal(await page.getByRole('img', { name: shape('en', 'page.grandbois.replay.clans') }).count(), 2);
  // A game that goes on keeps them.
  await to('/replay/going');
  await page.locator('.scores b').nth(1).waitFor();
  assert.equal(await page.locator('[data-clans]').count(), 0);
  assert.equal(await page.locator('.scores b').nth(1).innerText(), '?');
});

test('a pace of one’s own is set, refused with its reason, and told in the lobby and in lists', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/together/bosk');
  await page.getByRole('radio', { name: messages('en')['table.pace.own'] }).check({ force: true });
  const own = page.locator('[data-own-pace]');
  await own.waitFor();
  await page.locator('[data-own=bank]').fill('30');
  await page.locator('[data-unit=bank]').selectOption('second');
  await own.getByRole('alert').getByText('from 1 minute to 14 days').waitFor();
  await page.locator('#guest').fill('Anna');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.matches('[data-own=bank]'));
  assert.match(page.url(), /together/, 'no such table is set');
  await page.locator('[data-unit=bank]').selectOption('minute');
  await page.locator('[data-own=step]').fill('90');
  await own.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByText('30 minutes each, plus 90 seconds per turn.').waitFor();
  await page.locator('[data-create]').click();
  await page.locator('[data-start]').waitFor();
  await page.getByText('30 minutes each, plus 90 seconds per turn.').waitFor();
  const table = new URL(page.url()).pathname.split('/')[2];
  const { look } = await whoSitsAt(page).ask(`GET /api/tables/${table}`);
  assert.deepEqual([look.settings.pace, look.settings.bank, look.settings.step], ['own', 1_800_000, 90_000]);
  await to('/');
  await page.locator(`[data-table="${table}"]`).getByText('30 min + 90 sec').waitFor();
});

test('who cannot answer is said to be away; seats follow the language of another tab', async (t) => {
  const { page, context, to } = await here.visit(t);
  await to('/credits');
  const [anna, luc] = [whoSitsAt(page), await guest(here.server.url, 'Luc')];
  await anna.ask('POST /api/me', { name: 'Anna' });
  const table = await anna.set({ game: 'bosk', seats: 3 });
  await anna.sit(table, 0);
  await luc.sit(table, 1);
  await anna.ask(`POST /api/tables/${table}/start`, { fill: 'level:1' });
  await anna.move(table);
  await to(`/t/${table}`);
  await page.locator('[data-phase]').waitFor();
  await page.locator('[data-menu]').click();
  await page.getByText(/It would go back over your last turn/).waitFor();
  await page.locator('[data-undo]').click();
  await page.locator('[data-gone]').waitFor();
  assert.match(await page.locator('[data-gone]').innerText(), shape('en', 'page.online.ask.gone'));
  // The bot is called by its level, in French once French is spoken.
  const name = page.locator('[data-seat="2"] .name');
  assert.equal(await name.innerText(), words('en', 'bot.level.name.1'));
  const other = await context.newPage();
  await other.goto(`${here.server.url}/credits`);
  await other.evaluate(() => localStorage.setItem('copse.settings', JSON.stringify({ ...JSON.parse(localStorage.getItem('copse.settings')), language: 'fr' })));
  await name.filter({ hasText: words('fr', 'bot.level.name.1') }).waitFor();
});
