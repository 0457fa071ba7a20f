import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, anyhow, dice, endSheet, keptGame, playBosk, playGrandbois, settled } from './drive.mjs';
import { bosk, grandbois } from './games.mjs';
import { bot, browse, kept, person, serve, visit } from './stand.mjs';
import { words } from './words.mjs';

let browser;
before(async () => {
  browser = await browse();
});
after(() => browser?.close());

/** What of a game comes after its beginning, which is played from home: stretches of it,
 * each with how many turns are enough, the last to the end. Where there is time
 * (`make torture`) the first game is played to its end instead. */
const later = {
  bosk: async () => [[await bosk('spring', { id: 'seasons', planted: 14 }), 3], [await bosk('autumn', { id: 'end', round: 7 }), Infinity]],
  grandbois: async () => [[await grandbois('place', { id: 'end', laid: 26 }), Infinity]],
};

for (const game of ['bosk', 'grandbois'])
  test(`once loaded, ${game} needs neither net nor server, from the start to the end and back home`, { timeout: 1_800_000 }, async (t) => {
    const server = await serve();
    t.after(() => server.stop());
    const stretches = process.env.COPSE_TORTURE ? [] : await later[game]();
    const { context, page, wrong, to } = await visit(browser, server.url, { offline: true, games: stretches.map(([game]) => game) });
    t.after(() => context.close());
    await to('/');
    await page.getByText(words('en', 'page.offline.ready')).waitFor();
    assert.deepEqual(wrong, []);
    await server.stop();
    await context.setOffline(true);

    await page.reload();
    await page.getByRole('heading', { name: words('en', 'page.home.title') }).waitFor();
    await page.locator(`article .ways a.act[href="/${game}/new"]`).click();
    await page.locator('form button[type=submit]').click();
    await settled(page);
    let turns = 0;
    const again = async () => {
      if (++turns !== 3) return;
      const before = await keptGame(page);
      await page.reload();
      await settled(page);
      const after = await keptGame(page);
      assert.deepEqual([after.line, after.draft], [before.line, before.draft]);
    };
    const plan = anyhow(dice('offline'));
    const roll = dice('offline');
    const play = (enough) => {
      const until = () => turns >= enough;
      return game === 'bosk' ? playBosk(page, { plan, beforeConfirm: again, until }) : playGrandbois(page, { roll, atGhost: again, until });
    };
    await play(stretches.length ? 4 : Infinity);
    assert.ok(turns > 3);
    for (const [{ id }, enough] of stretches) {
      await to(`/table/${id}`);
      await settled(page);
      await play(turns + enough);
    }
    addsUp(await endSheet(page));
    const { id } = await keptGame(page);
    // Back home it is among my games.
    await page.locator('dialog').getByRole('link', { name: words('en', 'page.nav.home') }).click();
    await page.locator(`[data-game="${id}"]`, { hasText: /You (won|came second)/ }).waitFor();
    assert.equal(await page.locator('[data-game]').count(), 1 + stretches.length);
    await to(`/rules/${game}`);
    await page.locator('.rule').first().waitFor();
    // The engines of the others are there as well.
    for (const other of ['bosk', 'grandbois', 'treesociety'].filter((name) => name !== game)) {
      await to(`/${other}/new`);
      await page.locator('form button[type=submit]').click();
      await settled(page);
    }
    // Without a server every look for a newer version fails; nothing else does.
    assert.deepEqual(wrong.filter((w) => !/sw\.js|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/.test(w)), []);
  });

test('what is no page is left to the server, also once everything is kept', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const { context, page, to } = await visit(browser, server.url, { offline: true });
  t.after(() => context.close());
  await to('/');
  await page.getByText(words('en', 'page.offline.ready')).waitFor();
  const answers = {};
  for (const path of ['/healthz', '/readyz', '/api/docs', '/api/openapi.json', '/licences.txt', '/docs', '/docs/api', '/docs/nothing', '/nothing', '/bosk', '/api/nothing', '/settings', '/t/nosuchtable1']) {
    const answer = await page.goto(server.url + path);
    answers[path] = [answer.status(), answer.fromServiceWorker()];
    if (path === '/api/docs') await page.getByRole('heading', { name: 'Copse', exact: false }).first().waitFor();
    if (path === '/nothing') await page.getByRole('heading', { name: words('en', 'page.home.lost') }).waitFor();
  }
  assert.deepEqual(answers, {
    '/healthz': [200, false],
    '/readyz': [200, false],
    '/api/docs': [200, false],
    '/api/openapi.json': [200, false],
    '/licences.txt': [200, true],
    '/docs': [200, false],
    '/docs/api': [200, false],
    '/docs/nothing': [404, false],
    '/nothing': [404, false],
    '/bosk': [404, false],
    '/api/nothing': [404, false],
    '/settings': [200, true],
    '/t/nosuchtable1': [200, true],
  });
  await page.getByRole('heading', { name: words('en', 'page.online.gone') }).waitFor();
});

test('the net of a level is fetched when it plays, not before, and kept from then on', async (t) => {
  const server = await serve();
  t.after(() => server.stop());
  const table = (level, id = `level${level}`) => kept({ id, game: 'bosk', players: [bot(level), person(), bot(1)] });
  const { context, page, wrong, to } = await visit(browser, server.url, { offline: true, games: [table(2), table(9), table(9, 'again')] });
  t.after(() => context.close());
  const keptNets = () =>
    page.evaluate(async () => {
      const urls = [];
      for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) urls.push(url);
      return urls.filter((url) => url.endsWith('.net')).map((url) => url.match(/([a-z]+-[\d-]+-of-\d)-[^/]*$/)[1]);
    });
  await to('/');
  await page.getByText(words('en', 'page.offline.ready')).waitFor();
  await to('/table/level2');
  await settled(page, 0);
  assert.deepEqual(await keptNets(), []);
  await to('/table/level9');
  await settled(page, 0);
  assert.deepEqual(await keptNets(), ['bosk-1-of-3']);
  const moves = async () => (await keptGame(page)).line;
  const there = await moves();
  assert.deepEqual(wrong, []);

  await server.stop();
  await context.setOffline(true);
  await to('/table/again');
  await settled(page, 0);
  assert.deepEqual(await moves(), there, 'without a line it judges by the net all the same');
  assert.deepEqual(wrong.filter((w) => !/sw\.js|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/.test(w)), []);
});
