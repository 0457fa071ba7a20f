/** Where the browser tests stand: the real binary, a real Chromium, and pages
 * that report whatever should not happen. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { longest } from './eventually.mjs';

/** What is tested: bin/copse, or what $COPSE names. */
export const binary = process.env.COPSE || fileURLToPath(new URL('../../bin/copse', import.meta.url));

/** A server of our own on a free port, with a data folder of its own unless one
 * is given. `stop` ends it. Whoever plays by the API and by the page at once is
 * faster than people are, so it does not count how much anybody asks for. */
export async function serve(port = 0, data = '', args = [], program = binary) {
  const folder = data || mkdtempSync(join(tmpdir(), 'copse-'));
  const server = spawn(program, ['serve', '--addr', `127.0.0.1:${port}`, '--data', folder, '--requests=-1', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines = createInterface({ input: server.stdout });
  let said = '';
  server.stderr.on('data', (chunk) => (said += chunk));
  for await (const line of lines) {
    const found = line.match(/http:\/\/\S+/);
    if (!found) continue;
    return {
      url: found[0].replace(/\/$/, ''),
      /** Ends it as a power cut does. */
      async kill() {
        server.kill('SIGKILL');
        await once(server, 'exit');
      },
      async stop() {
        if (server.exitCode !== null || server.signalCode !== null) return;
        server.kill('SIGTERM');
        await once(server, 'exit');
        if (!data) rmSync(folder, { recursive: true, force: true });
      },
    };
  }
  throw new Error(`copse serve did not start: ${said}`);
}

/** A server that can be killed and comes back under the same address: its port is
 * below those that systems hand out to whoever asks for any, so that nobody is
 * given it meanwhile. */
export async function serveAgain(data) {
  const [least, many] = [20_000, 10_000];
  for (let n = 0; n < 100; n++) {
    const server = await serve(least + ((process.pid + n) % many), data).catch(() => null); // taken
    if (server) return server;
  }
  throw new Error('no port is free, or copse serve does not start');
}

/** A browser of our own. Nobody here plays long enough for its second, slower
 * compiler of WebAssembly to be worth what it costs, but for those who `think`. */
export function browse({ think = false } = {}) {
  return chromium.launch({
    timeout: longest,
    slowMo: Number(process.env.COPSE_HESITATE || 0), // a driver that is slow itself, and a page that is not
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: [...(think ? [] : ['--js-flags=--liftoff-only']), '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  });
}

export const sizes = { desktop: { width: 1440, height: 900 }, tablet: { width: 820, height: 1180 }, phone: { width: 390, height: 844 } };
export const languages = ['en', 'fr', 'it'];
export const themes = ['light', 'dark'];

/** A person who comes for the first time, with this screen and these settings.
 * `wrong` collects what must not happen: errors on the console, failed loads,
 * requests to any other host. Only what is `painted` costs what it costs people. */
export async function visit(browser, url, { size = 'desktop', theme = 'light', language = 'en', settings = {}, games = [], offline = false, device = {}, chance = 1, painted = false } = {}) {
  const context = await browser.newContext({
    viewport: sizes[size],
    hasTouch: size !== 'desktop',
    isMobile: size === 'phone',
    colorScheme: theme,
    locale: { en: 'en-GB', fr: 'fr-FR', it: 'it-IT' }[language],
    reducedMotion: settings.motion === 'full' ? 'no-preference' : 'reduce',
    serviceWorkers: offline ? 'allow' : 'block', // requests past a worker are seen one by one
    ...device,
  });
  await context.addInitScript(
    ([settings, games]) => {
      if (sessionStorage.getItem('test.begun')) return; // a reload finds what was kept
      sessionStorage.setItem('test.begun', '1');
      localStorage.setItem('copse.settings', typeof settings === 'string' ? settings : JSON.stringify(settings));
      for (const game of games) localStorage.setItem('copse.game.' + game.id, JSON.stringify(game));
    },
    [typeof settings === 'string' ? settings : { pace: 'instant', ...settings }, games],
  );
  await context.addInitScript(fixedChance, chance);
  context.setDefaultTimeout(longest); // for whatever window is opened in it
  context.on('page', slow);
  if (late) await context.addInitScript(lateEngines, late);
  const page = await context.newPage();
  await slow(page);
  if (!painted) await paintCorner(page, { mobile: size === 'phone', deviceScaleFactor: device.deviceScaleFactor ?? 1 });
  const wrong = watch(page, url);
  return { context, page, wrong, url, to: (path) => page.goto(url + path) };
}

/** So many times slower is the main thread of every page, and so many milliseconds later
 * comes whatever a page loads or asks its engines, if somebody wants that: a test that is
 * right passes all the same, and one that was only ever quick enough shows it. */
const slower = Number(process.env.COPSE_SLOW || 1);
const late = Number(process.env.COPSE_LATE || 0);

async function slow(page) {
  if (slower === 1 && !late) return;
  try {
    const devTools = await page.context().newCDPSession(page);
    if (slower > 1) await devTools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    if (!late) return;
    await devTools.send('Network.enable');
    await devTools.send('Network.emulateNetworkConditions', { offline: false, latency: late, downloadThroughput: -1, uploadThroughput: -1 });
  } catch {
    // It has been closed meanwhile.
  }
}

/** Runs in the page: what engines are asked comes to them later, in its order. */
function lateEngines(late) {
  const wait = setTimeout; // of the real clock
  window.Worker = class extends Worker {
    postMessage(...asked) {
      wait(() => super.postMessage(...asked), late);
    }
  };
}

/** Has only a corner of a page painted, because nobody sees it and painting is a
 * third of what a game costs. The page does not notice: it is laid out, pointed at
 * and photographed as a whole. */
async function paintCorner(page, { mobile, deviceScaleFactor }) {
  const devTools = await page.context().newCDPSession(page);
  const crop = ({ width, height }) =>
    devTools.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      screenWidth: width,
      screenHeight: height,
      mobile,
      deviceScaleFactor,
      screenOrientation: mobile && width <= height ? { type: 'portraitPrimary', angle: 0 } : { type: 'landscapePrimary', angle: mobile ? 90 : 0 },
      viewport: { x: 0, y: 0, width: 8, height: 8, scale: 1 },
    });
  // Not the driver's own: it would paint all of the page before we have cropped it.
  let now = page.viewportSize();
  page.viewportSize = () => now;
  page.setViewportSize = async (size) => {
    await crop(size);
    now = size;
  };
  await crop(page.viewportSize());
}

/** Lets time pass a hundred times more slowly for the engines of a page: no thought
 * is cut short, so bots and hints play the same on every machine. The page, which takes
 * an engine that says nothing for half a minute for dead, waits as much longer. To be
 * called before the page is opened. */
export async function patience(page) {
  await page.addInitScript(() => {
    const wait = window.setTimeout.bind(window);
    window.setTimeout = (what, ms, ...rest) => wait(what, ms > 15_000 ? ms * 100 : ms, ...rest);
  });
  await page.route(/engine\.worker-.*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${slowly})();\n${await response.text()}` });
  });
}

/** Runs in a worker, before anything else. */
function slowly() {
  for (const clock of [performance, Date]) {
    const now = clock.now.bind(clock);
    const began = now();
    clock.now = () => began + (now() - began) / 100;
  }
  globalThis.patient = true;
}

/** Runs in the page: what it draws is the same in every run of the tests. Each
 * load draws on, so that two games begun by one visitor differ. */
function fixedChance(chance) {
  let state = Number(sessionStorage.getItem('test.chance') ?? chance);
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    sessionStorage.setItem('test.chance', String(state));
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  Math.random = next;
  crypto.getRandomValues = (numbers) => numbers.map(() => next() * 256);
}

/** Whether a browser complains of what our driver did: a tap at something that
 * moved away meanwhile is cancelled and made again, and Chromium says so where it
 * came too late. What a page itself cancels comes from a file of the page. */
const missedTap = (message) => message.text().startsWith('Ignored attempt to cancel a touch') && message.location().url === '';

/** Whether an address is one where tests look for nothing: that is what the server must say of it. */
const nowhere = (address) => /^https?:\/\/[^/]*\/nowhere(\/|$)/.test(address);

/** Whatever happens on a page and must not. */
export function watch(page, url) {
  const wrong = [];
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return; // we block it ourselves
    if (missedTap(message)) return;
    if (nowhere(message.location().url)) return;
    if (['error', 'warning'].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`error: ${error.stack}`));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (origin !== url && !['data:', 'blob:'].includes(protocol)) wrong.push(`a request to ${origin}`);
  });
  page.on('response', (response) => {
    const expected = nowhere(response.url()) ? response.status() === 404 : response.status() < 400;
    if (!expected) wrong.push(`${response.status()} for ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // Who leaves a page does not wait for what it still loads.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') wrong.push(`failed: ${request.url()} ${request.failure()?.errorText}`);
  });
  return wrong;
}

/** A server and a browser for the tests of one file, and one visitor after the
 * other: each is checked for what must not happen when its test is over. */
export function stand({ before, after }, how) {
  const here = { server: null, browser: null };
  before(async () => {
    [here.server, here.browser] = await Promise.all([serve(), browse(how)]);
  });
  after(async () => {
    await here.browser?.close();
    await here.server?.stop();
  });
  /** Has somebody visit, and closes their browser window after the test. */
  here.visit = async (t, how) => {
    const guest = await visit(here.browser, here.server.url, how);
    t.after(async () => {
      await guest.context.close();
      assert.deepEqual(guest.wrong, [], 'what must not happen on a page');
    });
    return guest;
  };
  return here;
}

/** A game as the browser keeps it, to begin from the middle. */
export function kept(what) {
  const now = Date.now();
  return { id: 'test', version: 1, options: {}, seed: 'a seed for tests', line: [], draft: [], began: now, touched: now, guide: null, result: null, ...what };
}

export const person = (name = '') => ({ kind: 'person', name, bot: '' });
export const bot = (level = 1) => ({ kind: 'bot', name: '', bot: `level:${level}`, called: { key: `bot.level.name.${level}`, args: {} } });
