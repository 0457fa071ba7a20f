/** Plays games through the page and nothing else, by mouse, finger or keys. */
import assert from 'node:assert/strict';
import { eventually } from './eventually.mjs';

/** How somebody touches things. */
const hands = {
  mouse: (page) => ({
    press: (what) => what.click(),
    point: (x, y) => page.mouse.click(x, y),
  }),
  touch: (page) => ({
    press: (what) => what.tap(),
    point: (x, y) => page.touchscreen.tap(x, y),
  }),
  keys: (page) => ({
    press: (what) => reach(page, what),
    point: () => assert.fail('there is no pointer on a keyboard'),
  }),
};

export const hand = (page, by = 'mouse') => hands[by](page);

// --- what the table shows -------------------------------------------------

/** The game of this table, as the browser keeps it. */
export function keptGame(page) {
  return page.evaluate(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])));
}

/** Waits until the table asks somebody for something, with more than `moves`
 * moves made, and everything of it on the screen. Gives its phase. */
export async function settled(page, moves = -1) {
  const found = await page.waitForFunction(
    (moves) => {
      const table = document.querySelector('[data-phase]');
      if (!table || !['person', 'hand-over', 'over', 'interlude', 'broken'].includes(table.dataset.phase)) return null;
      // What comes after the board is there too, and moves nothing any more.
      if (table.dataset.phase !== 'broken' && !document.querySelector('#panel > *')) return null;
      // A page that was just opened is drawn part by part, at least one a frame.
      if (window.drawing?.at !== location.pathname) window.drawing = { at: location.pathname, parts: 0, still: 0 };
      const { drawing } = window;
      if (drawing.still < 4) {
        const parts = document.getElementsByTagName('*').length;
        drawing.still = parts === drawing.parts ? drawing.still + 1 : 0;
        drawing.parts = parts;
        if (drawing.still < 4) return null;
      }
      const { line } = JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2]));
      return line.length === Number(table.dataset.moves) && line.length > moves ? table.dataset.phase : null;
    },
    moves,
  );
  const phase = await found.jsonValue();
  if (phase === 'broken') assert.fail(`the table broke: ${await page.locator('dialog').innerText()}`);
  return phase;
}

/** Waits until a table of the server, which was just opened, is on the screen as a whole:
 * with what comes after the board, and no part added any more. */
export function drawn(page) {
  return page.waitForFunction(() => {
    if (!document.querySelector('#panel > *')) return false;
    if (window.drawing?.at !== location.pathname) window.drawing = { at: location.pathname, parts: 0, still: 0 };
    const { drawing } = window;
    const parts = document.getElementsByTagName('*').length;
    drawing.still = parts === drawing.parts ? drawing.still + 1 : 0;
    drawing.parts = parts;
    return drawing.still >= 4;
  });
}

/** How many moves have been made. */
export const made = (page) => page.locator('[data-moves]').getAttribute('data-moves').then(Number);

/** What each seat has, and what it would have with the draft. */
export function scores(page) {
  return page.locator('[data-seat]').evaluateAll((seats) =>
    seats.map((seat) => {
      const score = seat.querySelector('[data-score]')?.textContent;
      const after = seat.querySelector('[data-after]')?.textContent.match(/[−-]?\d+/)?.[0];
      return { score: score === undefined ? null : Number(score), after: Number(after ?? score) };
    }),
  );
}

/** Whether the draft has so many steps and the screen shows it. */
export function drafted(page, steps) {
  return page.waitForFunction((steps) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length === steps, steps);
}

/** The next person takes the screen. Gives the phase once they have it: the one
 * before may still show when the button has been pressed. */
export async function takeScreen(page, by = 'mouse') {
  await hand(page, by).press(page.locator('[data-take-screen]'));
  await page.waitForFunction(() => document.querySelector('[data-phase]').dataset.phase !== 'hand-over' && !document.querySelector('[data-take-screen]'));
  return settled(page);
}

/** Waits until the turn is made up. */
export const ready = (page) => page.locator('[data-confirm]:not(.early)').waitFor();

/** Confirms the turn and waits for what comes of it. */
export async function confirm(page, by = 'mouse') {
  await ready(page);
  const moves = await made(page);
  await hand(page, by).press(page.locator('[data-confirm]'));
  const phase = await settled(page, moves);
  await page.evaluate(() => (window.confirmed = performance.now()));
  return phase;
}

/** Right after Confirm the same button is deaf for a moment, so that a double
 * click does nothing else: waits until it hears again. */
export function hears(page) {
  return page.waitForFunction(() => !(performance.now() - window.confirmed < 450));
}

// --- ways ---------------------------------------------------------------------

/** Goes where a link within the page leads: nothing is loaded anew. */
export function followLink(page, path) {
  return page.evaluate((path) => {
    const link = document.createElement('a');
    link.href = path;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
}

// --- time -------------------------------------------------------------------

/** Stops the clock of a page, on which `page.clock.install` was called before it
 * was opened: time passes by `page.clock.runFor` alone, until `page.clock.resume`. */
export async function stopClock(page) {
  const stop = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
  await stop().catch(stop); // where that was over a second ago it stands still now
}

// --- keys -------------------------------------------------------------------

/** Fails where the focus cannot be seen. */
export async function focusShows(page) {
  // Rings fade in, and boards draw theirs a moment after the focus has come.
  const seen = await page
    .waitForFunction(() => {
      const at = document.activeElement;
      if (!at || at === document.body) return true; // nowhere: a screen has just opened
      if (at.matches('main[tabindex="-1"], h2[tabindex="-1"]')) return true; // where reading begins: no control
      const box = at.getBoundingClientRect();
      const style = getComputedStyle(at);
      const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
      const inside = box.width && box.height && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
      // In a board a ring of its own is drawn around the cell.
      const ringed = [at, ...(at.closest('svg')?.querySelectorAll('.focus, .ring') ?? [])].some((ring) => {
        if (ring === at || !ring.closest('svg')) return false;
        const paint = getComputedStyle(ring);
        const area = ring.getBoundingClientRect();
        const around = Math.abs(area.left + area.width / 2 - box.left - box.width / 2) < 6 && Math.abs(area.top + area.height / 2 - box.top - box.height / 2) < 6;
        return around && paint.visibility !== 'hidden' && paint.display !== 'none' && Number(paint.opacity) > 0.9 && (ring.matches('.focus') || (paint.stroke !== 'none' && parseFloat(paint.strokeWidth) > 0));
      });
      const framed = at.matches('[data-level]') && getComputedStyle(at.parentElement).outlineStyle !== 'none';
      const labelled = at.matches('input') && at.nextElementSibling && getComputedStyle(at.nextElementSibling).outlineStyle !== 'none';
      return inside && (outlined || ringed || labelled || framed);
    })
    .then(
      () => true,
      () => false,
    );
  assert.ok(seen, `the focus does not show on ${await page.evaluate(() => document.activeElement.outerHTML.slice(0, 300))}`);
}

/** Presses a key, and sees where the focus went. */
export async function key(page, name) {
  await page.keyboard.press(name);
  await focusShows(page);
}

/** Walks to something by F6 and Tab, as far as it takes, and presses Enter. */
export async function reach(page, what) {
  await walk(page, what);
  await page.keyboard.press('Enter');
}

/** Walks to something by F6 and Tab, as far as it takes. */
export async function walk(page, what) {
  const there = () => what.evaluate((e) => e === document.activeElement);
  const within = () => what.evaluate((e) => !!e.closest('[data-zone]')?.contains(document.activeElement));
  const zoned = await what.evaluate((e) => !!e.closest('[data-zone]') && !document.querySelector('dialog[open]'));
  if (zoned) for (let i = 0; i < 12 && !(await within()); i++) await key(page, 'F6');
  for (let i = 0; i < 200 && !(await there()); i++) await key(page, 'Tab');
  assert.ok(await there(), 'there is no way to it by keys');
}

// --- chance, without surprises ----------------------------------------------

/** Numbers in [0, 1) that are the same for the same seed. */
export function dice(seed) {
  let state = [...String(seed)].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 16777619), 2166136261) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const pick = (list, roll) => list[Math.floor(roll() * list.length)];

// --- Bosk ---------------------------------------------------------------------

const board = '[data-bosk-board]';

/** The places of the park that may be chosen now, as the page marks them. */
export function legal(page) {
  return page.locator(`${board} [data-legal]`).evaluateAll((cells) => cells.map((c) => c.dataset.at));
}

/** Where a place of the park is on the screen. */
export async function spotOf(page, at) {
  const cell = page.locator(`${board} [data-at="${at}"]`);
  await cell.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await cell.boundingBox();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Points at a place of the park. */
export async function aimAt(page, at, by = 'mouse') {
  if (by === 'keys') {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-at'));
    for (let i = 0, was = await focused(); i < 200 && was !== at; i++, was = await focused()) {
      await key(page, 'n');
      // The focus follows a moment later; where there is one place alone it stays.
      await page.waitForFunction(([board, was]) => document.activeElement?.matches('[data-at]') && (document.activeElement.dataset.at !== was || document.querySelectorAll(`${board} [data-legal]`).length === 1), [board, was]);
    }
    assert.equal(await focused(), at, 'N goes to every place that is allowed');
    await page.keyboard.press('Enter');
    return;
  }
  const { x, y } = await spotOf(page, at);
  await hand(page, by).point(x, y);
}

const tray = '[data-bosk-tray]';

/** What is left in the tray, by `data-tree` or `data-tile`. */
export function offered(page, kind) {
  return page.locator(`${tray} [data-${kind}]:not(.spent)`).evaluateAll((list, kind) => list.map((e) => e.dataset[kind]), kind);
}

/** Takes a tree or a tile in hand; its digit does it by keys. */
export async function take(page, kind, which, by = 'mouse') {
  if (by === 'keys') return key(page, which === 'squirrel' ? '1' : which);
  await hand(page, by).press(page.locator(`${tray} [data-${kind}="${which}"]`));
}

/** Makes up a turn of spring by keys: the first tree of the tray, on the next crossing.
 * Keys go nowhere at a table that has just been opened, before it is drawn, and Enter acts
 * where the focus is. */
export async function plantByKeys(page) {
  await page.waitForFunction(([board, tray]) => document.querySelector(`${board} [data-legal]`) && document.querySelector(`${tray} [data-tree]:not(.spent)`), [board, tray]);
  const [tree] = await offered(page, 'tree');
  await page.keyboard.press(tree);
  await page.locator(`${tray} [data-tree="${tree}"][aria-pressed="true"]`).waitFor();
  await page.keyboard.press('n');
  await page.waitForFunction((board) => document.activeElement?.matches(`${board} [data-legal]`), board);
  await page.keyboard.press('Enter');
  await ready(page);
}

/** What to do in Bosk: chosen at random, the same for the same dice. */
export function anyhow(roll) {
  return {
    plant: ({ values }) => ({ value: pick(values, roll) }),
    crossing: ({ legal }) => pick(legal, roll),
    wind: () => pick(['north', 'east', 'south', 'west'], roll),
    tree: ({ legal }) => pick(legal, roll),
    tile: ({ tiles }) => pick(tiles, roll),
    to: ({ legal }) => pick(legal, roll),
  };
}

/** How many steps the draft of Bosk has, and what the table asks for then. */
function task(page) {
  return page.evaluate((tray) => {
    const { draft } = JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2]));
    const there = (what) => document.querySelector(what) !== null;
    const asked = there('[data-confirm]:not(.early)') ? 'done' : draft.length ? 'leaf' : there(`${tray} [data-wind]`) ? 'wind' : there(`${tray} [data-tree]`) ? 'plant' : 'shed';
    return [draft.length, asked];
  }, tray);
}

/** Makes up one turn of Bosk, up to Confirm. */
export async function boskTurn(page, { by = 'mouse', plan, between = async () => {} }) {
  for (let step = 0; step < 30; step++) {
    await between();
    const [before, asked] = await task(page);
    // The last tree begins by itself: what was read before it did is out of date.
    const outOfDate = async () => (await task(page))[0] !== before;
    switch (asked) {
      case 'done':
        return;
      case 'plant': {
        const values = await offered(page, 'tree');
        const { value, at } = await plan.plant({ values, legal: await legal(page) });
        await take(page, 'tree', value, by);
        await page.waitForFunction((board) => document.querySelectorAll(`${board} [data-legal]`).length > 0, board);
        await aimAt(page, at ?? (await plan.crossing({ legal: await legal(page) })), by);
        break;
      }
      case 'wind':
        if (by === 'keys') await key(page, String(1 + ['north', 'east', 'south', 'west'].indexOf(plan.wind())));
        else await hand(page, by).press(page.locator(`${tray} [data-wind="${plan.wind()}"]`));
        break;
      case 'shed': {
        const places = await legal(page);
        const tiles = await offered(page, 'tile');
        if (await outOfDate()) continue;
        if (tiles.length === 1 && places.length < 2) break; // it will
        const at = await plan.tree({ legal: places, tiles });
        await aimAt(page, at, by);
        await take(page, 'tile', await plan.tile({ tiles, at }), by);
        break;
      }
      case 'leaf': {
        const places = await page.locator(`${board} [data-legal]`).evaluateAll((cells) => cells.map((c) => ({ at: c.dataset.at, label: c.getAttribute('aria-label') })));
        if (await outOfDate()) continue;
        const at = await plan.to({ legal: places.map((p) => p.at), places });
        await aimAt(page, at, by);
      }
    }
    await page.waitForFunction((before) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > before, before);
  }
  assert.fail('a turn that does not end');
}

// --- GrandBois ------------------------------------------------------------------

/** The forest glides to where all of it can be seen: it comes to rest. What was
 * pressed just before may have changed its room, and it begins to glide only
 * when that has been laid out, so frames pass first. */
export async function forestRests(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });
  await page.waitForFunction(() => !document.querySelector('.gb-forest svg.gliding') && !document.querySelector('.gb-forest svg')?.getAnimations().length);
}

/** Goes to the next place where the tile in hand may lie, by its key, and waits
 * for the focus to come there. */
export async function nextPlace(page) {
  await key(page, 'n');
  await page.waitForFunction(() => document.activeElement.matches('.gb-forest [role=gridcell][tabindex="0"]'));
}

/** Where the tile in hand may be laid the way it is turned, on the screen. The
 * places themselves may set the forest gliding, so they are looked at until they
 * stay where they are. */
async function dots(page) {
  await forestRests(page);
  for (let seen = await dotsNow(page); ; ) {
    await forestRests(page);
    const now = await dotsNow(page);
    if (JSON.stringify(now) === JSON.stringify(seen)) return now;
    seen = now;
  }
}

/** The same as they lie at this moment. */
async function dotsNow(page) {
  const frame = await page.locator('.gb-forest').boundingBox();
  const zoom = await page.locator('.frame .zoom').boundingBox();
  const arrows = await page.locator('.frame .beyond').evaluateAll((list) => list.map((e) => e.getBoundingClientRect()).map(({ x, y, width, height }) => ({ x, y, width, height })));
  const found = await page.locator('.gb-forest .dots circle:not(.faint)').evaluateAll((list) =>
    list.map((dot) => {
      const box = dot.getBoundingClientRect();
      return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    }),
  );
  const beside = ({ x, y }) => x > frame.x + 4 && y > frame.y + 4 && x < frame.x + frame.width - 4 && y < frame.y + frame.height - 4;
  const under = ({ x, y }) => [zoom, ...arrows].some((box) => box && x > box.x - 4 && x < box.x + box.width + 4 && y > box.y - 4 && y < box.y + box.height + 4);
  return found.filter((dot) => beside(dot) && !under(dot));
}

/** Takes a tile of the river and lays it somewhere. */
export async function layTile(page, how) {
  await aimTile(page, how);
  await drafted(page, 1);
}

/** Takes a tile of the river and points to where it should lie. */
export async function aimTile(page, { by = 'mouse', roll = dice('tile'), between = async () => {} } = {}) {
  // A table that has just been opened is drawn part by part.
  for (const part of ['.gb-river [data-tile]', '.gb-forest [role=gridcell]']) await page.locator(part).first().waitFor({ state: 'attached' });
  const tiles = await page.locator('.gb-river [data-tile]').evaluateAll((list) => list.map((e) => e.dataset.tile));
  const from = Math.floor(roll() * tiles.length);
  for (let i = 0; i < tiles.length; i++) {
    const n = (from + i) % tiles.length;
    if (by === 'keys') await key(page, String(n + 1));
    else await hand(page, by).press(page.locator(`.gb-river [data-tile="${tiles[n]}"]`));
    await page.locator(`.gb-river [data-tile="${tiles[n]}"][aria-pressed="true"]`).waitFor();
    await between();
    for (let turn = 0; turn < 4; turn++) {
      if (by === 'keys') {
        if (await page.locator('.gb-forest .dots circle:not(.faint)').count()) {
          for (let j = Math.floor(roll() * 4); j >= 0; j--) await nextPlace(page);
          return page.keyboard.press('Enter');
        }
        await key(page, 'r');
        continue;
      }
      const places = await dots(page);
      if (places.length) {
        const { x, y } = pick(places, roll);
        return hand(page, by).point(x, y);
      }
      await hand(page, by).press(page.locator('.gb-turns button').last());
    }
  }
  assert.fail('no tile of the river fits anywhere');
}

/** Makes one turn of GrandBois, the tower included. Gives the phase after it. */
export async function grandboisTurn(page, { by = 'mouse', roll = dice('turn'), atGhost = async () => {}, between = async () => {} } = {}) {
  const decide = page.locator('[data-decide]');
  const pass = page.locator('[data-pass]');
  const press = async (button) => {
    const moves = await made(page);
    await hand(page, by).press(button);
    return settled(page, moves);
  };
  if (await pass.count()) return press(pass);
  if (!(await decide.count())) {
    await layTile(page, { by, roll, between });
    await atGhost();
    const phase = await confirm(page, by);
    // The river is filled up before the tower is asked for.
    if (phase !== 'person' || !(await decide.count())) return phase;
  }
  await between();
  return press(decide.locator(roll() < 0.5 ? '[data-tower]' : '[data-no-tower]'));
}

// --- Tree Society -----------------------------------------------------------------

const society = '[data-ts-board]';

/** The cards that may be chosen now, as this part of the table marks them. */
export function choosable(page) {
  return page.locator(`${society} [data-legal]`).evaluateAll((cells) => cells.map((c) => ({ at: c.dataset.cell, does: c.dataset.legal, card: Number(c.dataset.card) })));
}

/** Points at a card: by thumb that opens it, and its button does the rest. */
export async function pointAt(page, at, by = 'mouse') {
  const cell = page.locator(`${society} [data-cell="${at}"]`);
  if (by === 'keys') {
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'));
    for (let i = 0; i < 60 && (await focused()) !== at; i++) {
      const before = await focused();
      await key(page, 'n');
      await page.waitForFunction((before) => document.activeElement?.matches('[data-legal]') && document.activeElement.getAttribute('data-cell') !== before, before);
    }
    assert.equal(await focused(), at, 'N goes to every card that may be chosen');
    return page.keyboard.press('Enter');
  }
  await cell.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  if (by === 'mouse') {
    const { width, height } = await cell.boundingBox();
    // Below the head, which only shows it; completed cards lie on each other.
    return cell.click({ position: { x: width / 2, y: at.startsWith('completed') ? 10 : height - 12 } });
  }
  await cell.tap(at.startsWith('completed') ? { position: { x: 20, y: 10 } } : {});
  await page.locator('[data-look]').locator('[data-do], [data-discard]').first().tap();
  await page.locator('[data-look]').waitFor({ state: 'detached' });
}

/** Waits until a step has been made: the draft is longer, or it was taken at once. */
const stepped = (page, before) => page.waitForFunction((before) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > before, before);

/** One step of a turn of Tree Society, whatever is asked for. */
async function societyStep(page, { by, roll }) {
  const press = (what) => hand(page, by).press(what);
  const effect = page.locator('[data-asked]');
  // An effect that needs a discard first has no button to use it.
  if (await effect.count()) return press(effect.locator((await effect.locator('[data-use]').count()) && roll() < 0.85 ? '[data-use]' : '[data-skip-effect]'));
  const action = page.locator('[data-action]:not(.off)');
  if ((await action.count()) && roll() < 0.4) return press(action);
  const rows = page.locator('[data-row]');
  if (await rows.count()) return press(rows.nth(Math.floor(roll() * (await rows.count()))));
  let cards = await choosable(page);
  if (by === 'touch' && !cards.length) {
    for (const tab of ['market', 'mine']) {
      if (cards.length) break;
      await press(page.locator(`#ts-tab-${tab}`));
      await page.locator(`#ts-tab-${tab}[aria-selected=true]`).waitFor();
      cards = await choosable(page);
    }
  }
  const rest = page.locator('[data-confirm][data-next]');
  const free = (await rest.count()) > 0;
  if (cards.length && (!free || roll() < 0.9)) {
    // Whoever finishes what was begun, and keeps it, comes to an end.
    const wise = [(c) => c.does === 'raise', (c) => !c.at.startsWith('completed')].map((good) => cards.filter(good)).find((list) => list.length);
    return pointAt(page, pick(wise ?? cards, roll).at, by);
  }
  const none = page.locator('[data-keep-none]');
  if (await none.count()) return press(none);
  assert.ok(free, 'there is nothing that could be done');
  await hears(page);
  await press(rest);
}

/** Makes one turn of Tree Society, with what chance turns up in between. Gives
 * the phase after it. */
export async function societyTurn(page, { by = 'mouse', roll = dice('society'), between = async () => {}, atEnd = async () => {} } = {}) {
  const { line } = await keptGame(page);
  const turns = (entries) => entries.filter((e) => e.move.do === 'rest' || e.move.do === 'draft').length;
  for (let step = 0; step < 80; step++) {
    await between();
    if (await page.locator('[data-confirm]:not(.early):not([data-next])').count()) {
      await atEnd();
      const phase = await confirm(page, by);
      if (phase !== 'person' || turns((await keptGame(page)).line) > turns(line)) return phase;
      continue;
    }
    const before = (await keptGame(page)).draft.length;
    await societyStep(page, { by, roll });
    await stepped(page, before);
  }
  assert.fail('a turn that does not end');
}

/** Plays Tree Society on to its end. */
export function playSociety(page, { by = 'mouse', roll = dice('society'), between, atEnd, most } = {}) {
  return playOn(page, { by, most, turn: () => societyTurn(page, { by, roll, between, atEnd }) });
}

// --- whole games ------------------------------------------------------------------

/** From home to the table, by what a newcomer would press. */
export async function startGame(page, { game, by = 'mouse', seats, level, listed = true }) {
  const { press } = hand(page, by);
  await press(page.locator(`article .ways a.act[href="/${game}/new"]`));
  await page.locator('form button[type=submit]').waitFor();
  if (seats) {
    await press(page.locator(`form input[type=radio][value="${seats.length}"]`));
    for (const [i, { who, name }] of seats.entries()) {
      const seat = page.locator('form li').nth(i);
      await press(seat.locator(`input[type=radio][value="${who}"]`));
      if (name) await seat.locator('input[type=text]').fill(name);
    }
  }
  if (level) await chooseLevel(page, level, { by });
  if (listed) await press(page.locator('form input[type=radio][value="listed"]'));
  await press(page.locator('form button[type=submit]'));
  await page.locator('[data-phase]').waitFor();
}

/** Makes bots so strong: by pointing at the tree, or with arrow keys. */
export async function chooseLevel(page, level, { by = 'mouse', which = 0 } = {}) {
  const grove = page.locator('[data-level]:not(:disabled)').nth(which);
  await grove.waitFor();
  if (by === 'keys') {
    const at = async () => Number(await grove.inputValue());
    if (!(await grove.evaluate((e) => e === document.activeElement))) await walk(page, grove);
    for (let i = 0; i < 12 && (await at()) !== level; i++) await key(page, (await at()) < level ? 'ArrowRight' : 'ArrowLeft');
  } else {
    await grove.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await grove.boundingBox();
    const count = Number(await grove.getAttribute('max'));
    await hand(page, by).point(x + ((level - 0.5) / count) * width, y + height / 2);
  }
  await eventually(() => grove.inputValue(), String(level), 'the strength that was chosen');
}

/** Skips the counting of points, as impatiently as anybody would: its first
 * moments belong to the click that brought it. A press that comes too late, when
 * the counting has just ended, does nothing else: the button to skip is gone then,
 * and the key is one that means nothing. */
export async function skipCounting(page, by = 'mouse') {
  const counting = () => page.locator('[data-phase="interlude"]').count();
  for (let i = 0; i < 100 && (await counting()); i++) {
    if (by === 'keys') await page.keyboard.press('Pause');
    else await page.locator('footer.actions .confirm[data-skip]')[by === 'touch' ? 'tap' : 'click']({ timeout: 1000 }).catch(() => {});
    await page.waitForFunction(() => document.querySelector('[data-phase]').dataset.phase !== 'interlude', undefined, { timeout: 500 }).catch(() => {});
  }
}

/** Plays on to the end, or until it is enough. `turn` makes one turn and gives the phase after it. */
export async function playOn(page, { by = 'mouse', turn, most = 200, until = () => false }) {
  for (let turns = 0; turns < most; turns++) {
    if (until()) return;
    const phase = await settled(page);
    if (phase === 'over') return;
    if (phase === 'interlude') {
      await skipCounting(page, by);
    } else if (phase === 'hand-over') await takeScreen(page, by);
    else await turn(turns);
  }
  assert.fail('a game that does not end');
}

/** Plays Bosk on to its end, or until it is enough. */
export function playBosk(page, { by = 'mouse', plan = anyhow(dice('bosk')), beforeConfirm = async () => {}, afterConfirm = async () => {}, most, until } = {}) {
  return playOn(page, {
    by,
    most,
    until,
    async turn(n) {
      await boskTurn(page, { by, plan });
      const known = await beforeConfirm(n);
      const phase = await confirmBosk(page, by);
      await afterConfirm(known, phase);
    },
  });
}

/** By keys Enter on the ghost confirms; where there is none, the button does. */
async function confirmBosk(page, by) {
  const onGhost = by === 'keys' && (await page.evaluate(() => document.activeElement?.getAttribute('aria-selected') === 'true'));
  if (!onGhost) return confirm(page, by);
  const moves = await made(page);
  await page.keyboard.press('Enter');
  return settled(page, moves);
}

/** Plays GrandBois on to its end, or until it is enough. */
export function playGrandbois(page, { by = 'mouse', roll = dice('grandbois'), atGhost, between, most, until } = {}) {
  return playOn(page, { by, most, until, turn: () => grandboisTurn(page, { by, roll, atGhost, between }) });
}

/** The end sheet, as it can be read: the lines of each part, their sums, the totals. */
export async function endSheet(page) {
  await page.locator('dialog [data-verdict]').waitFor();
  return page.locator('dialog').evaluate((dialog) => {
    const number = (cell) => (cell.textContent.trim() === '–' ? 0 : Number(cell.textContent));
    const numbers = (row) => [...row.querySelectorAll('td')].map(number);
    return {
      verdict: dialog.querySelector('[data-verdict]').textContent,
      places: [...dialog.querySelectorAll('.places li')].map((li) => Number(li.querySelector('b').textContent)),
      parts: [...dialog.querySelectorAll('tbody')].map((part) => {
        const [sum, ...lines] = [...part.querySelectorAll('tr')].map(numbers);
        return { sum, lines };
      }),
      totals: numbers(dialog.querySelector('tfoot tr')),
    };
  });
}

/** Fails unless every column adds up, line by line and part by part. */
export function addsUp({ places, parts, totals }) {
  totals.forEach((total, seat) => {
    for (const { sum, lines } of parts)
      assert.equal(
        lines.reduce((all, line) => all + line[seat], 0),
        sum[seat],
        `the lines of a part add up for seat ${seat}`,
      );
    assert.equal(
      parts.reduce((all, part) => all + part.sum[seat], 0),
      total,
      `the parts add up for seat ${seat}`,
    );
  });
  assert.deepEqual([...places], [...totals].sort((a, b) => b - a), 'the places show the totals, the best first');
}

// --- slips ------------------------------------------------------------------------

/** Waits until a slip lies where it belongs, and looks at it: it goes by itself once it can
 * have been read, but not from under the eyes of whoever does, however slowly. */
export function lookAtSlip(page) {
  return page.waitForFunction(() => {
    const slip = document.querySelector('[data-slip].laid');
    slip?.dispatchEvent(new FocusEvent('focusin', { bubbles: true }));
    return slip !== null;
  });
}

// --- hints ------------------------------------------------------------------------

/** Asks for a hint and waits for it. */
export async function askHint(page, by = 'keys') {
  if (by === 'keys') await page.keyboard.press('h');
  else await hand(page, by).press(page.locator('[data-ask-hint]'));
  await page.locator('[data-hint="given"]').waitFor({ timeout: 600_000 }); // however busy the machine is
}

/** The columns of a hint as they can be read, each with what it comes to. */
export function hintSums(page) {
  return page.locator('[data-hint] [data-sum]').evaluateAll((tables) => {
    const number = (cell) => Number(cell.textContent.replace(/[=\s]/g, '').replace('−', '-').replace(',', '.'));
    return tables.map((table) => ({
      parts: [...table.querySelectorAll('tbody td')].map(number),
      total: number(table.querySelector('tfoot td')),
      shown: number(table.closest('[data-hint]').querySelector('[data-lead]')),
    }));
  });
}

/** Fails unless every column of the hint adds up to the tenth. Gives how many there are. */
export async function hintAddsUp(page) {
  const sums = await hintSums(page);
  for (const { parts, total } of sums) {
    assert.ok(parts.length >= 2, 'the lead now, and at least what lies further ahead');
    assert.equal(parts.reduce((all, n) => all + Math.round(n * 10), 0), Math.round(total * 10), `${parts.join(' ')} = ${total}`);
  }
  if (sums.length) assert.equal(sums[0].total, sums[0].shown, 'the column ends in what the hint promises');
  return sums.length;
}
