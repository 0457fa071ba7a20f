/** What somebody finds who comes back to friends, and what they can do about
 * themselves. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { focusShows, reach, settled, stopClock } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { bosk } from './games.mjs';
import { playOn, whoSitsAt } from './guests.mjs';
import { bot, person, stand } from './stand.mjs';
import { begin, gather } from './together.mjs';
import { messages, words } from './words.mjs';

const here = stand({ before, after });
const slip = '[data-missed]';
const shows = (page, phase) => page.waitForFunction((phase) => document.querySelector('[data-phase]')?.dataset.phase === phase, phase);
/** Notes whatever phase and move the table shows from now on, however slowly we look. */
const note = (page) =>
  page.evaluate(() => {
    const table = document.querySelector('[data-phase]');
    const now = () => ({ phase: table.dataset.phase, moves: Number(table.dataset.moves) });
    window.noted = [];
    new MutationObserver(() => window.noted.push(now())).observe(table, { attributeFilter: ['data-phase', 'data-moves'] });
  });
/** Has what was missed shown, up to its first move, and stops the clock there:
 * by itself the showing goes no further. */
async function firstStop(page) {
  await page.locator('[data-recap]').waitFor();
  const last = await made(page);
  await stopClock(page);
  await page.locator('[data-recap]').click();
  const back = () => page.locator('[data-phase]').evaluate(({ dataset: { phase, moves } }) => [phase, Number(moves)]);
  const [, from] = await eventually(back, ([phase, moves]) => phase === 'recap' && moves < last, 'it begins where she left');
  // How it looked then is told by an engine, and only from that moment on the stop is timed.
  const stop = async () => {
    await page.clock.runFor(100);
    return made(page);
  };
  await eventually(stop, (now) => now > from, 'a first move is shown');
}
const made = (page) => page.locator('[data-moves]').getAttribute('data-moves').then(Number);

for (const game of ['bosk', 'grandbois'])
  test(`who comes back to ${game} is shown what the others did, once, and any key ends it`, async (t) => {
    const { page, to } = await here.visit(t);
    const { anna, luc, mia, noe } = await gather(page, to);
    const people = [anna, luc, mia, noe];
    const table = await anna.set({ game, seats: 4 });
    for (const [seat, one] of people.entries()) await one.sit(table, seat);
    await anna.ask(`POST /api/tables/${table}/start`, {});
    // To the beginning of a turn of hers: a turn may be several moves, and in the
    // middle of it there is nothing that she has missed.
    const annasTurn = () => {
      let before = 0;
      return playOn(table, people, (n, seat) => {
        const begins = seat === 0 && before !== 0;
        if (typeof seat === 'number') before = seat;
        return n > 4 && begins;
      });
    };
    await annasTurn();
    await to(`/t/${table}`);
    await page.locator(`${slip}[data-missed="3"]`).waitFor();
    await shows(page, 'person');
    const last = await made(page);

    // By keys: there, and shown; the focus goes where it can be skipped.
    await note(page);
    await reach(page, page.locator('[data-recap]'));
    await page.waitForFunction(() => window.noted.some(({ phase }) => phase === 'recap'));
    await focusShows(page);
    await page.waitForFunction(() => window.noted.at(-1).phase === 'person');
    const shown = (await page.evaluate(() => window.noted)).filter(({ phase }) => phase === 'recap').map(({ moves }) => moves);
    assert.ok(shown[0] < last, 'it begins where Anna left');
    assert.equal(shown.at(-1), last, 'and ends where the game is');
    await page.locator(slip).waitFor({ state: 'detached' });

    // It has been seen: no need to offer it again.
    await page.reload();
    await shows(page, 'person');
    assert.equal(await page.locator(slip).count(), 0);

    // The others go on while nobody looks at this window; a key ends the showing
    // and does nothing else.
    await to('/credits');
    await annasTurn();
    await page.clock.install();
    await to(`/t/${table}`);
    await firstStop(page);
    await page.keyboard.press('a');
    await shows(page, 'person');
    await page.clock.resume();
    assert.equal(await page.locator('dialog').count(), 0, 'the key opens nothing');
  });

test('against bots too, after a while; a click ends it and presses nothing', async (t) => {
  const game = await bosk('autumn', { round: 4, players: [person('Anna'), bot(9), bot(9)] });
  game.touched -= 3_600_000;
  const { page, to } = await here.visit(t, { games: [game], settings: { motion: 'full' } });
  await page.clock.install();
  await to(`/table/${game.id}`);
  await page.locator(`${slip}[data-missed="2"]`).waitFor();
  await firstStop(page);
  await page.getByRole('button', { name: words('en', 'page.table.skip') }).click();
  assert.equal(await settled(page), 'person');
  await page.clock.resume();
  assert.equal(await made(page), game.line.length);
  assert.equal(await page.locator('[data-slip]').count(), 0, 'Confirm was not pressed');
});

test('talk before the game; who is muted stays so over a reload and into the game', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc } = await gather(page, to);
  const table = await anna.set({ game: 'bosk', seats: 2 });
  await anna.sit(table, 0);
  await luc.sit(table, 1);
  await luc.say(table, { text: 'Are you there?' });
  await to(`/t/${table}`);
  const line = (text) => page.locator('[data-talk] li', { hasText: text });
  await line('Are you there?').waitFor();
  await page.locator('form input[maxlength="280"]').fill('Here I am');
  await page.keyboard.press('Enter');
  await line('Here I am').waitFor();
  await luc.say(table, { phrase: 'hello' });
  await line(words('en', 'table.phrase.hello')).waitFor();

  await page.locator('[data-mute="1"]').click();
  await line('Are you there?').waitFor({ state: 'detached' });
  await page.reload();
  await line('Here I am').waitFor();
  await page.locator('[data-mute="1"]').waitFor();
  assert.equal(await line('Are you there?').count(), 0);
  // The game begins, and he is muted still.
  await page.locator('[data-start]').click();
  await page.locator('#tab-talk').click();
  await line('Here I am').waitFor();
  assert.equal(await line('Are you there?').count(), 0);
  await page.locator('[data-mute="1"]').click();
  await line('Are you there?').waitFor();
});

test('a game that was played is listed with its result, and can be looked at again anywhere', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc } = await gather(page, to);
  const table = await begin([anna, luc], 'grandbois');
  await playOn(table, [anna, luc], (n) => n > 9);
  await luc.ask(`POST /api/tables/${table}/resign`);
  await to('/');
  const row = page.locator(`[data-played="${table}"]`);
  await row.getByText(/^You won: \d+ – \d+$/).waitFor();
  await row.getByRole('link').click();
  await page.locator('input[type=range]').waitFor();
  const length = await page.locator('input[type=range]').getAttribute('max');
  assert.ok(Number(length) > 8);
  // It is one game, in one list.
  await to('/');
  await row.waitFor();
  assert.equal(await page.locator(`[data-game="${table}"]`).count(), 0);
  // Somebody else gets it by its link.
  const other = await here.visit(t, { language: 'fr' });
  await other.to(`/replay/${table}`);
  await other.page.locator('input[type=range]').waitFor();
  assert.equal(await other.page.locator('input[type=range]').getAttribute('max'), length);
});

test('the end by resignation tells all that is known, and who gave up', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc } = await gather(page, to);
  const table = await begin([anna, luc], 'grandbois');
  await playOn(table, [anna, luc], (n) => n > 9);
  await to(`/t/${table}`);
  await shows(page, (await anna.toAct(table)) === 0 ? 'person' : 'bot');
  await luc.ask(`POST /api/tables/${table}/resign`);
  await page.locator('[data-verdict]').waitFor();
  await eventually(() => page.locator('[data-verdict]').innerText(), /Anna/);
  await eventually(() => page.locator('.places li').nth(1).innerText(), new RegExp(`Luc.*${words('en', 'page.end.resigned')}`, 's'));
  await page.getByText(words('en', 'page.end.cut-short')).waitFor();
  await page.waitForFunction(() => !document.querySelector('dialog table').innerText.includes('?'));
  const sums = await page.locator('dialog tfoot td').allInnerTexts();
  const { look } = await anna.ask(`GET /api/tables/${table}`);
  assert.deepEqual(sums.map(Number), look.standing.seats.map((s) => s.total));
});

test('a name is changed for everyone, and everywhere is signed out', async (t) => {
  const { page, to, wrong } = await here.visit(t, { size: 'phone' });
  const { anna, luc } = await gather(page, to);
  const table = await begin([anna, luc]);
  await to('/settings');
  await page.locator('#my-name').fill('  ');
  const no = [page.waitForEvent('response', (answer) => answer.status() === 400), page.waitForEvent('console', (message) => message.type() === 'error')];
  await page.locator('#my-name').press('Enter');
  await page.locator('[data-me] [role=alert]').waitFor();
  await Promise.all(no);
  const said = wrong.splice(0);
  assert.equal(said.length, 2, said.join());
  for (const what of said) assert.match(what, /^(400 for|console: .*\b400\b)/, 'the server said no, and nothing else went wrong');
  await page.locator('#my-name').fill('Annika');
  await page.locator('#my-name').press('Enter');
  await page.getByText(messages('en')['page.online.me.changed'].replace('{name}', 'Annika')).last().waitFor();
  assert.equal((await luc.ask(`GET /api/tables/${table}`)).who[0].name, 'Annika');

  await page.locator('[data-phone]').tap();
  const code = await page.locator('[data-code]').innerText();
  const phone = await here.visit(t, { size: 'phone', language: 'it' });
  await phone.to(`/continue#${code}`);
  await phone.page.locator('form button[type=submit]').tap();
  await phone.page.locator('[role=status]', { hasText: 'Annika' }).waitFor();
  await page.keyboard.press('Escape');

  await page.locator('[data-sign-out]').tap();
  await page.locator('dialog').getByRole('button', { name: words('en', 'page.online.me.stay') }).tap();
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal((await anna.ask('GET /api/me')).signedIn, true);
  await page.locator('[data-sign-out]').tap();
  await page.locator('[data-sure]').tap();
  await page.locator('[data-me] a[href="/continue"]').waitFor();
  for (const window of [page, phone.page]) assert.equal((await whoSitsAt(window).ask('GET /api/me')).signedIn, false);
});

test('a program gets a token, another one, and goes; a code of somebody else asks first', async (t) => {
  const { page, to, wrong } = await here.visit(t);
  const { anna, luc } = await gather(page, to);
  await to('/settings');
  await page.locator('#program').fill('Pruner');
  await page.locator('#program').press('Enter');
  const first = await page.locator('[data-token]').inputValue();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('[data-copy]').click();
  await page.locator('[data-copy]', { hasText: words('en', 'page.online.copied') }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), first);
  await page.keyboard.press('Escape');
  await page.locator('[data-program=good]').waitFor();
  await page.locator('[data-renew]').click();
  await page.locator('[data-sure]').click();
  const second = await page.locator('[data-token]').inputValue();
  assert.match(second, /^copse_/);
  assert.notEqual(second, first);
  await page.keyboard.press('Escape');
  await page.locator('[data-drop]').click();
  await page.locator('[data-sure]').click();
  await page.locator('[data-program]').waitFor({ state: 'detached' });
  assert.deepEqual((await anna.ask('GET /api/me/programs')).programs, []);

  const { code } = await luc.ask('POST /api/me/code');
  await to(`/continue#${code}`);
  const no = [page.waitForEvent('response', (answer) => answer.status() === 409), page.waitForEvent('console', (message) => message.type() === 'error')];
  await page.locator('form button[type=submit]').click();
  await page.locator('[data-other]', { hasText: 'Anna' }).waitFor();
  await Promise.all(no);
  for (const what of wrong.splice(0)) assert.match(what, /^(409 for|console: .*\b409\b)/, 'the server asked first, and nothing else went wrong');
  assert.equal((await anna.ask('GET /api/me')).name, 'Anna');
  await page.locator('[data-sure]').click();
  await page.locator('[role=status]', { hasText: 'Luc' }).waitFor();
});

test('who deletes themselves is asked for their name, and then is gone; the game stays', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc } = await gather(page, to);
  const table = await begin([anna, luc]);
  await anna.say(table, { text: 'Nobody shall read this.' });
  await playOn(table, [anna, luc], (n) => n > 3);
  await to('/settings');
  await page.locator('[data-delete-me]').click();
  await page.locator('dialog').getByText(words('en', 'page.online.me.delete.goes.name')).waitFor();
  await page.locator('[data-sure]').click();
  await page.locator('dialog [role=alert]').waitFor();
  assert.equal((await anna.ask('GET /api/me')).name, 'Anna', 'nothing happens by a stray press');
  await page.locator('#sure').fill('anna');
  await page.locator('[data-sure]').click();
  await page.locator('[data-me] a[href="/continue"]').waitFor();
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal((await anna.ask('GET /api/me')).signedIn, false);
  const { who, look } = await luc.ask(`GET /api/tables/${table}`);
  assert.equal(who[0], null);
  assert.equal(look.people.phase, 'over');
  assert.deepEqual((await luc.ask(`GET /api/tables/${table}/chat?from=0`)).lines, []);
  // Home is that of a newcomer again.
  await to('/');
  await page.getByText(words('en', 'page.home.new-here')).waitFor();
  assert.equal(await page.locator('[data-table], [data-played]').count(), 0);
});

test('the host sends somebody away, who cannot sit down there again, nor others by the old link', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc, mia } = await gather(page, to);
  const table = await anna.set({ game: 'bosk', seats: 3 });
  await anna.sit(table, 0);
  await luc.sit(table, 2);
  const { page: his, to: comes } = await here.visit(t);
  await gather(his, comes);
  await comes(`/t/${table}`);
  await his.locator('[data-seat="1"] [data-sit]').click();
  await to(`/t/${table}`);
  await page.locator('[data-seat="1"] [data-kick]').waitFor();
  assert.equal(await page.locator('[data-seat="0"] [data-kick]').count(), 0, 'nobody sends themselves away');
  await page.locator('[data-seat="1"] [data-kick]').click();
  await page.locator('dialog').getByText(words('en', 'page.online.kick.link')).waitFor();
  await page.locator('dialog').getByRole('button', { name: words('en', 'page.online.withdraw') }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.locator('[data-seat="1"]').getAttribute('data-held'), 'person', 'it was only asked');
  await page.locator('[data-seat="1"] [data-kick]').click();
  await page.locator('[data-kick-sure]').click();
  await page.locator('[data-seat="1"][data-held="empty"]').waitFor();
  // He is told, and not offered the seat.
  await his.locator('[data-barred]', { hasText: words('en', 'table.barred') }).waitFor();
  await eventually(() => his.locator('[data-sit], [data-link]').count(), 0, 'the seat is not offered');
  const link = page.locator('[data-link]');
  await page.getByText(words('en', 'page.online.link.new')).waitFor();
  const address = new URL(await eventually(() => link.inputValue(), /#[0-9a-f]{12}$/));
  assert.equal(address.pathname, `/t/${table}`);
  await assert.rejects(mia.sit(table, 1), /table\.invite/);
  const { page: hers, to: goes } = await here.visit(t);
  await gather(hers, goes);
  await goes(`/t/${table}${address.hash}`);
  await hers.locator('[data-seat="1"] [data-sit]').click();
  await page.locator('[data-seat="1"][data-held="person"]').waitFor();
  await anna.ask(`POST /api/tables/${table}/kick`, { seat: 2 });
  await assert.rejects(luc.sit(table, 2), /table\.barred/);
});
