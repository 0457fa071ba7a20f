/** What a page says of its line, and what becomes of a turn that the server refuses. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { plantByKeys } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { guest } from './guests.mjs';
import { cutOffIn, speak } from './look.mjs';
import { browse, serve, visit } from './stand.mjs';
import { messages } from './words.mjs';

let browser;
let folder;
let server;
let program;
let url; // of the line
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copse-line-'));
  execFileSync('go', ['build', '-o', join(folder, 'flaky'), './web/browser/flaky'], { cwd: fileURLToPath(new URL('../..', import.meta.url)) });
  [browser, server] = await Promise.all([browse(), serve(0, join(folder, 'data'))]);
  program = spawn(join(folder, 'flaky'), ['--to', server.url], { stdio: ['pipe', 'pipe', 'inherit'] });
  ({ value: url } = await createInterface({ input: program.stdout })[Symbol.asyncIterator]().next());
});
after(async () => {
  await browser?.close();
  program?.stdin.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const line = (how) => program.stdin.write(`${how}\n`);
const stands = (page, state) => page.locator(`[data-line="${state}"]`).waitFor({ state: 'attached' });

/** Anna at a page, in her turn, against Ben, who plays by the API. */
async function sitDown(t, how = {}, wrong = /ERR_|40[19]|42[29]/) {
  const anna = await visit(browser, url, how);
  t.after(async () => {
    await anna.context.close();
    assert.deepEqual(anna.wrong.filter((what) => !wrong.test(what)), [], 'what must not happen on a page');
  });
  await anna.to('/together/bosk');
  await anna.page.locator('#guest').fill('Anna');
  await anna.page.keyboard.press('Enter');
  await anna.page.locator('[data-start]').waitFor();
  const table = new URL(anna.page.url()).pathname.split('/')[2];
  const ben = await guest(server.url, 'Benedetto');
  await ben.sit(table, 1);
  await anna.page.locator('[data-seat="1"][data-held="person"]').waitFor();
  await anna.page.locator('[data-start]').click();
  await anna.page.locator('[data-phase]').waitFor();
  if ((await ben.toAct(table)) === 1) await ben.move(table);
  await anna.page.locator('[data-phase="person"]').waitFor();
  await stands(anna.page, 'connected');
  return { ...anna, ben, table };
}

test('whatever a turn is refused for, it stands as it was, with the reason, and can be confirmed again', async (t) => {
  const { page, table, ben } = await sitDown(t);
  await plantByKeys(page);
  const drafted = await page.locator('[data-bosk-board] g.tree').count();
  assert.ok(drafted > 0, 'a tree stands on the board');
  for (const [status, key, args, reason] of [
    [401, 'server.who', {}, messages('en')['page.online.not-taken']],
    [409, 'table.overtaken.by', { entry: 4, do: 'move', seat: 1 }, 'since you made this turn'],
    [422, 'server.key', {}, messages('en')['page.online.not-taken']],
    [409, 'table.paused', {}, messages('en')['table.paused']],
  ]) {
    await page.route('**/moves', (route) => route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify({ title: key, status, key, args, rule: '' }) }), { times: 1 });
    await page.locator('[data-confirm]').click();
    await page.locator('[data-slip]', { hasText: reason }).waitFor(); // this one, not the one before
    await page.locator('[data-confirm]:not(.early)').waitFor();
    assert.equal(await page.locator('[data-bosk-board] g.tree').count(), drafted, `${key}: the draft stands`);
  }
  await page.locator('[data-confirm]').click();
  await page.locator('[data-phase="bot"]').waitFor();
  await ben.turnOf(table, 1); // it was made
});

test('a pause and a sign-out in mid-draft', async (t) => {
  const { page, ben, table } = await sitDown(t);
  const ask = (path, body, method = 'POST') => page.evaluate(([path, body, method]) => fetch(path, { method, headers: { 'Content-Type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) }).then((a) => a.status), [path, body, method]);
  await plantByKeys(page);
  await ben.ask(`POST /api/tables/${table}/pause`);
  assert.equal(await ask(`/api/tables/${table}/answer`, { for: 'pause', yes: true }), 200);
  await page.locator('[data-phase="bot"]').waitFor();
  await ben.ask(`POST /api/tables/${table}/resume`);
  await page.locator('[data-phase="person"]').waitFor();
  await page.locator('[data-confirm]:not(.early)').waitFor(); // with the draft that it had

  const told = page.locator('[data-slip]', { hasText: messages('en')['page.online.signed-out'].split(':')[0] }).waitFor();
  assert.equal(await ask('/api/me/session', null, 'DELETE'), 204);
  await told; // who is nobody watches, and is told why, before anything is sent
  await page.locator('[data-phase="bot"]').waitFor();
  await eventually(() => page.locator('[data-confirm]').count(), 0, 'there is nothing to confirm');
});

test('who signs out in another window watches here, and is told so though nothing was sent', async (t) => {
  const { page } = await sitDown(t);
  await plantByKeys(page);
  const other = await page.context().newPage();
  await other.goto(new URL('/settings', page.url()).href);
  await other.evaluate(() => fetch('/api/me/sessions', { method: 'DELETE' }));
  await other.evaluate(() => localStorage.removeItem('copse.online')); // as the page does it
  await page.locator('[data-slip]', { hasText: messages('en')['page.online.signed-out'].split(':')[0] }).waitFor();
  await page.locator('[data-phase="bot"]').waitFor();
  await eventually(() => page.locator('[data-confirm]').count(), 0, 'there is nothing to confirm');
  await other.close();
});

test('a server that is busy has answered: when the turn goes out again is said, and it can be had back', async (t) => {
  const { page, ben, table } = await sitDown(t, { size: 'phone' });
  await plantByKeys(page);
  const drafted = await page.locator('[data-bosk-board] g.tree').count();
  let asked = 0;
  await page.route('**/moves', (route) => (route.request().method() === 'POST' && asked++ === 0 ? route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, contentType: 'application/problem+json', body: JSON.stringify({ title: 'x', status: 429, key: 'server.often', args: { seconds: 600 } }) }) : route.continue()));
  await page.locator('[data-confirm]').click();
  const notice = page.locator('[data-busy]');
  await notice.waitFor();
  assert.match(await notice.innerText(), /30 seconds/);
  await eventually(() => page.locator('[data-prompt]').innerText(), messages('en')['page.online.busy']);
  await notice.locator('button').click();
  await page.locator('[data-confirm]:not(.early)').waitFor();
  await notice.waitFor({ state: 'detached' });
  await eventually(() => page.locator('[data-bosk-board] g.tree').count(), drafted, 'the draft stands');
  await page.locator('[data-confirm]').click();
  await page.locator('[data-phase="bot"]').waitFor();
  await ben.turnOf(table, 1); // it was made
});

test('a line that dies in silence is said to be down, and is in step when it is back', async (t) => {
  const { page, ben, table } = await sitDown(t, { size: 'phone', device: { viewport: { width: 360, height: 640 } }, language: 'it' });
  await eventually(() => page.locator('[role=timer][data-runs]').count(), 1, 'one clock runs');
  const before = Number(await page.locator('[data-moves]').getAttribute('data-moves'));
  await plantByKeys(page);
  for (const language of ['fr', 'en', 'it']) await speak(page, language); // words that are there need no line
  line('silent');
  await stands(page, 'offline'); // while it is one's turn
  await eventually(() => page.locator('[role=timer][data-runs]').count(), 0, 'no clock is shown as running');
  const said = page.locator('[data-line="offline"] button');
  await eventually(async () => (await said.innerText()).trim(), messages('it')['page.online.line.offline']);
  for (const language of ['fr', 'en', 'it']) {
    await speak(page, language);
    await said.filter({ hasText: messages(language)['page.online.line.offline'] }).waitFor();
    assert.deepEqual(await cutOffIn(page, [language]), [], 'the words fit on a phone, and so does all the rest of its bar');
    const inside = await page.locator('.bar').evaluate((bar) => [...bar.querySelectorAll('button, a')].filter((e) => e.checkVisibility()).every((e) => e.getBoundingClientRect().right <= document.documentElement.clientWidth && e.scrollWidth <= e.clientWidth + 1));
    assert.ok(inside, language);
  }
  await page.locator('[data-confirm]').click(); // it is sent until it is answered
  line('calm');
  await stands(page, 'connected');
  await page.waitForFunction((before) => Number(document.querySelector('[data-moves]').dataset.moves) > before, before);
  await ben.turnOf(table, 1); // what the page shows as made may still be on its way
  await ben.move(table);
  await page.locator('[data-phase="person"]').waitFor();

  // Who leaves for a while: that a bot plays stands where the clock was.
  await ben.ask(`POST /api/tables/${table}/leave`);
  await page.locator('[data-seat="1"] [data-stands-in]', { hasText: messages('it')['page.online.stands-in'] }).waitFor();
});

test('the browser is offline: it is said, and the turn is made when it is back', async (t) => {
  const { page, context } = await sitDown(t);
  await plantByKeys(page);
  await context.setOffline(true);
  await stands(page, 'offline');
  await page.locator('[data-confirm]').click();
  await context.setOffline(false);
  await stands(page, 'connected');
  await page.locator('[data-phase="bot"]').waitFor();
});
