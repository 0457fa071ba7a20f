import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { askHint, settled } from './drive.mjs';
import { bosk } from './games.mjs';
import { bot, patience, person, stand } from './stand.mjs';

const here = stand({ before, after }, { think: true });

test('the strongest level thinks in as many workers as there are cores, four at most, and finds the same in any number of them', { timeout: 600_000 }, async (t) => {
  const game = await bosk('autumn', { round: 6, players: [person('Anna'), bot(1)] });
  const hints = [];
  for (const [cores, workers] of [[1, 1], [2, 2], [16, 4]]) {
    const { page, to } = await here.visit(t, { games: [game] });
    await page.addInitScript((cores) => Object.defineProperty(navigator, 'hardwareConcurrency', { get: () => cores }), cores);
    await patience(page);
    await to(`/table/${game.id}`);
    await settled(page);
    await askHint(page);
    assert.equal(page.workers().length, workers + 1, `workers that think on ${cores} cores, and one that has the rules`);
    hints.push(await page.locator('[data-hint]').innerText());
    for (const worker of page.workers()) assert.ok(await worker.evaluate(() => globalThis.patient));
  }
  assert.ok(hints[0].length > 40, hints[0]);
  assert.deepEqual(hints, Array(3).fill(hints[0]));
});
