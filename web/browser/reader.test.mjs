/** Games played by the accessibility tree alone: roles, names and the keyboard. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dice } from './drive.mjs';
import { bosk, grandbois, treesociety } from './games.mjs';
import { guest, playOn, whoSitsAt } from './guests.mjs';
import { reader, things } from './reader.mjs';
import { stand } from './stand.mjs';
import { messages, words } from './words.mjs';

const here = stand({ before, after });

/** From where the engine has played to: in Bosk the last trees, summer and autumn; in
 * GrandBois the last tiles and the harvest; in Tree Society where the end is near. */
const begun = {
  bosk: () => bosk('spring', { planted: 12, seed: 'Bosk by reading' }),
  grandbois: () => grandbois('place', { laid: 28, seed: 'GrandBois by reading' }),
  treesociety: () => treesociety('sell', { seed: 'Tree Society by reading', when: ({ players, banners }) => players.some(({ all }) => all >= banners - 1) }),
};

for (const [name, game] of Object.entries(begun))
  test(`${name} to its end by roles and names alone`, { timeout: 1_800_000 }, async (t) => {
    const kept = await game();
    const { page, to } = await here.visit(t, { games: [kept] });
    for (const pointer of ['mouse', 'touchscreen']) for (const act of ['click', 'move', 'down', 'tap']) if (page[pointer][act]) page[pointer][act] = () => assert.fail('nobody points here');
    await to(`/table/${kept.id}`);
    const reads = reader(page, dice(`${name} by reading`));
    await reads.prompt.waitFor();
    await reads.play(name);
    // The end says who came where, and where every point came from.
    const places = await reads.end.getByRole('list').first().getByRole('listitem').allInnerTexts();
    assert.equal(places.length, 2);
    const total = reads.end.getByRole('row', { name: words('en', 'page.table.total') });
    const totals = (await total.getByRole('cell').allInnerTexts()).map(Number);
    assert.deepEqual([...totals].sort((a, b) => b - a), places.map((place) => Number(place.match(/(\d+)\s*$/)[1])));
    await reads.end.getByRole('link', { name: words('en', 'page.end.replay') }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('slider', { name: words('en', 'page.replay.slider') }).waitFor();
  });

test('a snapshot is read as it is written', () => {
  assert.deepEqual(
    things(`- region "In your hand":\n  - group "Your trees":\n    - button "Tree of value 1, 2 left" [pressed]: ×2\n  - 'button "Tile 11: a clearing, it''s \\"new\\""'\n  - button "Restart turn" [disabled]\n- paragraph: button "no"`),
    [
      { role: 'region', name: 'In your hand', group: '', pressed: false, disabled: false },
      { role: 'group', name: 'Your trees', group: '', pressed: false, disabled: false },
      { role: 'button', name: 'Tree of value 1, 2 left', group: 'Your trees', pressed: true, disabled: false },
      { role: 'button', name: 'Tile 11: a clearing, it\'s "new"', group: '', pressed: false, disabled: false },
      { role: 'button', name: 'Restart turn', group: '', pressed: false, disabled: true },
      { role: 'paragraph', name: '', group: '', pressed: false, disabled: false },
    ],
  );
});

/** Two at a table of the server, both by the API; whoever sits at the page is the first. */
async function two(page, to, game) {
  await to('/credits'); // a page of the server that asks for nothing
  const [anna, luc] = [whoSitsAt(page), await guest(here.server.url, 'Luc')];
  await anna.ask('POST /api/me', { name: 'Anna' });
  const table = await anna.set({ game, seats: 2 });
  await anna.sit(table, 0);
  await luc.sit(table, 1);
  await anna.ask(`POST /api/tables/${table}/start`, {});
  return { anna, luc, table };
}

test('what stands in the live regions is true now', async (t) => {
  const { page, to } = await here.visit(t);
  const { anna, luc, table } = await two(page, to, 'bosk');
  await playOn(table, [anna, luc], (n, seat) => n > 1 && seat === 0);
  await to(`/t/${table}`);
  const reads = reader(page, dice('live'));
  const prompt = words('en', 'page.bosk.ask.tree');
  await reads.prompt.getByText(prompt).waitFor();
  const said = page.getByRole('log').filter({ hasNot: page.getByRole('listitem') });
  await said.getByText(prompt).waitFor(); // the turn was announced
  const alert = page.getByRole('alert');
  // A refusal stands until something else is done.
  await reads.actions.getByRole('button').last().focus();
  await page.keyboard.press('Enter');
  await alert.getByText(words('en', 'page.bosk.missing.tree')).waitFor();
  const tree = reads.tray.getByRole('button').last();
  await tree.focus();
  await page.keyboard.press('Enter');
  await alert.getByText(words('en', 'page.bosk.missing.tree')).waitFor({ state: 'detached' });
  await said.getByText(prompt).waitFor({ state: 'detached' }); // a tree is in hand: another prompt holds
  await anna.move(table); // the turn passes
  await reads.prompt.getByText(/Luc/).first().waitFor();
  for (const key of Object.keys(messages('en')).filter((key) => key.startsWith('page.bosk.ask.') && !messages('en')[key].includes('{'))) assert.equal(await said.getByText(words('en', key)).count(), 0, key);
  // Whose turn it is not hears why nothing is taken back.
  const undo = reads.actions.getByRole('button', { name: words('en', 'page.table.undo') });
  assert.equal(await undo.getAttribute('aria-disabled'), 'true');
  await undo.focus();
  await page.keyboard.press('Enter');
  await alert.getByText(words('en', 'page.back.later.asks')).waitFor();
});

for (const game of ['bosk', 'grandbois', 'treesociety'])
  test(`who watches ${game} is told of nothing that it is theirs`, async (t) => {
    const { page, to } = await here.visit(t);
    await to('/credits');
    const [luc, mia] = [await guest(here.server.url, 'Luc'), await guest(here.server.url, 'Mia')];
    const table = await luc.set({ game, seats: 2 });
    await luc.sit(table, 0);
    await mia.sit(table, 1);
    await luc.ask(`POST /api/tables/${table}/start`, {});
    await playOn(table, [luc, mia], (n, seat) => n > 2 && typeof seat === 'number');
    await to(`/t/${table}`);
    await page.getByRole('main', { name: words('en', 'page.table.board') }).waitFor();
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor();
    for (const size of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      // What the rules say to everybody, and what is written on cards, speaks to whoever reads it.
      const all = (await Promise.all(['main', 'region', 'contentinfo', 'banner'].map(async (role) => (await Promise.all((await page.getByRole(role).all()).map((part) => part.ariaSnapshot()))).join('\n')))).join('\n');
      const lines = all.split('\n').filter((line) => /\b(your|yours|my|mine)\b/i.test(line) && !/gridcell|row "/.test(line));
      assert.deepEqual(lines, [], `at ${size.width}`);
    }
  });
