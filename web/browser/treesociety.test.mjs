import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, choosable, confirm, dice, drafted, endSheet, hand, keptGame, lookAtSlip, playSociety, pointAt, scores, settled, societyTurn, startGame } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { engine, treesociety } from './games.mjs';
import { none, still, tooSmall } from './look.mjs';
import { bot, languages, person, stand } from './stand.mjs';
import { shapes, words } from './words.mjs';

const here = stand({ before, after });

const purse = (page) => page.locator('[data-ts-mine] [data-purse]').innerText().then((text) => Number(text.match(/^\d+/)[0]));

test('Tree Society in French, from home to the end sheet by mouse', { timeout: 1_800_000 }, async (t) => {
  const { page, to } = await here.visit(t, { language: 'fr' });
  await to('/');
  await startGame(page, { game: 'treesociety', seats: [{ who: 'person', name: 'Anna' }, { who: 'bot' }], level: 3 });
  await settled(page);
  await playSociety(page, { roll: dice('Tree Society in French') });
  const sheet = await endSheet(page);
  addsUp(sheet);
  assert.equal(sheet.totals.length, 2);
  assert.ok(sheet.totals.every((total) => total > 0));
  await page.locator('dialog').getByRole('button', { name: words('fr', 'page.end.look') }).click();
  const log = await page.locator('#panel ol p').allInnerTexts();
  const french = shapes('fr', 'treesociety.event.');
  assert.ok(log.length > 40);
  for (const line of log) assert.ok(french.some((say) => say.test(line)), `this is no French of ours: ${line}`);
});

test('from the fourth round to the end by thumb: the purse is always there, cards open before they act', { timeout: 1_800_000 }, async (t) => {
  const game = await treesociety('sell', { id: 'thumb', round: process.env.COPSE_TORTURE ? 1 : 4, seed: 'by thumb', players: [person(), bot(2)], options: { guilds: ['merchants', 'writers', 'botanists', 'explorers'] } });
  const { page, to } = await here.visit(t, { size: 'phone', language: 'it', games: [game] });
  await to('/table/thumb');
  await settled(page);
  none(await tooSmall(page), 'the table on a phone');
  await playSociety(page, {
    by: 'touch',
    roll: dice('by thumb'),
    async between() {
      assert.ok(await page.locator('[data-ts-tray] [data-purse]').isVisible(), 'the purse is there');
      assert.ok(await page.locator('[data-confirm]').isVisible(), 'so are the actions');
    },
  });
  addsUp(await endSheet(page));
});

test('three turns by keyboard alone, with effects used and skipped', { timeout: 1_800_000 }, async (t) => {
  const game = await treesociety('sell', { id: 'keys', round: 3, seed: 'by keys', players: [person(), bot(1)] });
  const { page, to } = await here.visit(t, { games: [game] });
  for (const act of ['click', 'move', 'down']) page.mouse[act] = () => assert.fail('this game is played by keys alone');
  await to('/table/keys');
  await settled(page);
  for (let n = 0; n < 3; n++) await societyTurn(page, { by: 'keys', roll: dice(`keys ${n}`) });
  // A card is enlarged by I, and Escape puts it back.
  await page.keyboard.press('F6');
  for (let i = 0; i < 12 && !(await page.evaluate(() => document.activeElement?.matches('[data-cell]'))); i++) await page.keyboard.press('F6');
  await page.keyboard.press('i');
  await page.locator('[data-look]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-look]').waitFor({ state: 'detached' });
  // Arrows move on among the cards.
  const at = (cell) => page.waitForFunction((cell) => document.activeElement?.getAttribute('data-cell') === cell, cell);
  await page.locator('[data-cell="top-0"]').focus();
  await page.keyboard.press('ArrowRight');
  await at('top-1');
  await page.keyboard.press('ArrowDown');
  await at('bottom-1');
  assert.equal(await page.locator('[data-ts-board] [tabindex="0"]').count(), 1, 'one stop of Tab');
});

test('both markets, one’s own cards and the purse are seen at once, in every language', { timeout: 600_000 }, async (t) => {
  const options = { guilds: ['architects', 'bankers', 'merchants', 'explorers'] }; // those with most to say
  const games = await Promise.all(['wordy', 'wordier'].map((seed, i) => treesociety(i ? 'build' : 'sell', { id: seed, round: 1 + 4 * i, seed, options, players: [person(), bot(1)] })));
  for (const language of languages) {
    const { page, to } = await here.visit(t, { language, games });
    for (const { id } of games) {
      await to(`/table/${id}`);
      await settled(page);
      await page.locator('[data-story], [data-phase=person]').first().waitFor();
      const hidden = await page.locator('#ts-tab').evaluate((stage) => stage.scrollHeight - stage.clientHeight);
      assert.ok(hidden <= 0, `${id} in ${language} hides ${hidden} pixels`);
    }
  }
});

test('a sale pays what its coin says, and says who adds to it', async (t) => {
  const game = await treesociety('sell', { id: 'sale', round: 2, seed: 'a sale', players: [person(), bot(1), bot(1)] });
  const { page, to } = await here.visit(t, { games: [game] });
  await to('/table/sale');
  await settled(page);
  const before = await purse(page);
  const [first] = (await choosable(page)).filter((c) => c.does === 'sell');
  const cell = page.locator(`[data-cell="${first.at}"]`);
  const pays = Number(await cell.locator('.pays text').textContent());
  await cell.hover();
  await page.locator('[data-detail]', { hasText: new RegExp(`\\b${pays}\\b`) }).waitFor();
  await pointAt(page, first.at);
  await drafted(page, 1);
  await page.waitForFunction((now) => document.querySelector('[data-ts-mine] [data-purse]').textContent.startsWith(String(now)), before + pays);
  await eventually(() => page.locator('[data-story]').innerText(), new RegExp(`\\b${pays}\\b`));
});

test('what cannot be done is refused beside the spot, with its rule', async (t) => {
  const game = await treesociety('sell', { id: 'no', round: 2, seed: 'refusals', players: [person(), bot(1)] });
  const { page, to } = await here.visit(t, { games: [game] });
  await to('/table/no');
  await settled(page);
  const refused = async (where, rule) => {
    const slip = page.locator('[data-slip]');
    await lookAtSlip(page);
    await still(page); // it shakes
    const [box, spot] = [await slip.boundingBox(), await where.boundingBox()];
    const far = Math.hypot(box.x + box.width / 2 - spot.x - spot.width / 2, box.y + box.height / 2 - spot.y - spot.height / 2);
    assert.ok(far < 320, `the slip lies ${Math.round(far)} pixels away`);
    assert.equal(await slip.locator('a').getAttribute('href'), `/rules/treesociety#${rule}`);
    await page.keyboard.press('Escape');
    await slip.waitFor({ state: 'detached' });
  };
  const low = async (cell) => cell.click({ position: { x: 40, y: (await cell.boundingBox()).height - 12 } });
  // Nothing is built before the sale, and no fruit taken.
  const market = page.locator('[data-cell="bottom-0"]');
  await low(market);
  await refused(market, '2.1');
  const stall = page.locator('[data-cell="stall-0"]');
  await low(stall);
  await refused(stall, '2.1');
  await pointAt(page, (await choosable(page))[0].at);
  await drafted(page, 1);
  // After the sale: a card too dear says how much is missing, on it and in words.
  const dear = page.locator('[data-cell]:has(.tag)').first();
  if (await dear.count()) {
    await low(dear);
    await lookAtSlip(page);
    const short = (await dear.locator('.tag').innerText()).match(/\d+/)[0];
    assert.match(await page.locator('[data-slip]').innerText(), new RegExp(`\\b${short}\\b`));
    await page.keyboard.press('Escape');
  }
  const again = page.locator('[data-cell="fruit-0"]');
  await low(again);
  await refused(again, '2.1');
  assert.equal((await keptGame(page)).draft.length, 1, 'nothing of it was done');
});

test('effects are told as a story, used or skipped, and undone step by step', async (t) => {
  const game = await treesociety('build', { id: 'story', seed: 'a story', players: [person(), bot(1)], when: (view) => view.job?.stage === 'asked' && view.round >= 2 });
  const { page, to } = await here.visit(t, { games: [game] });
  await to('/table/story');
  await settled(page);
  const asked = page.locator('[data-asked]');
  await asked.waitFor();
  const lines = await page.locator('[data-story] li').count();
  await hand(page).press(asked.locator('[data-skip-effect]'));
  await asked.waitFor({ state: 'detached' });
  await eventually(() => page.locator('[data-story] li').count(), lines + 1);
  assert.equal(await page.locator('[data-story] li').last().evaluate((li) => li.classList.contains('deep')), true, 'what follows from a level is told deeper');
  await page.keyboard.press('u');
  await asked.waitFor();
  await eventually(() => page.locator('[data-story] li').count(), lines);
});

test('rest says beforehand what is lost, and keeps its word', async (t) => {
  const game = await treesociety('build', { id: 'rest', seed: 'a rest', players: [person(), bot(1)], when: (view) => !view.job && view.players[0].purse > 4 && view.action?.state !== 'begun' });
  const { page, to } = await here.visit(t, { games: [game] });
  await to('/table/rest');
  await settled(page);
  const lost = Number((await page.locator('[data-confirm]').innerText()).match(/\d+/)[0]);
  assert.ok(lost > 0);
  await page.locator('[data-confirm]').click();
  await drafted(page, 1);
  await pointAt(page, (await choosable(page))[0].at);
  await drafted(page, 2);
  const have = await purse(page);
  const chest = Number(await page.locator('[data-ts-mine] [data-chest]').innerText());
  assert.equal(chest, 0, 'the chest is emptied');
  assert.ok(have >= 0);
  const story = await page.locator('[data-story]').innerText();
  assert.match(story, new RegExp(`\\b${lost}\\b`));
});

test('guilds, banners and the draft are chosen for a new game', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/treesociety/new');
  const due = page.locator('[data-guilds-due]');
  const start = page.locator('form button[type=submit]');
  const swap = (guild) => page.locator(`[data-guild="${guild}"]`).click();
  await swap('architects');
  await eventually(() => due.innerText(), 'Choose one more.');
  await start.click();
  assert.equal(await page.locator('[data-guild] input').first().evaluate((box) => box.validationMessage), 'Choose one more.', 'too few guilds begin no game');
  await swap('explorers');
  await swap('botanists');
  await eventually(() => due.innerText(), /^One too many/);
  await swap('bankers');
  await eventually(() => page.locator('[data-guild]:has(:checked)').evaluateAll((list) => list.map((b) => b.dataset.guild)), ['merchants', 'writers', 'botanists', 'explorers']);
  await page.getByRole('radio', { name: '7' }).check({ force: true });
  await page.getByRole('switch', { name: words('en', 'treesociety.option.draft') }).press('Space');
  await start.click();
  await page.locator('[data-phase]').waitFor();
  await settled(page);
  const { options } = await keptGame(page);
  assert.deepEqual([...options.guilds].sort(), ['botanists', 'explorers', 'merchants', 'writers']);
  assert.equal(options.banners, 7);
  assert.equal(options.draft, true);
  assert.ok((await choosable(page)).every((c) => c.does === 'draft'));
});

test('the deck browser shows every card, and finds one by its words', async (t) => {
  const { page, to } = await here.visit(t, { language: 'it' });
  await to('/treesociety/cards');
  await page.locator('[data-printed]').first().waitFor();
  await eventually(() => page.locator('[data-printed]').count(), 73);
  await page.locator('.filter [data-guild="bankers"]').click();
  await eventually(() => page.locator('[data-printed]').count(), 12);
  await page.locator('.search input').fill('forziere');
  const found = () => page.locator('[data-printed]').allInnerTexts();
  await eventually(found, (cards) => cards.length > 2 && cards.length < 12 && cards.every((card) => /forziere/i.test(card)), 'those that speak of it are found');
});

test('what is pointed at is what the seats expect', async (t) => {
  const game = await treesociety('build', { id: 'expect', round: 4, seed: 'expect', players: [person(), bot(1)], when: (view) => !view.job && view.quotes.some((q) => q.level > 1 && !q.short && !q.first) && view.action?.state !== 'begun' });
  const { page, to } = await here.visit(t, { games: [game] });
  await to('/table/expect');
  await settled(page);
  const raise = (await choosable(page)).find((c) => c.does === 'raise');
  await page.locator(`[data-cell="${raise.at}"]`).focus();
  const [{ after: expected }] = await scores(page);
  await pointAt(page, raise.at);
  await drafted(page, 1);
  await page.waitForFunction((n) => document.querySelector('[data-seat="0"]').textContent.includes(String(n)), expected);
  assert.equal((await scores(page))[0].after, expected);
});

/** A deck of rich players and cheap cards. A starting card founds on level 2, which
 * may need a place; on level 3 it draws three guilds and keeps two. Writers bring a
 * coin. */
async function roomyDeck() {
  const { ask, end } = engine();
  try {
    const { cards, fruits } = (await ask('cards', { game: 'treesociety' })).printed;
    const level = (cost, clause) => ({ cost, points: 1, ...(clause && { effect: { do: [clause] } }) });
    return {
      coins: Array.from({ length: 4 }, () => ({ purse: 20, chest: 0 })),
      cards: cards.map(({ words, levels, ...card }) => ({
        ...card,
        levels: card.start
          ? [level(2), level(1, { verb: 'found', less: 1 }), level(2, { verb: 'draw-guild', count: 3, keep: 2 })]
          : [level(2, card.guild === 'writers' && { verb: 'coins', amount: 1 }), level(2), level(3)],
      })),
      fruits: fruits.map(({ words, ...fruit }) => fruit),
    };
  } finally {
    end();
  }
}

test('an effect that needs a place waits for a discard, and guilds are kept one after the other', { timeout: 600_000 }, async (t) => {
  const game = await treesociety('build', { id: 'room', seed: 'room', players: [person(), bot(1)], options: { box: await roomyDeck() }, when: (view) => !view.job && view.sold.length === 1 });
  for (const by of ['mouse', 'keys']) {
    const { page, to } = await here.visit(t, { games: [game] });
    await to('/table/room');
    await settled(page);
    const asked = page.locator('[data-asked]');
    const point = async (does, not = () => false) => {
      const { length } = (await keptGame(page)).draft;
      const cell = (await choosable(page)).find((c) => c.does === does && !not(c));
      assert.ok(cell, `nothing to ${does}`);
      await pointAt(page, cell.at, by);
      await drafted(page, length + 1);
      return cell.card;
    };
    const press = async (what) => {
      const { length } = (await keptGame(page)).draft;
      await hand(page, by).press(what);
      await drafted(page, length + 1);
    };
    const skip = async () => {
      if (await asked.count()) await press(asked.locator('[data-skip-effect]'));
    };
    const begun = Number(await page.locator('[data-cell="progress-0"]').getAttribute('data-card'));
    for (let n = 0; n < 2; n++) {
      await point('found');
      await skip();
    }
    await point('raise', (c) => c.card !== begun);
    await page.locator('[data-asked=room]').waitFor();
    assert.equal(await page.locator('[data-use]').count(), 0, 'it cannot be used yet');
    assert.equal(await asked.locator('[data-skip-effect]').count(), 1);
    await eventually(() => page.locator('[data-confirm]').innerText(), /Discard or skip/);
    await point('discard', (c) => c.card === begun);
    await page.locator('[data-asked=use]').waitFor();
    await press(page.locator('[data-use]'));
    await point('found');
    await skip();
    await point('raise', (c) => c.card !== begun);
    await page.locator('[data-asked=use]').waitFor();
    await hand(page, by).press(page.locator('[data-use]'));
    await page.locator('[data-confirm]:not(.early):not([data-next])').waitFor();
    await confirm(page, by); // chance turns three cards
    const none = page.locator('[data-keep-none]');
    await none.waitFor();
    const words1 = await none.innerText();
    await point('keep');
    await eventually(() => none.innerText(), (now) => now !== words1, 'one is kept: that may be enough');
    await press(none);
    await none.waitFor({ state: 'detached' });
    if (by === 'keys') continue;
    // The other way: both are kept, and the effects of writers come in their order.
    await page.keyboard.press('u');
    await none.waitFor();
    const kept = (await keptGame(page)).draft.length;
    if ((await choosable(page)).some((c) => c.does === 'keep')) await point('keep');
    else await press(none);
    assert.ok((await keptGame(page)).draft.length > kept);
    while (await asked.count()) await press(asked.locator('[data-use]'));
  }
});

test('the aid says which version of the rules the table plays', async (t) => {
  const fresh = await treesociety('sell', { id: 'newest', seed: 'newest', players: [person(), bot(1)] });
  const old = { ...fresh, id: 'old', version: 2, line: [] };
  const { page, to } = await here.visit(t, { games: [fresh, old] });
  for (const [id, version] of [['newest', 5], ['old', 2]]) {
    await to(`/table/${id}`);
    await settled(page);
    await page.keyboard.press('a');
    const said = page.locator('[data-version]');
    await said.waitFor();
    assert.equal(await said.getAttribute('data-version'), String(version));
    assert.match(await said.innerText(), new RegExp(`version ${version}`));
    assert.equal(/add up/.test(await said.innerText()), version < 3, 'what was otherwise is said of an old one');
    await page.keyboard.press('Escape');
  }
});
