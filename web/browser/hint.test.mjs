import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, aimAt, anyhow, askHint, boskTurn, confirm, dice, endSheet, focusShows, hand, hintAddsUp, keptGame, legal, made, nextPlace, playOn, ready, settled, startGame } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { bosk, grandbois } from './games.mjs';
import { barriers, none, still } from './look.mjs';
import { lastOfRound } from './moving.mjs';
import { bot, patience, person, stand, themes } from './stand.mjs';
import { shapes, words } from './words.mjs';

const here = stand({ before, after }, { think: true });
const card = '[data-hint]';

/** Where there is time (`make torture`) games begin at their beginning. */
const whole = Boolean(process.env.COPSE_TORTURE);

/** Keeps back whatever is thought of while `deep` is true on the page: a thought
 * lasts until it is ended. To be called before the page is opened. */
function deepThoughts(page) {
  return page.addInitScript(() => {
    window.Worker = class extends Worker {
      thoughts = new Set();
      constructor(...how) {
        super(...how);
        this.addEventListener('message', (e) => {
          if (window.deep && this.thoughts.has(e.data.id)) e.stopImmediatePropagation();
        });
      }
      postMessage(asked) {
        if (asked.line && JSON.parse(asked.line).do === 'think') this.thoughts.add(asked.id);
        super.postMessage(asked);
      }
    };
  });
}

/** Lets the hint make the turn, and confirms it: by keys, H, Enter and Enter again. */
async function playHint(page, by, given = async () => {}) {
  await askHint(page, by);
  await given();
  await hintAddsUp(page);
  if (by === 'keys') {
    await page.waitForFunction(() => document.activeElement?.matches('[data-play]'));
    await focusShows(page);
    await page.keyboard.press('Enter');
    await ready(page);
    await page.waitForFunction(() => document.activeElement?.matches('[data-confirm]'));
    await focusShows(page);
    const moves = await made(page);
    await page.keyboard.press('Enter');
    return settled(page, moves);
  }
  await hand(page, by).press(page.locator('[data-play]'));
  await ready(page);
  await page.locator(card).waitFor({ state: 'detached' });
  return confirm(page, by);
}

/** What hints said of a game is what was done, word by word, as its log tells it. */
async function toldInTheLog(page, said) {
  const log = await page.locator('#panel ol li').evaluateAll((list) => list.map((turn) => [...turn.querySelectorAll('p')].map((p) => p.textContent).join(' ')).reverse());
  let at = -1;
  for (const words of said) {
    at = log.findIndex((turn, i) => i > at && turn.includes(words));
    assert.ok(at >= 0, `the log does not tell of “${words}”: ${log.join('\n')}`);
  }
}

/** Two stretches of a game have every kind of turn in them: the last tree, the wind and
 * a first path; and the last paths, a squirrel and the end. */
test('Bosk against the second level, by keyboard alone, every turn as the hint says, over the seasons and to the end', { timeout: 1_800_000 }, async (t) => {
  const how = { players: [person(), bot(2)], seed: 'as the hint says' };
  const games = whole ? [] : [await bosk('spring', { ...how, planted: 14, id: 'seasons' }), await bosk('autumn', { ...how, round: 6, id: 'end' })];
  const { page, to } = await here.visit(t, { games });
  await patience(page); // so that it is the same game on every machine
  let said; // by the hints
  const plan = () => page.locator(`${card} .plan`).evaluate((plan) => [...plan.querySelectorAll('p, li span:last-child')].map((step) => step.textContent).join(' '));
  const play = async (until) => {
    said = [];
    await playOn(page, {
      by: 'keys',
      turn: () =>
        playHint(page, 'keys', async () => {
          assert.equal(await page.getByText(words('en', 'page.hint.cut')).count(), 0, 'it had the time that it takes');
          said.push(await plan());
        }),
      until,
    });
    for (const worker of page.workers()) assert.ok(await worker.evaluate(() => globalThis.patient), 'the engines were patient');
    assert.equal((await keptGame(page)).hints, said.length);
    await toldInTheLog(page, said);
  };
  if (whole) {
    await to('/');
    await startGame(page, { game: 'bosk', by: 'keys', level: 2, listed: false });
  } else {
    await to('/table/seasons');
    await play(() => said.length === 3);
    const mine = (await keptGame(page)).line.slice(games[0].line.length).filter(({ seat, move }) => seat === 0 && move.do !== 'leaf');
    assert.deepEqual(mine.map(({ move }) => move.do), ['plant', 'wind', 'shed']);
    await to('/');
    await hand(page, 'keys').press(page.locator('a[href="/table/end"]').first());
    await page.locator('[data-phase]').waitFor();
  }
  await play();
  const turns = said.length;
  assert.ok(turns >= (whole ? 16 : 3), `${turns} turns`);
  addsUp(await endSheet(page));
  assert.ok((await page.locator('dialog .places').innerText()).includes(`${turns} hints`), 'the end says how often');
  // The strongest level plays well: it beats the second.
  const { result, players } = await keptGame(page);
  assert.equal(result.ranks[players.findIndex((p) => p.kind === 'person')], 1);
});

test('GrandBois to its end against the first level, by thumb, every turn as the hint says', { timeout: 1_800_000 }, async (t) => {
  const games = whole ? [] : [await grandbois('place', { laid: 22, players: [person('Mia'), bot(1)], seed: 'as the hint says' })];
  const { page, to } = await here.visit(t, { size: 'phone', language: 'it', games });
  await patience(page); // a hint that is cut short plans less of the turn
  await to('/');
  if (whole) await startGame(page, { game: 'grandbois', by: 'touch', seats: [{ who: 'person', name: 'Mia' }, { who: 'bot' }], level: 1 });
  else await page.locator('a.next').tap();
  const italian = shapes('it', 'grandbois.event.');
  let turns = 0;
  await playOn(page, {
    by: 'touch',
    async turn() {
      await askHint(page, 'touch');
      if (turns < 6) {
        // The sheet leaves the board and the actions free.
        await still(page);
        const [sheet, board, actions] = await page.evaluate((parts) => parts.map((part) => document.querySelector(part).getBoundingClientRect().toJSON()), [card, 'main.board', 'footer.actions']);
        assert.ok(sheet.y >= board.y + board.height - 1 && sheet.y + sheet.height <= actions.y + 1, `the sheet is at ${sheet.y}, the board ends at ${board.y + board.height}`);
        const said = await page.locator(`${card} .plan`).innerText();
        assert.ok(italian.some((say) => say.test(said)), `this is no Italian of ours: ${said}`);
        await page.locator('[data-plan]').first().waitFor();
        await page.locator('.why').tap();
      }
      await hintAddsUp(page);
      await page.locator('[data-play]').tap();
      await ready(page);
      await confirm(page, 'touch');
      turns++;
    },
  });
  assert.ok(turns > 6, `${turns} turns`);
  addsUp(await endSheet(page));
  assert.equal((await keptGame(page)).hints, turns);
});

test('a hint is about the rest of the turn, stays while one goes its way, and goes when one does not', async (t) => {
  const game = await bosk('autumn', { round: 5, players: [person('Anna'), bot(3)], seed: 'its way' });
  const { page, to } = await here.visit(t, { games: [game] });
  await patience(page);
  await to(`/table/${game.id}`);
  await settled(page);
  await askHint(page);
  const steps = () => page.locator(`${card} .plan li`).count();
  const numbers = () => page.locator('[data-plan] text').allTextContents();
  const whole = await steps();
  assert.ok(whole > 1);
  await eventually(numbers, Array.from({ length: whole }, (_, i) => String(i + 1)));
  // Its tile and its tree bear the sign; taken, the rest is still marked.
  const plan = await page.locator('[data-bosk-board] [data-at]').evaluateAll((cells) => cells.filter((c) => /hint/.test(c.getAttribute('aria-label'))).map((c) => c.dataset.at));
  assert.equal(plan.length, 1, 'the crossing says that it is meant');
  await page.locator('[data-bosk-tray] .card:has(.bulb)').click();
  await aimAt(page, plan[0]);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > 0);
  assert.equal(await page.locator(card).count(), 1);
  await page.waitForFunction(() => document.querySelector('[data-plan] text')?.textContent === '2');
  const undone = (await numbers()).length;
  await eventually(() => page.locator(`${card} .plan .done`).count(), whole - undone);
  // Asked for now, it is about the leaves alone.
  await page.keyboard.press('h');
  await page.locator(card).waitFor({ state: 'detached' });
  await eventually(() => page.locator('[data-plan]').count(), 0);
  await askHint(page);
  await hintAddsUp(page);
  const meant = await page.locator('[data-bosk-board] [data-at]').evaluateAll((cells) => cells.filter((c) => /hint, step 1$/.test(c.getAttribute('aria-label'))).map((c) => c.dataset.at));
  assert.equal(meant.length, 1);
  // Another way: it goes.
  const other = (await legal(page)).find((at) => at !== meant[0]);
  if (other) await aimAt(page, other);
  else await page.keyboard.press('u');
  await page.locator(card).waitFor({ state: 'detached' });
  assert.equal((await keptGame(page)).hints, 2);
});

test('a hint that is asked for while the last turn begins by itself is about what has begun', async (t) => {
  const game = await lastOfRound(7);
  const { page, to } = await here.visit(t, { games: [game] });
  await patience(page);
  // Answers of engines are kept back from the moment on at which it is Anna's turn again.
  await page.addInitScript(() => {
    const kept = [];
    window.Worker = class extends Worker {
      constructor(...how) {
        super(...how);
        this.addEventListener('message', (e) => {
          if (!window.holds) return;
          e.stopImmediatePropagation();
          kept.push(() => this.dispatchEvent(new MessageEvent('message', { data: e.data })));
        });
      }
    };
    window.holdFrom = (moves) => {
      const table = document.querySelector('[data-phase]');
      new MutationObserver(() => (window.holds ??= (table.dataset.phase === 'person' && Number(table.dataset.moves) > moves) || undefined)).observe(table, { attributes: true });
    };
    window.letGo = () => {
      window.holds = false;
      for (const go of kept.splice(0)) go();
    };
  });
  await to(`/table/${game.id}`);
  await settled(page);
  await boskTurn(page, { plan: anyhow(dice('last')) });
  await ready(page);
  await page.evaluate((moves) => window.holdFrom(moves), await made(page));
  await page.locator('[data-confirm]').click();
  await page.waitForFunction(() => window.holds);
  assert.deepEqual((await keptGame(page)).draft, [], 'it has not begun yet');
  const part = page.waitForResponse(/\/Hint-.*\.js$/);
  await page.keyboard.press('h');
  await (await part).finished();
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });
  await page.evaluate(() => window.letGo());
  await page.locator('[data-hint="given"]').waitFor();
  assert.equal((await keptGame(page)).draft.length, 1, 'the tree and the tile that are left');
});

test('an alternative shows its reasons and its marks, and can be played instead', async (t) => {
  const game = await bosk('spring', { planted: 6, players: [person('Anna'), bot(3)] });
  const { page, to } = await here.visit(t, { games: [game] });
  await patience(page);
  await to(`/table/${game.id}`);
  await settled(page);
  await askHint(page, 'mouse');
  const marked = () => page.locator('[data-bosk-board] [data-at]').evaluateAll((cells) => cells.find((c) => /hint/.test(c.getAttribute('aria-label')))?.dataset.at);
  const best = await marked();
  assert.equal(await hintAddsUp(page), 1);
  await page.locator('[data-other="1"]').click();
  await eventually(() => hintAddsUp(page), 2, 'the other way has its reasons too');
  const second = await marked();
  assert.notEqual(second, best);
  await page.locator(`${card} li.open .more > button`).click();
  await ready(page);
  const { draft } = await keptGame(page);
  assert.equal(draft[0].at.join(), second);
});

test('thinking can be ended at any time: by Escape, by the button, by going on', async (t) => {
  const game = await grandbois('place', { laid: 6, players: [person('Anna'), bot(2)], seed: 'impatient' });
  const { page, to } = await here.visit(t, { games: [game] });
  await deepThoughts(page);
  await to(`/table/${game.id}`);
  await settled(page);
  await page.evaluate(() => (window.deep = true));
  const thinking = page.locator('[data-hint="thinking"]');
  const gone = () => page.locator(card).waitFor({ state: 'detached' });
  await page.keyboard.press('1');
  await nextPlace(page);
  const where = await page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.keyboard.press('h');
  await thinking.waitFor();
  await page.keyboard.press('Escape');
  await gone();
  await page.waitForFunction((where) => document.activeElement?.getAttribute('aria-label') === where, where); // the focus is where it was
  await page.keyboard.press('h');
  await page.locator('[data-stop]').click();
  await gone();
  await page.keyboard.press('h');
  await thinking.waitFor();
  await page.locator('.gb-forest [role=gridcell][tabindex="0"]').focus();
  await page.keyboard.press('Enter'); // lays the tile
  await gone();
  await ready(page);
  assert.equal((await keptGame(page)).hints, 0);
  // The bot, whose worker was ended, thinks in another.
  await page.evaluate(() => (window.deep = false));
  await confirm(page);
  const { line } = await keptGame(page);
  assert.ok(line.slice(game.line.length).some((e) => e.seat === 0));
  await askHint(page);
  await hintAddsUp(page);
  assert.equal((await keptGame(page)).hints, 1);
});

test('among people there are no hints', async (t) => {
  const game = await bosk('spring', { players: [person('Anna'), person('Luc'), bot(1)] });
  const { page, to } = await here.visit(t, { games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  assert.equal(await page.locator('[data-ask-hint]').count(), 0);
  await page.keyboard.press('h');
  await page.keyboard.press('?');
  await page.locator('dialog[open] dl').waitFor();
  assert.equal(await page.locator(card).count(), 0);
  await eventually(() => page.locator('dialog').innerText(), /hint, against bots alone/);
});

test('axe finds nothing serious on a hint that is thought of or given, light and dark', async (t) => {
  const game = await bosk('autumn', { round: 3, players: [person('Anna'), bot(4)] });
  for (const size of ['desktop', 'phone']) {
    const { page, to } = await here.visit(t, { size, games: [game] });
    await to(`/table/${game.id}`);
    await settled(page);
    const look = async (when) => {
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await still(page);
        none(await barriers(page), `${when}, ${size}, ${colorScheme}`);
      }
    };
    // Whoever thinks gets the engine no sooner than we have looked.
    let looked;
    const free = new Promise((resolve) => (looked = resolve));
    await page.route(/\.wasm$/, async (route) => {
      await free;
      await route.continue();
    });
    await page.locator('[data-ask-hint]')[size === 'phone' ? 'tap' : 'click']();
    await page.locator('[data-hint="thinking"]').waitFor();
    await look('thought of');
    looked();
    await page.locator('[data-hint="given"]').waitFor();
    if (size === 'phone') await page.locator('.why').tap();
    await page.locator('[data-other="1"]').click();
    await look('given');
  }
});
