import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chooseLevel, keptGame, settled, walk } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { bosk } from './games.mjs';
import { none, tooSmall } from './look.mjs';
import { bot, person, stand } from './stand.mjs';
import { messages, words } from './words.mjs';

const here = stand({ before, after });
const nameOf = (n, language = 'en') => words(language, `bot.level.name.${n}`);
const submit = (page) => page.locator('form button[type=submit]');

for (const [by, size] of [['mouse', 'desktop'], ['touch', 'phone'], ['keys', 'desktop']])
  test(`a bot’s strength is chosen by ${by}, is remembered, and shows wherever the bot does`, async (t) => {
    const { page, to } = await here.visit(t, { size });
    await to('/bosk/new');
    await page.locator('[data-level]:not(:disabled)').waitFor();
    assert.equal(await page.locator('[data-level]').inputValue(), '3', 'the level of a first game');
    none(await tooSmall(page), 'new game');
    const about = () => page.locator('[data-about]').innerText();
    const before = await about();
    await chooseLevel(page, 7, { by });
    for (const where of ['.level .name', 'form li .who']) await eventually(() => page.locator(where).innerText(), (text) => text.includes(nameOf(7)), 'the level has its name');
    const now = await eventually(about, (text) => text.length > 10 && text !== before, 'another level is described in other words');
    await eventually(() => page.locator('[data-level]').getAttribute('aria-valuetext'), (text) => text.includes(now), 'also for readers');
    await chooseLevel(page, 1, { by });
    await chooseLevel(page, 10, { by });
    await chooseLevel(page, 2, { by });
    if (by === 'keys') {
      await walk(page, submit(page));
      await page.keyboard.press('Enter');
    } else await submit(page)[by === 'touch' ? 'tap' : 'click']();
    await settled(page);
    const { players } = await keptGame(page);
    assert.deepEqual(players.map((p) => p.bot).sort(), ['', 'level:2']);
    const seat = players.findIndex((p) => p.kind === 'bot');
    await eventually(() => page.locator(`[data-seat="${seat}"] .name`).innerText(), nameOf(2));
    if (size === 'desktop') assert.equal(await page.locator(`[data-seat="${seat}"] .role`).innerText(), 'Level 2');
    await to('/');
    await eventually(() => page.locator('[data-game]').innerText(), new RegExp(`You against ${nameOf(2)}`));
    await to('/bosk/new');
    await page.locator('[data-level]:not(:disabled)').waitFor();
    assert.equal(await page.locator('[data-level]').inputValue(), '2', 'the last one chosen');
  });

test('four at a table: all the same at once, or each bot of its own strength', async (t) => {
  const { page, to } = await here.visit(t, { language: 'fr' });
  await to('/grandbois/new');
  await page.locator('form input[type=radio][value="4"]').click();
  await chooseLevel(page, 6);
  const who = () => page.locator('form li .who').allInnerTexts();
  await eventually(who, Array(3).fill(nameOf(6, 'fr')));
  await page.getByRole('switch', { name: words('fr', 'page.level.same') }).click();
  await eventually(() => page.locator('[data-level]').count(), 3);
  await chooseLevel(page, 9, { which: 1 });
  await chooseLevel(page, 1, { which: 2 });
  await eventually(who, [6, 9, 1].map((n) => nameOf(n, 'fr')));
  // The same again: as strong as the first of them.
  await page.getByRole('switch', { name: words('fr', 'page.level.same') }).click();
  await eventually(who, Array(3).fill(nameOf(6, 'fr')));
  await page.getByRole('switch', { name: words('fr', 'page.level.same') }).click();
  await chooseLevel(page, 2, { which: 0 });
  await chooseLevel(page, 1, { which: 1 });
  await chooseLevel(page, 1, { which: 2 });
  await page.locator('form input[type=radio][value="listed"]').click();
  await submit(page).click();
  await settled(page);
  assert.deepEqual((await keptGame(page)).players.map((p) => p.bot), ['', 'level:2', 'level:1', 'level:1']);
  // Two of one name are told apart.
  const names = await page.locator('[data-seat] .name').allInnerTexts();
  assert.deepEqual(names.slice(1), [nameOf(2, 'fr'), `${nameOf(1, 'fr')} 1`, `${nameOf(1, 'fr')} 2`]);
});

test('the log, the replay and the end call a bot by its name', async (t) => {
  const game = await bosk('winter', { players: [person('Anna'), bot(5)] });
  const { page, to } = await here.visit(t, { games: [game] });
  await to(`/table/${game.id}`);
  await page.locator('dialog [data-verdict]').waitFor();
  const places = await page.locator('dialog .places').innerText();
  assert.ok(places.includes(nameOf(5)) && places.includes('Level 5'), places);
  await page.getByRole('button', { name: words('en', 'page.end.look') }).click();
  await eventually(() => page.locator('#panel ol').innerText(), (log) => log.includes(`${nameOf(5)} plants`));
  await to(`/replay/${game.id}`);
  await page.locator('ol.scores').waitFor();
  await eventually(() => page.locator('ol.scores').innerText(), (scores) => scores.includes(nameOf(5)));
});

test('a game that was begun before there were levels goes on, under the old words', async (t) => {
  const game = await bosk('spring', { players: [person('Anna'), { kind: 'bot', name: '', bot: 'ahead' }], planted: 2 });
  const { page, to } = await here.visit(t, { games: [game] });
  await to('/');
  await eventually(() => page.locator('[data-game]').innerText(), /Anna against 1 bot/);
  await page.locator('[data-game] a.act').click();
  await settled(page);
  assert.equal(await page.locator('[data-seat="1"] .name').innerText(), messages('en')['bosk.seat.oak']);
  assert.equal(await page.locator('[data-seat="1"] .role').innerText(), words('en', 'page.bot.ahead'));
});
