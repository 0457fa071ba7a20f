/** People at different browsers, a watcher, and a server that dies in between. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { typesOf } from '../scripts/api.mjs';
import { aimTile, dice, followLink, hears, plantByKeys, skipCounting } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { guest } from './guests.mjs';
import { browse, serve, serveAgain, visit } from './stand.mjs';
import { messages } from './words.mjs';

let browser;
let folder;
let server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copse-online-'));
  [browser, server] = await Promise.all([browse(), serveAgain(folder)]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What a browser says of a server that is away, and rightly so. */
const away = /ERR_(CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)|\b503\b/;

/** Somebody comes; what must not happen is looked for when the test is over. */
async function come(t, how = {}) {
  const guest = await visit(browser, server.url, how);
  t.after(async () => {
    await guest.context.close();
    assert.deepEqual(guest.wrong.filter((what) => !away.test(what)), [], 'what must not happen on a page');
  });
  return guest;
}

const phase = (page) => page.locator('[data-phase]').getAttribute('data-phase');
const moves = (page) => page.locator('[data-moves]').getAttribute('data-moves').then(Number);
const tableOf = (page) => new URL(page.url()).pathname.split('/')[2];

/** Asks the API as the person of this browser window would. */
const api = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => {
      const answer = await fetch(path, body ? { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } } : {});
      return { status: answer.status, body: await answer.json() };
    },
    [path, body],
  );

/** Anna sets a table, Luc comes by its link, and they begin. */
async function sitDown(t, game) {
  const [anna, luc] = [await come(t), await come(t, { size: 'phone', theme: 'dark', language: 'fr' })];
  await anna.to(`/together/${game}`);
  await anna.page.locator('#guest').fill('Anna');
  await anna.page.keyboard.press('Enter');
  await anna.page.locator('[data-start]').waitFor();
  const link = await anna.page.locator('[data-link]').inputValue();
  assert.equal(link, `${server.url}/t/${tableOf(anna.page)}`);
  await luc.page.goto(link);
  await luc.page.locator('#guest').fill('Luc');
  await luc.page.keyboard.press('Enter');
  await luc.page.locator('[data-sit]').first().tap();
  await anna.page.locator('[data-seat="1"][data-held="person"]').waitFor();
  await anna.page.locator('[data-start]').click();
  await Promise.all([anna, luc].map(({ page }) => page.locator('[data-phase]').waitFor()));
  return [anna.page, luc.page];
}

/** The one whose turn it is, once all windows agree on how far the game is. */
async function actor(pages) {
  for (;;) {
    for (const page of pages) await skipCounting(page);
    const states = await Promise.all(pages.map(async (page) => [await phase(page), await moves(page)]));
    assert.ok(!states.some(([p]) => p === 'broken'), 'a table broke');
    if (states.every(([p]) => p === 'over')) return null;
    const acts = states.findIndex(([p]) => p === 'person');
    if (acts >= 0 && states.every(([, n]) => n === states[0][1])) return pages[acts];
    await pages[0].waitForTimeout(30);
  }
}

/** Makes up a turn by keys. */
const drafts = {
  bosk: plantByKeys,
  grandbois: (page) => aimTile(page, { by: 'keys' }),
  /** Sells, rests and takes a fruit, the first of each. */
  async treesociety(page) {
    await page.locator('[data-cell][data-legal=sell]').first().waitFor({ state: 'attached' });
    await page.keyboard.press('1');
    await page.locator('[data-confirm][data-next]').waitFor();
    await hears(page);
    await page.locator('[data-confirm][data-next]').click();
    await page.locator('[data-cell][data-legal=take]').first().waitFor();
    await page.keyboard.press('1');
    await page.locator('[data-confirm]:not(.early):not([data-next])').waitFor();
  },
};

/** One turn by the page, up to what comes of it. */
async function turn(page, game) {
  const before = await moves(page);
  const decide = page.locator('[data-decide] [data-no-tower]');
  if (await decide.count()) await decide.click();
  else {
    await drafts[game](page);
    await page.locator('[data-confirm]:not(.early)').waitFor();
    await page.locator('[data-confirm]').click();
  }
  await page.waitForFunction((before) => Number(document.querySelector('[data-moves]').dataset.moves) > before, before);
  await page.evaluate(() => (window.confirmed = performance.now()));
}

/** Plays on by the API, in the names of both, at random: so many moves, or to the end. */
async function playOut(pages, table, roll, most = Infinity) {
  const path = `/api/tables/${table}`;
  for (let n = 0, made = 0; n < 1500; n++) {
    const { status: told, body: sight } = await api(pages[0], path);
    assert.equal(told, 200, JSON.stringify(sight));
    if (sight.look.people.phase === 'over' || made >= most) return;
    const [seat] = sight.look.toAct;
    if (typeof seat !== 'number') continue;
    const { body: now } = await api(pages[seat], `${path}/moves`);
    if (now.toAct[0] !== seat) continue;
    const { status } = await api(pages[seat], `${path}/moves`, { after: now.after, moves: [now.moves[Math.floor(roll() * now.moves.length)]] });
    assert.equal(status, 200);
    made++;
  }
  assert.fail('a game that does not end');
}

/** How many moves everybody follows, and how many are then made while they look at
 * something else in the same window: their boards are there again before the end,
 * whatever was dealt (of 300 games at random the shortest had 60, 40 and 199 moves).
 * Where there is time (`make torture`) they follow every move. */
const follow = { bosk: [8, 34], grandbois: [4, 14], treesociety: [15, 110] };

test('the types of the page are those of the API', async () => {
  const answer = await fetch(`${server.url}/api/openapi.json`);
  assert.equal(readFileSync(new URL('../src/online/api.gen.ts', import.meta.url), 'utf8'), typesOf(await answer.json()), 'run scripts/api.mjs');
});

for (const game of ['bosk', 'grandbois', 'treesociety'])
  test(`two people and a late watcher play ${game}; the server dies in between and nobody reloads`, async (t) => {
    const pages = await sitDown(t, game);
    for (const page of pages) await page.evaluate(() => (window.stayed = true));
    for (let n = 0; n < 3; n++) await turn(await actor(pages), game);

    const watcher = await come(t, { language: 'it' });
    await watcher.to(`/t/${tableOf(pages[0])}`);
    await watcher.page.locator('[data-phase]').waitFor();
    await watcher.page.evaluate(() => (window.stayed = true));
    const all = [...pages, watcher.page];
    await turn(await actor(all), game);
    assert.equal(await phase(watcher.page), 'bot', 'who watches has no turn');

    // A draft is made, the server is killed, the turn is sent, the server comes back.
    const acts = await actor(all);
    const before = await moves(acts);
    const decide = acts.locator('[data-decide] [data-no-tower]');
    if (!(await decide.count())) {
      await drafts[game](acts);
      await acts.locator('[data-confirm]:not(.early)').waitFor();
    }
    await server.kill();
    for (const page of all) await page.locator('[data-line="reconnecting"], [data-line="offline"]').waitFor();
    await ((await decide.count()) ? decide : acts.locator('[data-confirm]')).click();
    await acts.waitForFunction(() => document.querySelector('.confirm').getAttribute('aria-disabled') === 'true');
    server = await serve(new URL(server.url).port, folder);
    await acts.waitForFunction((before) => Number(document.querySelector('[data-moves]').dataset.moves) > before, before);
    for (const page of all) await page.locator('[data-line="connected"]').waitFor();
    await turn(await actor(all), game);

    const [table, roll] = [tableOf(pages[0]), dice(`together ${game}`)];
    if (!process.env.COPSE_TORTURE) {
      const [together, apart] = follow[game];
      await playOut(pages, table, roll, together);
      await actor(all);
      for (const page of all) await followLink(page, '/credits');
      for (const page of all) await page.locator('main dl').first().waitFor();
      await playOut(pages, table, roll, apart);
      for (const page of all) await page.goBack();
      for (const page of all) await page.locator('[data-line="connected"]').waitFor({ state: 'attached' });
      assert.notEqual(await actor(all), null, 'there is more of the game to come');
    }
    await playOut(pages, table, roll);
    assert.equal(await actor(all), null);
    for (const page of all) {
      await page.locator('[data-verdict]').waitFor();
      assert.equal(await page.evaluate(() => window.stayed), true, 'nobody reloads');
    }
    const { body } = await api(pages[0], `/api/tables/${tableOf(pages[0])}`);
    const byRank = body.look.standing.seats.toSorted((a, b) => a.rank - b.rank).map((s) => String(s.total));
    for (const page of all) await eventually(() => page.locator('.places b').allInnerTexts(), byRank, 'everybody is told what the server says');
  });

test('a step back by consent, a phrase in everyone’s language, and a resignation', async (t) => {
  const [anna, luc] = await sitDown(t, 'bosk');
  await turn(await actor([anna, luc]), 'bosk');
  await actor([anna, luc]);
  const [from, other] = (await phase(anna)) === 'bot' ? [anna, luc] : [luc, anna];
  await from.locator('[data-menu]').click();
  await from.locator('[data-undo]').click();
  await other.locator('[data-agree]').click();
  await from.locator('[data-phase="person"]').waitFor();
  await from.locator('[data-bosk-board] g.tree').waitFor({ state: 'detached' });

  // Who is asked to give up a turn of their own is told so.
  for (let n = 0; n < 2; n++) await turn(await actor([anna, luc]), 'bosk');
  await actor([anna, luc]);
  await from.locator('[data-menu]').click();
  await from.locator('[data-undo]').click();
  const reach = messages(other === anna ? 'en' : 'fr')['page.online.ask.back'];
  const told = await eventually(() => other.locator('[data-reach]').innerText(), /2/);
  assert.ok(told.endsWith(/one \{([^{}]*)\} other \{[^{}]*\}\}$/.exec(reach)[1]), told);
  await other.locator('[data-ask="undo"] button:not([data-agree])').click();
  await from.locator('[data-ask="undo"]').waitFor({ state: 'detached' });

  await anna.locator('#tab-talk').click();
  await anna.locator('.phrase').first().click();
  await luc.locator('.bar .talk').tap();
  await luc.locator('dialog .talk li', { hasText: 'Bonjour' }).waitFor();
  await luc.keyboard.press('Escape');

  await luc.locator('[data-menu]').tap();
  await luc.locator('[data-resign]').tap();
  await luc.locator('[data-resign-sure]').tap();
  for (const page of [anna, luc]) await page.locator('[data-verdict]').waitFor();
  assert.match(await anna.locator('[data-verdict]').innerText(), /Anna/);

  // One wants another game; the other hears of it above the end of this one.
  await luc.locator('.what-next button.act').tap();
  await luc.waitForURL((url) => url.pathname.startsWith('/t/') && url.pathname !== new URL(anna.url()).pathname);
  await anna.locator('[data-rematch]').click();
  await anna.locator('[data-seat]').first().waitFor();
  assert.equal(tableOf(anna), tableOf(luc));
});

test('another window of the same player takes the turn: the draft here is said to be overtaken', async (t) => {
  const [anna, luc] = await sitDown(t, 'bosk');
  const acts = await actor([anna, luc]);
  await drafts.bosk(acts);
  await acts.locator('[data-confirm]:not(.early)').waitFor();
  const path = `/api/tables/${tableOf(acts)}/moves`;
  const { body } = await api(acts, path);
  assert.equal((await api(acts, path, { after: body.after, moves: [body.moves.at(-1)] })).status, 200);
  await acts.locator('[data-phase="bot"]').waitFor();
  await acts.locator('[data-slip]', { hasText: messages('en')['page.draft.elsewhere'] }).waitFor();
});

test('bots keep their seats where a game has secrets, unless who sets the table says otherwise for all to see', async (t) => {
  const anna = await come(t);
  const rule = messages('en');
  const chosen = (value) => anna.page.getByRole('radiogroup', { name: rule['page.online.take.rule'] }).locator(`input[value="${value}"]`);
  const set = async () => {
    await anna.page.locator('[data-create]').click();
    await anna.page.locator('[data-start]').waitFor();
    return anna.page.locator('.facts').innerText();
  };
  await anna.to('/together/grandbois');
  await anna.page.locator('#guest').waitFor();
  assert.equal((await api(anna.page, '/api/me', { name: 'Anna' })).status, 201);

  for (const [game, usual] of [['grandbois', 'no'], ['bosk', 'yes']]) {
    await anna.to('/');
    await anna.to(`/together/${game}`);
    await anna.page.locator('[data-create]').waitFor();
    await anna.page.waitForFunction(([name, value]) => [...document.querySelectorAll('[role=radiogroup]')].some((g) => g.textContent.includes(name) && g.querySelector(`input[value="${value}"]`)?.checked), [rule['page.online.take.rule'], usual]);
    assert.match(await set(), new RegExp(rule[`page.online.take.${usual}`]));
  }

  await anna.to('/');
  await anna.to('/together/grandbois');
  await anna.page.locator('[data-create]').waitFor();
  await eventually(() => chosen('no').isChecked(), true, 'what is usual there is chosen');
  assert.equal(await anna.page.getByText(rule['page.online.take.secrets']).count(), 0);
  await chosen('yes').click();
  await anna.page.getByText(rule['page.online.take.secrets']).waitFor();
  assert.ok(await chosen('yes').isChecked());
  assert.match(await set(), new RegExp(rule['page.online.take.yes']));

  // Whoever sits at a table knows its rules: my own tables do not repeat them.
  const table = tableOf(anna.page);
  await anna.to('/');
  await anna.page.locator(`[data-table="${table}"]`).waitFor();
  const told = new RegExp(rule['page.online.take.list']);
  for (const row of await anna.page.locator('[data-table]').allInnerTexts()) assert.doesNotMatch(row, told);
  // Whoever might go to one of somebody else's reads them before.
  const luc = await guest(server.url, 'Luc');
  const others = await Promise.all([true, false].map((takeOver) => luc.set({ game: 'bosk', seats: 2, visible: 'open', takeOver })));
  await luc.sit(others[0], 0);
  await luc.sit(others[1], 0);
  await anna.to('/together/bosk');
  for (const [i, other] of others.entries()) {
    const row = anna.page.locator(`[data-table="${other}"]`);
    await row.waitFor();
    assert.equal(told.test(await row.innerText()), i === 0);
  }
});
