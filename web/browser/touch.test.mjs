import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, anyhow, dice, drafted, endSheet, forestRests, keptGame, playBosk, playGrandbois, settled, startGame } from './drive.mjs';
import { none, tooSmall } from './look.mjs';
import { grandbois } from './games.mjs';
import { stand } from './stand.mjs';

const here = stand({ before, after });

/** Where the wind blows in the round that is played. */
async function blowing(page) {
  const { line } = await keptGame(page);
  const ways = ['north', 'east', 'south', 'west'];
  const rounds = line.filter((e) => e.seat === 0 && e.move.do === 'shed').length;
  return ways[(ways.indexOf(line.find((e) => e.move.do === 'wind').move.side) + rounds) % 4];
}

test('a whole game of Bosk by thumb: eight trees, and a path of eight leaves', { timeout: 1_800_000 }, async (t) => {
  const { page, to } = await here.visit(t, { size: 'phone', language: 'it' });
  await to('/');
  await page.locator('article .ways a.act').first().waitFor();
  none(await tooSmall(page), 'home');
  await startGame(page, { game: 'bosk', by: 'touch', seats: [{ who: 'person', name: 'Mia' }, { who: 'bot' }, { who: 'bot' }], level: 1 });
  await settled(page);

  // The first two trees are of value 1, which round 1 asks for, and stand in
  // opposite corners: whichever way the wind blows, one of them has nine squares
  // ahead of it.
  const corners = [['9,9', '9,8', '8,9'], ['1,1', '1,2', '2,1']];
  let planted = 0;
  const roll = dice('a thumb');
  const plan = {
    ...anyhow(roll),
    plant({ values, legal }) {
      const corner = corners[planted++];
      return corner ? { value: '1', at: corner.find((at) => legal.includes(at)) } : { value: values[0] };
    },
    crossing: ({ legal }) => legal[Math.floor(legal.length / 2 + roll() * 4)],
    async tree({ legal, tiles }) {
      wind = await blowing(page);
      return (tiles.includes('8') ? legal.find(far) : undefined) ?? legal.find((at) => !far(at)) ?? legal[0];
    },
    tile: ({ tiles, at }) => (tiles.includes('8') && far(at) ? '8' : (tiles.find((tile) => tile !== '8') ?? '8')),
    // Where the most leaves are left after it.
    to: ({ places }) => places.map((p) => ({ ...p, left: Number(p.label.match(/\d+(?=\D*$)/)?.[0] ?? 0) })).sort((a, b) => b.left - a.left)[0].at,
  };
  let wind = '';
  const far = (at) => {
    const [row, column] = at.split(',').map(Number);
    return { north: row, south: 10 - row, west: column, east: 10 - column }[wind] >= 8;
  };

  let trees = 0;
  let longest = 0;
  let seen = '';
  await playBosk(page, {
    by: 'touch',
    plan,
    async beforeConfirm() {
      const { draft } = await keptGame(page);
      if (draft[0].do === 'plant') trees++;
      const leaves = draft.filter((m) => m.do === 'leaf').length;
      if (leaves > longest) [longest, seen] = [leaves, await page.locator('[data-prompt]').innerText()];
      if (trees === 1 || longest === leaves) none(await tooSmall(page), 'the table');
    },
  });
  assert.equal(trees, 8);
  assert.ok(longest >= 8, `the longest path had ${longest} leaves`);
  assert.match(seen, /8/);
  addsUp(await endSheet(page));
  none(await tooSmall(page), 'the end sheet');
});

test('GrandBois to its end by thumb', { timeout: 1_800_000 }, async (t) => {
  const game = await grandbois('place', { laid: 12, seed: 'a thumb' });
  const { page, to } = await here.visit(t, { size: 'phone', games: [game] });
  await to('/');
  await page.locator('a.next').tap();
  await settled(page);
  none(await tooSmall(page), 'the table');
  let least = Infinity;
  let smallest = Infinity; // as it would be if all of it were shown
  const space = () => page.locator('.gb-forest [role=gridcell] .gap').first().evaluate((e) => (e.getBoundingClientRect().width * 52) / 48);
  await playGrandbois(page, {
    by: 'touch',
    roll: dice('a thumb'),
    between: async () => {
      await forestRests(page);
      if (!(await page.locator('.gb-river [aria-pressed=true]').count())) return;
      least = Math.min(least, await space());
      const { rows, columns } = await page.evaluate(() => ({ rows: document.querySelectorAll('.gb-forest [role=row]').length, columns: document.querySelector('.gb-forest [role=row]').children.length }));
      smallest = Math.min(smallest, 390 / (columns - 2), 385 / (rows - 2));
      // Whatever is out of sight is said to be there, and an arrow leads to it.
      const arrow = page.locator('[data-beyond]').first();
      if (!(await arrow.count())) return;
      const way = await arrow.getAttribute('data-beyond');
      const n = Number(await arrow.locator('.number').innerText());
      await arrow.tap();
      await forestRests(page);
      const left = page.locator(`[data-beyond="${way}"] .number`);
      assert.ok(!(await left.count()) || Number(await left.innerText()) < n, `an arrow ${way} to ${n} places shows some of them`);
    },
    atGhost: async () => none(await tooSmall(page), 'with a ghost'),
  });
  assert.ok(least >= 40, `a space of ${least} pixels while somebody aims`);
  assert.ok(smallest < 40, 'the forest has grown too large for that as a whole');
  addsUp(await endSheet(page));
});

test('a tap beside a ghost moves it, and no stray tap ends a turn', async (t) => {
  const game = await grandbois('place', { laid: 4, seed: 'a stray tap' });
  const { page, to } = await here.visit(t, { size: 'phone', games: [game] });
  await to(`/table/${game.id}`);
  await settled(page);
  await page.locator('.gb-river [data-tile]').first().tap();
  const dots = () => page.locator('.gb-forest .dots circle:not(.faint)').evaluateAll((list) => list.map((d) => d.getBoundingClientRect()).map((b) => ({ x: b.x + b.width / 2, y: b.y + b.height / 2 })));
  await page.locator('.gb-forest .dots circle:not(.faint)').first().waitFor({ state: 'attached' });
  await forestRests(page);
  const [first, ...others] = await dots();
  const far = (dot) => Math.hypot(dot.x - first.x, dot.y - first.y);
  const other = others.sort((a, b) => far(b) - far(a))[0];
  await page.touchscreen.tap(first.x, first.y);
  await drafted(page, 1);
  const [was] = (await keptGame(page)).draft;
  await page.touchscreen.tap(other.x, other.y);
  await page.waitForFunction((was) => JSON.stringify(JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).draft[0]) !== was, JSON.stringify(was));
  assert.equal((await keptGame(page)).line.length, game.line.length);
});

// Chromium 156 says nothing of touches that a script makes, and no test can make a real one that comes
// too late: so what it says is said here, once from a file of the page and once from none.
test('a page that cancels a touch too late is found out; a tap that our driver takes back is not the page’s', async (t) => {
  const { page, to, wrong } = await here.visit(t, { size: 'phone' });
  const words = 'Ignored attempt to cancel a touchstart event with cancelable=false.';
  await page.route('**/late.js', (route) => route.fulfill({ contentType: 'text/javascript', body: `window.late = () => console.error('${words}')` }));
  await to('/credits');
  await page.addScriptTag({ url: '/late.js' });
  const told = async (late) => {
    const said = page.waitForEvent('console', (message) => message.text() === words);
    await page.evaluate(([late, words]) => (late ? window.late() : console.error(words)), [late, words]);
    assert.equal((await said).location().url.endsWith('/late.js'), late);
  };
  await told(false);
  assert.deepEqual(wrong, []);
  await told(true);
  assert.equal(wrong.length, 1);
  assert.match(wrong.pop(), /touchstart/);
});
