import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, dice, endSheet, grandboisTurn, keptGame, layTile, playGrandbois, scores, settled, startGame, takeScreen } from './drive.mjs';
import { grandbois } from './games.mjs';
import { person, stand } from './stand.mjs';
import { messages, shapes, words } from './words.mjs';

const here = stand({ before, after });

test('GrandBois in Italian, from home to the end sheet; alone at the screen, what a tile would bring is told twice and the same', async (t) => {
  const { page, to } = await here.visit(t, { language: 'it' });
  await to('/');
  await startGame(page, { game: 'grandbois' });
  await settled(page);
  const seats = (await keptGame(page)).players.length;
  let seen = 0;
  await playGrandbois(page, {
    roll: dice('GrandBois in Italian'),
    async atGhost() {
      const { players } = await keptGame(page);
      const mine = (await scores(page))[players.findIndex((p) => p.kind === 'person')];
      const own = await page.locator('.gb-clan .total b').innerText();
      assert.equal(Number(own), mine.after, 'the panel beside the forest and the seat say the same');
      seen++;
    },
  });
  assert.ok(seen > 3);
  const sheet = await endSheet(page);
  addsUp(sheet);
  assert.equal(sheet.totals.length, seats);
  assert.ok(sheet.totals.every((total) => total > 0));

  await page.locator('dialog').getByRole('button', { name: words('it', 'page.end.look') }).click();
  const log = await page.locator('#panel ol p').allInnerTexts();
  const italian = shapes('it', 'grandbois.event.');
  assert.ok(log.length > 20);
  for (const line of log) assert.ok(italian.some((say) => say.test(line)), `this is no Italian of ours: ${line}`);
});

/** Every word and picture of the page, whether it can be seen or not, once the forest
 * lies still. */
async function everything(page) {
  await page.waitForFunction(() => !document.querySelector('.gliding'));
  return page.evaluate(() => document.documentElement.outerHTML);
}

/** How a clan card is named, in the language of the page. */
const nameOf = (clan) => messages('fr')[`grandbois.clan.${clan}`];

/** How the log tells somebody their own clan. */
const secrets = (clan) => ['Anna', 'Luc'].map((name) => messages('fr')['grandbois.event.clan'].replace('{seat, seat}', name).replace(/\{clan, .*?\}/, nameOf(clan)));

test('two people at one screen never see each other’s clan', async (t) => {
  const game = await grandbois('place', { players: [person('Anna'), person('Luc')], seed: 'hand over' });
  const clans = [0, 1].map((seat) => game.line.filter((e) => e.move.do === 'deal' && e.move.seat === seat).map((e) => e.move.clan));
  const { page, to } = await here.visit(t, { language: 'fr', games: [game], settings: { language: 'fr' } });
  await to(`/table/${game.id}`);
  const covered = async (when) => {
    const card = page.locator('.gb-clan .card, .gb-clan .total, .gb-score');
    assert.equal(await card.count(), 0, `no clan lies open ${when}`);
    const html = await everything(page);
    for (const clan of clans.flat()) for (const told of secrets(clan)) assert.ok(!html.includes(told), `the page says “${told}” ${when}`);
    const [tab] = await page.locator('#tab-scores').elementHandles();
    await tab.evaluate((e) => e.click());
    await page.locator('#panel td').first().waitFor({ state: 'attached' });
    const points = await page.locator('#panel td').allInnerTexts();
    assert.ok(points.length > 10 && points.every((p) => p === '?' || p === '–'), `the score sheet tells of a clan ${when}`);
    await page.locator('#tab-log').evaluate((e) => e.click());
    // The animals are all over the forest: what must not be there is a card.
    const secret = await page.evaluate(() => [...document.querySelectorAll('.gb-clan, .gb-clan *')].flatMap((e) => [e.getAttribute('aria-label'), e.getAttribute('title'), ...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data)]).filter(Boolean).join(' '));
    for (const clan of clans.flat()) assert.ok(!secret.toLowerCase().includes(nameOf(clan).toLowerCase()), `“${secret}” tells of a clan ${when}`);
  };
  for (let turn = 0; turn < 4; turn++) {
    assert.equal(await settled(page), 'hand-over');
    await covered('while the screen is handed over');
    assert.deepEqual((await scores(page)).map((s) => s.score), [null, null], 'nobody’s score shows');
    assert.equal(await takeScreen(page), 'person');
    await covered('before it is asked for');
    // Held open it is this person's own clan, and covered again when let go.
    await page.locator('[data-clan]').hover();
    await page.mouse.down();
    await page.locator('.gb-clan .card').first().waitFor();
    const shown = await page.locator('.gb-clan .card').allInnerTexts();
    assert.deepEqual(shown.map((s) => s.toLowerCase()).sort(), clans[turn % 2].map((c) => nameOf(c).toLowerCase()).sort());
    await page.mouse.up();
    await page.locator('.gb-clan .card').first().waitFor({ state: 'detached' });
    await covered('after it was let go');
    await grandboisTurn(page, { roll: dice(`secret ${turn}`), atGhost: () => covered('with a ghost') });
  }
});

test('what is dealt to the other leaves no trace on the page', async (t) => {
  // The same game twice, but for the second seat's clan: whoever sits in the
  // first seat, and whoever watches, gets the same page to the last letter.
  const game = await grandbois('place', { players: [person('Anna'), person('Luc')], seed: 'hand over' });
  const dealt = game.line.flatMap((e) => (e.move.do === 'deal' ? [e.move.clan] : []));
  const other = ['toad', 'rabbit', 'fox', 'raccoon', 'lizard'].find((clan) => !dealt.includes(clan));
  const twin = structuredClone(game);
  twin.line.find((e) => e.move.do === 'deal' && e.move.seat === 1).move.clan = other;
  const pages = [];
  for (const version of [game, twin]) {
    const { page, to } = await here.visit(t, { games: [version] });
    await to(`/table/${game.id}`);
    assert.equal(await settled(page), 'hand-over');
    for (const late of ['#panel ol', '.gb-pile']) await page.locator(late).first().waitFor({ state: 'attached' }); // what comes after the board
    const parts = [await everything(page)];
    assert.equal(await takeScreen(page), 'person');
    parts.push(await everything(page));
    await layTile(page, { roll: dice('twin') });
    parts.push(await everything(page));
    pages.push(parts.map((html) => html.replace(/c\d+-/g, '')));
  }
  const [one, two] = pages.map((parts) => parts.join('\n'));
  const at = [...one].findIndex((letter, i) => letter !== two[i]);
  assert.ok(one === two, `the pages differ: “${one.slice(at - 80, at + 120)}” and “${two.slice(at - 80, at + 120)}”`);
});
