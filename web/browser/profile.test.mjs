/** A member's page: what one sees oneself, what others see, and the choice between the
 * two; on a phone and on a desk, by keys, in every language. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { drawn, reach } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { barriers, cutOff, none, speak, still, tooSmall } from './look.mjs';
import { api, keepsName, nonce, rated } from './rated.mjs';
import { browse, serve, visit } from './stand.mjs';

let server, browser, url;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
  url = server.url.replace('127.0.0.1', 'localhost'); // passkeys are for names
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

async function come(t, how = {}) {
  const guest = await visit(browser, url, { size: 'desk', ...how });
  t.after(async () => {
    await guest.context.close();
    assert.deepEqual(guest.wrong.filter((text) => !/404|409/.test(text)), [], 'what must not happen on a page');
  });
  return guest;
}

/** Becomes a member. */
async function joins(t, name, how) {
  const guest = await come(t, how);
  await keepsName(guest, name);
  return guest;
}

/** A game that the second one gives up at once. */
async function loses(one, two, visible) {
  const { table } = await api(one, 'POST', '/api/tables', { game: 'bosk', seats: 2, visible });
  for (const [i, page] of [one, two].entries()) await api(page, 'POST', `/api/tables/${table}/sit`, { nonce: nonce(i + 1) });
  await api(one, 'POST', `/api/tables/${table}/start`, {});
  await api(two, 'POST', `/api/tables/${table}/resign`, {});
  return table;
}

const picture = process.env.COPSE_PROFILE_PICTURES; // where to, for whoever wants to look
const snap = async (page, name) => picture && (await page.screenshot({ path: `${picture}/${name}.png`, fullPage: true }));

test('a member shows what they choose, and others see that and nothing else', async (t) => {
  const anna = await joins(t, 'Anna');
  const ben = await joins(t, 'Ben', { size: 'phone' });

  // A newcomer's page has a word where there is nothing yet.
  await anna.to('/credits');
  await anna.page.locator('footer a[href="/people/Anna"]').click();
  await anna.page.locator('[data-profile="Anna"]').waitFor();
  await anna.page.locator('[data-choices] input').nth(3).waitFor();
  assert.equal(await anna.page.locator('[data-choices] input').count(), 4);
  await anna.page.locator('[data-ratings] a[href="/play"]').waitFor();
  await snap(anna.page, 'newcomer-desk');

  const open = await loses(anna.page, ben.page, 'open');
  const shut = await loses(ben.page, anna.page, 'link');
  for (let n = 0; n < 4; n++) await rated(...(n === 2 ? [ben.page, anna.page] : [anna.page, ben.page]));

  await anna.to('/people/Anna');
  await anna.page.locator('[data-profile="Anna"]').waitFor();
  await anna.page.locator('[data-games] [data-played]').nth(4).waitFor();
  await still(anna.page);
  assert.equal(await anna.page.locator('[data-games] [data-played]').count(), 5);
  assert.equal(await anna.page.locator(`[data-closed] [data-played="${shut}"]`).count(), 1);
  await eventually(() => anna.page.locator('[data-ratings] .interval').textContent(), /^Level \d+ to \d+$/);
  await anna.page.locator('[data-ratings] svg polygon.band').first().waitFor({ state: 'attached' });
  assert.match(await anna.page.locator(`[data-games] [data-played="${open}"]`).textContent(), /Won.*Anna.*Ben/s);
  await snap(anna.page, 'own-desk');
  none(await barriers(anna.page), 'her own page');
  await anna.page.locator('[data-ratings] summary').click();
  assert.equal(await anna.page.locator('[data-ratings] tbody tr').count(), 4);

  // On a phone, as somebody else: no closed table, nobody else's name.
  await ben.to('/people/Anna');
  await ben.page.locator('[data-profile="Anna"]').waitFor();
  await ben.page.locator('[data-games] [data-played]').nth(4).waitFor();
  await still(ben.page);
  await snap(ben.page, 'other-phone');
  assert.equal(await ben.page.locator('[data-games] [data-played]').count(), 5);
  assert.equal(await ben.page.locator('[data-closed], [data-choices]').count(), 0);
  assert.doesNotMatch(await ben.page.locator('[data-games]').textContent(), /Ben/);
  assert.deepEqual(await tooSmall(ben.page), []);
  for (const language of ['fr', 'it', 'en']) {
    await speak(ben.page, language);
    await still(ben.page);
    assert.deepEqual(await cutOff(ben.page), [], language);
    await snap(ben.page, `other-phone-${language}`);
  }
  none(await barriers(ben.page), 'as somebody else sees it'); // no language changes roles or colours
  await ben.page.locator(`[data-played="${open}"] a[href="/replay/${open}"]`).click();
  await ben.page.waitForURL(`**/replay/${open}`);

  // Everything is hidden, by keys alone; the page of somebody else has the name.
  for (const which of ['Ratings', 'Results', 'Games at open tables']) {
    const choice = anna.page.locator('[data-choices]').getByRole('switch', { name: which, exact: true });
    await reach(anna.page, choice);
    const kept = anna.page.waitForResponse((r) => r.url().endsWith('/api/me/shown'));
    await anna.page.keyboard.press('Space');
    assert.equal((await kept).status(), 200);
  }
  await anna.page.locator('[data-results] .title .small', { hasText: 'Only you see this' }).waitFor();
  await ben.to('/people/Anna');
  await ben.page.locator('[data-bare]').waitFor();
  await snap(ben.page, 'bare-phone');
  assert.equal(await ben.page.locator('[data-ratings], [data-results], [data-games]').count(), 0);
  assert.doesNotMatch(await ben.page.locator('main').textContent(), /Member since/);
  none(await barriers(ben.page), 'a page on which nothing is shown');
  await anna.page.reload(); // and it is kept
  await anna.page.locator('[data-choices]').waitFor();
  await eventually(() => anna.page.locator('[data-choices] input').evaluateAll((all) => all.map((one) => one.checked)), [false, false, false, false]);

  // Dark, on a phone, her own.
  await anna.page.setViewportSize({ width: 390, height: 844 });
  await anna.page.emulateMedia({ colorScheme: 'dark' });
  await still(anna.page);
  await snap(anna.page, 'own-phone-dark');
  assert.deepEqual(await cutOff(anna.page), []);
  assert.deepEqual(await tooSmall(anna.page), []);
  none(await barriers(anna.page), 'her own, dark');
});

test('who is no member has no page, and guests are said to be guests', async (t) => {
  const cleo = await joins(t, 'Cleo');
  const dora = await come(t, { size: 'phone' });
  await dora.to('/credits');
  await api(dora.page, 'POST', '/api/me', { name: 'Dora' });
  await dora.page.evaluate(() => localStorage.setItem('copse.online', '00'));
  for (const name of ['Dora', 'Nobody', 'a%2Fb', 'J.%20R.']) {
    await cleo.to(`/people/${name}`);
    await cleo.page.locator('h1', { hasText: decodeURIComponent(name) }).waitFor();
    assert.equal(await cleo.page.locator('[data-profile]').count(), 0);
  }

  // In the list of open tables the guest is a guest, and the member's name leads to her page.
  const { table } = await api(cleo.page, 'POST', '/api/tables', { game: 'bosk', seats: 4, visible: 'open' });
  await api(cleo.page, 'POST', `/api/tables/${table}/sit`, { nonce: nonce(1) });
  const emil = await come(t);
  await emil.to('/credits');
  await api(emil.page, 'POST', '/api/me', { name: 'Emil' });
  await api(dora.page, 'POST', `/api/tables/${table}/sit`, { nonce: nonce(2) });
  await api(emil.page, 'POST', `/api/tables/${table}/sit`, { nonce: nonce(3) });
  await cleo.to('/together');
  const row = cleo.page.locator(`[data-table="${table}"]`).first();
  await row.waitFor();
  await eventually(() => row.textContent(), /Dora \(guest\)/);
  await eventually(() => row.locator('a[href="/people/Cleo"]').count(), 1);
  assert.equal(await row.locator('a[href="/people/Dora"]').count(), 0);

  // Before the game, and at the table, for the eyes of both.
  await dora.to(`/t/${table}`);
  await dora.page.locator('[data-seat="0"] a[href="/people/Cleo"]').waitFor();
  await still(dora.page);
  assert.deepEqual(await tooSmall(dora.page), []);
  none(await barriers(dora.page), 'the lobby');
  await api(dora.page, 'POST', `/api/tables/${table}/chat`, { phrase: 'hello' });
  await api(cleo.page, 'POST', `/api/tables/${table}/chat`, { phrase: 'hello' });
  await dora.page.locator('[data-talk] a[href="/people/Cleo"]').waitFor();
  await api(cleo.page, 'POST', `/api/tables/${table}/start`, { fill: 'easy' });
  await cleo.to(`/t/${table}`);
  await cleo.page.locator('[data-seat="1"] .role', { hasText: 'guest' }).waitFor();
  assert.equal(await cleo.page.locator('[data-seat="1"] [data-page]').count(), 0);
  await cleo.page.locator('[data-seat="0"] [data-page][href="/people/Cleo"]').waitFor();
  await drawn(cleo.page);
  await still(cleo.page);
  await snap(cleo.page, 'plates-desk');
  await dora.to(`/t/${table}`);
  await dora.page.locator('[data-seat="2"] .role', { hasText: 'guest' }).waitFor();
  await drawn(dora.page);
  await still(dora.page);
  const mark = await dora.page.locator('[data-seat="2"] .role').boundingBox(); // it can be seen, not only heard
  assert.ok(mark.width > 20 && mark.height > 8, JSON.stringify(mark));
  for (const language of ['fr', 'it', 'en']) {
    await speak(dora.page, language);
    await still(dora.page);
    await snap(dora.page, `plates-phone-${language}`);
    assert.deepEqual(await cutOff(dora.page), [], language);
  }
});
