/** How quickly the page is there on a phone, by Lighthouse: home, rules, a table, a lobby
 * and the documents, each on its first visit. Prints the figures of each run; fails where
 * the middle one of a page is below 90. It measures the machine too: run it on a quiet one. */
import * as chromeLauncher from 'chrome-launcher';
import { chromium } from 'playwright-core';
import lighthouse from 'lighthouse';
import { guest } from '../browser/guests.mjs';
import { bot, kept, person, serve } from '../browser/stand.mjs';

const least = 90;
const runs = Number(process.env.RUNS ?? 3);

const server = await serve();
const luc = await guest(server.url, 'Luc');
const lobby = await luc.set({ game: 'grandbois', seats: 4 });
await luc.sit(lobby, 0);
const game = kept({ game: 'bosk', version: 1, players: [person('Ada'), bot()] });
const pages = { home: '/', rules: '/rules/bosk', table: `/table/${game.id}`, lobby: `/t/${lobby}`, documents: '/docs/host' };

/** One visit, in a browser that was never here. */
async function visit(path) {
  const chrome = await chromeLauncher.launch({ chromePath: process.env.CHROMIUM || '/usr/bin/chromium', chromeFlags: ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
  try {
    if (path.startsWith('/table/')) {
      const browser = await chromium.connectOverCDP(`http://127.0.0.1:${chrome.port}`);
      const page = await browser.contexts()[0].newPage();
      await page.goto(`${server.url}/robots.txt`); // of the same origin, and keeps nothing
      await page.evaluate((game) => localStorage.setItem(`copse.game.${game.id}`, JSON.stringify(game)), game);
      await page.close();
      await browser.close(); // leaves it: the browser is not ours to end here
    }
    const { lhr } = await lighthouse(server.url + path, { port: chrome.port, onlyCategories: ['performance'], disableStorageReset: true, logLevel: 'error', output: 'json' });
    const value = (id) => lhr.audits[id].numericValue;
    const poor = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative').map(({ id, displayValue }) => `${id}${displayValue ? ` (${displayValue})` : ''}`);
    return { score: Math.round(lhr.categories.performance.score * 100), fcp: value('first-contentful-paint'), lcp: value('largest-contentful-paint'), tbt: value('total-blocking-time'), cls: value('cumulative-layout-shift'), poor };
  } finally {
    chrome.kill();
  }
}

let low = false;
try {
  for (const [name, path] of Object.entries(pages)) {
    const seen = [];
    for (let run = 0; run < runs; run++) seen.push(await visit(path));
    seen.sort((a, b) => a.score - b.score);
    const middle = seen[Math.floor(seen.length / 2)];
    const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
    console.log(`${name.padEnd(10)} ${seen.map(({ score }) => score).join(' ')}; of the middle one: first paint ${seconds(middle.fcp)}, largest ${seconds(middle.lcp)}, blocked ${Math.round(middle.tbt)} ms, shift ${middle.cls.toFixed(3)}`);
    if (middle.poor.length) console.log(`${' '.repeat(11)}${middle.poor.join(', ')}`);
    low ||= middle.score < least;
  }
} finally {
  await server.stop();
}
if (low) {
  console.error(`below ${least}: where nothing else runs on this machine, the page has become slower`);
  process.exitCode = 1;
}
