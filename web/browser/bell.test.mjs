/** Word when it is my turn: switched on and off in the settings, offered once at a table,
 * shown by our service worker as Chromium delivers it, and silent for who looks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually } from './eventually.mjs';
import { browse, serve, visit } from './stand.mjs';
import { words } from './words.mjs';

let server, browser, url;
before(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
  url = server.url.replace('127.0.0.1', 'localhost'); // where notifications may be shown
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A window whose browser lets itself be subscribed: Chromium without Google's keys has no
 * push service. What it would say is said for it, with keys of a real point. */
async function come(t, { granted = true, ...how } = {}) {
  const guest = await visit(browser, url, { offline: true, ...how });
  if (granted) await guest.context.grantPermissions(['notifications'], { origin: url });
  await guest.context.addInitScript(() => {
    const key = 'copse.test.subscribed';
    const made = () => ({
      endpoint: localStorage.getItem(key),
      options: { applicationServerKey: window.theirKey ?? null, userVisibleOnly: true },
      toJSON: () => ({ endpoint: localStorage.getItem(key), expirationTime: null, keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }),
      unsubscribe: async () => (localStorage.removeItem(key), true),
    });
    if (!globalThis.PushManager) return;
    PushManager.prototype.getSubscription = async () => (localStorage.getItem(key) ? made() : null);
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('it must say what for');
      window.theirKey = applicationServerKey.buffer;
      localStorage.setItem(key, `https://fcm.googleapis.com/fcm/send/${crypto.randomUUID()}`);
      return made();
    };
  });
  t.after(async () => {
    await guest.context.close();
    const wrong = guest.wrong.filter((text) => !/409|429/.test(text)); // a refusal is answered, and the console says so
    assert.deepEqual(wrong, [], 'what must not happen on a page');
  });
  return guest;
}

const ask = (page, path, method = 'GET', body) =>
  page.evaluate(
    async ([path, method, body]) => {
      const answer = await fetch(path, { method, ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json', ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}) }, body: JSON.stringify(body) }) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path}: ${text}`);
      return text ? JSON.parse(text) : null;
    },
    [path, method, body],
  );

async function becomes(page, name) {
  await ask(page, '/api/me', 'POST', { name });
  await page.evaluate(() => localStorage.setItem('copse.online', '00'));
}

/** Our worker, at work. */
async function worker(page) {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise((resolve) => cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => registrations[0] && resolve(registrations[0].registrationId)));
  await cdp.send('ServiceWorker.enable');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
  const registrationId = await registered;
  const [ours] = await eventually(() => page.context().serviceWorkers(), (all) => all.length > 0, 'our worker is there');
  await ours.evaluate(() => {
    const real = ring;
    globalThis.rung = 0;
    globalThis.ring = (data) => real(data).finally(() => rung++);
    globalThis.notes = []; // what the browser was given to show, by tag
    const show = registration.showNotification.bind(registration);
    registration.showNotification = (title, options) => (notes.push(options.tag), show(title, options));
  });
  return {
    /** Until the worker is done with it: a browser that is asked what it shows while it
     * begins to show something may forget that. */
    async push(told) {
      const before = await ours.evaluate(() => rung);
      await cdp.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data: typeof told === 'string' ? told : JSON.stringify(told) });
      await eventually(() => ours.evaluate(() => rung), (rung) => rung > before, 'the worker has shown it, or not');
    },
    given: () => ours.evaluate(() => notes.splice(0)), // since it was last asked for
    shown: () => page.evaluate(async () => (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, path: data?.path }))),
  };
}

/** A table over days at which the one in the window sits first and somebody else second. */
async function days(page) {
  const { table } = await ask(page, '/api/tables', 'POST', { game: 'bosk', seats: 2, pace: 'days', zone: 'Europe/Zurich' });
  const nonce = '000102030405060708090a0b0c0d0e0f';
  await ask(page, `/api/tables/${table}/sit`, 'POST', { nonce, seat: 0 });
  const elsewhere = await fetch(`${server.url}/api/me`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Ben"}' });
  const cookie = elsewhere.headers.get('set-cookie').split(';')[0];
  const sat = await fetch(`${server.url}/api/tables/${table}/sit`, { method: 'POST', headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'b', cookie }, body: JSON.stringify({ nonce, seat: 1 }) });
  assert.equal(sat.status, 200, await sat.text());
  await ask(page, `/api/tables/${table}/start`, 'POST', {});
  return table;
}

async function moves(page, table) {
  const { after, moves } = await ask(page, `/api/tables/${table}/moves`);
  await ask(page, `/api/tables/${table}/moves`, 'POST', { after, moves: [moves[0]] });
}

test('it is switched on in this browser, chosen, tried and switched off', async (t) => {
  const { page, to } = await come(t, { size: 'phone' });
  await to('/');
  await becomes(page, 'Anna');
  await worker(page);
  await to('/settings#doorbell');
  const part = page.locator('[data-doorbell]');
  await part.locator('[data-turn=on]').click();
  await part.locator('[data-turn=off]').waitFor();
  let set = await ask(page, '/api/me/doorbell');
  assert.deepEqual([set.browsers.length, set.browsers[0].here, set.browsers[0].language, set.paces, set.from, set.to], [1, true, 'en', ['days'], 1320, 480]);
  await eventually(() => part.getByRole('switch', { checked: true }).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))), ['page.doorbell.days', 'page.doorbell.invites', 'page.doorbell.quiet'].map((key) => words('en', key)));
  await part.getByRole('switch', { name: words('en', 'page.doorbell.live') }).check();
  await eventually(async () => (await ask(page, '/api/me/doorbell')).paces, (paces) => paces.join() === 'live,days');
  await part.locator('[data-from]').fill('23:30');
  await part.locator('[data-from]').blur();
  await eventually(async () => (await ask(page, '/api/me/doorbell')).from, (from) => from === 23 * 60 + 30);
  await part.getByRole('switch', { name: words('en', 'page.doorbell.quiet') }).uncheck();
  await part.locator('[data-from]').waitFor({ state: 'detached' });
  // There is no way to the push service from here, and the page says so.
  await part.locator('[data-try]').click();
  await part.getByRole('alert').getByText(words('en', 'page.doorbell.try.failed')).waitFor();
  await page.reload();
  await part.locator('[data-turn=off]').click();
  await part.locator('[data-turn=on]').waitFor();
  set = await ask(page, '/api/me/doorbell');
  assert.equal(set.browsers.length, 0);
  assert.equal((await ask(page, '/api/me')).chimes, undefined);
  // Every target is large enough for a thumb.
  for (const box of await part.locator('button').all()) assert.ok((await box.boundingBox()).height >= 40);
});

test('who said no is told how to change their mind, and who cannot is told why', async (t) => {
  const { page, to, context } = await come(t, { granted: false, language: 'fr', size: 'phone' });
  await to('/');
  await becomes(page, 'Anna');
  await worker(page);
  await context.addInitScript(() => Object.defineProperty(Notification, 'permission', { get: () => 'denied' }));
  await to('/settings');
  await page.locator('[data-doorbell] [data-why=denied]').getByText(words('fr', 'page.doorbell.denied')).waitFor();
  await context.addInitScript(() => {
    delete globalThis.PushManager;
    Object.defineProperty(navigator, 'userAgent', { get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)' });
  });
  await page.reload();
  await page.locator('[data-doorbell] [data-why=install]').waitFor();
});

test('our worker shows what it is sent: one a table, none to who looks, gone when it is opened, and a press opens the table', async (t) => {
  const { page, to, context } = await come(t);
  await to('/');
  await becomes(page, 'Anna');
  const { push, given, shown } = await worker(page);
  const table = await days(page);
  const told = { do: 'turn', title: 'Bosk: it is your turn', body: 'With Ben. 5 days left.', table, at: 1 };
  await push(told);
  const one = { title: told.title, body: told.body, tag: `/t/${table}`, path: `/t/${table}` };
  assert.deepEqual(await eventually(shown, (all) => all.length === 1), [one]);
  await push({ ...told, body: 'With Ben. 4 days left.' });
  await push({ ...told, table: 'another', title: 'GrandBois: it is your turn' });
  assert.deepEqual(Object.fromEntries((await eventually(shown, (all) => all.length === 2)).map(({ tag, body }) => [tag, body])), { '/t/another': told.body, [`/t/${table}`]: 'With Ben. 4 days left.' });
  // Whatever comes, something is shown, and nothing leads elsewhere.
  await push('no JSON');
  await push({ title: 'Copse', table: '../../evil' });
  assert.deepEqual((await eventually(shown, (all) => all.length === 3)).filter(({ path }) => path === '/settings').length, 1);
  // A press: the worker wants that table opened, and its note is gone.
  const [ours] = await eventually(() => context.serviceWorkers(), (all) => all.length > 0, 'our worker is there');
  const opened = await ours.evaluate(async (tag) => {
    const [note] = await registration.getNotifications({ tag });
    const paths = [];
    clients.openWindow = async (path) => (paths.push(path), null);
    const e = new NotificationEvent('notificationclick', { notification: note });
    dispatchEvent(e);
    for (const late = Date.now() + 60_000; !paths.length && Date.now() < late; ) await new Promise((resolve) => setTimeout(resolve, 10));
    return paths;
  }, '/t/another');
  assert.deepEqual(opened, ['/t/another']);
  await eventually(shown, (all) => all.every(({ tag }) => tag !== '/t/another'));
  // Whoever opens the table has seen it; while they look nothing is shown.
  await to(`/t/${table}`);
  await page.locator('[data-phase]').waitFor();
  await eventually(shown, (all) => all.every(({ tag }) => tag !== `/t/${table}`));
  await given();
  await push(told);
  await push({ ...told, table: 'third' });
  assert.deepEqual(await given(), ['/t/third']);
});

test('a browser whose subscription has changed is told where it is now, once, and not where it was', async (t) => {
  const { page, to, context } = await come(t);
  await to('/');
  await becomes(page, 'Anna');
  await worker(page);
  const [ours] = await eventually(() => context.serviceWorkers(), (all) => all.length > 0, 'our worker is there');
  /** As a browser has it: the worker hears of it, and is kept until it is done. */
  const changes = (how) =>
    ours.evaluate(async ({ from, to, named }) => {
      const at = (endpoint) => endpoint && { endpoint, toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' } }) };
      let asked = 0;
      PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
        if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('it must say what for');
        asked++;
        return at(to);
      };
      let done;
      const e = Object.assign(new Event('pushsubscriptionchange'), { oldSubscription: at(from), newSubscription: named ? at(to) : null, waitUntil: (promise) => (done = promise) });
      dispatchEvent(e);
      await done;
      return asked;
    }, how);
  const at = (n) => `https://fcm.googleapis.com/fcm/send/${n}`;
  const browsers = async () => (await ask(page, '/api/me/doorbell')).browsers;
  // Nobody here wants to be told: nothing is subscribed.
  assert.equal(await changes({ from: at(0), to: at(1), named: false }), 0);
  assert.equal((await browsers()).length, 0);
  await to('/settings#doorbell');
  await page.locator('[data-doorbell] [data-turn=on]').click();
  await page.locator('[data-doorbell] [data-turn=off]').waitFor();
  const first = await page.evaluate(() => localStorage.getItem('copse.test.subscribed'));
  const [was] = await browsers();
  // The browser has made another by itself, or says only that the old one is gone.
  assert.equal(await changes({ from: first, to: at(1), named: true }), 0);
  const [now, ...more] = await browsers();
  assert.deepEqual([more.length, now.here, now.language], [0, true, 'en']);
  assert.notEqual(now.id, was.id);
  assert.equal(await changes({ from: at(1), to: at(2), named: false }), 1);
  const [last, ...others] = await browsers();
  assert.equal(others.length, 0);
  assert.notEqual(last.id, now.id);
  // Told twice it is the same browser.
  assert.equal(await changes({ from: at(1), to: at(2), named: true }), 0);
  assert.deepEqual((await browsers()).map(({ id }) => id), [last.id]);
});

test('a table over days offers it once, after a first move, and no means no', async (t) => {
  const { page, to, context } = await come(t, { granted: false, size: 'phone', language: 'it' });
  await context.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem('copse.test.permission') ?? 'default' });
    Notification.requestPermission = async () => (localStorage.setItem('copse.test.permission', 'granted'), 'granted');
  });
  await to('/');
  await becomes(page, 'Anna');
  await worker(page);
  const table = await days(page);
  await to(`/t/${table}`);
  await page.locator('[data-phase]').waitFor();
  assert.equal(await page.locator('[data-doorbell-offer]').count(), 0, 'before a move nobody wants to go');
  await moves(page, table);
  const offer = page.locator('[data-doorbell-offer]');
  await offer.getByText(words('it', 'page.doorbell.offer')).waitFor();
  await offer.locator('[data-no]').click();
  await offer.waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('[data-phase]').waitFor();
  assert.equal(await offer.count(), 0);
  await page.evaluate(() => localStorage.removeItem('copse.doorbell.offered'));
  await page.reload();
  await offer.locator('[data-yes]').click();
  await offer.getByText(words('it', 'page.doorbell.is-on')).waitFor();
  const set = await ask(page, '/api/me/doorbell');
  assert.deepEqual(set.browsers.map(({ language }) => language), ['it']);
});

test('a window that nobody looks at says so, and stays connected meanwhile', async (t) => {
  const { page, to } = await come(t);
  await to('/');
  await becomes(page, 'Anna');
  await worker(page);
  await to('/settings');
  await page.locator('[data-doorbell] [data-turn=on]').click();
  await page.locator('[data-doorbell] [data-turn=off]').waitFor();
  const table = await days(page);
  const streams = [];
  page.on('response', (answer) => answer.url().includes('/api/stream?') && streams.push(new URL(answer.url()).searchParams.get('hidden'))); // when it flows
  await to(`/t/${table}`);
  await page.locator('[data-phase]').waitFor();
  await eventually(() => streams.length, (n) => n > 0);
  const look = (hidden) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (hidden ? 'hidden' : 'visible') });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  assert.equal(streams.at(-1), null);
  await look(true);
  await eventually(() => streams.at(-1), (last) => last === 'true');
  // Nobody saw Anna leave: her seat is present all the time.
  assert.deepEqual((await ask(page, `/api/tables/${table}`)).present.seats, [0]);
  const n = streams.length;
  await look(false);
  await eventually(() => streams.length, (now) => now > n);
  assert.equal(streams.at(-1), null);
  await moves(page, table); // and hears what happens
  await page.waitForFunction(() => Number(document.querySelector('[data-moves]').dataset.moves) >= 1);
});
