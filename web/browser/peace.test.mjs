/** Peace in a house: somebody reports a line, an operator acts on it by the page, and who
 * is meant is told why. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from './eventually.mjs';
import { guest } from './guests.mjs';
import { barriers, still } from './look.mjs';
import { binary, browse, serve, visit } from './stand.mjs';

let server, browser, url;
const data = mkdtempSync(join(tmpdir(), 'copse-'));
before(async () => {
  [server, browser] = await Promise.all([serve(0, data), browse()]);
  url = server.url.replace('127.0.0.1', 'localhost'); // passkeys are for names
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(data, { recursive: true, force: true });
});

/** What a command on the machine says, while the server runs. */
const copse = (...args) => execFileSync(binary, [...args, '--data', data, '--json'], { encoding: 'utf8' });
const shots = process.env.COPSE_SHOTS;
const shoot = async (page, name) => shots && (await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true }));

async function come(t, how = {}, at = url) {
  const one = await visit(browser, at, { painted: Boolean(shots), ...how });
  await one.context.addInitScript(() => globalThis.PublicKeyCredential && (PublicKeyCredential.isConditionalMediationAvailable = async () => false));
  t.after(async () => {
    await one.context.close();
    const wrong = one.wrong.filter((text) => !/403|404|409/.test(text)); // a refusal is answered, and the console says so
    assert.deepEqual(wrong, [], 'what must not happen on a page');
  });
  return one;
}

async function becomes(page, to, name) {
  await to('/credits');
  await page.evaluate(async (name) => {
    const answer = await fetch('/api/me', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name }) });
    if (!answer.ok) throw new Error(await answer.text());
    localStorage.setItem('copse.online', '00');
  }, name);
}

/** A table at which a browser and somebody else sit, and the game has begun. */
async function tableOf(page, other) {
  const id = await page.evaluate(async (nonce) => {
    const post = async (path, body) => (await fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) })).json();
    const { table } = await post('/api/tables', { game: 'bosk', seats: 2 });
    await post(`/api/tables/${table}/sit`, { nonce });
    return table;
  }, '000102030405060708090a0b0c0d0e0f');
  await other.sit(id);
  return id;
}

test('a line is reported by keys alone, an operator mutes by two presses, and who is muted is told why', async (t) => {
  const { page, to } = await come(t, { size: 'phone' });
  await becomes(page, to, 'Anna');
  const rude = await guest(server.url, 'Rudi');
  const id = await tableOf(page, rude);
  await rude.say(id, { text: 'you are all fools' });
  await rude.say(id, { text: 'and slow' });
  await to(`/t/${id}`);
  const flag = page.locator('[data-talk] [data-report]').first();
  await flag.waitFor();
  const box = await flag.boundingBox();
  assert.ok(box.width >= 40 && box.height >= 40, `a thumb meets ${box.width} × ${box.height}`);
  await shoot(page, 'lobby-phone');
  await flag.focus();
  await page.keyboard.press('Enter');
  await page.locator('dialog [data-send-report]').waitFor();
  await eventually(() => page.locator('dialog blockquote').textContent(), /you are all fools/);
  assert.deepEqual(await barriers(page, { dialogOnly: true }), []);
  await shoot(page, 'report-phone');
  await page.locator('dialog textarea').fill('he shouts at everybody');
  await page.locator('dialog [data-send-report]').press('Enter');
  await page.locator('[data-reported]').waitFor();
  await page.waitForFunction(() => document.activeElement.closest('dialog')); // the keyboard stays there
  await shoot(page, 'reported-phone');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  const { reports } = JSON.parse(copse('reports'));
  assert.equal(reports.length, 1);
  assert.equal(reports[0].said, 'you are all fools');
  assert.equal(reports[0].text, 'he shouts at everybody');

  // Nobody else finds the desk.
  await to('/operator');
  await page.locator('h1').waitFor();
  assert.doesNotMatch(await page.locator('main').textContent(), /fools/);
  assert.equal(await page.locator('[data-sheet]').count(), 0);

  // A member whom the machine has made an operator does.
  const { page: desk, to: go } = await come(t, { size: 'desktop' });
  const cdp = await desk.context().newCDPSession(desk);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } });
  await becomes(desk, go, 'Olga');
  await go('/settings');
  await desk.locator('[data-keep="guest"] [data-keep-name]').click();
  await desk.locator('[data-kept]').click();
  copse('people', 'operator', 'Olga', '--on');
  await desk.reload();
  await desk.locator('a[href="/operator"]').click();
  await desk.locator('[data-report-number="1"]').click();
  await desk.locator('[data-sheet] .it').waitFor();
  await eventually(() => desk.locator('[data-sheet]').textContent(), /and slow/);
  await shoot(desk, 'operator-desktop');
  await desk.locator('[data-act-go]').click();
  await desk.locator('[data-act] .trouble').waitFor(); // not without a reason
  await desk.locator('[data-why]').fill('insults');
  await desk.locator('[data-act-go]').click();
  await desk.locator('[data-act-sure]').waitFor();
  assert.equal(JSON.parse(copse('people', 'acts')).acts.length, 1, 'one press does nothing');
  assert.deepEqual(await barriers(desk), []);
  await desk.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await still(desk);
  assert.deepEqual(await barriers(desk, { coloursOnly: true }), []);
  await desk.locator('[data-act-sure]').focus();
  await shoot(desk, 'operator-sure');
  await desk.keyboard.press('Enter'); // it has the focus
  await desk.locator('[data-sheet] .mark.bad').first().waitFor();
  const [act] = JSON.parse(copse('people', 'acts')).acts;
  assert.deepEqual([act.do, act.by, act.whom, act.why, act.report], ['mute', 'Olga', 'Rudi', 'insults', 1]);
  await assert.rejects(rude.say(id, { text: 'what' }), /server.muted/);
  await rude.say(id, { phrase: 'hello' });
  await desk.locator('[data-close-report]').click();
  await desk.locator('[data-sheet]').waitFor({ state: 'hidden' });
  assert.equal(JSON.parse(copse('reports')).reports ?? null, null);
  await desk.setViewportSize({ width: 390, height: 844 });
  await desk.locator('#who').fill('ru');
  await desk.locator('[data-find]').click();
  await desk.locator('[data-person]').click();
  await desk.locator('[data-sheet]').waitFor();
  await shoot(desk, 'operator-phone');
  const wide = await desk.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `on a phone the desk is ${wide} wide`);
  copse('people', 'operator', 'Olga', '--off');
  await desk.reload();
  await desk.locator('[data-sheet]').waitFor({ state: 'detached' });
  assert.doesNotMatch(await desk.locator('main').textContent(), /insults/);
});

test('who is muted reads why in place of the field, and who is banned in place of the table', async (t) => {
  const { page, to } = await come(t, { size: 'desktop', theme: 'dark' });
  await becomes(page, to, 'Berta');
  const other = await guest(server.url, 'Carl');
  const id = await tableOf(page, other);
  copse('people', 'mute', 'Berta', '--why', 'too loud', '--for', '2d');
  await to(`/t/${id}`);
  await page.locator('[data-muted]').waitFor();
  assert.match(await page.locator('[data-muted]').textContent(), /too loud/);
  assert.equal(await page.locator('.talk form').count(), 0);
  await page.locator('.talk .phrase').first().waitFor();
  await shoot(page, 'muted-dark');
  copse('people', 'ban', 'Berta', '--why', 'will not stop', '--for', '7d');
  await page.locator('[data-banned]').waitFor(); // without a reload
  assert.match(await page.locator('[data-banned]').textContent(), /will not stop/);
  assert.deepEqual(await barriers(page), []);
  await shoot(page, 'banned-dark');
  await to('/');
  await page.locator('[data-banned]').waitFor();
  await to('/settings');
  await page.locator('[data-banned]').waitFor();
  assert.equal(await page.locator('#my-name, [data-keep], [data-doorbell], [data-to-friends]').count(), 0, 'what is refused is not offered');
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('[data-download]').click()]);
  assert.equal(file.suggestedFilename(), 'copse.json');
  await page.locator('[data-delete-me]').click();
  await page.locator('#sure').fill('Berta');
  await page.locator('dialog [data-sure]').click();
  await page.locator('[data-banned]').waitFor({ state: 'detached' });
});

test('in a house without chat there is none, and it is said so', async (t) => {
  const quiet = await serve(0, '', ['--chat', 'off']);
  const { page, to } = await come(t, { size: 'phone' }, quiet.url);
  t.after(() => quiet.stop()); // when the window is shut
  await becomes(page, to, 'Dora');
  const id = await tableOf(page, await guest(quiet.url, 'Emil'));
  await to(`/t/${id}`);
  await page.locator('[data-chat="off"]').waitFor();
  assert.equal(await page.locator('.talk form, .talk .phrases button:not([data-mute], [data-report])').count(), 0);
  await shoot(page, 'chat-off');
});
