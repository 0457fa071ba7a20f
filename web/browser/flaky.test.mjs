/** Two people at a bad line: answers are lost though the move was made, streams
 * break off in the middle of an event, and for seconds nobody is reached. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { aimTile, plantByKeys } from './drive.mjs';
import { binary, browse, serve, visit } from './stand.mjs';

let browser;
let folder;
let server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'copse-flaky-'));
  execFileSync('go', ['build', '-o', join(folder, 'flaky'), './web/browser/flaky'], { cwd: fileURLToPath(new URL('../..', import.meta.url)) });
  [browser, server] = await Promise.all([browse(), serve(0, join(folder, 'data'))]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A line to the server that is calm until it is told to be rough. The answer of
 * `end` is what has happened on it. */
async function line(t, seed) {
  const program = spawn(join(folder, 'flaky'), ['--to', server.url, '--seed', String(seed)], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => program.stdin.end());
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  return {
    url,
    rough: () => program.stdin.write('rough\n'),
    async end() {
      program.stdin.end();
      return JSON.parse((await lines.next()).value);
    },
  };
}

/** What a browser says of such a line, and rightly so. */
const bad = /ERR_(CONNECTION_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH|SOCKET_NOT_CONNECTED)/;

const state = (page) => page.locator('[data-phase]').evaluate(({ dataset: { phase, moves } }) => ({ phase, moves: Number(moves) }));

const drafts = {
  bosk: plantByKeys,
  grandbois: (page) => aimTile(page, { by: 'keys' }),
};

/** How many entries are moves or outcomes. */
const ofTheGame = (log) => log.filter((entry) => ['move', 'chance'].includes(entry.do)).length;

/** Whoever's turn it is, once both windows show the same. */
async function actor(pages) {
  for (;;) {
    const now = await Promise.all(pages.map(state));
    assert.ok(!now.some(({ phase }) => phase === 'broken'), 'a table broke');
    const acts = now.findIndex(({ phase }) => phase === 'person');
    if (acts >= 0 && now[0].moves === now[1].moves) return pages[acts];
    await pages[0].waitForTimeout(50);
  }
}

/** One turn, until it is seen to be made. */
async function turn(page, game) {
  const { moves } = await state(page);
  const decide = page.locator('[data-decide] [data-no-tower]');
  if (await decide.count()) await decide.click();
  else {
    await drafts[game](page);
    await page.locator('[data-confirm]:not(.early)').waitFor();
    await page.locator('[data-confirm]').click();
  }
  await page.waitForFunction((moves) => Number(document.querySelector('[data-moves]').dataset.moves) > moves, moves);
}

// With these seeds two who ask five times each have met every fate.
for (const [game, turns, seed] of [
  ['bosk', 14, 23],
  ['grandbois', 14, 28],
])
  test(`two people play ${game} over a line that fails; no move is lost or made twice`, { timeout: 900_000 }, async (t) => {
    const wire = await line(t, seed);
    const guests = [];
    for (const [language, size] of [
      ['en', 'desktop'],
      ['fr', 'phone'],
    ]) {
      const guest = await visit(browser, wire.url, { language, size });
      guest.page.setDefaultTimeout(120_000); // tries that fail are made again, later and later
      t.after(async () => {
        await guest.context.close();
        assert.deepEqual(guest.wrong.filter((what) => !bad.test(what)), [], 'what must not happen on a page');
      });
      guest.sent = new Map(); // drafts by their keys
      guest.page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/moves')) guest.sent.set(request.headers()['idempotency-key'], request.postDataJSON().moves);
      });
      guests.push(guest);
    }
    const [anna, luc] = guests;
    const pages = [anna.page, luc.page];
    await anna.to(`/together/${game}`);
    await anna.page.locator('#guest').fill('Anna');
    await anna.page.keyboard.press('Enter');
    await anna.page.locator('[data-start]').waitFor();
    await luc.page.goto(await anna.page.locator('[data-link]').inputValue());
    await luc.page.locator('#guest').fill('Luc');
    await luc.page.keyboard.press('Enter');
    await luc.page.locator('[data-sit]').first().tap();
    await anna.page.locator('[data-seat="1"][data-held="person"]').waitFor();
    await anna.page.locator('[data-start]').click();
    await Promise.all(pages.map((page) => page.locator('[data-phase]').waitFor()));
    for (const page of pages) await page.evaluate(() => (window.stayed = true));

    const id = new URL(anna.page.url()).pathname.split('/')[2];
    const { entries: dealt } = await (await fetch(`${server.url}/api/tables/${id}/entries?from=0`)).json();
    await actor(pages);
    const first = (await state(pages[0])).moves - ofTheGame(dealt.map(({ entry }) => entry)); // what else the page counts

    wire.rough();
    for (let n = 0; n < turns; n++) await turn(await actor(pages), game);
    await actor(pages);
    const [here, there] = await Promise.all(pages.map(state));
    assert.equal(here.moves, there.moves, 'both are in step');

    // One of them gives up, over the same line, so that the log can be shown.
    await luc.page.locator('[data-menu]').tap();
    await luc.page.locator('[data-resign]').tap();
    await luc.page.locator('[data-resign-sure]').tap();
    for (const page of pages) {
      await page.locator('[data-verdict]').waitFor();
      assert.equal(await page.evaluate(() => window.stayed), true, 'nobody reloads');
    }
    const exported = execFileSync(binary, ['export', id, '--data', join(folder, 'data')], { encoding: 'utf8' });
    const file = join(folder, `${id}.jsonl`);
    writeFileSync(file, exported);
    execFileSync(binary, ['verify', file]);
    const log = exported.trim().split('\n').slice(1).map((row) => JSON.parse(row).entry);
    assert.ok(!log.some((entry) => ['undo', 'leave', 'timeout'].includes(entry.do)), 'nobody went away');
    assert.equal(here.moves - first, ofTheGame(log), 'both have seen all that is in the log');
    guests.forEach(({ sent }, seat) => {
      const made = log.filter((entry) => entry.do === 'move' && entry.seat === seat && !entry.bot).map((entry) => entry.move);
      assert.deepEqual(made, [...sent.values()].flat(), `every move of seat ${seat} is there once, in its order`);
    });
    const happened = await wire.end();
    for (const fate of ['well', 'slow', 'lost', 'unheard', 'half', 'cut', 'outage', 'refused']) assert.ok(happened[fate] > 0, `nothing was ${fate}: ${JSON.stringify(happened)}`);
  });
