/** Keeping one's name, by the virtual authenticator of Chromium: made in two taps, used on
 * another device without a word, listed, removed, and lost. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { reach } from './drive.mjs';
import { eventually } from './eventually.mjs';
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

/** A window. Its browser offers passkeys at a field only where that is asked for: the
 * virtual authenticator would take the offer by itself. */
async function come(t, { offers = false, ...how } = {}, at = url) {
  const guest = await visit(browser, at, { size: 'phone', ...how });
  if (!offers) await guest.context.addInitScript(() => globalThis.PublicKeyCredential && (PublicKeyCredential.isConditionalMediationAvailable = async () => false));
  t.after(async () => {
    await guest.context.close();
    const wrong = guest.wrong.filter((text) => !/409|429/.test(text)); // a refusal is answered, and the console says so
    assert.deepEqual(wrong, [], 'what must not happen on a page');
  });
  return guest;
}

/** Gives a window an authenticator, with the passkeys of another one. */
async function authenticator(page, passkeys = []) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
  for (const credential of passkeys) await cdp.send('WebAuthn.addCredential', { authenticatorId, credential });
  return {
    all: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    known: (isUserVerified) => cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    still: (off) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: !off }),
  };
}

const called = (page) => page.evaluate(async () => (await (await fetch('/api/me')).json()).name ?? '');
async function becomes(page, to, name) {
  await page.evaluate(async (name) => {
    const answer = await fetch('/api/me', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name }) });
    if (!answer.ok) throw new Error(await answer.text());
    localStorage.setItem('copse.online', '00');
  }, name);
  await to('/settings');
}

/** Keeps one's name: one tap on the page, one for the passkey. Gives the codes. */
async function keepName(page) {
  await page.locator('[data-keep="guest"] [data-keep-name]').click();
  await page.locator('[data-recovery-codes] li').first().waitFor();
  const codes = await page.locator('[data-recovery-codes] code').allTextContents();
  assert.equal(codes.length, 8);
  await page.locator('[data-kept]').click();
  await page.locator('[data-keep="member"]').waitFor();
  return codes;
}

test('a guest keeps their name in two taps, and comes back on another device without typing it', async (t) => {
  const { page, to } = await come(t);
  const mine = await authenticator(page);
  await to('/credits');
  await becomes(page, to, 'Anna');
  const codes = await keepName(page);
  await eventually(() => page.locator('[data-passkey]').count(), 1);
  await eventually(() => page.locator('[data-session="here"]').count(), 1);
  const passkeys = await mine.all();
  assert.equal(passkeys.length, 1);
  assert.ok(passkeys[0].isResidentCredential);
  assert.equal(passkeys[0].rpId, 'localhost');

  // Elsewhere, by keys alone.
  const { page: other, to: go } = await come(t, { size: 'desktop', theme: 'dark' });
  const again = await authenticator(other, passkeys);
  await go('/');
  await other.locator('a[href="/sign-in"]').first().click();
  await other.locator('[data-by-passkey]').waitFor();
  await reach(other, other.locator('[data-by-passkey]'));
  await other.locator('[data-signed-in]').waitFor();
  assert.equal(await called(other), 'Anna');
  assert.equal((await again.all()).length, 1);

  // Both are listed, and one ends the other.
  await page.reload();
  await page.locator('[data-session="elsewhere"]').waitFor();
  await eventually(() => page.locator('[data-session]').count(), 2);
  await page.locator('[data-session="elsewhere"] [data-end]').click();
  await page.locator('[data-session="elsewhere"]').waitFor({ state: 'detached' });
  assert.equal(await called(other), '');

  // By a code, which is good once.
  await go('/sign-in');
  const byCode = async () => {
    await other.locator('#recover-name').fill('anna');
    await other.locator('#recover-code').fill(codes[3].toLowerCase());
    await other.locator('#recover-code').press('Enter');
  };
  await byCode();
  await other.locator('[data-signed-in]').waitFor();
  assert.equal(await called(other), 'Anna');
  await go('/sign-in');
  await byCode();
  await other.locator('.trouble[role="alert"]').waitFor();

  // The last passkey is not removed without a word.
  await page.locator('[data-remove]').click();
  await page.locator('[data-last]').waitFor();
  await page.locator('dialog [data-sure]').click();
  await page.locator('[data-passkey]').waitFor({ state: 'detached' });
  await go('/sign-in');
  await other.locator('[data-by-passkey]').click();
  await other.locator('.trouble[role="alert"]').waitFor();

  // What is mine comes as a file.
  const [file] = await Promise.all([page.waitForEvent('download'), page.locator('[data-download]').click()]);
  assert.equal(file.suggestedFilename(), 'copse.json');
});

test('who plays here as a guest is asked before they are somebody else', async (t) => {
  const { page, to } = await come(t);
  const mine = await authenticator(page);
  await to('/credits');
  await becomes(page, to, 'Bea');
  await keepName(page);
  const { page: other, to: go } = await come(t);
  await authenticator(other, await mine.all());
  await go('/credits');
  await becomes(other, go, 'Guest');
  await go('/sign-in');
  await other.locator('[data-by-passkey]').click();
  await other.locator('[data-other]').waitFor();
  assert.equal(await called(other), 'Guest', 'nothing has happened yet');
  await other.locator('[data-sure]').click();
  await other.locator('[data-signed-in]').waitFor();
  assert.equal(await called(other), 'Bea');
});

test('a browser that offers passkeys where a name is typed needs no button', async (t) => {
  const { page, to } = await come(t);
  const mine = await authenticator(page);
  await to('/credits');
  await becomes(page, to, 'Emil');
  await keepName(page);
  const { page: other, to: go } = await come(t, { offers: true });
  await authenticator(other, await mine.all());
  await go('/sign-in');
  await other.locator('[data-signed-in]').waitFor();
  assert.equal(await called(other), 'Emil');
});

test('who is not known to their device keeps nothing, and a name that is taken is told before a passkey is made', async (t) => {
  const { page, to } = await come(t);
  const mine = await authenticator(page);
  await mine.known(false);
  await to('/credits');
  await becomes(page, to, 'Cleo');
  await page.locator('[data-keep-name]').click();
  await page.locator('[data-keep="guest"] .trouble[role="alert"]').waitFor();
  assert.deepEqual(await mine.all(), []);

  const { page: twin, to: go } = await come(t);
  const theirs = await authenticator(twin);
  await go('/credits');
  await becomes(twin, go, 'CLEO');
  await mine.known(true);
  await keepName(page);
  await twin.locator('[data-keep-name]').click();
  await twin.locator('[data-keep="guest"] .trouble[role="alert"]').waitFor();
  assert.deepEqual(await theirs.all(), [], 'no passkey is left that is good for nothing');
});

test('by an address there are no passkeys, and the page says why and where', async (t) => {
  const { page, to } = await come(t, {}, server.url);
  await to('/sign-in');
  await page.locator('[data-no-passkeys="address"] a').waitFor();
  assert.equal(await page.locator('[data-by-passkey]').count(), 0);
  await becomes(page, to, 'Dora');
  await page.locator('[data-keep="guest"] [data-no-passkeys="address"]').waitFor();
  assert.equal(await page.locator('[data-keep-name]').count(), 0);
});

test('a guest finds from Play now to where a name is kept, and a member is told who they are where one signs in', async (t) => {
  const { page, to } = await come(t);
  await authenticator(page);
  await to('/credits');
  await becomes(page, to, 'Fleur');
  await to('/play/bosk');
  await page.locator('[data-to-keep]').click();
  await page.waitForFunction(() => document.activeElement?.id === 'me');
  const { y } = await page.locator('[data-keep-name]').boundingBox();
  assert.ok(y > 0 && y < 700, `the button is at ${y}`);
  await keepName(page);
  await to('/sign-in');
  await eventually(() => page.locator('[data-already]').innerText(), /Fleur/);
});
