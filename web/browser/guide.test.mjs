import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boskTurn, anyhow, confirm, dice, grandboisTurn, keptGame, playOn, settled, societyTurn } from './drive.mjs';
import { eventually } from './eventually.mjs';
import { still } from './look.mjs';
import { stand } from './stand.mjs';
import { words } from './words.mjs';

const here = stand({ before, after });

/** Reads the marks that show now, each until the next; gives their numbers. The
 * guide itself must have come: it is there until its last mark, and shows what
 * there is to show together with what it is about. */
async function marks(page) {
  const seen = [];
  const card = page.locator('[data-coach]');
  await still(page);
  for (let i = 0; i < 10 && (await card.count()); i++) {
    const number = Number(await card.getAttribute('data-coach'));
    if (seen.includes(number)) break;
    seen.push(number);
    await still(page); // its place goes by its size
    // What it points to is looked at four times a second, and it goes along.
    const screen = page.viewportSize();
    await eventually(() => card.boundingBox(), ({ x, y, width, height }) => x >= 0 && y >= 0 && x + width <= screen.width + 1 && y + height <= screen.height + 1, `mark ${number} is inside the screen`);
    await card.locator('button.act').click();
    await page.waitForFunction((number) => document.querySelector('[data-coach]')?.dataset.coach !== String(number), number);
  }
  return seen;
}

for (const game of ['bosk', 'grandbois', 'treesociety'])
  test(`the guided first game of ${game}: six to eight marks, each once, in order`, { timeout: 1_800_000 }, async (t) => {
    const { page, to } = await here.visit(t);
    await to('/');
    await page.locator(`article .ways a[href="/${game}/learn"]`).click();
    await page.locator('[data-phase]').waitFor();
    await settled(page);
    await page.locator('[data-coach="0"]').waitFor();
    const of = Number((await page.locator('[data-coach] .number').innerText()).split('/')[1]);
    assert.ok(of >= 6 && of <= 8, `${of} marks`);
    const seen = [];
    const plan = anyhow(dice('guided'));
    const read = async () => seen.push(...(await marks(page)));
    await playOn(page, {
      async turn() {
        await read();
        if (seen.length === of) return;
        if (game === 'bosk') {
          await boskTurn(page, { plan, between: read });
          await read();
          await confirm(page);
        } else if (game === 'treesociety') await societyTurn(page, { roll: dice(`guided ${seen.length}`), between: read, atEnd: read });
        else await grandboisTurn(page, { roll: dice(`guided ${seen.length}`), between: read, atGhost: read });
      },
      until: () => seen.length === of,
    });
    assert.deepEqual(seen, Array.from({ length: of }, (_, i) => i));
    assert.equal((await keptGame(page)).guide, null);
  });

test('the guide can be sent away, stays away after a reload, and can be had again', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/bosk/learn');
  await page.locator('[data-coach="0"]').waitFor();
  await page.getByRole('button', { name: words('en', 'page.coach.stop') }).click();
  await page.locator('[data-coach]').waitFor({ state: 'detached' });
  await page.reload();
  await settled(page);
  assert.equal(await page.locator('[data-coach]').count(), 0);
  await to('/');
  await page.locator('article .ways a[href="/bosk/learn"]').click();
  await page.locator('[data-coach="0"]').waitFor();
});

test('a reload in the middle of the guide goes on with the same mark', async (t) => {
  const { page, to } = await here.visit(t);
  await to('/bosk/learn');
  await page.locator('[data-coach="0"] button.act').click();
  await page.locator('[data-coach="1"]').waitFor();
  await page.reload();
  await page.locator('[data-coach="1"]').waitFor();
});
