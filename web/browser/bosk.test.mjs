import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addsUp, anyhow, dice, endSheet, playBosk, scores, settled, startGame } from './drive.mjs';
import { stand } from './stand.mjs';
import { shapes, words } from './words.mjs';

const here = stand({ before, after });

test('Bosk in French, from home to the end sheet, and every forecast of the scores comes true', async (t) => {
  const { page, to } = await here.visit(t, { language: 'fr' });
  await to('/');
  await startGame(page, { game: 'bosk', seats: [{ who: 'person', name: 'Anna' }, { who: 'person', name: 'Luc' }] });
  await settled(page);
  let forecasts = 0;
  await playBosk(page, {
    plan: anyhow(dice('bosk in French')),
    beforeConfirm: () => scores(page),
    async afterConfirm(before, phase) {
      if (phase !== 'person') return; // counted up: the seats are shown anew
      const now = await scores(page);
      assert.deepEqual(now.map((s) => s.score), before.map((s) => s.after));
      if (before.some((s) => s.after !== s.score)) forecasts++;
    },
  });
  assert.ok(forecasts >= 10, `only ${forecasts} turns changed a score`);

  const sheet = await endSheet(page);
  addsUp(sheet);
  assert.equal(sheet.totals.length, 2);
  assert.ok(sheet.parts.every((part) => part.lines.length >= 8), 'each trail and region has a line');
  assert.match(sheet.verdict, /Anna|Luc/);
  const result = await page.evaluate(() => JSON.parse(localStorage.getItem('copse.game.' + location.pathname.split('/')[2])).result);
  assert.deepEqual(result.totals, sheet.totals);

  await page.locator('dialog').getByRole('button', { name: words('fr', 'page.end.look') }).click();
  const log = await page.locator('#panel ol p').allInnerTexts();
  const french = shapes('fr', 'bosk.event.');
  assert.ok(log.length > 40);
  for (const line of log) assert.ok(french.some((say) => say.test(line)), `this is no French of ours: ${line}`);
});
