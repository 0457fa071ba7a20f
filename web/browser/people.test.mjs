/** Friends, invitations, usual rounds and blocks, and what goes on here: two people at
 * browsers, others by the API. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { guest, playOn, whoSitsAt } from './guests.mjs';
import { stand, visit } from './stand.mjs';
import { begin, gather } from './together.mjs';

const here = stand({ before, after });

/** Somebody else at a browser of their own. */
async function another(t, how) {
  const visitor = await visit(here.browser, here.server.url, how);
  t.after(async () => {
    assert.deepEqual(visitor.wrong, []);
    await visitor.context.close();
  });
  return visitor;
}

test('a link makes friends, who see each other where they are let, invite each other, and play again by one press', async (t) => {
  const { page, to } = await here.visit(t);
  await gather(page, to);
  await to('/friends');
  await page.locator('[data-make-link]').click();
  const link = await page.locator('[data-friend-link] [data-link]').inputValue();
  assert.match(link, /\/friends#[0-9a-z]{28}$/);

  const ben = await another(t, { size: 'phone', theme: 'dark', language: 'fr' });
  await ben.page.goto(link);
  await ben.page.locator('#guest').fill('Ben');
  await ben.page.locator('#guest').press('Enter');
  await ben.page.locator('[data-offered]').getByText('Anna veut être votre ami.').waitFor();
  await ben.page.locator('[data-agree]').click();
  await ben.page.locator('[data-friend="Anna"]').waitFor();
  await page.locator('[data-friend="Ben"]').waitFor(); // it is told
  assert.equal(await ben.page.locator('[data-friend="Anna"] .here').count(), 0); // nobody has asked her
  await page.locator('[data-shows-yes]').click();
  await page.locator('[data-ask-shows]').waitFor({ state: 'detached' });
  await ben.page.reload();
  await ben.page.locator('[data-friend="Anna"] .here').waitFor();
  await page.getByRole('switch').uncheck();
  await page.waitForFunction(async () => (await (await fetch('/api/friends')).json()).shows === false);
  await ben.page.reload();
  await ben.page.locator('[data-friend="Anna"]').waitFor();
  assert.equal(await ben.page.locator('[data-friend="Anna"] .here').count(), 0);

  // A company of two: its table is set, and the other is told wherever they look.
  await page.locator('[data-new-company]').click();
  await page.getByLabel('Name', { exact: true }).fill('Anna and Ben');
  await page.getByRole('checkbox', { name: 'Ben' }).check();
  await page.getByRole('radio', { name: 'GrandBois' }).check();
  await page.locator('[data-keep-company]').click();
  await ben.to('/');
  await page.locator('[data-company="Anna and Ben"] [data-play-company]').click();
  await page.waitForURL(/\/t\//);
  await page.locator('[data-seat="0"][data-held="person"]').waitFor();
  const invitation = ben.page.locator('[data-invitations] [data-table]');
  await invitation.getByText('Anna vous invite à jouer.').waitFor();
  // It is put away at once, and may be sent again once the server knows.
  const away = ben.page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await invitation.locator('[data-dismiss]').click();
  await invitation.waitFor({ state: 'detached' });
  await away;
  await page.locator('[data-invite-friends] [data-invite]').click(); // once more
  await invitation.waitFor();
  await invitation.locator('a.act').click();
  await ben.page.locator('[data-sit]').click();
  await ben.page.locator('[data-seat="1"][data-held="person"]').waitFor();
  await page.locator('[data-invite-friends]').waitFor({ state: 'detached' }); // there is no room left

  // By the keyboard alone: the friendship ends, and both lists say so.
  await to('/friends');
  await page.locator('[data-friend="Ben"] [data-change]').focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-drop-sure]').focus();
  await page.keyboard.press('Enter');
  await page.locator('[data-friend="Ben"]').waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement.tagName === 'H1'); // and the keyboard is somewhere
  await page.locator('[data-end-link]').click();
  await page.locator('[data-make-link]').waitFor();
});

test('after a game the others can be added, kept as a round, or blocked, and what they say is folded', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna } = await gather(page, to);
  const cleo = await guest(here.server.url, 'Cleo');
  const dora = await guest(here.server.url, 'Dora');
  const table = await begin([anna, dora], 'grandbois');
  await to(`/t/${table}`);
  await page.locator('[data-phase]').waitFor();
  await playOn(table, [anna, dora], (n) => n > 3);
  await dora.ask(`POST /api/tables/${table}/resign`);
  await page.locator('[data-others] [data-befriend]').click();
  await page.locator('[data-others] .told').waitFor();
  const [{ friend }] = (await dora.ask('GET /api/friends')).asks;
  await dora.ask(`POST /api/friends/${friend}`, { yes: true });
  await page.reload();
  await page.locator('[data-keep-company]').click();
  await page.locator('[data-kept]').waitFor();
  assert.equal((await anna.ask('GET /api/friends')).companies[0].name, 'The two of us');

  const open = await anna.set({ game: 'bosk', seats: 3, visible: 'open' });
  await anna.sit(open, 0);
  await cleo.sit(open, 1);
  await cleo.say(open, { text: 'You play like a stump.' });
  await to(`/t/${open}`);
  await page.getByText('You play like a stump.').waitFor();
  await page.locator('[data-people]').click();
  const row = page.locator('dialog [data-others] li', { hasText: 'Cleo' });
  await row.locator('[data-block]').focus();
  await page.keyboard.press('Enter');
  await row.locator('[data-block-sure]').waitFor();
  await page.waitForFunction(() => document.activeElement.matches('[data-block-sure]')); // the keyboard goes along
  await page.keyboard.press('Enter');
  await row.locator('.told').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-folded]').waitFor();
  assert.equal(await page.getByText('You play like a stump.').count(), 0);
  await cleo.say(open, { text: 'Still there?' });
  await page.locator('[data-folded]').nth(1).waitFor();
  await page.locator('[data-folded]').first().click();
  await page.getByText('You play like a stump.').waitFor();

  // Cleo gets up, and neither sees nor meets Anna at open tables.
  await cleo.ask(`POST /api/tables/${open}/leave`);
  assert.deepEqual((await cleo.ask('GET /api/tables')).tables, []);
  const refused = await cleo.send('POST', `/api/tables/${open}/sit`, { nonce: '0102030405060708090a0b0c0d0e0f10', seat: 1 });
  assert.equal(JSON.parse(refused.text).key, 'server.apart');
  await to('/friends');
  await page.locator('[data-blocked="Cleo"] [data-unblock]').click();
  await page.locator('[data-blocked]').waitFor({ state: 'detached' });
  await cleo.sit(open, 1);
});

test('home tells who is here and leads to the liveliest game in one click', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc } = await gather(page, to);
  const table = await begin([anna, luc], 'treesociety', { visible: 'open' });
  await playOn(table, [anna, luc], (n) => n > 2);
  await to(`/t/${table}`);
  await page.locator('[data-line="connected"]').first().waitFor({ state: 'attached' });

  const stranger = await another(t, { size: 'phone' });
  await stranger.to('/');
  await stranger.page.locator('[data-house] [data-watch]').waitFor();
  await stranger.page.locator('[data-counts]', { hasText: /(person|people) here.*open game/s }).waitFor();
  await stranger.page.locator('[data-watch]').click();
  await stranger.page.locator('[data-phase]').waitFor();
  assert.equal(new URL(stranger.page.url()).pathname, `/t/${table}`);
  assert.equal((await whoSitsAt(stranger.page).ask('GET /api/me')).signedIn, false);
});

test('home tells who wants to be a friend as it is asked, and heads my tables as what they are', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna } = await gather(page, to);
  const emil = await guest(here.server.url, 'Emil');
  const table = await anna.set({ game: 'bosk', seats: 3 });
  await anna.sit(table, 0);
  await emil.sit(table, 1);
  await to('/');
  await page.getByRole('heading', { name: 'My tables', exact: true }).waitFor();
  assert.equal(await page.locator('[data-asking]').count(), 0);
  await emil.ask('POST /api/friends', { table, seat: 0 });
  await page.locator('[data-asking]').getByText('Emil wants to be your friend.').waitFor();
  await page.locator('[data-asking] a').click();
  await page.locator('[data-no]').click(); // it is on the page of friends, and gone when it was answered
  await page.locator('[data-no]').waitFor({ state: 'detached' });
  await Promise.all([page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/friends'), to('/')]);
  await page.getByRole('heading', { name: 'My tables', exact: true }).waitFor();
  assert.equal(await page.locator('[data-asking]').count(), 0);
});
