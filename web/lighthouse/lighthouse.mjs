/** How quickly the page is there on a phone, by Lighthouse: home, rules, a table, a lobby
 * and the documents, each on its first visit. Prints the figures of each run; fails where
 * the middle one of a page is below 90. It measures the machine too: run it on a quiet one,
 * or name another binary in OTHER, which is visited by turns with ours: what both suffer is
 * the machine. PAGES=home,lobby visits some, RUNS=5 as often, and REPORTS names a folder for
 * the whole reports. WORKED=1 reckons with the time that tasks worked and not with what the
 * clock said (quiet.mjs): that says something on a busy machine too. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as chromeLauncher from 'chrome-launcher';
import { chromium } from 'playwright-core';
import lighthouse from 'lighthouse';
import { guest } from '../browser/guests.mjs';
import { binary, bot, kept, person, serve } from '../browser/stand.mjs';
import { answers, worked } from './quiet.mjs';

const least = 90;
const runs = Number(process.env.RUNS ?? 3);
const reports = process.env.REPORTS;
if (reports) mkdirSync(reports, { recursive: true });

const game = kept({ game: 'bosk', version: 1, players: [person('Ada'), bot()] });

/** A server to be visited, with somebody who waits in its lobby. */
async function stand(name, program) {
  const server = await serve(0, '', [], program);
  const luc = await guest(server.url, 'Luc');
  const lobby = await luc.set({ game: 'grandbois', seats: 4 });
  await luc.sit(lobby, 0);
  return { name, server, paths: { home: '/', rules: '/rules/bosk', table: `/table/${game.id}`, lobby: `/t/${lobby}`, documents: '/docs/host' } };
}

/** One visit, in a browser that was never here. */
async function visit({ name, server, paths }, page, run) {
  const path = paths[page];
  const folder = mkdtempSync(join(tmpdir(), 'copse-lighthouse-'));
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
    const flags = { onlyCategories: ['performance'], disableStorageReset: true, logLevel: 'error', output: 'json' };
    await lighthouse(server.url + path, { ...flags, port: chrome.port, gatherMode: folder });
    if (process.env.WORKED) {
      rewrite(join(folder, 'defaultPass.trace.json'), worked);
      rewrite(join(folder, 'defaultPass.devtoolslog.json'), answers);
    }
    const { lhr } = await lighthouse(server.url + path, { ...flags, auditMode: folder });
    if (reports) {
      writeFileSync(join(reports, `${page}-${name}-${run}.json`), JSON.stringify(lhr));
      writeFileSync(join(reports, `${page}-${name}-${run}.trace.json`), readFileSync(join(folder, 'defaultPass.trace.json')));
    }
    const value = (id) => lhr.audits[id].numericValue;
    if (value('cumulative-layout-shift') === undefined) throw new Error(lhr.runtimeError?.message ?? `no figures of ${path}`); // where the machine is very busy
    const poor = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== 'informative').map(({ id, displayValue }) => `${id}${displayValue ? ` (${displayValue})` : ''}`);
    return { score: Math.round(lhr.categories.performance.score * 100), fcp: value('first-contentful-paint'), lcp: value('largest-contentful-paint'), tbt: value('total-blocking-time'), cls: value('cumulative-layout-shift'), index: value('speed-index'), poor };
  } finally {
    chrome.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function rewrite(file, change) {
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))));
}

const stands = [await stand('ours', binary)];
if (process.env.OTHER) stands.push(await stand('other', process.env.OTHER));
const pages = Object.keys(stands[0].paths).filter((page) => !process.env.PAGES || process.env.PAGES.split(',').includes(page));

let low = false;
try {
  for (const page of pages) {
    const all = stands.map(() => []);
    for (let run = 0; run < runs; run++) for (const [i, one] of stands.entries()) all[i].push(await visit(one, page, run).catch(() => visit(one, page, run)));
    for (const [i, seen] of all.entries()) {
      seen.sort((a, b) => a.score - b.score);
      const middle = seen[Math.floor(seen.length / 2)];
      const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
      const name = stands.length > 1 ? `${page} ${stands[i].name}` : page;
      console.log(`${name.padEnd(16)} ${seen.map(({ score }) => score).join(' ')}; of the middle one: first paint ${seconds(middle.fcp)}, largest ${seconds(middle.lcp)}, blocked ${Math.round(middle.tbt)} ms, shift ${middle.cls.toFixed(3)}, speed index ${seconds(middle.index)}`);
      if (i > 0) continue;
      if (middle.poor.length) console.log(`${' '.repeat(17)}${middle.poor.join(', ')}`);
      low ||= middle.score < least;
    }
  }
} finally {
  for (const { server } of stands) await server.stop();
}
if (low) {
  console.error(`below ${least}: where nothing else runs on this machine, the page has become slower`);
  process.exitCode = 1;
}
