/** Members, and the rated games that they play: what a profile tells of. */

/** Asks the server as the page would. */
export const api = (page, method, path, body) =>
  page.evaluate(
    async ([method, path, body]) => {
      const answer = await fetch(path, { method, ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
      return text ? JSON.parse(text) : null;
    },
    [method, path, body],
  );

/** Makes somebody who has just come a member. Passkeys are for names: the server must be
 * called localhost. */
export async function keepsName({ page, to }, name) {
  await page.addInitScript(() => globalThis.PublicKeyCredential && (PublicKeyCredential.isConditionalMediationAvailable = async () => false));
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } });
  await to('/credits');
  await api(page, 'POST', '/api/me', { name });
  await page.evaluate(() => localStorage.setItem('copse.online', '00'));
  await to('/settings');
  await page.locator('[data-keep="guest"] [data-keep-name]').click();
  await page.locator('[data-kept]').click();
  await page.locator('[data-keep="member"]').waitFor();
}

export const nonce = (n) => String(n).padStart(2, '0').repeat(16);

/** A rated game that the second one gives up after two rounds. */
export async function rated(one, two, game = 'bosk') {
  for (const page of [one, two]) await api(page, 'POST', '/api/play', { game, seats: 2 });
  for (let state = ''; state !== 'ready'; ) for (const page of [one, two]) ({ state } = await api(page, 'GET', '/api/play'));
  let table;
  for (const [i, page] of [one, two].entries()) ({ table } = await api(page, 'POST', '/api/play/ready', { nonce: nonce(i + 1) }));
  for (let n = 0; n < 4; n++) {
    const { look } = await api(one, 'GET', `/api/tables/${table}`);
    const first = (await api(one, 'GET', `/api/tables/${table}`)).you;
    const page = look.toAct[0] === first ? one : two;
    const { after, moves } = await api(page, 'GET', `/api/tables/${table}/moves`);
    await api(page, 'POST', `/api/tables/${table}/moves`, { after, moves: [moves[0]] });
  }
  await api(two, 'POST', `/api/tables/${table}/resign`, {});
  return table;
}
