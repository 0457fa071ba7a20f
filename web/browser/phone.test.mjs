/** Phones: what is drawn stays where it is, and nothing lies in the way of a thumb. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aimAt, anyhow, boskTurn, confirm, dice, drafted, forestRests, grandboisTurn, keptGame, legal, lookAtSlip, settled, societyTurn, startGame, stopClock, take } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { bosk, finished, grandbois, treesociety } from './games.mjs';
import { guest, playOn } from './guests.mjs';
import { speak, still } from './look.mjs';
import { bot, person, stand } from './stand.mjs';
import { gather } from './together.mjs';
import { words } from './words.mjs';

const here = stand({ before, after });

const phones = [
  { width: 390, height: 844 },
  { width: 360, height: 640 },
];
const held = (viewport) => ({ size: 'phone', device: { viewport } });

/** Where something lies on the page, to the tenth of a pixel. */
function boxOf(page, what) {
  return page.locator(what).first().evaluate((e) => {
    const { left, top, width, height } = e.getBoundingClientRect();
    return [left + scrollX, top + scrollY, width, height].map((n) => Math.round(n * 10) / 10);
  });
}

/** A look at the board that fails where it is not where it was at the first. */
function unmoved(page, what) {
  let first;
  return async (when) => {
    const now = await boxOf(page, what);
    first ??= now;
    assert.deepEqual(now, first, when);
    return first;
  };
}

for (const viewport of phones) {
  const name = `${viewport.width} × ${viewport.height}`;

  test(`nothing moves the board of Bosk once it is drawn: ${name}`, async (t) => {
    const three = [person(), bot(), bot()];
    const games = await Promise.all([bosk('spring', { id: 'spring', planted: 6, players: three }), bosk('summer', { id: 'summer', players: three }), bosk('autumn', { id: 'autumn', round: 3, players: three })]);
    const { page, to } = await here.visit(t, { ...held(viewport), games });
    const look = unmoved(page, '[data-bosk-board]');
    for (const { id } of games) {
      await to(`/table/${id}`);
      await page.locator('[data-phase] [data-bosk-board]').waitFor();
      await look(`${id}, as soon as it is drawn`);
      await settled(page);
      await still(page);
      await look(`${id}, with all that comes after it`);
      await page.locator('[data-confirm]').tap();
      await page.locator('[data-slip].laid').waitFor();
      await look(`${id}, something refused`);
      await boskTurn(page, { by: 'touch', plan: anyhow(dice(id)), between: () => look(`${id}, in the middle of a turn`) });
      await look(`${id}, a turn made up`);
      await confirm(page, 'touch');
      await still(page);
      await look(`${id}, after the bots’ turns`);
    }
  });

  test(`nothing moves the forest, or the cards of Tree Society: ${name}`, async (t) => {
    const games = await Promise.all([grandbois('place', { id: 'place', laid: 20 }), treesociety('sell', { id: 'society', round: 3 })]);
    const { page, to } = await here.visit(t, { ...held(viewport), games });
    await to('/table/place');
    await settled(page);
    const forest = unmoved(page, '.gb-forest');
    await forest('the forest, drawn');
    await page.locator('[data-confirm]').tap();
    await page.locator('[data-slip].laid').waitFor();
    await forest('a refusal');
    const roll = dice('a still forest');
    for (let turn = 0; turn < 3; turn++) await grandboisTurn(page, { by: 'touch', roll, between: () => forest('a tile in hand'), atGhost: () => forest('a ghost') });
    await forest('after three turns');

    await to('/table/society');
    await settled(page);
    // What lies there is scrolled; where it begins stays, however much is told below it.
    const society = async (when) => {
      const [left, top, width] = await boxOf(page, '[data-ts-board]');
      assert.deepEqual([left, top, width], first ?? (first = [left, top, width]), when);
    };
    let first;
    await society('the cards, drawn');
    const phase = await societyTurn(page, { by: 'touch', roll: dice('still cards'), between: () => society('in the middle of a turn'), atEnd: () => society('a turn made up') });
    assert.ok(phase);
    await society('the next turn');
  });

  test(`requests, notices, names and the line have their own place: ${name}`, async (t) => {
    const { page, to } = await here.visit(t, held(viewport));
    const { anna, luc, mia } = await gather(page, to);
    const noe = await guest(here.server.url, 'Noé');
    const table = await anna.set({ game: 'bosk', seats: 4 });
    for (const [seat, one] of [anna, luc, mia, noe].entries()) await one.sit(table, seat);
    await anna.ask(`POST /api/tables/${table}/start`, {});
    await playOn(table, [anna, luc, mia, noe], (n, seat) => n >= 5 && seat === 0);
    await to(`/t/${table}`);
    await page.locator('[data-phase="person"] [data-bosk-board]').waitFor();
    await page.locator('[data-missed]').waitFor(); // she has been away: what came since is a notice too
    const look = unmoved(page, '[data-bosk-board]');
    await look('a notice');
    /** Whatever lies over the prompt leaves board, tray and actions free. */
    const aside = async (when) => {
      await look(when);
      const over = await page.evaluate(() => {
        const notices = document.querySelector('.notices').getBoundingClientRect();
        const lies = (what) => document.querySelector(what).getBoundingClientRect().top >= notices.bottom;
        return ['main.board', '.tray', 'footer.actions'].filter((what) => !lies(what));
      });
      assert.deepEqual(over, [], when);
    };
    await luc.ask(`POST /api/tables/${table}/undo`, {});
    await page.locator('[data-ask="undo"]').waitFor();
    await aside('a request');
    await mia.ask(`POST /api/tables/${table}/pause`, {});
    await page.locator('[data-ask="pause"]').waitFor();
    await aside('two requests');
    await page.locator('[data-fold]').tap();
    await page.locator('[data-ask="undo"]').waitFor({ state: 'hidden' });
    await aside('put aside');
    await page.locator('[data-confirm]').tap();
    await page.locator('[data-slip].laid').waitFor();
    await aside('a refusal, with requests put aside');
    await noe.ask(`POST /api/tables/${table}/abandon`, {});
    await page.locator('[data-ask="abandon"]').waitFor(); // what is new is shown
    await aside('a third request');
    await luc.ask('PATCH /api/me', { name: 'Maximilian-Alexander W.' });
    await page.locator('[data-seat="1"] .name', { hasText: 'Maximilian' }).waitFor();
    await aside('a long name');
    // However long the names are, one sees what a request is answered with.
    for (const [one, name] of [[luc, 'Maximilian-Alexander W.'], [mia, 'Mia-Sophie-Charlotte v.A.'], [noe, 'Noé-Barthélémy-Aurélien']]) await one.ask('PATCH /api/me', { name: name.slice(0, 24) });
    await page.locator('[data-ask="undo"]', { hasText: 'Aurélien' }).first().waitFor();
    const hidden = await page.evaluate(() => {
      const list = document.querySelector('.notices .list').getBoundingClientRect();
      return [...document.querySelectorAll('.notices .notice')].flatMap((notice) => {
        notice.scrollIntoView({ block: 'nearest' });
        return [...notice.querySelectorAll('button')].filter((b) => b.getBoundingClientRect().bottom > list.bottom + 1 || b.getBoundingClientRect().top < list.top - 1).map((b) => `${notice.dataset.ask}: ${b.textContent.trim()}`);
      });
    });
    assert.deepEqual(hidden, []);
    await aside('long names in requests');
    await page.locator('[data-ask="undo"]').getByRole('button', { name: words('en', 'page.online.no') }).tap();
    await page.locator('[data-ask="undo"]').waitFor({ state: 'detached' });
    await aside('an answer');
  });
}

// --- the slip -----------------------------------------------------------------

/** What the slip lies on and should not: legal targets, and whatever else can be pressed. */
function under(page) {
  return page.evaluate(() => {
    const slip = document.querySelector('[data-slip]').getBoundingClientRect();
    const inside = slip.left >= 0 && slip.top >= 0 && slip.right <= innerWidth && slip.bottom <= innerHeight;
    const met = [...document.querySelectorAll('.table [data-legal], .table [data-sibling], .table button, .table a[href]')].filter((e) => {
      const box = e.getBoundingClientRect();
      return e.checkVisibility({ visibilityProperty: true }) && Math.min(slip.right, box.right) - Math.max(slip.left, box.left) > 0.5 && Math.min(slip.bottom, box.bottom) - Math.max(slip.top, box.top) > 0.5;
    });
    return [...(inside ? [] : ['outside the screen']), ...met.map((e) => e.outerHTML.slice(0, 120))];
  });
}

/** Begins to lay leaves: a tree and a tile with which the first leaf has a choice,
 * and the next one is asked for after it. */
async function leaves(page, by = 'touch') {
  await take(page, 'tile', '8', by);
  for (const tree of await legal(page)) {
    await aimAt(page, tree, by);
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > 0);
    const first = await legal(page);
    if ((await keptGame(page)).draft.length === 1 && first.length > 1) {
      for (const to of first) {
        await aimAt(page, to, by);
        await page.waitForFunction(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > 1);
        if ((await keptGame(page)).draft.length === 2 && (await page.locator('[data-confirm].early').count())) return;
        await page.getByRole('button', { name: words('en', 'page.table.undo') }).tap();
        await drafted(page, 1);
      }
    }
    await page.getByRole('button', { name: words('en', 'page.table.restart') }).tap();
    await drafted(page, 0);
    await take(page, 'tile', '8', by);
  }
  assert.fail('no tree whose first leaf has a choice');
}

for (const viewport of phones)
  test(`a slip lies on nothing that can be pressed, and a press goes through it: ${viewport.width} × ${viewport.height}`, async (t) => {
    const four = [person(), bot(), bot(), bot()];
    const games = await Promise.all([bosk('spring', { id: 'spring', players: four }), bosk('autumn', { id: 'autumn', players: four }), grandbois('place', { id: 'place', laid: 16 })]);
    const { page, to } = await here.visit(t, { ...held(viewport), games });

    // A board on which everything is a target.
    await to('/table/spring');
    await settled(page);
    await page.locator('[data-confirm]').tap();
    await lookAtSlip(page);
    assert.deepEqual(await under(page), []);
    const through = await page.locator('[data-slip]').evaluate((slip) => {
      const box = slip.getBoundingClientRect();
      return !slip.contains(document.elementFromPoint(box.left + box.width / 2, box.top + 4));
    });
    assert.ok(through, 'a press goes through the paper');
    await take(page, 'tree', '2', 'touch');
    await page.locator('[data-slip]').waitFor({ state: 'detached' });
    await aimAt(page, (await legal(page))[40], 'touch');
    await drafted(page, 1);

    // Squares all over the board are refused; the next press both puts the slip
    // away and lays a leaf.
    await to('/table/autumn');
    await settled(page);
    await leaves(page);
    const cells = await page.locator('[data-bosk-board] [data-at]:not([data-legal]):not([data-sibling])').evaluateAll((list) => list.map((c) => c.dataset.at));
    const roll = dice('refused');
    let refused = 0;
    for (let n = 0; n < 40 && refused < 8; n++) {
      const before = (await keptGame(page)).draft;
      await aimAt(page, cells[Math.floor(roll() * cells.length)], 'touch');
      // What lies near a target is taken for it; only what is refused is looked at.
      const was = JSON.stringify(before);
      const answered = await page.waitForFunction((was) => (document.querySelector('[data-slip].laid') ? 'no' : JSON.stringify(JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft) !== was && 'taken'), was);
      if ((await answered.jsonValue()) === 'taken') {
        assert.ok((await keptGame(page)).draft.length <= before.length + 1);
        await page.getByRole('button', { name: words('en', 'page.table.restart') }).tap();
        await drafted(page, 0);
        await leaves(page);
        continue;
      }
      refused++;
      await lookAtSlip(page);
      await still(page);
      assert.deepEqual(await under(page), [], `a slip at ${cells[n]}`);
      assert.deepEqual((await keptGame(page)).draft, before);
    }
    assert.ok(refused >= 4, `${refused} refusals`);
    const { draft } = await keptGame(page);
    await aimAt(page, (await legal(page))[0], 'touch');
    await page.waitForFunction((n) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft.length > n, draft.length);
    await page.locator('[data-slip]').waitFor({ state: 'detached' });

    // The forest, with a tile in hand.
    await to('/table/place');
    await settled(page);
    await page.locator('.gb-river [data-tile]').first().tap();
    await forestRests(page);
    const { x, y, width } = await page.locator('.gb-forest').boundingBox();
    await page.touchscreen.tap(x + width - 70, y + 60);
    const slipped = await page.locator('[data-slip].laid').waitFor({ timeout: 2000 }).then(() => true, () => false);
    if (slipped) {
      await lookAtSlip(page);
      assert.deepEqual(await under(page), []);
    }
    await page.locator('[data-confirm]').tap();
    await lookAtSlip(page);
    await still(page);
    assert.deepEqual(await under(page), []);
  });

test('a slip goes by itself once it can have been read, and stays while it is looked at', async (t) => {
  const game = await bosk('spring');
  const { page, to } = await here.visit(t, { games: [game] });
  await page.clock.install();
  await to(`/table/${game.id}`);
  await settled(page);
  const slip = page.locator('[data-slip]');
  const refuse = async () => {
    await stopClock(page);
    await page.locator('[data-confirm]').click();
    await page.locator('[data-slip].laid').waitFor();
    await page.mouse.move(5, 5);
    return (await slip.innerText()).length;
  };
  const letters = await refuse();
  const time = 3000 + 70 * letters;
  assert.ok(letters > 10);
  await page.clock.runFor(time - 500);
  assert.equal(await slip.count(), 1, 'not before it can have been read');
  // Another one has its own time.
  await page.locator('[data-confirm]').dispatchEvent('click');
  await page.clock.runFor(1500);
  assert.equal(await slip.count(), 1, 'a new one is not as old as the one before');
  await page.clock.runFor(time);
  assert.equal(await slip.count(), 0);
  await page.clock.resume();

  await refuse();
  const box = await slip.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.clock.runFor(60_000);
  assert.equal(await slip.count(), 1, 'while the pointer rests on it');
  await page.mouse.move(5, 5);
  await page.clock.runFor(time);
  assert.equal(await slip.count(), 0);
  await page.clock.resume();

  // By keys: Escape puts it away and nothing else, any other key acts too.
  await refuse();
  await page.clock.resume();
  await page.keyboard.press('2');
  await slip.waitFor({ state: 'detached' });
  await page.locator('[data-tree="2"][aria-pressed="true"]').waitFor();
});

// --- leaves -------------------------------------------------------------------

for (const [name, players, viewport] of [['large cells', [person(), bot()], phones[0]], ['twelve by twelve', [person(), bot(), bot(), bot()], phones[1]]])
  test(`a tap on a sibling of the last leaf aims that leaf again: ${name}`, async (t) => {
    const game = await bosk('autumn', { players });
    const { page, to } = await here.visit(t, { ...held(viewport), games: [game] });
    await to(`/table/${game.id}`);
    await settled(page);
    await leaves(page);
    const siblings = () => page.locator('[data-bosk-board] [data-sibling]').evaluateAll((list) => list.map((c) => c.dataset.at));
    const last = async () => (await keptGame(page)).draft.at(-1);
    const to_ = async (at) => page.waitForFunction((at) => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft[1]?.to.join() === at, at);
    const was = (await last()).to.join();
    const [other] = await siblings();
    assert.ok(other && other !== was);
    assert.match(await page.locator(`[data-bosk-board] [data-at="${other}"]`).getAttribute('aria-label'), new RegExp(words('en', 'page.bosk.cell.instead')));
    await aimAt(page, other, 'touch');
    await to_(other);
    assert.equal(await page.locator('[data-slip]').count(), 0);
    // And back, by keys.
    await page.locator(`[data-bosk-board] [data-at="${was}"]`).focus();
    if (await page.locator(`[data-bosk-board] [data-at="${was}"][data-sibling]`).count()) {
      await page.keyboard.press('Enter');
      await to_(was);
    }
    // After a reload nobody has seen the choice: it is found all the same, and a
    // square that was none is refused and changes nothing.
    await page.reload();
    await settled(page);
    const before = (await keptGame(page)).draft;
    const now = before[1].to.join();
    const target = now === was ? other : was;
    assert.equal(await page.locator('[data-confirm].early').count(), 1);
    await aimAt(page, target, 'touch');
    await to_(target);
  });

// --- names --------------------------------------------------------------------

test('two people of one name are told apart wherever they are named', async (t) => {
  const players = [person('Anna'), person('Anna')];
  const [game, over] = await Promise.all([bosk('autumn', { id: 'two', round: 2, players }), finished('bosk', { id: 'over', players })]);
  const { page, to } = await here.visit(t, { ...held(phones[1]), games: [game, over] });
  await to('/table/two');
  await settled(page);
  const both = async (where) => {
    const text = await page.locator(where).first().innerText();
    for (const name of ['Anna (Maple)', 'Anna (Oak)']) assert.ok(text.replace(/\s+/g, ' ').includes(name), `${name} in ${where}: ${text.slice(0, 200)}`);
  };
  await both('.seats');
  for (const [button, there] of [['page.table.log', 'dialog ol'], ['page.table.scores', 'dialog table']]) {
    await page.locator('.bar').getByRole('button', { name: words('en', button) }).tap();
    await page.locator(there).first().waitFor();
    await both('dialog');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  await to('/table/over');
  await page.locator('dialog [data-verdict]').waitFor();
  await both('dialog');
  await to('/replay/over');
  await page.locator('input[type=range]').waitFor();
  await both('body');
});

// --- coordinates ----------------------------------------------------------------

test('trails keep their numbers beside their sums, and what sentences cite is drawn', async (t) => {
  const games = await Promise.all([bosk('spring', { id: 'spring', planted: 9, players: [person(), bot(), bot()] }), bosk('autumn', { id: 'autumn', players: [person(), bot()] }), grandbois('place', { id: 'place', laid: 9 })]);
  const { page, to } = await here.visit(t, { ...held(phones[1]), games });
  const printed = () => page.locator('[data-bosk-board] .edge text.name').evaluateAll((list) => list.map((e) => e.textContent));
  await to('/table/spring');
  await settled(page);
  const nine = Array.from({ length: 9 }, (_, i) => String(i + 1));
  assert.deepEqual((await printed()).sort(), [...nine, ...nine].sort(), 'a number for every trail, with a sum or without');
  assert.ok((await page.locator('[data-bosk-board] .edge .chip rect').count()) > 0, 'and sums');
  await to('/table/autumn');
  await settled(page);
  const eight = [...'12345678', ...'ABCDEFGH'];
  assert.deepEqual([...new Set(await printed())].sort(), eight);
  await to('/table/place');
  await settled(page);
  await forestRests(page);
  // Every column and row of the forest is named, where it lies.
  const off = await page.evaluate(() => {
    const { left, top } = document.querySelector('.gb-forest').getBoundingClientRect();
    const marks = (kind) => new Map([...document.querySelectorAll(`.rulers .${kind}`)].map((e) => [e.textContent.replace('−', '-'), e.getBoundingClientRect()]));
    const [columns, rows] = [marks('column'), marks('row')];
    return [...document.querySelectorAll('.gb-forest [role=gridcell]')].flatMap((cell) => {
      const [, x, y] = cell.getAttribute('aria-label').replaceAll('−', '-').match(/\((-?\d+), (-?\d+)\)/) ?? [];
      if (x === undefined || /empty/i.test(cell.getAttribute('aria-label'))) return [];
      const box = cell.querySelector('rect').getBoundingClientRect();
      const [column, row] = [columns.get(x), rows.get(y)];
      const good = column && row && Math.abs(column.left + column.width / 2 - box.left - box.width / 2) < 2 && Math.abs(row.top + row.height / 2 - box.top - box.height / 2) < 2;
      return good ? [] : [`${x}, ${y} at ${box.left - left}, ${box.top - top}`];
    });
  });
  assert.deepEqual(off, []);
});

test('short phones: what one must see of what is looked at lies above the actions, whole', async (t) => {
  const long = person('Maximilian-Theodor');
  const games = await Promise.all([
    bosk('spring', { id: 'spring', planted: 12, players: [long, bot(), bot(), bot()] }),
    bosk('summer', { id: 'summer', players: [long, person(), person(), person()] }),
    bosk('autumn', { id: 'autumn', round: 3, players: [long, bot(), bot(), bot()] }),
    grandbois('place', { id: 'place', laid: 9 }),
  ]);
  const { page, to } = await here.visit(t, { ...held(phones[1]), games });
  for (const viewport of [phones[1], { width: 390, height: 664 }, { width: 360, height: 600 }]) {
    await page.setViewportSize(viewport);
    for (const [id, what] of [['spring', '[data-bosk-side] .names, .trails li.lit'], ['summer', '[data-bosk-wind], [data-bosk-side] .names'], ['autumn', '[data-bosk-wind], [data-bosk-side] .names'], ['place', '.table > .left > .side']]) {
      await to(`/table/${id}`);
      await settled(page);
      if (id === 'spring' && !(await keptGame(page)).draft.length) {
        await take(page, 'tree', await page.locator('[data-bosk-tray] [data-tree]:not(.spent)').first().getAttribute('data-tree'), 'touch');
        await aimAt(page, (await legal(page))[40], 'touch');
        await drafted(page, 1);
      }
      await still(page);
      const found = await page.evaluate((what) => {
        const bar = document.querySelector('footer.actions').getBoundingClientRect();
        const room = document.querySelector('.table > .left > .side');
        // Where trails of four seats need two rows, the second is scrolled to.
        const seen = [...document.querySelectorAll(what)].filter((e) => e.checkVisibility() && !(e.matches('li') && e.closest('section').previousElementSibling?.getBoundingClientRect().bottom <= e.getBoundingClientRect().top));
        const cut = seen.filter((e) => e.getBoundingClientRect().bottom > bar.top + 0.5 || e.getBoundingClientRect().top < room.getBoundingClientRect().top - 6);
        return { seen: seen.length, cut: cut.map((e) => e.outerHTML.slice(0, 80)), hidden: room.matches('.grandbois *') ? room.scrollHeight - room.clientHeight : 0, below: Math.round(bar.bottom) - innerHeight };
      }, what);
      assert.ok(found.seen > 0, id);
      assert.deepEqual({ cut: found.cut, hidden: found.hidden, below: found.below }, { cut: [], hidden: 0, below: 0 }, `${id}, ${viewport.width} × ${viewport.height}`);
    }
  }
});

test('who leads in the regions is seen whole, however many share the lead', async (t) => {
  const four = [person(), bot(), bot(), bot()];
  const games = await Promise.all([3, 8].map((round) => bosk('autumn', { id: `round-${round}`, round, seed: 'd', players: four })));
  const { page, to } = await here.visit(t, { ...held(phones[0]), games });
  let shared = 0;
  for (const { id } of games) {
    await to(`/table/${id}`);
    await settled(page);
    for (const language of ['it', 'fr', 'en']) {
      await speak(page, language);
      await still(page);
      const { over, leads } = await page.locator('.table > .left > .side').evaluate((e) => ({
        over: e.scrollHeight - e.clientHeight,
        leads: [...e.querySelectorAll('.regions li')].map((li) => [...li.querySelectorAll('.lead')].filter((lead) => lead.checkVisibility()).length),
      }));
      shared = Math.max(shared, ...leads);
      assert.equal(over, 0, `${id}, ${language}: ${leads}`);
    }
  }
  assert.ok(shared >= 3, `${shared} share a lead`);
});

test('a table begins at its top, wherever one was before', async (t) => {
  const { page, to } = await here.visit(t, held(phones[1]));
  await to('/');
  await startGame(page, { game: 'bosk', by: 'touch', listed: false });
  await settled(page);
  const { scrolled, room } = await page.evaluate(() => ({ scrolled: scrollY, room: document.scrollingElement.scrollHeight - innerHeight }));
  assert.ok(room > 0, 'it could be scrolled');
  assert.equal(scrolled, 0);
});

test('no arrow of the forest lies on the name of a row or of a column', async (t) => {
  const game = await grandbois('place', { laid: 30, players: [person(), bot(), bot()] });
  const { page, to } = await here.visit(t, { ...held(phones[1]), games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  const ways = new Set();
  const tiles = await page.locator('.gb-river [data-tile]').count();
  for (let tile = 0; tile < tiles; tile++) {
    await page.locator('.gb-river [data-tile]').nth(tile).tap();
    for (let turn = 0; turn < 4; turn++) {
      await forestRests(page);
      const { arrows, met } = await page.evaluate(() => {
        const arrows = [...document.querySelectorAll('[data-beyond]')];
        const marks = [...document.querySelectorAll('.rulers text')];
        const met = arrows.flatMap((arrow) => {
          const a = arrow.getBoundingClientRect();
          return marks.flatMap((mark) => {
            const b = mark.getBoundingClientRect();
            return Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0 ? [`${arrow.dataset.beyond} on ${mark.textContent}`] : [];
          });
        });
        return { arrows: arrows.map((a) => a.dataset.beyond), met };
      });
      for (const way of arrows) ways.add(way);
      assert.deepEqual(met, [], `tile ${tile}, turned ${turn} times`);
      await page.locator('.gb-turns button').last().tap();
    }
  }
  assert.ok(ways.has('up') && ways.has('left'), [...ways].join());
});

// --- the guide ----------------------------------------------------------------

for (const game of ['bosk', 'grandbois', 'treesociety'])
  test(`the guide of ${game} covers neither the tray nor the actions nor what it is about`, async (t) => {
    const { page, to } = await here.visit(t, held(phones[1]));
    for (const viewport of phones) {
      await page.setViewportSize(viewport);
      await to(`/${game}/learn`);
      await settled(page);
      const card = page.locator('[data-coach]');
      await card.waitFor();
      const seen = new Set();
      for (let n = 0; n < 10 && (await card.count()); n++) {
        const mark = await card.getAttribute('data-coach');
        if (seen.has(mark)) break;
        seen.add(mark);
        await still(page);
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
        const met = () => page.evaluate(() => {
          const card = document.querySelector('[data-coach]').getBoundingClientRect();
          const meets = (box) => Math.min(card.right, box.right) - Math.max(card.left, box.left) > 1 && Math.min(card.bottom, box.bottom) - Math.max(card.top, box.top) > 1;
          const inside = card.left >= 0 && card.top >= 0 && card.right <= innerWidth && card.bottom <= innerHeight;
          return [...(inside ? [] : ['outside the screen']), ...['.table > .left > .tray', 'footer.actions'].filter((what) => meets(document.querySelector(what).getBoundingClientRect()))];
        });
        // What it points to is looked at four times a second, and it goes along.
        await eventually(met, [], `mark ${mark}, ${viewport.width} × ${viewport.height}`);
        await card.locator('button.act').tap();
        await page.waitForFunction((mark) => document.querySelector('[data-coach]')?.dataset.coach !== mark, mark);
      }
      assert.ok(seen.size >= 2, `${seen.size} marks`);
    }
  });
